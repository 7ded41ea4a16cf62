/* SPDX-License-Identifier: Apache-2.0
 *
 * What is a router's in a configuration of engines (engines.h): the block, its parameters, which of
 * its inputs count when.
 *
 *   engines_config_t config = {.places = &places, .engine = engine, .count = routers};
 *   if (!router_engine_config(&config, &params, trouble) || !engines_open(&e, &config, trouble))
 *     return false;
 *   fabric_config.engine = engines_table(e);
 */
#ifndef ROUTER_ENGINE_H
#define ROUTER_ENGINE_H

#include "engines.h"
#include "router_params.h"
#include "trouble.h"

/* False: the parameters are bad input. */
bool router_engine_config(engines_config_t *config, const router_params_t *params, trouble_t *trouble);

#endif
