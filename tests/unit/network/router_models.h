/* SPDX-License-Identifier: Apache-2.0
 *
 * Engines of kind model for up to 256 routers with these parameters, built on demand; kept until
 * the program ends.
 */
#ifndef ROUTER_MODELS_H
#define ROUTER_MODELS_H

#include "fabric.h"

const block_engine_t *const *router_models(router_params_t params); /* ends the program with a line when it cannot */

#endif
