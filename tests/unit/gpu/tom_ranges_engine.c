/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model of tom_ranges, which marks allocations that blocks access, as an engine
 * (model_engine.h). No port is asked for by name.
 */
#include "tom_ranges.h"
#include "tom_engines.h"

static const model_port_t ports[] = {{0}};

MODEL_ENGINE(tom_ranges, ports)
