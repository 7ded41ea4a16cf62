/* SPDX-License-Identifier: Apache-2.0
 *
 * The wires of tom_stack, and the packets on its two sides.
 */
#include "stack_blocks.h"

#include <stdlib.h>

#include "bits.h"
#include "tom_stack_ports.h"

_Static_assert((int)TOM_LIST_LINES == Lines && (int)TOM_MOST_WORDS == Rows,
               "lists and requests as the block is made for");

enum { RESTS = 4 /* cycles without anything, after which nothing is on a wire */ };

/* ---- Making ---------------------------------------------------------------------------------- */

int stack_blocks_init(stack_blocks_t *b, const gpu_config_t *config, unsigned stack,
                      const struct block_engine *const *engines, unsigned which, packet_pool_t *pool, trouble_t *fault,
                      stack_blocks_events_t events) {
  *b = (stack_blocks_t){.config = config, .pool = pool, .fault = fault, .events = events, .stack = stack};
  b->coming.size = sizeof(tom_job_t *), b->happens.size = sizeof(stack_block_event_t);
  b->places = gpu_config_tom_places(config) * (Rows + 1);
  if (!engines) return 0;
  if (offload_instance_open(&b->instance, engines, which)) return -1;
  return (b->in = calloc(1, sizeof(tom_stack_in_t))) ? 0 : -1;
}

void stack_blocks_deinit(stack_blocks_t *b) {
  for (packet_t *p = b->head, *next; p; p = next) {
    next = p->next;
    packet_free(b->pool, p);
  }
  offload_instance_close(&b->instance);
  ring_deinit(&b->coming);
  ring_deinit(&b->happens);
  free(b->in);
}

/* ---- What happens ---------------------------------------------------------------------------- */

/* Appends to a ring; faults without memory. */
static void ring_append(stack_blocks_t *b, ring_t *ring, const void *thing) {
  if (!ring_put(ring, thing)) trouble_fail(b->fault, TROUBLE_ENVIRONMENT, "out of memory");
}

void stack_blocks_request(stack_blocks_t *b, packet_t *p) {
  p->next = NULL;
  if (b->tail) b->tail->next = p;
  else b->head = p;
  b->tail = p;
  b->requests++;
}

void stack_blocks_written(stack_blocks_t *b, unsigned slot, uint64_t line) {
  ring_append(b, &b->happens, &(stack_block_event_t){STACK_LINE, (uint8_t)slot, line});
}

void stack_blocks_ended(stack_blocks_t *b, unsigned slot) {
  ring_append(b, &b->happens, &(stack_block_event_t){STACK_END, (uint8_t)slot, 0});
}

/* True if the instance's step would change nothing. */
bool stack_blocks_rest(const stack_blocks_t *b) {
  return !b->awake && !b->head && !b->coming.count && !b->happens.count && !b->live;
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* One beat of the first request: its header, then rows in the order of numbers. */
static void give_beat(stack_blocks_t *b, tom_stack_in_t *in) {
  packet_t *p = b->head;
  tom_job_t *job = tom_packet_of(p).job;
  in->in_valid = 1, in->in_sm = job->sm;
  b->places--;
  if (!b->beats++) {
    memcpy(in->in_beat, job->header, sizeof job->header);
    b->left = bits_get(job->header, REQ_in_LSB, REQ_in_W);
    ring_append(b, &b->coming, &job);
  } else {
    memcpy(in->in_beat, job->row[__builtin_ctzll(b->left)], sizeof *job->row);
    b->left &= b->left - 1;
  }
  in->in_last = !b->left;
  if (b->left) return;
  b->head = p->next;
  if (!b->head) b->tail = NULL;
  b->beats = 0;
  packet_free(b->pool, p);
}

/* The job of the oldest request that has not begun. */
static tom_job_t *next_job(stack_blocks_t *b) {
  tom_job_t *const *job = ring_front(&b->coming);
  if (!job) trouble_fail(b->fault, TROUBLE_BROKEN, "stack %u begins a block that nobody sent", b->stack);
  return job ? *job : NULL;
}

/* The instance starts a block in a slot. */
static void start_block(stack_blocks_t *b, const tom_stack_out_t *out) {
  tom_job_t *job = next_job(b);
  const unsigned slot = (unsigned)out->start_slot;
  if (!job) return;
  if (slot >= b->config->tom.warps || b->slot[slot].job) {
    trouble_fail(b->fault, TROUBLE_BROKEN, "stack %u begins a block in slot %u, which is not free", b->stack, slot);
    return;
  }
  ring_drop(&b->coming);
  b->requests--;
  b->live++;
  b->slot[slot] = (stack_block_t){job, (uint32_t)out->start_exit};
  b->events.start(b->events.sm, slot, job, (uint32_t)out->start_pc, (uint32_t)out->start_mask);
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* Block of a warp of the GPU; NULL: none, a fault. */
static stack_block_t *block_of(stack_blocks_t *b, uint64_t sm, uint64_t warp) {
  for (unsigned i = 0; i < b->config->tom.warps; i++)
    if (b->slot[i].job && b->slot[i].job->sm == sm && b->slot[i].job->warp == warp) return &b->slot[i];
  trouble_fail(b->fault, TROUBLE_BROKEN, "stack %u speaks of a block of SM %u warp %u, which it has not", b->stack,
               (unsigned)sm, (unsigned)warp);
  return NULL;
}

/* The first beat is the header of a message. */
static void begin_message(stack_blocks_t *b, const tom_stack_out_t *out) {
  const stack_block_t *block = block_of(b, out->out_sm, bits_get(out->out_beat, ACK_warp_LSB, ACK_warp_W));
  if (!block) return;
  b->message = (tom_packet_t){.kind = bits_get(out->out_beat, ACK_done_LSB, ACK_done_W) ? TOM_DONE : TOM_LINES,
                              .job = block->job};
  memcpy(b->message.header, out->out_beat, sizeof b->message.header);
  b->out_left = bits_get(out->out_beat, ACK_out_LSB, ACK_out_W);
}

/* The last beat is the list of written lines. */
static void take_list(stack_blocks_t *b, const uint32_t *beat) {
  const unsigned lines = (unsigned)bits_get(beat, 0, TOM_LIST_COUNT_W);
  b->message.lines = lines < TOM_LIST_LINES ? lines : TOM_LIST_LINES;
  for (unsigned i = 0; i < b->message.lines; i++)
    b->message.line[i] = bits_get(beat, TOM_LIST_COUNT_W + i * LineBits, LineBits) << TOM_LINE_BITS;
}

/* A complete message becomes a packet. The block's slot is free after TOM_DONE. */
static void send_message(stack_blocks_t *b) {
  packet_t *p = packet_new(b->pool, PACKET_OWN);
  stack_block_t *block = b->message.kind == TOM_DONE ? block_of(b, b->message.job->sm, b->message.job->warp) : NULL;
  if (!p) {
    trouble_fail(b->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return;
  }
  tom_packet_fill(p, &b->message);
  p->src = (uint16_t)b->stack, p->dst = PKT_GPU;
  if (block) block->job = NULL, b->live--;
  b->events.send(b->events.sm, p);
}

/* A beat of a message: header, rows, list. */
static void take_beat(stack_blocks_t *b, const tom_stack_out_t *out) {
  if (!b->out_beats++) begin_message(b, out);
  else if (b->fault->kind) return;
  else if (b->out_left) {
    memcpy(b->message.job->row[__builtin_ctzll(b->out_left)], out->out_beat, sizeof *b->message.job->row);
    b->out_left &= b->out_left - 1;
  } else take_list(b, out->out_beat);
  b->credits++;
  if (!out->out_last || b->fault->kind) return;
  b->out_beats = 0;
  send_message(b);
}

/* ---- A cycle --------------------------------------------------------------------------------- */

/* Acts on the instance's outputs. */
static void act_on_outputs(stack_blocks_t *b, const tom_stack_out_t *out) {
  tom_job_t *job;
  if (out->err)
    trouble_fail(b->fault, TROUBLE_BROKEN, "the blocks of stack %u were used wrongly: its fault is %u", b->stack,
                 (unsigned)out->err);
  b->places += out->in_credit;
  if (out->wr_valid && (job = next_job(b))) memcpy(job->row[out->wr_reg], out->wr_row, sizeof *job->row);
  if (out->clear && (job = next_job(b))) b->events.clear(b->events.sm, job);
  if (out->start_valid) start_block(b, out);
  if (out->out_valid) take_beat(b, out);
}

/* A line and then an end fit into one cycle, in this order. */
static void give_events(stack_blocks_t *b, const tom_stack_out_t *out, tom_stack_in_t *in) {
  int last = -1;
  if (!out->push_ready || !out->end_ready) return;
  for (const stack_block_event_t *e; (e = ring_front(&b->happens)) && (int)e->what > last; ring_drop(&b->happens)) {
    last = e->what;
    if (e->what == STACK_LINE) in->push_valid = 1, in->push_slot = e->slot, in->push_line = e->line >> TOM_LINE_BITS;
    else in->end_valid = 1, in->end_slot = e->slot;
  }
}

/* A row that the instance asked for is on the wires one cycle later. */
static void give_row(stack_blocks_t *b, const tom_stack_out_t *out, tom_stack_in_t *in) {
  if (b->reads) memcpy(in->rd_data, b->row, sizeof b->row), b->told = true;
  b->reads = out->rd_valid;
  if (!out->rd_valid) return;
  const tom_job_t *job = out->rd_slot < b->config->tom.warps ? b->slot[out->rd_slot].job : NULL;
  if (job) memcpy(b->row, job->row[out->rd_reg], sizeof b->row);
  else
    trouble_fail(b->fault, TROUBLE_BROKEN, "stack %u reads a register of slot %u, which has no block", b->stack,
                 (unsigned)out->rd_slot);
}

/* Clock edge first, then the outputs, then the inputs of the new cycle. */
void stack_blocks_step(stack_blocks_t *b) {
  tom_stack_in_t *in = b->in;
  offload_instance_edge(&b->instance, in, sizeof *in, &b->told, b->fault);
  const tom_stack_out_t *out = offload_instance_out(&b->instance);
  act_on_outputs(b, out);
  give_row(b, out, in);
  if (b->head && b->places) give_beat(b, in);
  give_events(b, out, in);
  if (b->credits) in->out_credit = 1, b->credits--;
  b->told |= in->in_valid || in->push_valid || in->end_valid || in->out_credit;
  const bool any =
      b->head || b->coming.count || b->happens.count || b->live || b->credits || in->in_valid || in->out_credit;
  b->awake = any ? RESTS : b->awake - !!b->awake;
}
