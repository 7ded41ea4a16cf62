/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction cache of an SM (NSU paper, Table 2: 4 KB, 4-way, MSHR 2), or an ideal one.
 *
 * A warp has its next instruction in a buffer of its own: each that issues is looked up once, when
 * the one before it has issued, and what hits costs nothing, as look-ups come before operands are
 * there (ours). One that misses takes an MSHR and a READ over the crossbar to the L2, joins the
 * MSHR of its line, or waits until there are both; warps that wait for the same are served by slot.
 * A line that comes gives its instruction to all that wait.
 *
 * Instructions are 8 bytes each, in the order of the PTX text, in memory of their own that a module
 * gets when it is loaded (ours). What is there is which one it is, so that a wrong line is found.
 */
#ifndef L1I_H
#define L1I_H

#include "cache.h"
#include "gpu_shared.h"

enum { L1I_INSTR_BYTES = 8, L1I_MAX_MSHRS = 64, L1I_TAG = 64 }; /* READs of it have tags from L1I_TAG on */

typedef struct {
  const gpu_shared_t *sh;
  unsigned id; /* of the SM */
  const uint64_t *now;
  cache_t cache;
  uint64_t line[L1I_MAX_MSHRS], warps[L1I_MAX_MSHRS]; /* of an MSHR: what it waits for, and who */
  uint64_t used;                                      /* MSHRs */
  uint64_t unserved;                                  /* warps that have no MSHR */
  uint32_t pc[GPU_ALONE_WARPS];                       /* of those that wait: for which instruction */
} l1i_t;

int l1i_init(l1i_t *l, const gpu_shared_t *sh, unsigned id, const uint64_t *now); /* -1: out of host memory */
void l1i_deinit(l1i_t *l);
void l1i_start(l1i_t *l); /* a launch: empty */

/* true: there; false: the warp waits, until one of these two returns it */
bool l1i_fetch(l1i_t *l, unsigned warp, uint32_t pc);
uint64_t l1i_receive(l1i_t *l, const packet_t *packet); /* a READ_RESP whose tag is L1I_TAG or more */
uint64_t l1i_retry(l1i_t *l);                           /* once a cycle while somebody is unserved */

#endif
