/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages that come from the host at their first access, while kernels run (NSU paper, section
 * 4.1.1).
 *
 * What the host allocates is with the host at first (pager_map). An access of a warp to a page that
 * is not there asks for it (pager_need) and is tried again when it has come. The host sends pages
 * in the order in which they were asked for, the first bytes `latency` cycles after that, and one
 * page each `interval` cycles. A page that is at the GPU goes to its stack as writes of whole
 * lines, over the path of RDF and WTA packets; when all are acknowledged it is there, for good:
 * nothing is sent back to the host.
 *
 * The rule of the paper: the writes wait until no write of an NSU to that stack is under way
 * (`policy`'s writes_to). So that this ever comes, no block that writes to the stack begins
 * meanwhile (pager_holds). A block begins when all its pages are there (offload_nsu_look.c), so
 * none that is on its way, and keeps entries and a warp of an NSU, waits for a page.
 */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_shared.h"
#include "offload_policy.h"

struct l2;
typedef struct pager pager_t;

/* slices: [config->num_stacks]. NULL: out of host memory. */
pager_t *pager_new(const gpu_shared_t *sh, struct l2 *slices, const offload_policy_t *policy, void *die);
void pager_free(pager_t *pager);

/* The pages from vaddr on are the host's, and zero. False: out of host memory. */
bool pager_map(pager_t *pager, uint64_t vaddr, uint64_t bytes);
/* The host's own bytes of a page that is not at the GPU, NULL: it is there. */
uint8_t *pager_host_page(const pager_t *pager, uint64_t vaddr);

/* Is the page there, or not one of the host's; if not, it is asked for. */
bool pager_need(pager_t *pager, uint64_t vaddr);
/* a page is on its way into this stack: no block that writes there begins */
bool pager_holds(const pager_t *pager, unsigned stack);
void pager_written(pager_t *pager, uint64_t paddr); /* one of its writes is acknowledged */
bool pager_tick(pager_t *pager, uint64_t now);      /* once a cycle; true: a page has come to be there */
unsigned pager_waiting(const pager_t *pager);       /* pages that were asked for and are not there */

#endif
