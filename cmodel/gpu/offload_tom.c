/* SPDX-License-Identifier: Apache-2.0
 *
 * A candidate at a warp, in the order of section 4.2:
 *
 *   1 The warp comes to its begin from outside: an instance. If its condition does not hold, or it adds traffic to a busy channel, the warp goes through
 *     it as always; an inner candidate may still be asked. Of several with one begin the outer one is first.
 *   2 Else it executes on, up to the first access, whose line names the stack, and asks there. Kept: it goes on from here.
 *   3 Granted: it stands still until all that warps of its CTA had stored has been acknowledged (section 4.4.2) and its live-ins are there.
 *   4 They are packed (PackCycles, then a row a cycle; one warp of the SM at a time) and sent; the block begins anew at the stack.
 *   5 What comes back: lines that were written, which the SM's L1 and the L2 forget, and the live-outs; the warp goes on at the exit.
 */
#include "offload_tom.h"

#include <stdlib.h>

#include "describe.h"
#include "l2.h"
#include "offload_policies.h"

enum { PACK_CYCLES = 10 }; /* section 4.2 */

static const gpu_config_t *config(const tom_sm_t *s) {
  return s->port.sh->config;
}
static gpu_stats_t *stats(const tom_sm_t *s) {
  return s->port.sh->stats;
}
static const simt_kernel_t *kernel(const tom_sm_t *s) {
  return s->port.sh->run->simt.kernel;
}
static const tom_block_t *block_of(const tom_sm_t *s, unsigned warp) {
  return &s->die->program->blocks[s->warp[warp].number];
}

static void *attach(void *die, const offload_port_t *port) {
  tom_sm_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->die = die;
  s->port = *port;
  s->asks.size = sizeof(uint8_t);
  return s->die->sm[port->id] = s;
}

static void detach(void *self) {
  tom_sm_t *s = self;
  for (unsigned w = 0; w < GPU_MAX_WARPS; w++) tom_job_free(s->warp[w].job);
  ring_deinit(&s->asks);
  free(s);
}

static void look_busy(const tom_sm_t *s) {
  *s->port.busy = s->asks.count || s->fence || s->packs || s->lines_head;
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

static tom_learn_t *learn(const tom_sm_t *s) {
  return s->port.sh->learn;
}

/* Of candidates in each other, the outer one's instance is it. */
static void watch_begin(tom_sm_t *s, unsigned warp, unsigned number) {
  if (s->warp[warp].watched) return;
  s->warp[warp].watched = number + 1;
  tom_learn_begin(learn(s), s->port.id, warp);
}

static void watch_end(tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = &s->warp[warp];
  if (!w->watched || w->inside[w->watched - 1]) return;
  w->watched = 0;
  tom_learn_end(learn(s), s->port.id, warp);
}

static void watch(void *self, unsigned warp, uint32_t mask, const uint64_t *vaddr, const uint64_t *paddr) {
  const tom_sm_t *s = self;
  if (s->warp[warp].watched) tom_learn_access(learn(s), s->port.id, warp, mask, vaddr, paddr);
}

/* ---- Begin ------------------------------------------------------------------------------------------------------- */

static bool is_new(const tom_warp_t *w, unsigned number, uint32_t mask) {
  return mask & ~w->inside[number];
}

/* Candidates that begin here and of which the warp's threads are not inside, outer ones first. */
static bool next_new(const tom_sm_t *s, unsigned warp, uint32_t pc, unsigned *number) {
  const tom_program_t *p = s->die->program;
  const uint32_t mask = simt_stack_mask(&s->port.warps[warp].stack);
  for (; *number < p->num_blocks; ++*number)
    if (p->blocks[*number].begin == pc && is_new(&s->warp[warp], *number, mask)) return true;
  return false;
}

/* At a mark: threads leave what ends here. Whether something begins. */
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
  (void)mark;
  return next_new(s, warp, pc, &w->number);
}

static uint64_t cond_ready(const tom_sm_t *s, unsigned warp, const tom_condition_t *c) {
  const int32_t reg[] = {c->start, c->bound, c->step};
  uint64_t when = 0;
  for (unsigned i = 0; c->kind != TOM_ALWAYS && i < 3; i++) {
    const tom_reg_t r = {.reg = reg[i]};
    const uint64_t one = reg[i] == PTX_NONE ? 0 : tom_regs_ready(kernel(s), s->port.warps[warp].ready, &r, 1, 1);
    if (one > when) when = one;
  }
  return when;
}

static uint64_t needs(const void *self, unsigned warp) {
  const tom_sm_t *s = self;
  const uint32_t pc = simt_stack_pc(&s->port.warps[warp].stack);
  uint64_t when = 0;
  for (unsigned n = s->warp[warp].number; next_new(s, warp, pc, &n); n++) {
    const tom_block_t *b = &s->die->program->blocks[n];
    const uint64_t cond = cond_ready(s, warp, &b->cond), regs = tom_regs_ready(kernel(s), s->port.warps[warp].ready, b->sent, b->num_sent, s->die->early[n]);
    if (cond > when) when = cond;
    if (regs > when) when = regs;
  }
  return when;
}

static uint32_t value(const tom_sm_t *s, unsigned warp, int32_t reg, unsigned lane) {
  if (reg == PTX_NONE || kernel(s)->regs[reg].at == SIMT_NO_OPERAND) return 0;
  return ((const uint32_t *)simt_src(&s->port.warps[warp].simt, kernel(s)->regs[reg].at))[lane];
}

static bool holds(const tom_sm_t *s, unsigned warp, const tom_condition_t *c) {
  const unsigned lane = (unsigned)__builtin_ctz(simt_stack_mask(&s->port.warps[warp].stack));
  return tom_holds(c, value(s, warp, c->start, lane), value(s, warp, c->bound, lane), value(s, warp, c->step, lane));
}

static bool adds_to_busy(const tom_sm_t *s, const tom_block_t *b) {
  return tom_links_busy(&s->die->links, b->saves_tx, b->saves_rx);
}

/* What the warp goes through as always: its threads are inside. */
static void keep(tom_sm_t *s, unsigned warp, unsigned number) {
  s->warp[warp].inside[number] |= simt_stack_mask(&s->port.warps[warp].stack);
}

static offload_look_t look(void *self, unsigned warp) {
  tom_sm_t *s = self;
  tom_warp_t *w = &s->warp[warp];
  const uint32_t pc = simt_stack_pc(&s->port.warps[warp].stack);
  for (; next_new(s, warp, pc, &w->number); w->number++) {
    const tom_block_t *b = block_of(s, warp);
    stats(s)->tom_instances++;
    if (!holds(s, warp, &b->cond)) stats(s)->tom_kept_condition++;
    else if (learn(s) && tom_learn_watches(learn(s))) {
      stats(s)->tom_kept_learning++;
      watch_begin(s, warp, w->number);
    } else if (adds_to_busy(s, b)) stats(s)->tom_kept_channel++;
    else return OFFLOAD_GO;
    keep(s, warp, w->number);
  }
  return OFFLOAD_STAY;
}

static bool begin(void *self, unsigned warp) {
  tom_sm_t *s = self;
  tom_warp_t *w = &s->warp[warp];
  const tom_block_t *b = block_of(s, warp);
  if (!(w->job = malloc(sizeof *w->job))) {
    gpu_fail(s->port.sh->fault, 3, "out of memory");
    return false;
  }
  w->job->gpu = s->port.sh, w->job->block = b;
  w->job->written = (ring_t){.size = sizeof(uint64_t)};
  w->job->sm = (uint16_t)s->port.id, w->job->warp = (uint16_t)warp;
  tom_rows_from(w->job, kernel(s), &s->port.warps[warp].simt, b->sent, b->num_sent, s->die->early[w->number]);
  w->phase = TOM_BEGUN;
  return true;
}

/* ---- Up to the first access -------------------------------------------------------------------------------------- */

static offload_what_t what(const void *self, unsigned warp, const simt_op_t *op) {
  const tom_sm_t *s = self;
  return op->index == block_of(s, warp)->first_access ? OFFLOAD_ACCESS : OFFLOAD_AS_ALWAYS;
}

/* The block is not offloaded after all; nor is one that begins between its begin and here. */
static void stay(tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = &s->warp[warp];
  const tom_program_t *p = s->die->program;
  const tom_block_t *b = block_of(s, warp);
  for (unsigned i = 0; i < p->num_blocks; i++)
    if (p->blocks[i].begin >= b->begin && p->blocks[i].begin <= b->first_access) keep(s, warp, i);
  tom_job_free(w->job);
  w->job = NULL;
  w->phase = TOM_OUTSIDE;
  s->port.go(s->port.sm, warp, OFFLOAD_HERE);
}

/* One after the other: the die hears of one at a time. */
static void step_asks(tom_sm_t *s) {
  const uint8_t *warp = ring_front(&s->asks);
  if (warp && !s->asked) s->asked = tom_admission_ask(&s->die->admission, s->port.id, s->warp[*warp].job->stack);
}

static bool access(void *self, unsigned warp, const simt_op_t *op, uint32_t mask, const coalesce_t *lines) {
  tom_sm_t *s = self;
  const sm_warp_t *own = &s->port.warps[warp];
  (void)op;
  s->port.hold(s->port.sm, warp);
  if (!mask) {
    stats(s)->tom_kept_no_access++;
    stay(s, warp);
    return false;
  }
  tom_job_t *job = s->warp[warp].job;
  job->stack = (uint16_t)stack_of(lines->line[0]);
  job->mask = simt_stack_mask(&own->stack);
  job->cta_index = own->cta_index, job->first_thread = own->first_thread;
  job->asked_at = *s->port.now;
  s->warp[warp].phase = TOM_ASKS;
  if (!ring_put(&s->asks, &(uint8_t){(uint8_t)warp})) gpu_fail(s->port.sh->fault, 3, "out of memory");
  step_asks(s);
  look_busy(s);
  return false;
}

void tom_answer(tom_sm_t *s, bool granted) {
  const unsigned warp = *(const uint8_t *)ring_front(&s->asks);
  tom_warp_t *w = &s->warp[warp];
  ring_drop(&s->asks);
  s->asked = false;
  look_busy(s);
  if (!granted) {
    stats(s)->tom_kept_full++;
    stay(s, warp);
    return;
  }
  stats(s)->tom_offloaded++;
  w->job->granted_at = *s->port.now;
  w->phase = TOM_FENCE;
  w->stores = 0;
  for (unsigned i = 0; i < config(s)->sm_threads / 32; i++)
    if (s->port.warps[i].cta == s->port.warps[warp].cta) w->stores |= 1ull << i; /* of those that have exited, too */
  s->fence |= 1ull << warp;
  look_busy(s);
}

/* ---- Fence, packing ---------------------------------------------------------------------------------------------- */

/* Its CTA's stores have been drained, what it loads is there. */
static bool may_go(const tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = (tom_warp_t *)&s->warp[warp];
  for (uint64_t m = w->stores; m; m &= m - 1) {
    if (!s->port.warps[__builtin_ctzll(m)].stores) w->stores &= ~(m & -m);
  }
  const tom_block_t *b = w->job->block;
  return !w->stores && !s->port.warps[warp].outstanding && tom_regs_ready(kernel(s), s->port.warps[warp].ready, b->sent, b->num_sent, ~0ull) <= *s->port.now;
}

static void step_fence(tom_sm_t *s) {
  for (uint64_t m = s->fence; m; m &= m - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(m);
    if (!may_go(s, warp)) continue;
    s->fence &= ~(1ull << warp);
    s->packs |= 1ull << warp;
    s->warp[warp].phase = TOM_PACKS;
    stats(s)->tom_fence_cycles += *s->port.now - s->warp[warp].job->granted_at;
  }
}

static packet_t *make_packet(const tom_sm_t *s, unsigned warp) {
  packet_t *p = gpu_packet_new(s->port.sh, PACKET_OWN, s->port.id, *s->port.now);
  tom_job_t *job = s->warp[warp].job;
  if (!p) return NULL;
  const uint64_t now = ~s->die->early[s->warp[warp].number];
  tom_rows_from(job, kernel(s), &s->port.warps[warp].simt, job->block->sent, job->block->num_sent, now);
  tom_packet_fill(p, &(tom_packet_t){.kind = TOM_REQUEST, .job = job});
  p->hdr.dst = job->stack;
  p->dst_unit = (uint8_t)__builtin_ctz(config(s)->nsu_units[job->stack]);
  return p;
}

static void leaves(tom_sm_t *s, unsigned warp) {
  s->warp[warp].job->sent_at = *s->port.now;
  s->warp[warp].phase = TOM_AWAY;
  s->packs &= ~(1ull << warp);
}

/* In no time, past crossbar and links. */
static void send_all(tom_sm_t *s) {
  while (s->packs) {
    const unsigned warp = (unsigned)__builtin_ctzll(s->packs);
    packet_t *p = make_packet(s, warp);
    if (!p) return;
    if (!ring_put(&s->port.sh->direct[p->hdr.dst], &p)) gpu_fail(s->port.sh->fault, 3, "out of memory");
    leaves(s, warp);
  }
}

static void step_pack(tom_sm_t *s) {
  xbar_t *x = s->port.sh->xbar;
  if (config(s)->tom_free == TOM_FREE_ALL) {
    send_all(s);
    return;
  }
  if (!s->packed_at) {
    if (!s->packs) return;
    s->packing = (unsigned)__builtin_ctzll(s->packs);
    const tom_size_t size = s->warp[s->packing].job->block->sent_size;
    s->packed_at = *s->port.now + PACK_CYCLES + size.words + size.predicates;
  }
  if (*s->port.now < s->packed_at || !xbar_can_send(x, s->port.id, XBAR_OFFLOAD)) return;
  packet_t *p = make_packet(s, s->packing);
  if (!p) return;
  leaves(s, s->packing);
  s->packed_at = 0;
  xbar_send(x, s->port.id, XBAR_OFFLOAD, config(s)->num_sms + (unsigned)p->hdr.dst, p);
}

/* ---- What comes back --------------------------------------------------------------------------------------------- */

static void resume(tom_sm_t *s, unsigned warp) {
  tom_warp_t *w = &s->warp[warp];
  sm_warp_t *own = &s->port.warps[warp];
  const tom_block_t *b = w->job->block;
  if (w->phase != TOM_BACK || w->invals) return;
  tom_rows_to(w->job, kernel(s), &own->simt, b->returned, b->num_returned, w->job->mask);
  for (unsigned i = 0; i < b->num_returned; i++) {
    const uint16_t slot = b->returned[i].reg == PTX_NONE ? SIMT_NO_SLOT : kernel(s)->regs[b->returned[i].reg].slot;
    if (slot != SIMT_NO_SLOT) own->ready[slot] = *s->port.now + 1;
  }
  stats(s)->tom_wait_cycles += w->job->sent_at - w->job->asked_at;
  stats(s)->tom_away_cycles += *s->port.now - w->job->sent_at;
  const uint32_t exit = b->exit;
  tom_job_free(w->job);
  w->job = NULL;
  w->phase = TOM_OUTSIDE;
  s->port.go(s->port.sm, warp, exit);
}

/* The packet becomes the invalidation of its lines, one after the other. */
static void send_lines(tom_sm_t *s) {
  xbar_t *x = s->port.sh->xbar;
  packet_t *from = s->lines_head;
  if (!from || !xbar_can_send(x, s->port.id, XBAR_REQUEST)) return;
  tom_packet_t t = tom_packet_of(from);
  packet_t *p = gpu_packet_new(s->port.sh, GPU_INVAL, s->port.id, *s->port.now);
  if (!p) return;
  const unsigned warp = t.job->warp;
  p->hdr.addr = t.line[--t.lines];
  p->hdr.dst = stack_of(p->hdr.addr);
  stats(s)->l1_fills_killed += ldst_invalidate(s->port.ldst, p->hdr.addr);
  xbar_send(x, s->port.id, XBAR_REQUEST, config(s)->num_sms + (unsigned)p->hdr.dst, p);
  memcpy(from->data, &t, sizeof t);
  if (!t.lines) {
    s->lines_head = from->next;
    if (!s->lines_head) s->lines_tail = NULL;
    packet_free(s->port.sh->pool, from);
  }
  s->warp[warp].invals--;
  resume(s, warp);
}

/* At once. */
static void forget(const tom_sm_t *s, uint64_t line) {
  stats(s)->tom_lines++;
  stats(s)->l1_fills_killed += ldst_invalidate(s->port.ldst, line);
  l2_forget(&s->port.sh->slices[stack_of(line)], line);
}

static bool packet(void *self, packet_t *p) {
  tom_sm_t *s = self;
  if (p->hdr.type != PACKET_OWN) return false;
  const tom_packet_t t = tom_packet_of(p);
  const unsigned warp = (unsigned)p->hdr.warp;
  tom_warp_t *w = &s->warp[warp];
  if (w->phase != TOM_AWAY || w->job != t.job) {
    gpu_fail(s->port.sh->fault, 1, "SM %u warp %u got word of a block that it does not wait for", s->port.id, warp);
    packet_free(s->port.sh->pool, p);
    return true;
  }
  stats(s)->tom_lines += t.lines;
  w->invals += t.lines;
  if (t.kind == TOM_DONE) w->phase = TOM_BACK;
  for (const uint64_t *line; (line = ring_front(&t.job->written)); ring_drop(&t.job->written)) forget(s, *line);
  if (t.lines) {
    p->next = NULL;
    if (s->lines_tail) s->lines_tail->next = p;
    else s->lines_head = p;
    s->lines_tail = p;
    look_busy(s);
    return true;
  }
  packet_free(s->port.sh->pool, p);
  resume(s, warp);
  return true;
}

static void step(void *self) {
  tom_sm_t *s = self;
  send_lines(s);
  step_pack(s);
  step_fence(s);
  step_asks(s);
  look_busy(s);
}

static size_t describe_sm(const void *self, unsigned id, char *text, size_t size) {
  const tom_sm_t *s = self;
  size_t used = 0;
  (void)id;
  if (size) *text = 0;
  describe_add(text, size, &used, "; %u warps wait for stores of their CTA, %u to be packed", (unsigned)__builtin_popcountll(s->fence),
               (unsigned)__builtin_popcountll(s->packs));
  return used;
}

static size_t describe_warp(const void *self, unsigned warp, char *text, size_t size) {
  static const char *const phases[] = {"", "runs on to its first access", "asks", "waits for stores", "waits to be packed", "is at", "is back from"};
  const tom_warp_t *w = &((const tom_sm_t *)self)->warp[warp];
  size_t used = 0;
  if (size) *text = 0;
  if (w->phase > TOM_BEGUN)
    describe_add(text, size, &used, "  warp %u %s: stack %u, block %u, %u lines to invalidate\n", warp, phases[w->phase], w->job->stack, w->number, w->invals);
  return used;
}

static bool ends(const void *self, unsigned warp, uint32_t pc) {
  (void)self, (void)warp, (void)pc;
  return false;
}

const offload_policy_t offload_tom = {.name = "tom",
                                      .compile = tom_compile_module,
                                      .discard = tom_discard_module,
                                      .overlaps = true,
                                      .new = tom_die_new,
                                      .free = tom_die_free,
                                      .load = tom_die_load,
                                      .launch = tom_die_launch,
                                      .tick = tom_die_tick,
                                      .tick_xbar = tom_die_tick_xbar,
                                      .arrive = tom_die_arrive,
                                      .describe = tom_die_describe,
                                      .log = tom_die_log,
                                      .attach = attach,
                                      .detach = detach,
                                      .decide = decide,
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
