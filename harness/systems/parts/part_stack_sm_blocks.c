/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_stack: the blocks under way in the SM of a stack, one instance a stack. A file of its own,
 * because port headers define parameters of the same names.
 */
#include "gpu_config.h"
#include "part.h"
#include "part_stack_sm.h"
#include "tom_stack_ports.h"

bool part_stack_sm_engines(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const gpu_config_t *config = composition_kind_values_const(c, &part_gpu);
  (void)trouble;
  engines->block = "tom_stack";
  engines->in_size = sizeof(tom_stack_in_t);
  snprintf(engines->params, sizeof engines->params, "Warps=%u,Queue=%u,Sms=%u", config->tom.warps,
           gpu_config_tom_places(config), config->num_sms > 2 ? config->num_sms : 2);
  return true;
}
