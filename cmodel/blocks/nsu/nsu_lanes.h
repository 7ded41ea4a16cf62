/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_lanes -- golden model of the lane array; contract: rtl/nsu/nsu_lanes.ports.
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
  LANES_LATENCY = LANES_PASSES + ISA_LANE_LATENCY + 1, /* cycles from start to write-back */
  LANES_IN_FLIGHT = LANES_LATENCY / LANES_PASSES + 1,
};

/* An instruction in the array. Its results are known
 * at its start; its age says what shows of it. */
typedef struct {
  unsigned age; /* cycles since the start */
  uint8_t op;
  uint32_t tag, mask;
  uint64_t result[PKT_WARP_WIDTH];
} nsu_lanes_instr_t;

typedef struct {
  unsigned head, level; /* oldest first, a ring */
  nsu_lanes_instr_t instr[LANES_IN_FLIGHT];
} nsu_lanes_t;

void nsu_lanes_reset(nsu_lanes_t *s);
void nsu_lanes_eval(const nsu_lanes_t *s, const nsu_lanes_in_t *in, nsu_lanes_out_t *out);
void nsu_lanes_step(nsu_lanes_t *s, const nsu_lanes_in_t *in);
bool nsu_lanes_idle(const nsu_lanes_t *s);  /* while start_valid is 0 */
bool nsu_lanes_ready(const nsu_lanes_t *s); /* start_ready: no pass remains after this cycle's */

#endif
