/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_warps -- golden model of the warp table; contract: rtl/nsu/nsu_warps.ports.
 */
#ifndef NSU_WARPS_H
#define NSU_WARPS_H

#include <stdbool.h>

#include "nsu_isa.h"
#include "nsu_warps_ports.h"

typedef enum {
  WARP_FREE,
  WARP_FETCH,
  WARP_ASKED,
  WARP_WAIT_I,
  WARP_WAIT_RD,
  WARP_WAIT_WR,
  WARP_WAIT_C,
  WARP_EX, /* what a unit is to do next: */
  WARP_LD,
  WARP_ST,
  WARP_EN,
  WARP_CONST,
  WARP_LAST,
  WARP_HALT,
  WARP_STATES
} warp_state_t;

typedef struct {
  bool begun;
  uint8_t sm, warp, count, idx;
  uint8_t seq, next_seq; /* of the instruction that is known, of the one to be fetched */
  uint16_t entry;        /* where the data or addresses of the one that is known are */
  isa_kind_t kind;       /* of the one that is known */
  uint32_t mask;
  uint64_t pc, next_pc, cbase;
} nsu_warp_t;

typedef struct {
  uint64_t in_state[WARP_STATES]; /* the slots in a state, a bit each: a slot is in exactly one */
  uint64_t busy;                  /* slots of which an earlier instruction is under way */
  nsu_warp_t slot[NumWarps];
  unsigned probe_fetch_ptr, probe_go_ptr; /* where the searches begin */
} nsu_warps_t;

void nsu_warps_reset(nsu_warps_t *s);
void nsu_warps_eval(const nsu_warps_t *s, const nsu_warps_in_t *in, nsu_warps_out_t *out);
void nsu_warps_step(nsu_warps_t *s, const nsu_warps_in_t *in);
/* while nothing is spawned, no event comes and no unit is ready */
bool nsu_warps_idle(const nsu_warps_t *s);
/* slots whose instruction lacks nothing but its unit */
uint64_t nsu_warps_ready(const nsu_warps_t *s, uint64_t ack_zero);

#endif
