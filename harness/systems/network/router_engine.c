/* SPDX-License-Identifier: Apache-2.0 */
#include "router_engine.h"

/* rtl/router/router.ports: without its valid, the router ignores what these ports carry. */
static const engines_lane_t lanes[] = {
    {"in_flit", "in_valid", false}, {"ocr_vc", "ocr_valid", false}, {NULL, NULL, false}};

bool router_engine_config(engines_config_t *config, const router_params_t *params, trouble_t *trouble) {
  trouble_t wrong = {0};
  if (!router_params_check(params, &wrong)) return trouble_set(trouble, wrong.kind, "router: %s", wrong.text);
  router_params_text(params, config->params, sizeof config->params);
  config->block = "router";
  config->constant = "link";
  config->lanes = lanes;
  return true;
}
