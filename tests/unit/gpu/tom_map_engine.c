/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model of tom_map, which counts for each address map the stacks that blocks
 * would access, as an engine (model_engine.h). No port is asked for by name.
 */
#include "tom_map.h"
#include "tom_engines.h"

static const model_port_t ports[] = {{0}};

MODEL_ENGINE(tom_map, ports)
