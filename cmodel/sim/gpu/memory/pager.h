/* SPDX-License-Identifier: Apache-2.0
 *
 * Demand paging: pages move from the host to the GPU at their first access, while kernels run (NSU
 * paper, section 4.1.1).
 *
 *   AT_HOST --pager_need--> ASKED --page arrives, is written, all acknowledged--> THERE
 *
 * pager_map puts an allocation's pages into host memory. An access to a missing page asks for it
 * (pager_need), and the warp tries again later. The host sends pages in the order of the requests.
 * The first bytes take paging.latency cycles, and pages follow each other at paging.interval
 * cycles. The GPU writes an arrived page to its stack in whole lines, over the path of RDF and WTA
 * packets. When all writes are acknowledged, the page is resident for good. No page returns to the
 * host.
 *
 * The paper's rule: the writes wait until no NSU write to that stack is under way (the policy's
 * writes_to). Meanwhile no block that writes to the stack begins (pager_holds), so the wait ends. A
 * block begins only when all its pages are resident (offload_nsu_look.c). No block that holds
 * entries and a warp of an NSU therefore waits for a page.
 */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_shared.h"
#include "offload_policy.h"

struct l2;
typedef struct pager pager_t;

/* slices: [config->num_stacks]; NULL: out of host memory. */
pager_t *pager_new(const gpu_shared_t *sh, struct l2 *slices, const offload_policy_t *policy, void *die);
void pager_free(pager_t *pager);

/* Puts the pages from vaddr on into host memory, zeroed. false: out of host memory. */
bool pager_map(pager_t *pager, uint64_t vaddr, uint64_t bytes);
/* Host copy of a page that has not been asked for; NULL: use GPU memory. */
uint8_t *pager_host_page(const pager_t *pager, uint64_t vaddr);

/* True if the page is resident or not managed here. Otherwise asks for it, once. */
bool pager_need(pager_t *pager, uint64_t vaddr);
/* True while a page is on its way into the stack: no block that writes there may begin. */
bool pager_holds(const pager_t *pager, unsigned stack);
void pager_written(pager_t *pager, uint64_t paddr); /* a write of the pager is acknowledged */
/* once a core cycle; true: a page has become resident */
bool pager_tick(pager_t *pager, uint64_t now);
unsigned pager_waiting(const pager_t *pager); /* pages asked for and not resident */

#endif
