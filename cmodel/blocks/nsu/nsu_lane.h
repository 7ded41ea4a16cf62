/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_lane, one lane of the NSU: one instruction of one thread a cycle
 * (rtl/nsu/nsu_lane.ports).
 *
 * Call nsu_lane_eval for the outputs of a cycle, then nsu_lane_step with the same inputs for its
 * clock edge. The result shows ISA_LANE_LATENCY cycles after its operands, whatever the op. All
 * outputs are registers (Moore). The rules are nsu_alu.h and nsu_fp64.h.
 */
#ifndef NSU_LANE_H
#define NSU_LANE_H

#include <stdbool.h>

#include "nsu_alu.h"
#include "nsu_fp64.h"
#include "nsu_isa.h"
#include "nsu_lane_ports.h"

typedef struct {
  struct {
    bool valid;              /* an instruction is in this stage */
    uint64_t y;              /* its result; the high word is 0 unless the result is a pair */
  } stage[ISA_LANE_LATENCY]; /* stage[0] is on the output */
} nsu_lane_t;

void nsu_lane_reset(nsu_lane_t *s);
void nsu_lane_eval(const nsu_lane_t *s, const nsu_lane_in_t *in, nsu_lane_out_t *out);
void nsu_lane_step(nsu_lane_t *s, const nsu_lane_in_t *in);

#endif
