/* SPDX-License-Identifier: Apache-2.0 */
#include "router_engine.h"

#include <stdio.h>

/* rtl/router/router.ports: of a port without valid they are ignored. */
static const engines_lane_t lanes[] = {
    {"in_flit", "in_valid", false}, {"ocr_vc", "ocr_valid", false}, {NULL, NULL, false}};

outcome_t router_engine_config(engines_config_t *config, const router_params_t *params, char *error, size_t size) {
  const char *wrong = router_params_check(params);
  if (wrong) {
    snprintf(error, size, "router: %s", wrong);
    return OUTCOME_BAD_INPUT;
  }
  router_params_text(params, config->params, sizeof config->params);
  config->block = "router";
  config->constant = "link";
  config->lanes = lanes;
  return OUTCOME_PASS;
}
