/* SPDX-License-Identifier: Apache-2.0
 *
 * The SM in the logic layer of a memory stack (TOM paper, sections 4.2 to 4.4): an SM as those of
 * the GPU, of which each warp is a block that a warp of the GPU has sent, with an L1 of its own and
 * a way to the vaults of its stack and, over the memory network, of the others; no L2.
 *
 *   s = stack_sm_new(&config, stack, image, pool)
 *   stack_sm_push(s, packet)             requests of blocks (PACKET_OWN), READ_RESP, WRITE_ACK
 *   stack_sm_tick_core, stack_sm_tick_link   each at its clock, of one instant core first
 *   stack_sm_front, stack_sm_pop         class 0: READ, WRITE, for the stack that dst says; class
 *                                        1: what goes back to the GPU (tom_job.h)
 *
 * A block begins when a warp slot is free and all its rows are written, and empties the L1 (section
 * 4.4.2). It ends at its exit when all its stores have been acknowledged. Fetching instructions and
 * constants, translating addresses: as on a GPU where these always hit (ours).
 */
#ifndef STACK_SM_H
#define STACK_SM_H

#include "gpu_config.h"
#include "trouble.h"
#include "gpu_stats.h"
#include "packet.h"

typedef struct stack_sm stack_sm_t;

/* config: of the SM (its L1, latencies, tom.warps), num_stacks those of the machine. engines: of
 * tom_stack, of which this is instance `which`; NULL: no blocks come. NULL: out of memory. */
struct block_engine;
stack_sm_t *stack_sm_new(const gpu_config_t *config, unsigned stack, packet_pool_t *pool,
                         const struct block_engine *const *engines, unsigned which);
void stack_sm_free(stack_sm_t *sm);

bool stack_sm_can_push(const stack_sm_t *sm);
void stack_sm_push(stack_sm_t *sm, packet_t *packet);
const packet_t *stack_sm_front(const stack_sm_t *sm, unsigned cls); /* NULL: none */
packet_t *stack_sm_pop(stack_sm_t *sm, unsigned cls);
void stack_sm_tick_core(stack_sm_t *sm);
void stack_sm_tick_link(stack_sm_t *sm);
unsigned stack_sm_blocks(const stack_sm_t *s); /* in its warps now */
bool stack_sm_idle(const stack_sm_t *sm);      /* nothing inside: ticks may be left out */

/* What it counts is a GPU's: instructions, L1, stalls; blocks and the cycles of their warps. */
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#include "stack_sm_counters.def"
} stack_sm_stats_t;
stack_sm_stats_t stack_sm_stats(const stack_sm_t *sm);
const trouble_t *stack_sm_fault(const stack_sm_t *sm);                         /* NULL: none */
size_t stack_sm_describe_waits(const stack_sm_t *sm, char *text, size_t size); /* as snprintf */

#endif
