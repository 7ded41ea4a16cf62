/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_lanes, the NSU's lane array: a warp's instruction in 32 / Lanes passes, with
 * the results gathered to a row (NSU paper, temporal SIMT; rtl/nsu/nsu_lanes.ports).
 *
 * Call nsu_lanes_eval for the outputs of a cycle, then nsu_lanes_step with the same inputs for its
 * clock edge. All outputs are state (Moore). A start without start_ready is ignored. nsu_lanes_eval
 * writes wide outputs only if their valid bit is 1.
 */
#ifndef NSU_LANES_H
#define NSU_LANES_H

#include <stdbool.h>

#include "nsu_alu.h"
#include "nsu_fp64.h"
#include "nsu_isa.h"
#include "nsu_packet.h"
#include "nsu_lanes_ports.h"

enum {
  LANES_PASSES = PKT_WARP_WIDTH / (Lanes),
  LANES_LATENCY = LANES_PASSES + ISA_LANE_LATENCY + 1, /* cycles from start to write-back, no pairs */
  LANES_IN_FLIGHT = LANES_LATENCY / LANES_PASSES + 1,
};

/* An instruction in the array. The model computes all results at the start; the age says which of
 * them show in a cycle. */
typedef struct {
  unsigned age; /* cycles since the start, from 1 */
  uint8_t op;
  uint32_t tag, mask;              /* returned with the row; threads outside of mask give 0 */
  uint64_t result[PKT_WARP_WIDTH]; /* by thread; the high word is that of a pair */
} nsu_lanes_instr_t;

typedef struct {
  unsigned head, level; /* a ring, the oldest at head */
  nsu_lanes_instr_t instr[LANES_IN_FLIGHT];
} nsu_lanes_t;

void nsu_lanes_reset(nsu_lanes_t *s);
void nsu_lanes_eval(const nsu_lanes_t *s, const nsu_lanes_in_t *in, nsu_lanes_out_t *out);
void nsu_lanes_step(nsu_lanes_t *s, const nsu_lanes_in_t *in);
/* True: while start_valid is 0, step changes nothing. */
bool nsu_lanes_idle(const nsu_lanes_t *s);
/* The output start_ready: no pass remains after this cycle's. */
bool nsu_lanes_ready(const nsu_lanes_t *s);

#endif
