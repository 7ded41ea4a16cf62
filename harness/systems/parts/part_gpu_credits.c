/* SPDX-License-Identifier: Apache-2.0
 *
 * ofld_credits: which block may begin at an NSU. One instance for each NSU; its parameters are the
 * sizes of the NSU's buffers.
 */
#include "gpu_config.h"
#include "ofld_credits_ports.h"
#include "part_gpu_families.h"

bool part_gpu_engines_ofld_credits(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const gpu_config_t *config = composition_kind_values_const(c, &part_gpu);
  (void)trouble;
  engines->in_size = sizeof(ofld_credits_in_t);
  engines->out_size = sizeof(ofld_credits_out_t);
  snprintf(engines->params, sizeof engines->params, "CmdEntries=%u,RdEntries=%u,WrEntries=%u", config->nsu_cmd_entries,
           config->nsu_rd_entries, config->nsu_wr_entries);
  return true;
}
