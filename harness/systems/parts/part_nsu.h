/* SPDX-License-Identifier: Apache-2.0
 *
 * What the GPU has to know of near-data processing when there are NSUs.
 */
#ifndef PART_NSU_H
#define PART_NSU_H

#include "composition.h"

enum { PART_NSU_TIME_REAL, PART_NSU_TIME_ZERO };

typedef struct {
  double ratio;                           /* share of block instances that are offloaded (NSU paper, section 7.1) */
  unsigned target;                        /* gpu_target_t */
  unsigned epoch_cycles, window, move_by; /* of the dynamic ratio (section 7.2); move_by: the step, or a unit */
  double init, step_init, step_min, step_max;
  /* of the controller that decides on it: "ratio", the tree's; else a file */
  char firmware_image[CONFIG_TEXT_SIZE];
  unsigned firmware_time;                    /* PART_NSU_TIME_* */
  unsigned firmware_divider, firmware_limit; /* offload_firmware.h */
  unsigned score_rule, min_instances, retry; /* which blocks may be offloaded (section 7.3) */
  unsigned pending_packets, ready_packets;   /* packet buffers of an SM (T2: 300, 64) */
  unsigned lanes;                            /* of an NSU: a power of two, 1..32 */
  unsigned port_flits;                       /* of its port, a NSU cycle and way; 0: one a cycle of the logic layer */
  unsigned merge_beats, credit_batch;        /* ni_bridge.h, ni_credits.h */
  unsigned read_only_lines;                  /* gpu/read_only.h */
} part_nsu_values_t;

#endif
