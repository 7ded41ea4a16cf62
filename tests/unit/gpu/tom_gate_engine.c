/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model of tom_gate, which says which blocks may go, as an engine
 * (model_engine.h). It has the ports that tom_admission.c asks for.
 */
#include "tom_gate.h"
#include "tom_engines.h"

static const model_port_t ports[] = {
    MODEL_IN(tom_gate, ask),
    MODEL_IN(tom_gate, ask_stack),
    MODEL_IN(tom_gate, limit),
    MODEL_IN(tom_gate, ctrl),
    MODEL_IN(tom_gate, done),
    MODEL_IN(tom_gate, seen),
    MODEL_IN(tom_gate, target),
    MODEL_OUT(tom_gate, gnt),
    MODEL_OUT(tom_gate, nak),
    MODEL_OUT(tom_gate, pending),
    MODEL_OUT(tom_gate, irq),
    MODEL_OUT(tom_gate, err),
    {0},
};

MODEL_ENGINE(tom_gate, ports)
