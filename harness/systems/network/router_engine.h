/* SPDX-License-Identifier: Apache-2.0
 *
 * The router's part of a configuration of engines (engines.h): the block's name, its parameters,
 * and which of its inputs count when.
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

/* Fills block, params, constant and lanes of config. False: a parameter is wrong; trouble has the
 * line, which begins "router: ". */
bool router_engine_config(engines_config_t *config, const router_params_t *params, trouble_t *trouble);

#endif
