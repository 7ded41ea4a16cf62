/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of SMs in stacks: keys tom.*, which the GPU must know, too, when stacks have SMs.
 */
#ifndef PART_STACK_SM_H
#define PART_STACK_SM_H

#include "composition.h"
#include "engines.h"
#include "gpu_config.h"

typedef gpu_tom_config_t part_stack_sm_values_t;

/* Fills the slot `engines` of the family tom_stack (part_stack_sm_blocks.c). */
bool part_stack_sm_engines(const composition_t *c, engines_config_t *engines, trouble_t *trouble);

#endif
