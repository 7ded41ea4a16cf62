/* SPDX-License-Identifier: Apache-2.0
 *
 * What the GPU has to know of transparent offloading when stacks have SMs.
 */
#ifndef PART_STACK_SM_H
#define PART_STACK_SM_H

#include "composition.h"
#include "engines.h"
#include "gpu_config.h"

typedef gpu_tom_config_t part_stack_sm_values_t;

/* What engines of tom_stack need (part_stack_sm_blocks.c), part_family_t. */
bool part_stack_sm_engines(const composition_t *c, engines_config_t *engines, trouble_t *trouble);

#endif
