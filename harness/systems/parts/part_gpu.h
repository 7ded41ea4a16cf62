/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the part gpu share: its ports and clocks, its model, what it settles and
 * counts.
 */
#ifndef PART_GPU_H
#define PART_GPU_H

#include "gpu.h"
#include "part.h"

enum { PART_GPU_LINK, PART_GPU_NODE };              /* its ports */
enum { PART_GPU_CORE, PART_GPU_L2, PART_GPU_XBAR }; /* its clocks */

gpu_t *part_gpu_model(const part_t *p);

/* Slots of part_gpu that other files fill: settle (part_gpu_settle.c), counters, tables and count
 * (part_gpu_counters.c). */
bool part_gpu_settle(composition_t *c, unsigned part, trouble_t *trouble);
extern const counter_t part_gpu_counters[];
extern const part_table_t part_gpu_tables[];
void part_gpu_count(const part_t *p, uint64_t *counts);

#endif
