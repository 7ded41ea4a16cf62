/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction cache of an SM (NSU paper, Table 2: 4 KB, 4-way, 2 MSHRs), or an ideal one.
 *
 *   l1i_fetch ---hit----------------------------> the warp may issue
 *       | miss: take an MSHR, join one, or stay unserved (l1i_retry)
 *       v
 *   READ to the L2 ---> l1i_receive ------------> all warps of the line may issue
 *
 * A warp buffers its next instruction. The look-up happens once, when the instruction before has
 * issued. A hit costs no time, because look-ups precede the wait for operands (ours). A miss takes
 * an MSHR and sends a READ over the crossbar, joins the MSHR of its line, or waits until both are
 * free. Waiting warps are served in the order of slots.
 *
 * Instructions have 8 bytes each, in the order of the PTX text, in memory of the module (ours). The
 * bytes are the instruction's number, so a wrong line is detected.
 */
#ifndef L1I_H
#define L1I_H

#include "cache.h"
#include "gpu_shared.h"

/* READs of instruction caches have tags from L1I_TAG on. */
enum { L1I_INSTR_BYTES = 8, L1I_MAX_MSHRS = 64, L1I_TAG = 64 };

/* State of the cache. Sets of warps have one bit a slot. */
typedef struct {
  const gpu_shared_t *sh;
  unsigned id;         /* of the SM */
  const uint64_t *now; /* the SM's cycle */
  cache_t cache;
  uint64_t line[L1I_MAX_MSHRS], warps[L1I_MAX_MSHRS]; /* by MSHR: its line, the warps that wait */
  uint64_t used;                                      /* MSHRs in use, one bit each */
  uint64_t unserved;                                  /* warps that wait for an MSHR */
  uint32_t pc[GPU_ALONE_WARPS];                       /* instruction that each waiting warp needs */
} l1i_t;

/* -1: out of host memory */
int l1i_init(l1i_t *l, const gpu_shared_t *sh, unsigned id, const uint64_t *now);
void l1i_deinit(l1i_t *l);
void l1i_start(l1i_t *l); /* a launch: empties the cache */

/* l1i_fetch: true: the instruction is there. false: the warp waits until l1i_receive or
 * l1i_retry returns its bit. */
bool l1i_fetch(l1i_t *l, unsigned warp, uint32_t pc);
/* packet: a READ_RESP with a tag from L1I_TAG on */
uint64_t l1i_receive(l1i_t *l, const packet_t *packet);
uint64_t l1i_retry(l1i_t *l); /* once a cycle while `unserved` is not 0 */

#endif
