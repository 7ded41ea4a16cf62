/* SPDX-License-Identifier: Apache-2.0
 *
 * The SM in the logic layer of a memory stack (TOM paper, sections 4.2 to 4.4). Its type is the
 * GPU's SM, with an L1 and no L2. Each warp is a block that a warp of the GPU has sent. The SM
 * reaches the vaults of its own stack, and those of other stacks over the memory network.
 *
 *   s = stack_sm_new(&config, stack, pool, engines, which)
 *   stack_sm_push(s, packet)                 requests of blocks (PACKET_OWN), READ_RESP, WRITE_ACK
 *   stack_sm_tick_core, stack_sm_tick_link   each at its clock; at the same instant core first
 *   stack_sm_front, stack_sm_pop             class 0: READ, WRITE, for the stack in dst
 *                                            class 1: answers to the GPU (tom_job.h)
 *
 * A block begins when a warp slot is free and all its rows are written; the L1 is then emptied
 * (section 4.4.2). The block ends at its exit, when all its stores are acknowledged. Instruction
 * and constant fetches always hit. Translations are ideal, or come from stack_tlb.h (ours).
 */
#ifndef STACK_SM_H
#define STACK_SM_H

#include "gpu_config.h"
#include "trouble.h"
#include "gpu_stats.h"
#include "packet.h"

typedef struct stack_sm stack_sm_t;

/* config: of the SM (L1, latencies, tom.warps); num_stacks is the machine's. engines: of
 * tom_stack, of which instance `which` is this SM's; NULL: no block will come. Returns NULL
 * without host memory. */
struct block_engine;
stack_sm_t *stack_sm_new(const gpu_config_t *config, unsigned stack, packet_pool_t *pool,
                         const struct block_engine *const *engines, unsigned which);
void stack_sm_free(stack_sm_t *sm);

/* push takes a packet over; pop gives one away. */
bool stack_sm_can_push(const stack_sm_t *sm);
void stack_sm_push(stack_sm_t *sm, packet_t *packet);
const packet_t *stack_sm_front(const stack_sm_t *sm, unsigned cls); /* NULL: none */
packet_t *stack_sm_pop(stack_sm_t *sm, unsigned cls);
void stack_sm_tick_core(stack_sm_t *sm);
void stack_sm_tick_link(stack_sm_t *sm);
unsigned stack_sm_blocks(const stack_sm_t *s); /* blocks in its warps now */
bool stack_sm_idle(const stack_sm_t *sm);      /* nothing inside: ticks may be skipped */

/* Counters: instructions, L1 and stalls as in a GPU; blocks, and cycles of their warps. */
typedef struct {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#include "stack_sm_counters.def"
} stack_sm_stats_t;
stack_sm_stats_t stack_sm_stats(const stack_sm_t *sm);
const trouble_t *stack_sm_fault(const stack_sm_t *sm);                         /* NULL: none */
size_t stack_sm_describe_waits(const stack_sm_t *sm, char *text, size_t size); /* as snprintf */

#endif
