/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model of tom_busy, which watches the links, as an engine (model_engine.h). It
 * has the ports that tom_links.c asks for.
 */
#include "tom_busy.h"
#include "tom_engines.h"

static const model_port_t ports[] = {
    MODEL_IN(tom_busy, tx_flits), MODEL_IN(tom_busy, rx_flits), MODEL_IN(tom_busy, limit),
    MODEL_OUT(tom_busy, hot_tx),  MODEL_OUT(tom_busy, hot_rx),  {0},
};

MODEL_ENGINE(tom_busy, ports)
