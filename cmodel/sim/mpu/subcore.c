/* SPDX-License-Identifier: Apache-2.0
 *
 * A subcore's cycle: what its blocks show, issue, clock edge. subcore_dispatch.c,
 * subcore_access.c and subcore_atomic.c have what an instruction does when the offload engine
 * lets it go.
 */
#include "simt_meet.h"
#include "subcore.h"

#include <stdlib.h>
#include <string.h>

/* The offload engine's in_policy. Without near-bank units (ponb) all runs far. */
static unsigned engine_policy(const mpu_config_t *c) {
  static const unsigned code[MPU_NUM_POLICIES] = {
      [MPU_ANNOTATED] = 0, [MPU_HW_DEFAULT] = 1, [MPU_ALL_NEAR] = 2, [MPU_ALL_FAR] = 3};
  return code[c->ponb ? MPU_ALL_FAR : c->policy];
}

void subcore_init(subcore_t *s, core_base_t *base, unsigned id, const subcore_events_t *events) {
  s->base = base;
  s->id = id;
  s->events = *events;
  s->last = -1;
  s->tags_free = ~0ull;
  offload_engine_reset(&s->engine);
  track_table_reset(&s->table);
  move_engine_reset(&s->move);
  lsu_reset(&s->lsu);
  s->lsu_asleep = s->move_asleep = true;
  s->lsu_out.in_ready = 1;
  const mpu_config_t *c = base->sh->config;
  s->engine_in.smem_near = c->smem_near && !c->ponb;
  s->engine_in.data_far = c->ponb;
  s->engine_in.in_policy = engine_policy(c);
  s->lsu_in.core_id = base->id;
  s->lsu_in.subcore_id = s->lsu_in.nbu_id = s->move_in.nbu_id = id;
  s->lsu_in.no_offload = c->ponb;
}

void subcore_deinit(subcore_t *s) {
  for (unsigned w = 0; w < MPU_MAX_WARPS; w++) mpu_calls_free(&s->calls[w]);
}

/* ---- Warps ----------------------------------------------------------------------------------- */

static size_t round_to_lines(size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

/* Ideal local memory of a thread; 0 where local memory is in DRAM. */
static size_t ideal_bytes(const subcore_t *s) {
  return s->base->sh->config->local_ideal ? (size_t)subcore_local_bytes(s) : 0;
}

/* Bytes of a warp's host memory: registers, two counts for each of them, all with ideal local
 * memory. */
typedef struct {
  size_t regs, score, all;
} shape_t;

static shape_t warp_shape(const subcore_t *s) {
  const mpu_kernel_t *k = s->base->sh->run->kernel;
  shape_t w = {.regs = mpu_regs_bytes(k), .score = 2 * round_to_lines(k->ids + 2)};
  w.all = w.regs + w.score + round_to_lines(ideal_bytes(s) * 32);
  return w;
}

size_t subcore_file_bytes(const subcore_t *s) {
  return warp_shape(s).all * s->base->sh->config->warps;
}

void subcore_start(subcore_t *s, uint8_t *files) {
  shape_t sh = warp_shape(s);
  for (unsigned w = 0; w < s->base->sh->config->warps; w++) {
    uint8_t *at = files + w * sh.all;
    mpu_regs_place(&s->regs, s->base->sh->run->kernel, w, at);
    s->warp[w] = (mpu_warp_t){.score = (uint8_t(*)[2])(at + sh.regs), .local = at + sh.regs + sh.score};
  }
  s->live = s->maybe = s->starting = 0;
  s->last = -1;
}

bool subcore_has_room(const subcore_t *s, unsigned warps) {
  return (unsigned)__builtin_popcount(s->live | s->starting) + warps <= s->base->sh->config->warps;
}

/* The warp takes the lowest free slot and starts in one of the next cycles, one warp a cycle. */
void subcore_add_warp(subcore_t *s, unsigned block, unsigned number) {
  const core_base_t *base = s->base;
  const mpu_run_t *run = base->sh->run;
  unsigned slot = (unsigned)__builtin_ctz(~(s->live | s->starting));
  mpu_warp_t *w = &s->warp[slot];
  *w = (mpu_warp_t){
      .block = (uint8_t)block, .first_thread = number * 32, .score = w->score, .local = w->local, .age = s->ages++};
  mpu_regs_clear(&s->regs, slot, run->simt.konsts);
  memset(w->score, 0, 2 * (size_t)run->kernel->ids);
  if (ideal_bytes(s)) memset(w->local, 0, ideal_bytes(s) * 32);
  if (run->simt.kernel->units && mpu_calls_begin(&s->calls[slot], run->kernel, &s->regs.warp[slot].simt[FAR]))
    trouble_fail(&s->base->fault, TROUBLE_ENVIRONMENT, "out of memory for calls");
  simt_place_t place = {.smid = base->id,
                        .nsmid = mpu_config_cores(base->sh->config),
                        .warpid = slot * MPU_SUBCORES + s->id,
                        .nwarpid = MPU_MAX_WARPS * MPU_SUBCORES};
  w->full = simt_block_warp(&base->block[block].simt, &run->simt, number, &place, &s->regs.warp[slot].simt[FAR]);
  simt_stack_init(&w->stack, w->full);
  s->starting |= 1u << slot;
}

void subcore_wake(subcore_t *s, unsigned warp) {
  s->maybe |= 1u << warp;
}

void subcore_fetched(subcore_t *s, unsigned warp) {
  s->warp[warp].fetch = FETCH_THERE;
  subcore_wake(s, warp);
}

/* ---- Answers --------------------------------------------------------------------------------- */

void subcore_answer(subcore_answers_t *q, bool write, unsigned id, const uint32_t *data) {
  subcore_answer_t *a = &q->entry[(q->head + q->count++) % SUBCORE_ANSWERS];
  a->write = write;
  a->id = (uint8_t)id;
  if (!write) memcpy(a->data, data, sizeof a->data);
}

/* Takes the oldest answer; it stays good until the next push. */
static const subcore_answer_t *next_answer(subcore_answers_t *q) {
  const subcore_answer_t *a = &q->entry[q->head];
  q->head = (uint8_t)((q->head + 1) % SUBCORE_ANSWERS);
  q->count--;
  return a;
}

mpu_use_t subcore_completion_use(const subcore_t *s, unsigned id) {
  if (id == SUBCORE_MOVE_ID) return s->moving;
  const mpu_inflight_t *f = &s->tag[id % SUBCORE_TAGS];
  if (f->op->cls == MPU_OP_SHARED) return MPU_USE_shared;
  return f->offloaded ? MPU_USE_offloaded : MPU_USE_load_rows;
}

/* A load or store of several accesses is over with its last one. */
void subcore_completed(subcore_t *s, unsigned tag) {
  if (tag >= SUBCORE_TAGS || s->tags_free >> tag & 1)
    trouble_fail(&s->base->fault, TROUBLE_BROKEN,
                 "core %u: subcore %u: completion of an instruction (tag %u) that is not under way", s->base->id, s->id,
                 tag);
  else if (s->tag[tag].parts > 1) s->tag[tag].parts--, s->budget--; /* others of it are not over */
  else subcore_release(s, tag);
}

/* ---- First part of a cycle: what the blocks show --------------------------------------------- */

/* One answer of each kind goes in a cycle and wakes the LSU; asleep it shows nothing. */
static void begin_lsu(subcore_t *s) {
  lsu_in_t *in = &s->lsu_in;
  if (s->local_answers.count) {
    const subcore_answer_t *a = next_answer(&s->local_answers);
    in->rs_valid = 1, in->rs_write = a->write, in->rs_id = a->id;
    if (a->write) memset(in->rs_data, 0, sizeof in->rs_data);
    else memcpy(in->rs_data, a->data, sizeof in->rs_data);
    s->lsu_asleep = false;
  }
  if (s->remote_answers.count) {
    const subcore_answer_t *a = next_answer(&s->remote_answers);
    in->rr_valid = 1, in->rr_write = a->write, in->rr_id = a->id;
    if (a->write) memset(in->rr_data, 0, sizeof in->rr_data);
    else memcpy(in->rr_data, a->data, sizeof in->rr_data);
    s->lsu_asleep = false;
  }
  if (!s->lsu_asleep) lsu_eval(&s->lsu, in, &s->lsu_out);
  if (s->lsu_out.err)
    trouble_fail(&s->base->fault, TROUBLE_BROKEN, "lsu[%u]: error output %u", s->base->id * 4 + s->id,
                 (unsigned)s->lsu_out.err);
}

/* The engine asks the track table where the held instruction's registers are, until it shows
 * that the instruction can go. */
static void begin_engine(subcore_t *s) {
  offload_engine_in_t *in = &s->engine_in;
  if (s->shown) return;
  s->engine_out.mv_req = s->engine_out.out_valid = 0;
  if (!s->held) return;
  const mpu_inflight_t *f = &s->tag[s->held_tag];
  s->table_in.lk_warp = f->warp;
  s->table_in.lk_regs = f->op->lookup;
  track_table_eval(&s->table, &s->table_in, &s->table_out);
  in->fb = s->table_out.fb;
  in->nb = s->table_out.nb;
  offload_engine_eval(&s->engine, in, &s->engine_out);
  s->shown = s->engine_out.out_valid;
}

/* The move engine's inputs: a register that the offload engine or the LSU wants moved, what came
 * from the near-bank unit, the far file's row. */
static void begin_move(subcore_t *s) {
  move_engine_in_t *in = &s->move_in;
  const offload_engine_out_t *e = &s->engine_out;
  const lsu_out_t *l = &s->lsu_out;
  in->mv_req = e->mv_req;
  in->mv_warp = e->mv_warp, in->mv_reg = e->mv_reg, in->mv_wide = e->mv_wide, in->mv_near = e->mv_near;
  in->need_data = l->need_data && !s->base->sh->config->ponb;
  in->need_warp = l->need_warp, in->need_reg = l->need_reg;
  in->cp_valid = s->cp_came;
  in->mr_valid = s->mr_came;
  if (s->mr_came) memcpy(in->mr_data, s->mr_row, sizeof in->mr_data);
  if (s->frf_granted) mpu_regs_read(&s->regs, FAR, s->frf_warp, s->frf_reg, in->frf_data);
  s->cp_came = s->mr_came = false;
  in->frf_gnt = in->fwr_gnt = 1; /* the far-bank register file has ports of their own for it */
  if (in->mv_req || in->need_data || in->cp_valid || in->mr_valid) s->move_asleep = false;
  if (!s->move_asleep) move_engine_eval(&s->move, in, &s->move_out);
}

/* What LSU, move engine, queue and atomic port have for the bus. ponb: the LSU's register writes
 * stay on the base die. */
static unsigned make_offers(subcore_t *s) {
  const lsu_out_t *l = &s->lsu_out;
  const move_engine_out_t *m = &s->move_out;
  unsigned type = (unsigned)LSU_GET(l->dn_hdr, type);
  s->offer[0].valid = s->offer[1].valid = s->offer[2].valid = false;
  if (l->dn_valid && !(type == LSU_REGW && s->base->sh->config->ponb))
    s->offer[0] = tsv_offer(l->dn_hdr, (uint32_t)l->dn_mask, type == LSU_WR || type == LSU_REGW ? l->dn_data : NULL);
  if (m->dn_valid) s->offer[1] = tsv_offer(m->dn_hdr, ~0u, LSU_GET(m->dn_hdr, type) == LSU_REGW ? m->dn_data : NULL);
  if (s->queued)
    s->offer[2] = (tsv_offer_t){true, (uint8_t)s->id, s->queue[0].beats, s->queue[0].hdr, s->queue[0].beat1, 0, NULL};
  s->offer[3] = subcore_atomic_offer(s);
  return (unsigned)s->offer[0].valid | (unsigned)s->offer[1].valid << 1 | (unsigned)s->offer[2].valid << 2 |
         (unsigned)s->offer[3].valid << 3;
}

mpu_use_t subcore_offer_use(const subcore_t *s, unsigned offer) {
  switch (LSU_GET(s->offer[offer].hdr, type)) {
  case TSV_EXE: return MPU_USE_instructions;
  case TSV_ATOM:
  case TSV_ATOMS: return MPU_USE_atomics;
  case LSU_LDO:
  case LSU_STO: return MPU_USE_offloaded;
  case LSU_LDS:
  case LSU_STS: return MPU_USE_shared;
  case LSU_RD:
  case LSU_WR: return MPU_USE_transfers;
  default: return offer ? s->moving : MPU_USE_load_rows; /* REGW, RMV */
  }
}

/* No block has anything to do or to show; warps may still wait. */
static bool is_subcore_quiet(const subcore_t *s) {
  return s->lsu_asleep && s->move_asleep && !s->atomic.busy && !s->held && !s->queued && !s->local_answers.count &&
         !s->remote_answers.count && !s->cp_came && !s->mr_came;
}

unsigned subcore_begin(subcore_t *s) {
  if (is_subcore_quiet(s)) return 0;
  begin_lsu(s);
  begin_engine(s);
  begin_move(s);
  return make_offers(s);
}

/* ---- Second part: dispatch, issue, clock edge ------------------------------------------------ */

/* A destination must have no reader or writer under way, a source no writer. */
static bool has_hazard(const mpu_warp_t *w, const mpu_op_t *op) {
  for (unsigned i = 0; i < op->num_dsts; i++)
    if (w->score[op->slot[i]][0] | w->score[op->slot[i]][1]) return true;
  for (unsigned i = op->num_dsts; i < op->num_slots; i++)
    if (w->score[op->slot[i]][1]) return true;
  return false;
}

/* These wait for all of the warp's earlier instructions; fences and releasing accesses, too. So
 * do calls and returns of recursive functions, as none may be on its way to registers that are
 * saved. */
static bool waits_for_earlier(const simt_op_t *op, bool recursive) {
  if (recursive && (op->kind == SIMT_CALL || op->kind == SIMT_RETURN)) return true;
  return op->order & SIMT_RELEASE || op->kind == SIMT_BARRIER || op->kind == SIMT_EXIT;
}

/* The part of an instruction that the warp issues next. */
static const mpu_op_t *next_op(const subcore_t *s, const mpu_warp_t *w) {
  const mpu_kernel_t *k = s->base->sh->run->kernel;
  return &k->ops[k->first[simt_stack_pc(&w->stack)] + w->elem];
}

/* An instruction's parts are fetched together, when its first part is looked at. */
static bool is_fetched(subcore_t *s, unsigned warp) {
  mpu_warp_t *w = &s->warp[warp];
  if (s->base->sh->config->l1i_ideal || w->elem) return true;
  if (w->fetch == FETCH_LATER)
    w->fetch = s->events.fetch(s->events.core, s->id, warp, simt_stack_pc(&w->stack)) ? FETCH_THERE : FETCH_WAITS;
  return w->fetch == FETCH_THERE;
}

static bool can_issue(subcore_t *s, unsigned warp) {
  const mpu_warp_t *w = &s->warp[warp];
  if (w->resolving || w->at_barrier || !w->live || !is_fetched(s, warp)) return false;
  const mpu_op_t *op = next_op(s, w);
  return !has_hazard(w, op) &&
         !(w->inflight && (w->acquires || waits_for_earlier(op->op, s->base->sh->run->simt.kernel->recursive)));
}

/* Greedy, then oldest: the warp that issued last, else the oldest that can. A warp that cannot
 * leaves `maybe` and is not looked at again before something of its own has ended. -1: none. */
static int choose_warp(subcore_t *s) {
  if (s->last >= 0 && s->maybe >> s->last & 1 && can_issue(s, (unsigned)s->last)) return s->last;
  int best = -1;
  for (uint32_t m = s->maybe; m; m &= m - 1) {
    unsigned w = (unsigned)__builtin_ctz(m);
    if (best >= 0 && s->warp[w].age > s->warp[best].age) continue;
    if (can_issue(s, w)) best = (int)w;
    else s->maybe &= ~(1u << w);
  }
  return best;
}

/* After issue: to the next part or instruction. A branch or the like sets the pc when it is
 * dispatched. */
static void advance_warp(mpu_warp_t *w, const mpu_op_t *op) {
  switch (op->op->kind) {
  case SIMT_BRANCH:
  case SIMT_CALL:
  case SIMT_RETURN:
  case SIMT_EXIT:
  case SIMT_BARRIER:
  case SIMT_TRAP: w->resolving = true; return;
  default: break;
  }
  w->elem = op->last ? 0 : (uint8_t)(w->elem + 1);
  if (op->last) simt_stack_advance(&w->stack, simt_stack_pc(&w->stack) + 1);
}

/* The offload engine's in_kind. */
static unsigned engine_kind(const mpu_op_t *op) {
  if (op->cls == MPU_OP_GLOBAL) return 1;
  return op->cls == MPU_OP_SHARED ? 2 : 0;
}

/* in_merge: threads that do not write the destination keep their old value there. */
static void hand_to_engine(subcore_t *s, const mpu_inflight_t *f, unsigned tag) {
  offload_engine_in_t *in = &s->engine_in;
  const mpu_op_t *op = f->op;
  in->in_valid = 1;
  in->in_tag = tag, in->in_warp = f->warp;
  in->in_kind = engine_kind(op);
  in->in_far_op = op->far_op, in->in_hint = op->hint;
  in->in_src_valid = op->src_valid, in->in_addr = op->addr;
  in->in_src = op->lookup & 0xffffff;
  in->in_guard_valid = op->guard_valid, in->in_guard = op->guard_valid ? op->guard : 0;
  in->in_dst_valid = op->dst_valid, in->in_dst = op->dst_valid ? op->dst : 0;
  in->in_merge = (op->guard_valid && !op->carries) || f->active != s->warp[f->warp].full;
  in->in_wide = op->wide;
}

/* For the watchdog. */
static void note_store(subcore_t *s, unsigned warp, const simt_op_t *op) {
  if (!s->base->sh->run->simt.watch || !simt_stores(op)) return;
  const simt_state_t state = subcore_state(s, warp);
  simt_turns_store(&s->warp[warp].turns, op, &state);
}

/* One mpu_op_t a cycle, into the offload engine, if that is free and there is a tag. */
static void issue_instruction(subcore_t *s) {
  if (!s->maybe || !s->tags_free) return;
  int warp = choose_warp(s);
  if (warp < 0) return;
  mpu_warp_t *w = &s->warp[warp];
  const mpu_op_t *op = next_op(s, w);
  if (op->op->members != SIMT_NO_OPERAND && !w->elem && !subcore_meets(s, (unsigned)warp, op)) return;
  if (op->op->kind == SIMT_BARRIER && !simt_gather(s->base->sh->run->simt.kernel, &w->stack)) {
    w->fetch = FETCH_LATER;
    return;
  }
  unsigned tag = (unsigned)__builtin_ctzll(s->tags_free);
  s->tags_free &= s->tags_free - 1;
  s->tag[tag] = (mpu_inflight_t){.op = op, .active = simt_stack_mask(&w->stack), .warp = (uint8_t)warp};
  for (unsigned i = 0; i < op->num_slots; i++) w->score[op->slot[i]][i < op->num_dsts]++;
  w->inflight++;
  w->turns.observes |= simt_observes(op->op);
  note_store(s, (unsigned)warp, op->op);
  w->acquires = op->op->order & SIMT_ACQUIRE && op->op->kind != SIMT_MEMBAR;
  s->last = warp;
  hand_to_engine(s, &s->tag[tag], tag);
  advance_warp(w, op);
  s->held = true;
  s->held_tag = (uint8_t)tag;
  if (!op->last) return;
  w->fetch = FETCH_LATER;
  s->base->stats.warp_instructions++;
}

/* Which operand of the held instruction a moved row is. Operands are asked for in this order;
 * one that moves to where this operand is not wanted is another. */
static mpu_use_t move_reason(const mpu_op_t *o, unsigned reg, bool near) {
  const bool memory = o->cls == MPU_OP_GLOBAL || o->cls == MPU_OP_SHARED;
  for (unsigned i = 0; i < 3; i++) {
    if (!(o->src_valid >> i & 1) || o->src[i] != reg || (o->cls == MPU_OP_GLOBAL && (i == o->addr) == near)) continue;
    if (!memory) return MPU_USE_operand;
    return i == o->addr ? MPU_USE_address : MPU_USE_store_data;
  }
  return o->guard_valid && o->guard == reg ? MPU_USE_guard : MPU_USE_old_value;
}

/* Counts a move that starts. The row keeps its shape where it goes. */
static void note_move(subcore_t *s) {
  const offload_engine_out_t *e = &s->engine_out;
  unsigned to = e->mv_near ? NEAR : FAR, rows = e->mv_wide ? 2 : 1;
  mpu_stats_t *stats = &s->base->stats;
  s->moving = move_reason(s->tag[s->held_tag].op, (unsigned)e->mv_reg, e->mv_near);
  stats->register_moves[to == NEAR] += rows;
  (to == NEAR ? stats->moves_near : stats->moves_far)[s->moving - MPU_FIRST_MOVE] += rows;
  mpu_regs_moved(&s->regs, to, (unsigned)e->mv_warp, (unsigned)e->mv_reg, e->mv_wide);
}

/* The LSU reads the data row of a store that is not offloaded: it counts as a move to the base
 * die. */
static void note_store_row(subcore_t *s) {
  s->moving = MPU_USE_store_row;
  s->base->stats.moves_far[MPU_USE_store_row - MPU_FIRST_MOVE]++;
}

/* What the held instruction waits for. */
static mpu_hold_t hold_reason(const subcore_t *s) {
  if (!s->engine_out.out_valid) return MPU_HOLD_move;
  const unsigned cls = s->tag[s->held_tag].op->cls;
  if (cls == MPU_OP_GLOBAL) return MPU_HOLD_lsu;
  if (cls == MPU_OP_ATOMIC) return MPU_HOLD_atomic;
  return s->engine_out.out_near ? MPU_HOLD_tsv : MPU_HOLD_unit;
}

/* The held instruction goes, if it can. The track table hears where its destination is now. */
static void dispatch_held(subcore_t *s) {
  offload_engine_out_t *e = &s->engine_out;
  unsigned tag = (unsigned)e->out_tag;
  mpu_inflight_t *f = &s->tag[tag];
  if (!subcore_dispatch(s, f, tag, e->out_near)) return;
  s->engine_in.out_take = 1;
  offload_engine_eval(&s->engine, &s->engine_in, e);
  s->held = s->shown = false;
  s->table_in.wr_valid = e->wr_valid;
  s->table_in.wr_warp = e->wr_warp, s->table_in.wr_reg = e->wr_reg, s->table_in.wr_near = e->wr_near;
}

/* Clock edge of offload engine and track table; idle ones are left out. */
static void step_engine(subcore_t *s, bool was_held) {
  offload_engine_in_t *in = &s->engine_in;
  track_table_in_t *t = &s->table_in;
  in->mv_gnt = s->move_asleep ? 0 : s->move_out.gnt & 1;
  in->mv_done = s->move_asleep ? 0 : s->move_out.done;
  if (in->mv_gnt) note_move(s);
  if (!s->move_asleep && s->move_out.gnt >> 1 & 1) note_store_row(s);
  t->mv_valid = in->mv_done;
  t->mv_warp = s->move_out.done_warp, t->mv_reg = s->move_out.done_reg, t->mv_near = s->move_out.done_near;
  if (in->in_valid || in->out_take || (was_held && !s->shown)) offload_engine_step(&s->engine, in);
  if (t->wr_valid || t->mv_valid || t->clear_valid) track_table_step(&s->table, t);
  in->in_valid = in->out_take = 0;
  t->wr_valid = t->mv_valid = t->clear_valid = 0;
}

/* Clock edge of the move engine. It falls asleep when it shows nothing and does nothing. */
static void step_move(subcore_t *s) {
  if (s->move_asleep) return;
  const move_engine_out_t *m = &s->move_out;
  move_engine_in_t *in = &s->move_in;
  if (!(in->mv_req | in->need_data | in->cp_valid | in->mr_valid) && !m->dn_valid && !m->done && !m->dt_valid &&
      !m->frf_req && !m->fwr_valid && !s->frf_granted && move_engine_idle(&s->move)) {
    s->move_asleep = true; /* it shows nothing and does nothing */
    return;
  }
  in->dn_take = s->taken >> 1 & 1;
  s->frf_granted = m->frf_req;
  s->frf_warp = (uint8_t)m->frf_warp, s->frf_reg = (uint8_t)m->frf_reg;
  if (m->fwr_valid) mpu_regs_write(&s->regs, FAR, (unsigned)m->fwr_warp, (unsigned)m->fwr_reg, ~0u, m->fwr_data);
  move_engine_step(&s->move, &s->move_in);
  in->dn_take = 0;
}

/* ponb: loads are written to, and stores read from, the far file, without the bus. A row that is
 * needed comes one cycle later. */
static void far_register_file(subcore_t *s) {
  const lsu_out_t *l = &s->lsu_out;
  s->lsu_in.dt_valid = s->far_data;
  if (s->far_data) mpu_regs_read(&s->regs, FAR, (unsigned)l->need_warp, (unsigned)l->need_reg, s->lsu_in.dt_data);
  s->far_data = l->need_data && !s->far_data;
  if (!l->dn_valid || LSU_GET(l->dn_hdr, type) != LSU_REGW) return;
  mpu_regs_write(&s->regs, FAR, (unsigned)LSU_GET(l->dn_hdr, warp), (unsigned)LSU_GET(l->dn_hdr, reg),
                 (uint32_t)l->dn_mask, l->dn_data);
  s->lsu_in.dn_take = 1;
  if (!(LSU_GET(l->dn_hdr, areg) & LSU_FLAG)) subcore_completed(s, (unsigned)LSU_GET(l->dn_hdr, id));
}

/* Clock edge of the LSU: what the bus took, data of stores, instructions that are over. */
static void step_lsu(subcore_t *s) {
  lsu_in_t *in = &s->lsu_in;
  if (s->lsu_asleep && !in->in_valid) return;
  const lsu_out_t *l = &s->lsu_out;
  if (!s->lsu_asleep) {
    if (s->taken & 1) {
      in->dn_take = 1;
      unsigned type = (unsigned)LSU_GET(l->dn_hdr, type);
      s->base->stats.global_offloaded += (type == LSU_LDO || type == LSU_STO) && !s->tag[LSU_GET(l->dn_hdr, id)].local;
      s->base->stats.local_transfers += type == LSU_RD || type == LSU_WR;
    }
    if (s->base->sh->config->ponb) far_register_file(s);
    else {
      in->dt_valid = s->move_asleep ? 0 : s->move_out.dt_valid;
      if (in->dt_valid) memcpy(in->dt_data, s->move_out.dt_data, sizeof in->dt_data);
    }
    if (l->cm_valid) subcore_completed(s, (unsigned)l->cm_tag);
  }
  bool input = in->in_valid | in->dt_valid | in->dn_take | in->rq_take | in->rs_valid | in->rr_valid;
  /* it shows nothing and does nothing */
  s->lsu_asleep = !input && !l->need_data && !l->dn_valid && !l->rq_valid && !l->err && lsu_idle(&s->lsu);
  if (s->lsu_asleep) return;
  lsu_step(&s->lsu, in);
  in->in_valid = in->dt_valid = in->dn_take = in->rq_take = in->rs_valid = in->rr_valid = 0;
}

static void start_warp(subcore_t *s) {
  unsigned slot = (unsigned)__builtin_ctz(s->starting);
  s->starting &= s->starting - 1;
  s->live |= 1u << slot;
  s->warp[slot].live = true;
  s->maybe |= 1u << slot;
  s->table_in.clear_valid = 1;
  s->table_in.clear_warp = slot;
}

/* Order matters: what ends in this cycle frees the scoreboard for this cycle's issue; an
 * instruction issues into the engine in the cycle in which the one before leaves it. */
void subcore_end(subcore_t *s) {
  uint64_t *due = &s->wheel[core_now(s->base) % SUBCORE_WHEEL];
  if (!*due && !s->maybe && !s->starting && is_subcore_quiet(s)) return;
  bool was_held = s->held;
  for (; *due; *due &= *due - 1) subcore_release(s, (unsigned)__builtin_ctzll(*due));
  if (s->taken & 4) {
    s->queue[0] = s->queue[1];
    s->queued--;
  }
  if (s->taken & 8) subcore_atomic_sent(s);
  if (s->held && s->engine_out.out_valid) dispatch_held(s);
  if (s->held) s->base->stats.held[hold_reason(s)]++;
  if (!s->held) issue_instruction(s);
  if (s->starting) start_warp(s);
  step_lsu(s);
  step_engine(s, was_held);
  step_move(s);
}

bool subcore_idle(const subcore_t *s) {
  return !s->live && !s->starting && is_subcore_quiet(s) && s->tags_free == ~0ull;
}
