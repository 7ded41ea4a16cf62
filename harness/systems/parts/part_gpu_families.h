/* SPDX-License-Identifier: Apache-2.0
 *
 * Instances of blocks on the GPU's die that decide about offloading
 * (cmodel/sim/gpu/to_nsu/offload_decision.h). A policy that does not use a block has no instance of
 * it.
 */
#ifndef PART_GPU_FAMILIES_H
#define PART_GPU_FAMILIES_H

#include "ctrl.h"
#include "gpu.h"
#include "gpu_config.h"
#include "part.h"
#include "part_nsu.h"

extern const part_family_t part_gpu_families[];

uint64_t part_gpu_epochs(const part_t *p, unsigned ratio); /* epochs that have ended */

/* One function a block fills the slot `engines` of its family (part_family_t): parameters, sizes,
 * which inputs count. Each has a file of its own, because the port headers of blocks define
 * parameters of the same names. */
#define HARDWARE(stem, name, must) \
  bool part_gpu_engines_##stem(const composition_t *c, engines_config_t *engines, trouble_t *trouble);
#include "gpu_hardware.def"
#undef HARDWARE

/* Firmware that decides in the place of ofld_ratio (part_gpu_firmware.c). Sets engines->firmware,
 * and engines->discard, which frees it. False: bad image or no memory. */
bool part_gpu_firmware_engine(const part_nsu_values_t *values, const ctrl_settings_t *settings,
                              engines_config_t *engines, trouble_t *trouble);
/* The decisions that the firmware of this part has made. Returns how many; 0 without firmware. */
unsigned part_gpu_decisions(const part_t *p, const gpu_decision_t **decisions);
void part_gpu_firmware_count(const part_t *p, gpu_stats_t *stats); /* its counters firmware_* */

/* Set keys ratio.* and score.* to the blocks' parameters, as their port files have them. */
void part_gpu_ratio_defaults(part_nsu_values_t *values);
void part_gpu_score_defaults(part_nsu_values_t *values);

bool part_gpu_check_ratio(const part_nsu_values_t *values, trouble_t *trouble); /* keys ratio.* */

#endif
