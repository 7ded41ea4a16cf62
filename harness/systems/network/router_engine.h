/* SPDX-License-Identifier: Apache-2.0
 *
 * What is a router's in a configuration of engines (engines.h): the block, its parameters, which of
 * its inputs count when.
 *
 *   engines_config_t config = {.places = &places, .engine = engine, .count = routers};
 *   outcome_t outcome = router_engine_config(&config, &params, error, size);
 *   if (outcome == OUTCOME_PASS) outcome = engines_open(&e, &config, error, size);
 *   fabric_config.engine = engines_table(e);
 */
#ifndef ROUTER_ENGINE_H
#define ROUTER_ENGINE_H

#include "engines.h"
#include "router_params.h"

/* BAD_INPUT: error is one line. */
outcome_t router_engine_config(engines_config_t *config, const router_params_t *params, char *error, size_t size);

#endif
