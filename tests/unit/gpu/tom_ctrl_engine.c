/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_ctrl.h"
#include "tom_engines.h"

static const model_port_t ports[] = {{0}};

MODEL_ENGINE(tom_ctrl, ports)
