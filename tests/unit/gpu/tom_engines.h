/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden models of TOM's blocks as a GPU's hardware: of two stacks behind links of a flit a cycle,
 * watched for 16 cycles at a time; SMs of 48 warps, in stacks of 192, of which no more are used
 * than a gate lets in.
 */
#ifndef TOM_ENGINES_H
#define TOM_ENGINES_H

#include "model_engine.h"

extern const block_engine_t *const tom_ctrl_engines[MODEL_INSTANCES],
    *const tom_gate_engines[MODEL_INSTANCES], *const tom_busy_engines[MODEL_INSTANCES],
                                                  *const tom_map_engines[MODEL_INSTANCES],
                                                      *const tom_ranges_engines[MODEL_INSTANCES],
                                                          *const tom_stack_engines[MODEL_INSTANCES];

#endif
