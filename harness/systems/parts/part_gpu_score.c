/* SPDX-License-Identifier: Apache-2.0
 *
 * ofld_score: which blocks may be offloaded. Keys score.* are its parameters.
 */
#include "gpu_config.h"
#include "ofld_score_ports.h"
#include "part_gpu_families.h"

void part_gpu_score_defaults(part_nsu_values_t *values) {
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "part_nsu_score.def"
}

bool part_gpu_engines_ofld_score(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const part_nsu_values_t *v = composition_kind_values_const(c, &part_nsu);
  (void)trouble;
  engines->in_size = sizeof(ofld_score_in_t);
  engines->out_size = sizeof(ofld_score_out_t);
  if (v)
    snprintf(engines->params, sizeof engines->params, "Rule=%u,MinInstances=%u,Retry=%u", v->score_rule,
             v->min_instances, v->retry);
  return true;
}
