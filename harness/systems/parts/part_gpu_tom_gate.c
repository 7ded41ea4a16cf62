/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_gate: the blocks under way at each stack.
 */
#include "gpu_config.h"
#include "part_gpu_families.h"
#include "tom_gate_ports.h"

bool part_gpu_engines_tom_gate(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const gpu_config_t *config = composition_kind_values_const(c, &part_gpu);
  unsigned bits = CountBits;
  (void)trouble;
  /* Counters wide enough for the limit of blocks at a stack. */
  while (gpu_config_tom_limit(config) >> bits) bits++;
  snprintf(engines->params, sizeof engines->params, "Sms=%u,Stacks=%u,CountBits=%u", config->num_sms,
           config->num_stacks, bits);
  return true;
}
