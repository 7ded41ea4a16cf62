/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_busy: which links are busy, over a window of cycles.
 */
#include "gpu_config.h"
#include "part_gpu_families.h"
#include "tom_busy_ports.h"

bool part_gpu_engines_tom_busy(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const gpu_config_t *config = composition_kind_values_const(c, &part_gpu);
  (void)trouble;
  snprintf(engines->params, sizeof engines->params, "Links=%u,Flits=%u,Window=%u", config->num_stacks,
           gpu_config_link_flits(config), config->tom.window);
  return true;
}
