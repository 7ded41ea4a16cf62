/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_map: where instances of candidates would find their data under each map; one instance an SM.
 */
#include "gpu_config.h"
#include "part_gpu_families.h"
#include "tom_map_ports.h"

bool part_gpu_engines_tom_map(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const gpu_config_t *config = composition_kind_values_const(c, &part_gpu);
  /* The block needs at least two warps. */
  const unsigned warps = config->sm.threads / 32;
  (void)trouble;
  engines->in_size = sizeof(tom_map_in_t);
  engines->out_size = sizeof(tom_map_out_t);
  snprintf(engines->params, sizeof engines->params, "Warps=%u,StackBits=%u", warps > 2 ? warps : 2,
           (unsigned)__builtin_ctz(config->num_stacks));
  return true;
}
