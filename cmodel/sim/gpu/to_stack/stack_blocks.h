/* SPDX-License-Identifier: Apache-2.0
 *
 * The blocks in a stack's SM, from request to acknowledgement: an instance of tom_stack (rtl/tom)
 * and its messages.
 *
 *   request packet --beats--> tom_stack --start--> SM runs the block
 *   TOM_LINES, TOM_DONE <--beats-- tom_stack <--lines written, end-- SM
 *
 * A step is the clock edge at the end of a cycle. It reads the outputs of the new cycle and puts
 * this cycle's events on the wires: a beat of a request, a written line, the end of a block. One
 * event of each kind goes in a cycle; the others wait.
 */
#ifndef STACK_BLOCKS_H
#define STACK_BLOCKS_H

#include "offload_instance.h"
#include "tom_job.h"

/* Callbacks to the SM. */
typedef struct {
  void *sm;
  void (*clear)(void *sm, const tom_job_t *job); /* empties its L1 */
  void (*start)(void *sm, unsigned slot, tom_job_t *job, uint32_t pc, uint32_t mask);
  void (*send)(void *sm, packet_t *packet); /* to the GPU */
} stack_blocks_events_t;

/* A block in a slot. */
typedef struct {
  tom_job_t *job; /* NULL: free */
  uint32_t exit;  /* pc of the block's exit */
} stack_block_t;

/* An event. The values are the order within a cycle. */
typedef struct {
  enum { STACK_LINE, STACK_END } what;
  uint8_t slot;
  uint64_t line;
} stack_block_event_t;

/* State of the blocks. */
typedef struct {
  const gpu_config_t *config;
  packet_pool_t *pool;
  trouble_t *fault;
  stack_blocks_events_t events;
  unsigned stack;
  offload_instance_t instance;
  void *in;  /* tom_stack_in_t of the current cycle */
  bool told; /* `in` has a valid input */
  stack_block_t slot[GPU_WIDEST_WARPS];
  packet_t *head, *tail;  /* requests that are not completely given */
  unsigned requests;      /* requests that have not begun */
  unsigned beats, places; /* beats given of the first request; free places for beats */
  uint64_t left;          /* its rows still to be given, one bit each */
  ring_t coming;          /* tom_job_t *: given, not begun */
  ring_t happens;         /* stack_block_event_t */
  /* the instance asked for a row in the last cycle; the row is on its wires in this one */
  bool reads;
  uint32_t row[TOM_WARP];      /* that row */
  unsigned out_beats, credits; /* beats of the arriving message; credits to be returned */
  uint64_t out_left;           /* its rows still to come, one bit each */
  tom_packet_t message;
  unsigned live, awake; /* slots in use; cycles until the instance may rest */
} stack_blocks_t;

/* Opens instance `which`. engines NULL: no instance, and no request may come. -1: out of host
 * memory, or the engine failed. */
int stack_blocks_init(stack_blocks_t *b, const gpu_config_t *config, unsigned stack,
                      const struct block_engine *const *engines, unsigned which, packet_pool_t *pool, trouble_t *fault,
                      stack_blocks_events_t events);
void stack_blocks_deinit(stack_blocks_t *b); /* also after a failed init */

void stack_blocks_request(stack_blocks_t *b, packet_t *packet); /* takes the packet over */
void stack_blocks_written(stack_blocks_t *b, unsigned slot, uint64_t line);
void stack_blocks_ended(stack_blocks_t *b, unsigned slot); /* the results are in the job's rows */
void stack_blocks_step(stack_blocks_t *b);
bool stack_blocks_rest(const stack_blocks_t *b);

#endif
