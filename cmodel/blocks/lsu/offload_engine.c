/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of operands are masks: sources 0 to 2, guard, destination.
 */
#include "offload_engine.h"

enum { GUARD = 3, DST = 4, SOURCES = 7 };
enum { KIND_GLOBAL = 1, KIND_SHARED = 2 };
enum { HINT_NEAR = 1, HINT_FAR = 2 };
enum { POLICY_HINT, POLICY_TABLE, POLICY_NEAR, POLICY_FAR };

/* What a cycle shows: a move of operand `ask`, or, if ask is -1, the dispatch. */
typedef struct {
  bool near;
  unsigned nears; /* operands with their place in the near-bank register file */
  int ask;
} look_t;

void offload_engine_reset(offload_engine_t *s) {
  *s = (offload_engine_t){.phase = OFFLOAD_NONE};
}

/* Near if there is a source and all sources have a near-bank copy. */
static bool by_table(const offload_engine_t *s, uint64_t nb) {
  return s->src_valid && !(s->src_valid & ~nb);
}

/* Step 1 of the port file, line by line. */
static bool runs_near(const offload_engine_t *s, const offload_engine_in_t *in) {
  if (s->kind == KIND_GLOBAL || s->far_op) return false;
  if (s->kind == KIND_SHARED) return in->smem_near;
  switch (in->in_policy) {
  case POLICY_NEAR: return true;
  case POLICY_FAR: return false;
  case POLICY_HINT:
    if (s->hint == HINT_NEAR || s->hint == HINT_FAR) return s->hint == HINT_NEAR;
    break;
  default: break;
  }
  return by_table(s, in->nb);
}

/* Step 2: the operands that belong into the near-bank register file. */
static unsigned near_operands(const offload_engine_t *s, bool near, bool data_far) {
  if (s->kind != KIND_GLOBAL) return near ? SOURCES | 1u << DST : 0;
  if (data_far) return 0;
  return (SOURCES & ~(1u << s->addr)) | 1u << DST;
}

/* Step 3: the operands that must have a copy. */
static unsigned needed(const offload_engine_t *s) {
  return s->src_valid | (unsigned)s->guard_valid << GUARD | (unsigned)(s->dst_valid && s->merge) << DST;
}

/* The track table counts in a LOOK only; what an ASK shows was decided before. */
static look_t look(const offload_engine_t *s, const offload_engine_in_t *in) {
  look_t l = {.near = s->decided ? s->near : runs_near(s, in), .ask = -1};
  l.nears = near_operands(s, l.near, in->data_far);
  if (s->phase == OFFLOAD_ASK) l.ask = s->ask;
  if (s->phase != OFFLOAD_LOOK) return l;
  unsigned there = ((unsigned)in->nb & l.nears) | ((unsigned)in->fb & ~l.nears), missing = needed(s) & ~there;
  if (missing) l.ask = __builtin_ctz(missing);
  return l;
}

static void show_move(const offload_engine_t *s, const look_t *l, offload_engine_out_t *out) {
  out->mv_req = 1;
  out->mv_warp = s->warp;
  out->mv_reg = s->regs >> 8 * l->ask & 255;
  out->mv_wide = s->wide >> l->ask & 1;
  out->mv_near = l->nears >> l->ask & 1;
}

static void show_dispatch(const offload_engine_t *s, const look_t *l, bool take, offload_engine_out_t *out) {
  out->out_valid = 1;
  out->out_tag = s->tag;
  out->out_near = l->near;
  out->out_copies = s->copies;
  out->in_ready = take;
  if (!take || !s->dst_valid) return;
  out->wr_valid = 1;
  out->wr_warp = s->warp;
  out->wr_reg = s->regs >> 8 * DST & 255;
  out->wr_near = l->nears >> DST & 1;
}

void offload_engine_eval(const offload_engine_t *s, const offload_engine_in_t *in, offload_engine_out_t *out) {
  bool held = s->phase != OFFLOAD_NONE;
  out->in_ready = !held;
  out->lk_warp = held ? s->warp : 0;
  out->lk_regs = held ? s->regs : 0;
  out->mv_req = out->out_valid = out->wr_valid = 0;
  if (!held || s->phase == OFFLOAD_MOVE) return;
  look_t l = look(s, in);
  if (l.ask >= 0) show_move(s, &l, out);
  else show_dispatch(s, &l, in->out_take, out);
}

/* Registers of operands that do not exist are kept as 0, as lk_regs must show them. */
static void accept(offload_engine_t *s, const offload_engine_in_t *in) {
  *s = (offload_engine_t){.phase = OFFLOAD_LOOK,
                          .far_op = in->in_far_op,
                          .guard_valid = in->in_guard_valid,
                          .dst_valid = in->in_dst_valid,
                          .merge = in->in_merge,
                          .tag = (uint8_t)in->in_tag,
                          .warp = (uint8_t)in->in_warp,
                          .kind = (uint8_t)in->in_kind,
                          .hint = (uint8_t)in->in_hint,
                          .src_valid = (uint8_t)in->in_src_valid,
                          .addr = (uint8_t)in->in_addr,
                          .wide = (uint8_t)in->in_wide};
  for (unsigned i = 0; i < GUARD; i++)
    if (s->src_valid >> i & 1) s->regs |= in->in_src & UINT64_C(255) << 8 * i;
  if (s->guard_valid) s->regs |= in->in_guard << 8 * GUARD;
  if (s->dst_valid) s->regs |= in->in_dst << 8 * DST;
}

/* The clock edge for the held instruction. */
static void step_held(offload_engine_t *s, const offload_engine_in_t *in) {
  if (s->phase == OFFLOAD_MOVE) {
    if (in->mv_done) s->phase = OFFLOAD_LOOK;
    return;
  }
  look_t l = look(s, in);
  s->decided = true;
  s->near = l.near;
  if (l.ask < 0) {
    s->phase = in->out_take ? OFFLOAD_NONE : OFFLOAD_READY;
  } else if (in->mv_gnt) {
    s->phase = OFFLOAD_MOVE;
    s->copies += s->copies < 3;
  } else {
    s->phase = OFFLOAD_ASK;
    s->ask = (uint8_t)l.ask;
  }
}

void offload_engine_step(offload_engine_t *s, const offload_engine_in_t *in) {
  if (s->phase != OFFLOAD_NONE) step_held(s, in);
  if (s->phase == OFFLOAD_NONE && in->in_valid) accept(s, in);
}

bool offload_engine_idle(const offload_engine_t *s) {
  return s->phase != OFFLOAD_LOOK;
}
