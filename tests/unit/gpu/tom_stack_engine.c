/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_stack.h"
#include "tom_engines.h"

static const model_port_t ports[] = {{0}};

MODEL_ENGINE(tom_stack, ports)
