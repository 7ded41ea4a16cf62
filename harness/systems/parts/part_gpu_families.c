/* SPDX-License-Identifier: Apache-2.0
 *
 * The families of instances on the GPU's die (gpu_hardware.def), and the parameters of ofld_ratio.
 */
#include "part_gpu_families.h"

#include <math.h>

#include "gpu_config.h"
#include "ofld_ratio_ports.h"

/* ---- ofld_ratio: the dynamic ratio ----------------------------------------------------------- */

enum { RATIO_UNITS = 20 }; /* of 0.05, Algorithm 1's Step_unit */

/* A ratio in units of 0.05, as the block counts it. */
static long ratio_units(double share) {
  return lround(share * RATIO_UNITS);
}

void part_gpu_ratio_defaults(part_nsu_values_t *values) {
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "part_nsu_ratio.def"
}

/* Ratios must be whole units, and the first step must lie between the least and the greatest. */
bool part_gpu_check_ratio(const part_nsu_values_t *v, trouble_t *trouble) {
  const struct {
    const char *name;
    double value;
  } shares[] = {{"init", v->init}, {"step_init", v->step_init}, {"step_min", v->step_min}, {"step_max", v->step_max}};
  for (unsigned i = 0; i < sizeof shares / sizeof *shares; i++) {
    if (fabs(shares[i].value * RATIO_UNITS - (double)ratio_units(shares[i].value)) < 1e-9) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "ratio.%s is %.10g; a multiple of 0.05 would be right", shares[i].name,
                       shares[i].value);
  }
  if (v->step_init >= v->step_min && v->step_init <= v->step_max) return true;
  return trouble_set(trouble, TROUBLE_INPUT,
                     "ratio.step_init is %.10g; from ratio.step_min to ratio.step_max, %.10g to %.10g, would be right",
                     v->step_init, v->step_min, v->step_max);
}

/* The same settings as firmware gets them. */
static ctrl_settings_t settings_of(const part_nsu_values_t *v) {
  return (ctrl_settings_t){.init = (uint32_t)ratio_units(v->init),
                           .step_init = (uint32_t)ratio_units(v->step_init),
                           .step_min = (uint32_t)ratio_units(v->step_min),
                           .step_max = (uint32_t)ratio_units(v->step_max),
                           .window = v->window,
                           .move_by = v->move_by};
}

/* With engine firmware the family also gets an engine that executes it. */
bool part_gpu_engines_ofld_ratio(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const part_nsu_values_t *v = composition_kind_values_const(c, &part_nsu);
  engines->in_size = sizeof(ofld_ratio_in_t);
  engines->out_size = sizeof(ofld_ratio_out_t);
  if (!v) return true;
  snprintf(engines->params, sizeof engines->params,
           "EpochCycles=%u,Init=%ld,StepInit=%ld,StepMin=%ld,StepMax=%ld,Window=%u,MoveBy=%u", v->epoch_cycles,
           ratio_units(v->init), ratio_units(v->step_init), ratio_units(v->step_min), ratio_units(v->step_max),
           v->window, v->move_by);
  if (!engines->engine || engines->engine[0] != ENGINE_FIRMWARE) return true;
  const ctrl_settings_t settings = settings_of(v);
  return part_gpu_firmware_engine(v, &settings, engines, trouble);
}

/* ---- all of them ----------------------------------------------------------------------------- */

#define HARDWARE(stem, name, must)                                                                    \
  static unsigned count_##stem(const composition_t *c, unsigned part) {                               \
    (void)part;                                                                                       \
    return gpu_config_instances(composition_kind_values_const(c, &part_gpu), GPU_HARDWARE_##stem);    \
  }                                                                                                   \
  static bool engines_##stem(const composition_t *c, engines_config_t *engines, trouble_t *trouble) { \
    engines->block = #stem;                                                                           \
    return part_gpu_engines_##stem(c, engines, trouble);                                              \
  }
#include "gpu_hardware.def"
#undef HARDWARE

const part_family_t part_gpu_families[] = {
#define HARDWARE(stem, name, must)                                                                            \
  [GPU_HARDWARE_##stem] = {#stem,                                                                             \
                           #name,                                                                             \
                           count_##stem,                                                                      \
                           engines_##stem,                                                                    \
                           .firmware = GPU_HARDWARE_##stem == GPU_HARDWARE_ofld_ratio,                        \
                           .work = GPU_HARDWARE_##stem == GPU_HARDWARE_ofld_ratio ? "epochs" : NULL,          \
                           .worked = GPU_HARDWARE_##stem == GPU_HARDWARE_ofld_ratio ? part_gpu_epochs : NULL, \
                           .runs = GPU_HARDWARE_##stem == GPU_HARDWARE_rv_core ? "ratio" : NULL},
#include "gpu_hardware.def"
#undef HARDWARE
    {NULL}};
