/* SPDX-License-Identifier: Apache-2.0
 *
 * The SM of a stack: the GPU's SM with its own crossbar of one SM and a way out for each stack. A
 * block is a CTA of one warp, in the middle of its kernel.
 *
 *   stack_sm_push --requests--> stack_blocks --start--> sm
 *        |                           |                   | requests
 *        +--READ_RESP, WRITE_ACK-----|------------------> xbar --leave--> out[0] (vaults)
 *                                    +--messages------------------------> out[1] (GPU)
 *
 * The end of a block uses the interface of an offload policy: a "block" of that policy starts at
 * the exit, and its `begin` ends the warp.
 */
#include "stack_sm.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "sm.h"
#include "stack_address.h"
#include "stack_blocks.h"
#include "stack_tlb.h"

typedef struct {
  packet_t *head, *tail;
  unsigned count;
} queue_t;

struct stack_sm {
  gpu_config_t config;
  unsigned stack;
  packet_pool_t *pool;
  gpu_shared_t shared;
  gpu_run_t run;
  gpu_stats_t counted;
  trouble_t fault;
  xbar_t xbar; /* one SM, and a way out for each stack */
  sm_t sm;
  offload_port_t port; /* the SM's, for the ends of blocks */
  int32_t *exits;      /* [instructions of the kernel]: 0 where some block ends, else -1 */
  stack_blocks_t blocks;
  stack_tlb_t tlb;
  queue_t out[2]; /* by class */
  stack_sm_stats_t stats;
};

/* ---- queues ---- */

static void queue_push(queue_t *q, packet_t *p) {
  p->next = NULL;
  if (q->tail) q->tail->next = p;
  else q->head = p;
  q->tail = p;
  q->count++;
}

static packet_t *queue_pop(queue_t *q) {
  packet_t *p = q->head;
  q->head = p->next;
  if (!q->head) q->tail = NULL;
  q->count--;
  return p;
}

/* ---- the end of a block, through the interface of an offload policy ---- */

static void *attach(void *die, const offload_port_t *port) {
  ((stack_sm_t *)die)->port = *port;
  return die;
}

static void detach(void *self) {
  (void)self;
}

/* True at the exit of the warp's own block. */
static bool decide(void *self, unsigned warp, unsigned mark) {
  const stack_sm_t *s = self;
  (void)mark;
  return s->blocks.slot[warp].exit == simt_stack_pc(&s->port.warps[warp].stack);
}

/* The live-outs must be ready. */
static uint64_t needs(const void *self, unsigned warp) {
  const stack_sm_t *s = self;
  const tom_block_t *b = s->blocks.slot[warp].job->block;
  return tom_regs_ready(s->run.simt.kernel, s->port.warps[warp].ready, b->returned, b->num_returned, ~0ull);
}

/* The warp is at its exit, and all its accesses are over. */
static bool end_block(void *self, unsigned warp) {
  stack_sm_t *s = self;
  tom_job_t *job = s->blocks.slot[warp].job;
  tom_rows_from(job, s->run.simt.kernel, &s->port.warps[warp].simt, job->entry->out);
  stack_blocks_ended(&s->blocks, warp);
  s->port.retire(s->port.sm, warp);
  return true;
}

static bool packet(void *self, packet_t *p) {
  (void)self, (void)p;
  return false;
}

static const offload_policy_t blocks = {.name = "stack",
                                        .attach = attach,
                                        .detach = detach,
                                        .decide = decide,
                                        .needs = needs,
                                        .begin = end_block,
                                        .packet = packet};

/* ---- blocks ---- */

/* Takes over the launch of the GPU that a request comes from, as CTAs of one warp. */
static bool follow_launch(stack_sm_t *s, const tom_job_t *job) {
  const gpu_run_t *run = job->gpu->run;
  if (s->exits && s->run.simt.id == run->simt.id) return true;
  const int32_t *marks = run->block_first;
  const uint32_t number = run->simt.kernel->num_ops;
  free(s->exits);
  s->run = *run;
  s->run.simt.warps = 1, s->run.simt.shared_bytes = 0, s->run.simt.watch = 0;
  s->run.ctas_per_sm = s->config.tom.warps;
  s->shared.pages = job->gpu->pages;
  if ((s->exits = malloc((number + 1) * sizeof *s->exits)))
    for (uint32_t i = 0; i <= number; i++) s->exits[i] = marks[i] < 0 ? -1 : 0;
  s->run.block_first = s->exits;
  if (s->exits && !sm_start(&s->sm)) return true;
  trouble_fail(&s->fault, TROUBLE_ENVIRONMENT, "out of memory for the SM of stack %u", s->stack);
  return false;
}

/* Empties the L1. With free coherence, lines that equal memory stay. */
static void clear_l1(void *self, const tom_job_t *job) {
  stack_sm_t *s = self;
  if (s->config.tom.free) ldst_refresh(&s->sm.ldst, job->gpu->memory);
  else ldst_clear(&s->sm.ldst);
}

/* Registers that were not sent get a pattern, so that a missing live-in shows. */
static void start_block(void *self, unsigned slot, tom_job_t *job, uint32_t pc, uint32_t mask) {
  stack_sm_t *s = self;
  if (!follow_launch(s, job)) return;
  sm_add_warp(&s->sm, slot, &(sm_start_t){job->cta_index, job->first_thread, pc, mask});
  sm_warp_t *w = &s->sm.warps[slot];
  memset(w->simt.base[0], 0xa5, s->run.simt.kernel->reg_bytes);
  tom_rows_to(job, s->run.simt.kernel, &w->simt, job->entry->in, ~0u);
}

static void send_answer(void *self, packet_t *p) {
  stack_sm_t *s = self;
  const tom_packet_t t = tom_packet_of(p);
  s->stats.lines_written += t.lines;
  s->stats.blocks += t.kind == TOM_DONE;
  queue_push(&s->out[1], p);
}

/* ---- making one ---- */

stack_sm_t *stack_sm_new(const gpu_config_t *config, unsigned stack, packet_pool_t *pool,
                         const struct block_engine *const *engines, unsigned which) {
  stack_sm_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->config = *config;
  s->config.num_sms = 1, s->config.sm.ctas = config->tom.warps, s->config.sm.threads = 32 * config->tom.warps,
  s->config.l1i.ideal = true;
  s->config.local_ideal = s->config.constant.ideal = true; /* no block accesses the first */
  s->config.sm.its = false;                                /* a block ends at its exit with all threads */
  s->config.xbar.latency = 0;
  s->stack = stack, s->pool = pool;
  s->shared = (gpu_shared_t){
      .config = &s->config, .pool = pool, .xbar = &s->xbar, .run = &s->run, .stats = &s->counted, .fault = &s->fault};
  const stack_blocks_events_t events = {s, clear_l1, start_block, send_answer};
  if (config->tom.tlb_entries) s->shared.tlb = &s->tlb;
  if (!(config->tom.tlb_entries && stack_tlb_init(&s->tlb, &s->shared, config->tom.tlb_entries)) &&
      !xbar_init(&s->xbar, &s->config) && !sm_init(&s->sm, 0, &s->shared, &blocks, s) &&
      !stack_blocks_init(&s->blocks, &s->config, stack, engines, which, pool, &s->fault, events))
    return s;
  stack_sm_free(s);
  return NULL;
}

void stack_sm_free(stack_sm_t *s) {
  if (!s) return;
  stack_blocks_deinit(&s->blocks);
  if (s->shared.tlb) stack_tlb_deinit(&s->tlb);
  sm_deinit(&s->sm);
  xbar_deinit(&s->xbar);
  free(s->exits);
  free(s);
}

/* A line is reported only when it is in memory: before, the GPU could read the old data again. */
static void line_written(stack_sm_t *s, unsigned warp, uint64_t line) {
  if (!s->config.tom.free) stack_blocks_written(&s->blocks, warp, line);
  else if (!ring_put(&s->blocks.slot[warp].job->written, &line))
    trouble_fail(&s->fault, TROUBLE_ENVIRONMENT, "out of memory");
}

void stack_sm_tick_core(stack_sm_t *s) {
  s->stats.cycles++;
  if (!stack_blocks_rest(&s->blocks) && !s->fault.kind) stack_blocks_step(&s->blocks);
  s->stats.queued_cycles += s->blocks.requests;
  s->stats.warp_cycles += s->sm.live_ctas;
  if (s->shared.tlb && !s->fault.kind) stack_tlb_tick(&s->tlb);
  if (!s->fault.kind) sm_tick(&s->sm);
}

/* ---- packets ---- */

/* Requests always fit: the GPU sends no more than there are places. */
bool stack_sm_can_push(const stack_sm_t *s) {
  return xbar_can_send(&s->xbar, 1 + s->stack, XBAR_RESPONSE);
}

void stack_sm_push(stack_sm_t *s, packet_t *p) {
  if (s->shared.tlb && stack_tlb_receive(&s->tlb, p)) {
    packet_free(s->pool, p);
    sm_pages_came(&s->sm);
  } else if (p->hdr.type == PACKET_OWN) stack_blocks_request(&s->blocks, p);
  else {
    if (p->hdr.type == PKT_WRITE_ACK) line_written(s, (unsigned)p->hdr.warp, p->hdr.addr);
    xbar_send(&s->xbar, 1 + s->stack, XBAR_RESPONSE, 0, p);
  }
}

/* Own stack or another one. */
static void count_access(stack_sm_t *s, const packet_t *p) {
  const bool own = p->dst == s->stack;
  if (p->hdr.type == PKT_WRITE) *(own ? &s->stats.writes_own : &s->stats.writes_other) += 1;
  else *(own ? &s->stats.reads_own : &s->stats.reads_other) += 1;
}

/* A request leaves the SM, one a cycle and stack. */
static void send_access(stack_sm_t *s, unsigned stack) {
  packet_t *p = xbar_front(&s->xbar, 1 + stack, XBAR_REQUEST);
  if (!p) return;
  xbar_pop(&s->xbar, 1 + stack, XBAR_REQUEST);
  p->anywhere = s->config.tom.free == TOM_FREE_ALL;
  p->src = (uint16_t)s->stack, p->dst = (uint16_t)(p->anywhere ? s->stack : stack);
  p->quiet = p->hdr.type == PKT_WRITE;
  count_access(s, p);
  queue_push(&s->out[0], p);
}

void stack_sm_tick_link(stack_sm_t *s) {
  xbar_tick(&s->xbar);
  for (unsigned k = 0; k < s->config.num_stacks && s->xbar.in_flight && s->out[0].count < s->config.link_queue; k++)
    send_access(s, k);
}

const packet_t *stack_sm_front(const stack_sm_t *s, unsigned cls) {
  return s->out[cls].head;
}

packet_t *stack_sm_pop(stack_sm_t *s, unsigned cls) {
  return queue_pop(&s->out[cls]);
}

/* ---- looking at it ---- */

unsigned stack_sm_blocks(const stack_sm_t *s) {
  return s->sm.live_ctas;
}

bool stack_sm_idle(const stack_sm_t *s) {
  return !s->sm.live_ctas && stack_blocks_rest(&s->blocks) && !s->xbar.in_flight && !s->out[0].count &&
         !s->out[1].count;
}

stack_sm_stats_t stack_sm_stats(const stack_sm_t *s) {
  stack_sm_stats_t stats = s->stats;
  stats.walks = s->tlb.walks;
  stats.warp_instructions = s->counted.warp_instructions, stats.thread_instructions = s->counted.thread_instructions;
  stats.issue_slots = s->counted.issue_slots;
  stats.stall_exec = s->counted.stall_exec, stats.stall_dependency = s->counted.stall_dependency,
  stats.stall_idle = s->counted.stall_idle;
  stats.lines_accessed = s->counted.lines_accessed;
  stats.l1_hits = s->counted.l1_hits, stats.l1_misses = s->counted.l1_misses, stats.l1_merges = s->counted.l1_merges;
  return stats;
}

const trouble_t *stack_sm_fault(const stack_sm_t *s) {
  return s->fault.kind ? &s->fault : NULL;
}

size_t stack_sm_describe_waits(const stack_sm_t *s, char *text, size_t size) {
  const warp_sets_t *w = &s->sm.sets;
  size_t used = 0;
  if (size) *text = 0;
  if (!stack_sm_idle(s))
    describe_add(
        text, size, &used,
        "SM of stack %u: %u blocks, %u wait for a slot, %u for loads, %u for their accesses to end; %u packets to "
        "send\n",
        s->stack, s->sm.live_ctas, s->blocks.requests, WARP_SETS_COUNT(w, wait_data), WARP_SETS_COUNT(w, wait_memory),
        s->out[0].count + s->out[1].count);
  return used;
}
