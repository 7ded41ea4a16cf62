/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model of tom_stack, which makes warps of blocks in a stack, as an engine
 * (model_engine.h). No port is asked for by name.
 */
#include "tom_stack.h"
#include "tom_engines.h"

static const model_port_t ports[] = {{0}};

MODEL_ENGINE(tom_stack, ports)
