/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_lane -- golden model of one lane; contract: rtl/nsu/nsu_lane.ports.
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
    bool valid;
    uint64_t y;
  } stage[ISA_LANE_LATENCY]; /* stage[0] is on the output */
} nsu_lane_t;

void nsu_lane_reset(nsu_lane_t *s);
void nsu_lane_eval(const nsu_lane_t *s, const nsu_lane_in_t *in, nsu_lane_out_t *out);
void nsu_lane_step(nsu_lane_t *s, const nsu_lane_in_t *in);

#endif
