/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_warps, the NSU's warp table: each slot's state, the warp that is fetched for
 * next, and the instruction that goes to a unit (rtl/nsu/nsu_warps.ports).
 *
 * Call nsu_warps_eval for the outputs of a cycle, then nsu_warps_step with the same inputs for its
 * clock edge. go_* and probe_ready depend on inputs of the same cycle (Mealy). A slot is in exactly
 * one state; nsu_warps_step asserts this at each move.
 */
#ifndef NSU_WARPS_H
#define NSU_WARPS_H

#include <stdbool.h>

#include "nsu_isa.h"
#include "nsu_warps_ports.h"

/* Where a slot's next instruction is: rule 1 of the port file. */
typedef enum {
  WARP_FREE,
  WARP_FETCH,
  WARP_ASKED,
  WARP_WAIT_I,
  WARP_WAIT_RD,
  WARP_WAIT_WR,
  WARP_WAIT_C,
  WARP_EX, /* known, and waits for this unit: */
  WARP_LD,
  WARP_ST,
  WARP_EN,
  WARP_CONST,
  WARP_LAST,
  WARP_HALT,
  WARP_STATES
} warp_state_t;

typedef struct {
  bool begun; /* its OFLD.BEG has been fetched */
  /* The warp on the GPU; its command's registers (0 .. 7) and entry of nsu_cmdbuf. */
  uint8_t sm, warp, count, idx;
  uint8_t seq, next_seq; /* of the known instruction; of the one to be fetched */
  uint16_t entry;        /* where the known LD's data or ST's addresses are */
  isa_kind_t kind;       /* of the known instruction */
  uint32_t mask;         /* the warp's threads */
  /* Byte addresses: the known instruction, the one to be fetched, the warp's constants. */
  uint64_t pc, next_pc, cbase;
} nsu_warp_t;

typedef struct {
  uint64_t in_state[WARP_STATES]; /* the slots in each state, a bit each */
  uint64_t busy;                  /* slots with an earlier instruction under way */
  nsu_warp_t slot[NumWarps];
  unsigned probe_fetch_ptr, probe_go_ptr; /* where the searches for a slot begin */
} nsu_warps_t;

void nsu_warps_reset(nsu_warps_t *s);
void nsu_warps_eval(const nsu_warps_t *s, const nsu_warps_in_t *in, nsu_warps_out_t *out);
void nsu_warps_step(nsu_warps_t *s, const nsu_warps_in_t *in);
/* True: while nothing is spawned, no event comes and no unit is ready, step changes nothing. */
bool nsu_warps_idle(const nsu_warps_t *s);
/* Slots whose instruction waits for nothing but its unit. ack_zero is the input of that name. */
uint64_t nsu_warps_ready(const nsu_warps_t *s, uint64_t ack_zero);

#endif
