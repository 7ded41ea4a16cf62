/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_ranges.h"
#include "tom_engines.h"

static const model_port_t ports[] = {{0}};

MODEL_ENGINE(tom_ranges, ports)
