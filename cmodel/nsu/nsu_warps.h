/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_warps -- golden model of the warp table; contract: rtl/nsu/nsu_warps.ports.
 */
#ifndef NSU_WARPS_H
#define NSU_WARPS_H

#include <stdbool.h>

#include "nsu_warps_ports.h"

typedef enum { WARP_FREE, WARP_READY, WARP_ISSUED, WARP_WAIT_I, WARP_WAIT_RD, WARP_WAIT_WR, WARP_WAIT_C, WARP_WAIT_ACK, WARP_HALT, WARP_STATES } warp_state_t;

typedef struct {
  bool begun;
  uint8_t sm, warp, seq, count, idx;
  uint32_t mask;
  uint64_t pc, cbase;
} nsu_warp_t;

typedef struct {
  uint64_t in_state[WARP_STATES]; /* the slots in a state, a bit each: a slot is in exactly one */
  nsu_warp_t slot[NumWarps];
  unsigned probe_ptr; /* where the search for a READY slot begins */
} nsu_warps_t;

void nsu_warps_reset(nsu_warps_t *s);
void nsu_warps_eval(const nsu_warps_t *s, const nsu_warps_in_t *in, nsu_warps_out_t *out);
void nsu_warps_step(nsu_warps_t *s, const nsu_warps_in_t *in);
bool nsu_warps_idle(const nsu_warps_t *s); /* while nothing is spawned and no event comes */

#endif
