/* SPDX-License-Identifier: Apache-2.0
 *
 * Transparent offloading in a warp, in the order of section 4.2. The controller (tom_controller.c)
 * decides, asks, packs and unpacks; this file does the warp's part:
 *
 *   OUTSIDE   at a candidate's begin, from outside: an instance. Of several with the same begin the
 *             outer one comes first.
 *   WAITS     the warp stands still until the controller has answered. No: the warp executes the
 *             candidate itself, and an inner one may still be asked about.
 *   RUNS      the warp executes up to the first access, whose line names the stack.
 *   ASKS      the warp stands still while the controller asks for the stack. Kept: the warp
 *             continues here.
 *   FENCE     until all stores of its CTA are acknowledged (section 4.4.2), and its live-ins are
 *             there.
 *   PACKS     the live-ins are sent.
 *   AWAY      the block starts again from its begin, at the stack. With the live-outs that come
 *             back the warp continues at the exit.
 */
#include "offload_tom.h"

#include <stdlib.h>

#include "describe.h"
#include "l2.h"
#include "ldst.h"
#include "offload_policies.h"
#include "sm_warp.h"

static const gpu_config_t *config(const tom_sm_t *s) {
  return s->port.sh->config;
}
static gpu_stats_t *stats(const tom_sm_t *s) {
  return s->port.sh->stats;
}
static const simt_kernel_t *running_kernel(const tom_sm_t *s) {
  return s->port.sh->run->simt.kernel;
}
static const tom_block_t *block_of(const tom_sm_t *s, unsigned warp) {
  return &s->die->program->blocks[s->warp[warp].number];
}

/* The SM must call `step` unless the controller rests. */
static void update_busy(const tom_sm_t *s) {
  *s->port.busy = !tom_controller_rests(s);
}

static void detach(void *self) {
  tom_sm_t *s = self;
  for (unsigned w = 0; w < GPU_MAX_WARPS; w++) tom_job_free(s->warp[w].job);
  tom_controller_deinit(s);
  free(s);
}

static void *attach(void *die, const offload_port_t *port) {
  tom_sm_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->die = die;
  s->port = *port;
  if (!tom_controller_init(s)) return s->die->sm[port->id] = s;
  detach(s);
  return NULL;
}

/* ---- Watching -------------------------------------------------------------------------------- */

static tom_learn_t *learn(const tom_sm_t *s) {
  return s->port.sh->learn;
}

/* Of nested candidates, the outer instance counts. */
static void watch_begin(tom_sm_t *s, unsigned warp, unsigned number) {
  if (s->warp[warp].watched) return;
  s->warp[warp].watched = number + 1;
  tom_learn_begin(learn(s), s->port.id, warp);
}

/* The instance ends when all threads have left the candidate. */
static void watch_end(tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = &s->warp[warp];
  if (!w->watched || w->inside[w->watched - 1]) return;
  w->watched = 0;
  tom_learn_end(learn(s), s->port.id, warp);
}

bool tom_warp_is_watched(const tom_sm_t *s, unsigned warp) {
  return s->warp[warp].watched != 0;
}

static void watch(void *self, unsigned warp, uint32_t mask, const uint64_t *vaddr, const uint64_t *paddr) {
  const tom_sm_t *s = self;
  if (s->warp[warp].watched) tom_learn_access(learn(s), s->port.id, warp, mask, vaddr, paddr);
}

/* ---- Begin ----------------------------------------------------------------------------------- */

/* True if a thread is not yet inside the candidate. */
static bool is_new(const tom_warp_t *w, unsigned number, uint32_t mask) {
  return mask & ~w->inside[number];
}

/* The next candidate that begins here with threads from outside; outer ones come first. */
static bool next_new(const tom_sm_t *s, unsigned warp, uint32_t pc, unsigned *number) {
  const tom_program_t *p = s->die->program;
  const uint32_t mask = simt_stack_mask(&s->port.warps[warp].stack);
  for (; *number < p->num_blocks; ++*number)
    if (p->blocks[*number].begin == pc && is_new(&s->warp[warp], *number, mask)) return true;
  return false;
}

/* At a mark: threads leave the candidates that end here. True: a candidate begins. */
static bool decide(void *self, unsigned warp, unsigned mark) {
  tom_sm_t *s = self;
  tom_warp_t *w = &s->warp[warp];
  const tom_program_t *p = s->die->program;
  const simt_stack_t *stack = &s->port.warps[warp].stack;
  const uint32_t pc = simt_stack_pc(stack), mask = simt_stack_mask(stack);
  if (!s->port.warps[warp].blocks_met) { /* another warp than before */
    memset(w->inside, 0, sizeof w->inside);
    w->watched = 0;
  }
  for (unsigned i = 0; i < p->num_blocks; i++)
    if (p->blocks[i].exit == pc) w->inside[i] &= ~mask;
  watch_end(s, warp);
  w->number = 0;
  w->answer = TOM_UNANSWERED;
  (void)mark;
  return next_new(s, warp, pc, &w->number);
}

/* The fence orders accesses (section 4.4.2). */
static bool overlaps(const void *self, unsigned warp, bool begin) {
  (void)self, (void)warp, (void)begin;
  return true;
}

/* Cycle from which the condition's registers are known. */
static uint64_t cond_ready(const tom_sm_t *s, unsigned warp, const tom_condition_t *c) {
  const int32_t reg[] = {c->start, c->bound, c->step};
  uint64_t when = 0;
  for (unsigned i = 0; c->kind != TOM_ALWAYS && i < 3; i++) {
    const tom_reg_t r = {.reg = reg[i]};
    const uint64_t one =
        reg[i] == PTX_NONE ? 0 : tom_regs_ready(running_kernel(s), s->port.warps[warp].ready, &r, 1, 1);
    if (one > when) when = one;
  }
  return when;
}

/* For all candidates that may begin here: their conditions, and live-ins that are saved early. */
static uint64_t needs(const void *self, unsigned warp) {
  const tom_sm_t *s = self;
  const uint32_t pc = simt_stack_pc(&s->port.warps[warp].stack);
  uint64_t when = 0;
  for (unsigned n = s->warp[warp].number; next_new(s, warp, pc, &n); n++) {
    const tom_block_t *b = &s->die->program->blocks[n];
    const uint64_t cond = cond_ready(s, warp, &b->cond),
                   regs = tom_regs_ready(running_kernel(s), s->port.warps[warp].ready, b->sent, b->num_sent,
                                         s->die->early[n]);
    if (cond > when) when = cond;
    if (regs > when) when = regs;
  }
  return when;
}

/* The warp executes the candidate itself: its threads are inside. */
static void keep_candidate(tom_sm_t *s, unsigned warp, unsigned number) {
  s->warp[warp].inside[number] |= simt_stack_mask(&s->port.warps[warp].stack);
}

/* Asks the controller about one candidate after the other, while the warp stands still. */
static offload_look_t look(void *self, unsigned warp) {
  tom_sm_t *s = self;
  tom_warp_t *w = &s->warp[warp];
  const simt_stack_t *stack = &s->port.warps[warp].stack;
  const tom_answer_t answer = w->answer;
  if (w->phase == TOM_WAITS && answer == TOM_UNANSWERED) return OFFLOAD_NOT_YET;
  w->answer = TOM_UNANSWERED;
  if (answer == TOM_YES) return OFFLOAD_GO;
  if (answer == TOM_NO) keep_candidate(s, warp, w->number);
  if (!next_new(s, warp, simt_stack_pc(stack), &w->number)) return OFFLOAD_STAY;
  stats(s)->tom_instances++;
  w->phase = TOM_WAITS;
  s->under_way++;
  tom_controller_begin(s, warp, w->number, simt_stack_mask(stack));
  update_busy(s);
  return OFFLOAD_NOT_YET;
}

/* The controller has answered: the warp looks again. */
static void answer_warp(tom_sm_t *s, unsigned warp, tom_phase_t phase, tom_answer_t answer) {
  s->warp[warp].answer = answer;
  s->warp[warp].phase = phase;
  s->under_way--;
  s->port.room(s->port.sm, UINT64_C(1) << warp);
}

void tom_warp_runs(tom_sm_t *s, unsigned warp) {
  answer_warp(s, warp, TOM_RUNS, TOM_YES);
}

/* Makes the job, and saves the live-ins that are overwritten before the first access. */
static bool begin(void *self, unsigned warp) {
  tom_sm_t *s = self;
  tom_warp_t *w = &s->warp[warp];
  const tom_entry_t *e = &s->die->entries[w->number];
  const tom_block_t *b = block_of(s, warp);
  if (!(w->job = malloc(sizeof *w->job))) {
    trouble_fail(s->port.sh->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return false;
  }
  w->job->gpu = s->port.sh, w->job->block = b, w->job->entry = e;
  w->job->written = (ring_t){.size = sizeof(uint64_t)};
  w->job->sm = (uint16_t)s->port.id, w->job->warp = (uint16_t)warp;
  tom_rows_from(w->job, running_kernel(s), &s->port.warps[warp].simt,
                tom_entry_numbers(e, b->sent, b->num_sent, s->die->early[w->number]));
  return true;
}

/* ---- Up to the first access ------------------------------------------------------------------ */

/* The first access stops the warp. */
static offload_what_t what(const void *self, unsigned warp, const simt_op_t *op) {
  const tom_sm_t *s = self;
  return op->index == block_of(s, warp)->first_access ? OFFLOAD_ACCESS : OFFLOAD_AS_ALWAYS;
}

/* The block stays on the GPU, and so do candidates between its begin and here. */
static void stay_on_gpu(tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = &s->warp[warp];
  s->under_way--;
  const tom_program_t *p = s->die->program;
  const tom_block_t *b = block_of(s, warp);
  for (unsigned i = 0; i < p->num_blocks; i++)
    if (p->blocks[i].begin >= b->begin && p->blocks[i].begin <= b->first_access) keep_candidate(s, warp, i);
  tom_job_free(w->job);
  w->job = NULL;
  w->phase = TOM_OUTSIDE;
  s->port.go(s->port.sm, warp, OFFLOAD_HERE);
}

/* The first access names the stack. */
static bool access(void *self, unsigned warp, const simt_op_t *op, uint32_t mask, const coalesce_t *lines) {
  tom_sm_t *s = self;
  const sm_warp_t *own = &s->port.warps[warp];
  tom_job_t *job = s->warp[warp].job;
  (void)op;
  s->port.hold(s->port.sm, warp);
  job->stack = (uint16_t)(mask ? stack_of(lines->line[0]) : 0);
  job->mask = simt_stack_mask(&own->stack);
  job->cta_index = own->cta_index, job->first_thread = own->first_thread;
  job->asked_at = *s->port.now;
  s->warp[warp].phase = TOM_ASKS;
  s->under_way++;
  tom_controller_access(s, warp, !mask, job->stack);
  update_busy(s);
  return false;
}

/* Counts the reason. The warp may still wait for an answer, or stand at its first access. */
void tom_warp_stays(tom_sm_t *s, unsigned warp, unsigned why) {
  switch (why) {
  case WHY_CONDITION: stats(s)->tom_kept_condition++; break;
  case WHY_CHANNEL: stats(s)->tom_kept_channel++; break;
  case WHY_LEARNING: stats(s)->tom_kept_learning++; break;
  case WHY_NO_ACCESS: stats(s)->tom_kept_no_access++; break;
  default: stats(s)->tom_kept_full++; break;
  }
  if (why == WHY_LEARNING) watch_begin(s, warp, s->warp[warp].number);
  if (s->warp[warp].phase == TOM_WAITS) answer_warp(s, warp, TOM_OUTSIDE, TOM_NO);
  else stay_on_gpu(s, warp);
}

/* ---- Fence ----------------------------------------------------------------------------------- */

/* Notes all warps of the CTA, including exited ones: their stores count, too. */
void tom_warp_fence(tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = &s->warp[warp];
  stats(s)->tom_offloaded++;
  w->job->granted_at = *s->port.now;
  w->phase = TOM_FENCE;
  w->stores = 0;
  for (unsigned i = 0; i < config(s)->sm.threads / 32; i++)
    if (s->port.warps[i].cta == s->port.warps[warp].cta) w->stores |= 1ull << i;
  s->fence |= 1ull << warp;
}

/* A warp of the CTA leaves the set when it has no store under way. Stores that begin later do
 * not count. */
bool tom_warp_may_go(tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = &s->warp[warp];
  for (uint64_t m = w->stores; m; m &= m - 1) {
    if (!s->port.warps[__builtin_ctzll(m)].stores) w->stores &= ~(m & -m);
  }
  const tom_block_t *b = w->job->block;
  if (w->stores || s->port.warps[warp].outstanding) return false;
  if (tom_regs_ready(running_kernel(s), s->port.warps[warp].ready, b->sent, b->num_sent, ~0ull) > *s->port.now)
    return false;
  stats(s)->tom_fence_cycles += *s->port.now - w->job->granted_at;
  w->phase = TOM_PACKS;
  tom_rows_from(w->job, running_kernel(s), &s->port.warps[warp].simt,
                w->job->entry->in & ~tom_entry_numbers(w->job->entry, b->sent, b->num_sent, s->die->early[w->number]));
  return true;
}

/* ---- What comes back ------------------------------------------------------------------------- */

void tom_warp_resumes(tom_sm_t *s, unsigned warp, uint32_t exit) {
  tom_warp_t *w = &s->warp[warp];
  sm_warp_t *own = &s->port.warps[warp];
  const tom_block_t *b = w->job->block;
  tom_rows_to(w->job, running_kernel(s), &own->simt, w->job->entry->out, w->job->mask);
  for (unsigned i = 0; i < b->num_returned; i++) {
    const uint16_t slot =
        b->returned[i].reg == PTX_NONE ? SIMT_NO_SLOT : running_kernel(s)->regs[b->returned[i].reg].slot;
    if (slot != SIMT_NO_SLOT) own->ready[slot] = *s->port.now + 1;
  }
  stats(s)->tom_wait_cycles += w->job->sent_at - w->job->asked_at;
  stats(s)->tom_away_cycles += *s->port.now - w->job->sent_at;
  tom_job_free(w->job);
  w->job = NULL;
  w->phase = TOM_OUTSIDE;
  s->port.go(s->port.sm, warp, exit);
}

/* Free coherence: the caches forget a line at once. */
static void forget_line(const tom_sm_t *s, uint64_t line) {
  stats(s)->tom_lines++;
  stats(s)->l1_fills_killed += ldst_invalidate(s->port.ldst, line);
  l2_forget(&s->port.sh->slices[stack_of(line)], line);
}

/* A packet from the stack must belong to the block that the warp waits for. */
static bool packet(void *self, packet_t *p) {
  tom_sm_t *s = self;
  if (p->hdr.type != PACKET_OWN) return false;
  const tom_packet_t t = tom_packet_of(p);
  const unsigned warp = (unsigned)p->hdr.warp;
  if (s->warp[warp].phase != TOM_AWAY || s->warp[warp].job != t.job) {
    trouble_fail(s->port.sh->fault, TROUBLE_BROKEN, "SM %u warp %u got word of a block that it does not wait for",
                 s->port.id, warp);
    packet_free(s->port.sh->pool, p);
    return true;
  }
  stats(s)->tom_lines += t.lines;
  for (const uint64_t *line; (line = ring_front(&t.job->written)); ring_drop(&t.job->written)) forget_line(s, *line);
  tom_controller_packet(s, p);
  update_busy(s);
  return true;
}

static void step(void *self) {
  tom_controller_step(self);
  update_busy(self);
}

static size_t describe_sm(const void *self, unsigned id, char *text, size_t size) {
  const tom_sm_t *s = self;
  size_t used = 0;
  (void)id;
  if (size) *text = 0;
  describe_add(text, size, &used, "; %u warps wait for stores of their CTA", (unsigned)__builtin_popcountll(s->fence));
  return used;
}

static size_t describe_warp(const void *self, unsigned warp, char *text, size_t size) {
  static const char *const phases[] = {"",     "waits for a decision", "runs on to its first access",
                                       "asks", "waits for stores",     "waits to be packed",
                                       "is at"};
  const tom_warp_t *w = &((const tom_sm_t *)self)->warp[warp];
  size_t used = 0;
  if (size) *text = 0;
  if (w->phase > TOM_RUNS)
    describe_add(text, size, &used, "  warp %u %s: stack %u, block %u\n", warp, phases[w->phase], w->job->stack,
                 w->number);
  return used;
}

/* The exit is a mark, not an end. */
static bool ends(const void *self, unsigned warp, uint32_t pc) {
  (void)self, (void)warp, (void)pc;
  return false;
}

const offload_policy_t offload_tom = {.name = "tom",
                                      .compile = tom_compile_module,
                                      .discard = tom_discard_module,
                                      .hears_atomics = true,
                                      .new = tom_die_new,
                                      .free = tom_die_free,
                                      .load = tom_die_load,
                                      .forget = tom_die_forget,
                                      .launch = tom_die_launch,
                                      .candidates = tom_die_candidates,
                                      .tick = tom_die_tick,
                                      .tick_xbar = tom_die_tick_xbar,
                                      .arrive = tom_die_arrive,
                                      .describe = tom_die_describe,
                                      .log = tom_die_log,
                                      .attach = attach,
                                      .detach = detach,
                                      .decide = decide,
                                      .overlaps = overlaps,
                                      .needs = needs,
                                      .look = look,
                                      .begin = begin,
                                      .what = what,
                                      .access = access,
                                      .watch = watch,
                                      .ends = ends,
                                      .packet = packet,
                                      .step = step,
                                      .describe_sm = describe_sm,
                                      .describe_warp = describe_warp};
