/* SPDX-License-Identifier: Apache-2.0
 *
 * ofld_credits: which block may begin at an NSU, an instance of it for each. Apart from part_gpu_families.c, as blocks' parameters have the same names.
 */
#include "gpu_config.h"
#include "ofld_credits_ports.h"
#include "part_gpu_families.h"

unsigned part_gpu_count_credits(const composition_t *c, unsigned part) {
  const gpu_config_t *config = composition_kind_values_const(c, &part_gpu);
  unsigned nsus = 0;
  (void)part;
  for (unsigned k = 0; k < config->num_stacks && k < GPU_MAX_NSU_STACKS; k++) nsus += (unsigned)__builtin_popcount(config->nsu_units[k]);
  return gpu_config_offloads(config) ? nsus : 0;
}

outcome_t part_gpu_credits_engines(const composition_t *c, engines_config_t *engines, char *error, size_t size) {
  const gpu_config_t *config = composition_kind_values_const(c, &part_gpu);
  (void)error, (void)size;
  engines->block = "ofld_credits";
  engines->in_size = sizeof(ofld_credits_in_t);
  engines->out_size = sizeof(ofld_credits_out_t);
  snprintf(engines->params, sizeof engines->params, "CmdEntries=%u,RdEntries=%u,WrEntries=%u", config->nsu_cmd_entries, config->nsu_rd_entries,
           config->nsu_wr_entries);
  return OUTCOME_PASS;
}
