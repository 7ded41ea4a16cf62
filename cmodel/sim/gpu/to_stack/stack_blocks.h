/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks in the SM of a stack, from their requests to their acknowledgements: an instance of
 * tom_stack (rtl/tom), and what is on its way to it and from it.
 *
 * A step is the clock edge that ends the last cycle; then the instance's outputs of this one are
 * looked at, and what has happened in it is put on its wires: a beat of a request, a line that was
 * written, the end of a block; where several wait, one goes in a cycle.
 */
#ifndef STACK_BLOCKS_H
#define STACK_BLOCKS_H

#include "offload_instance.h"
#include "tom_job.h"

/* What the SM is asked to do. */
typedef struct {
  void *sm;
  void (*clear)(void *sm, const tom_job_t *job); /* its L1 */
  void (*start)(void *sm, unsigned slot, tom_job_t *job, uint32_t pc, uint32_t mask);
  void (*send)(void *sm, packet_t *packet); /* to the GPU */
} stack_blocks_events_t;

/* In a slot. */
typedef struct {
  tom_job_t *job; /* NULL: free */
  uint32_t exit;
} stack_block_t;

typedef struct {
  enum { STACK_LINE, STACK_END } what; /* in the order of a cycle */
  uint8_t slot;
  uint64_t line;
} stack_block_event_t;

typedef struct {
  const gpu_config_t *config;
  packet_pool_t *pool;
  trouble_t *fault;
  stack_blocks_events_t events;
  unsigned stack;
  offload_instance_t instance;
  void *in;  /* tom_stack_in_t, of the cycle that is under way */
  bool told; /* something valid is in it */
  stack_block_t slot[GPU_WIDEST_WARPS];
  packet_t *head, *tail;       /* requests that have not been given whole */
  unsigned requests;           /* how many, and those that have not begun */
  unsigned beats, places;      /* of the first of them, given; places for beats */
  uint64_t left;               /* numbers of its rows that are still to be given */
  ring_t coming;               /* tom_job_t *: given, and not begun */
  ring_t happens;              /* stack_block_event_t */
  bool reads;                  /* in the last cycle it asked for a row, which is on its wires in this one */
  uint32_t row[TOM_WARP];      /* that row */
  unsigned out_beats, credits; /* of the message that comes; places to be given back */
  uint64_t out_left;           /* numbers of its rows that are still to come */
  tom_packet_t message;
  unsigned live, awake; /* slots in use; cycles until it may rest */
} stack_blocks_t;

/* Instance `which` of the engines; NULL: there is none, and no request
 * comes. -1: out of host memory, or the engine cannot be had. */
int stack_blocks_init(stack_blocks_t *b, const gpu_config_t *config, unsigned stack,
                      const struct block_engine *const *engines, unsigned which, packet_pool_t *pool, trouble_t *fault,
                      stack_blocks_events_t events);
void stack_blocks_deinit(stack_blocks_t *b); /* also of one that could not be made */

void stack_blocks_request(stack_blocks_t *b, packet_t *packet); /* takes it over */
void stack_blocks_written(stack_blocks_t *b, unsigned slot, uint64_t line);
void stack_blocks_ended(stack_blocks_t *b, unsigned slot); /* what it returns is in its job's rows */
void stack_blocks_step(stack_blocks_t *b);
bool stack_blocks_rest(const stack_blocks_t *b);

#endif
