/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of NSUs: keys nsu.*, ratio.* and score.*, and what the GPU must know of near-data
 * processing when there are NSUs.
 */
#ifndef PART_NSU_H
#define PART_NSU_H

#include "composition.h"
#include "gpu_config.h"

enum { PART_NSU_TIME_REAL, PART_NSU_TIME_ZERO };

/* gpu: what the GPU knows of NSUs. */
typedef struct {
#define KEYS_AS_FIELDS
#include "key_list.h"
#include "part_nsu_ratio.def"
#include "part_nsu_score.def"
#include "part_nsu.def"
  gpu_nsu_config_t gpu;
} part_nsu_values_t;

#endif
