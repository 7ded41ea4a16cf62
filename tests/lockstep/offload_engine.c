/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of offload_engine: instructions, a track table for the operands of the held instruction,
 * a move engine, and consumers of dispatched instructions. Policy, smem_near and data_far are
 * constant from reset to reset.
 */
#include "offload_engine.h"

#include "block_stim.h"

enum { HINTS, NO_HINTS, GLOBAL, MOVES, FAST, BLOCKED, ABUSE };
enum { OPERANDS = 5, GUARD = 3, DST = 4 };

/* hints covers every policy; its instructions seldom lack a hint or need many moves.
 *  no-hints: the counts of the table decide.
 *  global: the place of the address and merge decide.
 *  moves: up to five moves, and one move serves all operands of its register.
 *  fast: one instruction a cycle.
 *  blocked: each phase lasts.
 *  abuse: inputs outside their phase. */
static const stim_profile_t profiles[] = {
    [HINTS] = {"hints", "any policy, all kinds, hints of all values"},
    [NO_HINTS] = {"no-hints", "no hints: the table decides"},
    [GLOBAL] = {"global", "loads and stores alone, address anywhere, merging"},
    [MOVES] = {"moves", "hardly a register is where it is wanted: up to five moves; registers named twice"},
    [FAST] = {"fast", "nothing to move, taken at once: an instruction a cycle"},
    [BLOCKED] = {"blocked", "grants, ends of moves and takes come rarely"},
    [ABUSE] = {"abuse", "the table changes its mind, grants, ends and takes that nobody waits for"},
};

/* Chances of 8: an operand has a copy at a place; an answer comes in a cycle. */
static const unsigned there[] = {
    [HINTS] = 5, [NO_HINTS] = 6, [GLOBAL] = 5, [MOVES] = 1, [FAST] = 8, [BLOCKED] = 4, [ABUSE] = 5};
static const unsigned soon[] = {
    [HINTS] = 5, [NO_HINTS] = 5, [GLOBAL] = 5, [MOVES] = 7, [FAST] = 8, [BLOCKED] = 1, [ABUSE] = 4};

STIM_STATE(offload_engine, bool begun, moving; unsigned policy, smem_near, data_far; uint64_t regs, fb, nb;
           uint64_t move_reg; bool move_near;)

static void begin(state_t *s) {
  s->begun = true;
  s->policy = s->profile == FAST || s->profile == MOVES ? 0 : (unsigned)rng_bits(&s->rng, 2);
  if (s->profile == NO_HINTS) s->policy &= 1;
  s->smem_near = (unsigned)rng_bits(&s->rng, 1);
  s->data_far = chance8(&s->rng, 2);
}

static uint64_t any_reg(state_t *s) {
  return s->profile == MOVES ? rng_below(&s->rng, 4) : chance8(&s->rng, 1) ? 255 : rng_bits(&s->rng, 8);
}

static uint64_t any_kind(state_t *s) {
  if (s->profile == GLOBAL) return chance8(&s->rng, 7);
  return chance8(&s->rng, 5) ? (chance8(&s->rng, 1) ? 3 : 0) : rng_below(&s->rng, 3);
}

static void instruction(state_t *s, offload_engine_in_t *in) {
  in->in_valid = 1;
  in->in_tag = rng_bits(&s->rng, 8);
  in->in_warp = rng_bits(&s->rng, 6);
  in->in_kind = any_kind(s);
  in->in_far_op = chance8(&s->rng, 1);
  in->in_hint = s->profile == NO_HINTS ? 3 * rng_bits(&s->rng, 1) : rng_bits(&s->rng, 2);
  in->in_src_valid = chance8(&s->rng, 1) ? 0 : rng_bits(&s->rng, 3);
  in->in_src = any_reg(s) | any_reg(s) << 8 | any_reg(s) << 16;
  in->in_addr = rng_bits(&s->rng, 2);
  in->in_guard_valid = chance8(&s->rng, 3);
  in->in_guard = any_reg(s);
  in->in_dst_valid = chance8(&s->rng, 6);
  in->in_dst = any_reg(s);
  in->in_merge = chance8(&s->rng, s->profile == FAST ? 1 : 4);
  in->in_wide = rng_bits(&s->rng, OPERANDS);
  if (s->profile != ABUSE) in->in_wide &= ~(UINT64_C(1) << GUARD);
}

/* Answers of the table for the instruction that is held from the next cycle on. Operands with
 * the same register have the same answer. */
static void new_table(state_t *s, const offload_engine_in_t *in) {
  s->regs = in->in_src | in->in_guard << 8 * GUARD | in->in_dst << 8 * DST;
  s->fb = s->nb = 0;
  for (unsigned i = 0; i < OPERANDS; i++) {
    unsigned j = 0;
    while ((s->regs >> 8 * j & 255) != (s->regs >> 8 * i & 255)) j++;
    s->fb |= (j < i ? s->fb >> j & 1 : (uint64_t)chance8(&s->rng, there[s->profile])) << i;
    s->nb |= (j < i ? s->nb >> j & 1 : (uint64_t)chance8(&s->rng, there[s->profile])) << i;
  }
}

/* All operands of the moved register have a copy at the target. */
static void end_move(state_t *s) {
  s->moving = false;
  for (unsigned i = 0; i < OPERANDS; i++)
    if ((s->regs >> 8 * i & 255) == s->move_reg) *(s->move_near ? &s->nb : &s->fb) |= UINT64_C(1) << i;
}

/* The table's answer; abuse changes it from cycle to cycle. */
static void drive_table(state_t *s, offload_engine_in_t *in) {
  in->fb = s->fb;
  in->nb = s->nb;
  if (s->profile != ABUSE || !chance8(&s->rng, 4)) return;
  in->fb ^= rng_bits(&s->rng, OPERANDS);
  in->nb ^= rng_bits(&s->rng, OPERANDS);
}

static void drive_moves(state_t *s, const offload_engine_out_t *now, offload_engine_in_t *in) {
  bool abuse = s->profile == ABUSE && chance8(&s->rng, 1);
  in->mv_gnt = abuse || (now->mv_req && chance8(&s->rng, soon[s->profile]));
  in->mv_done = abuse || (s->moving && chance8(&s->rng, soon[s->profile]));
  if (in->mv_done && s->moving) end_move(s);
  if (!in->mv_gnt || !now->mv_req) return;
  s->moving = true;
  s->move_reg = now->mv_reg;
  s->move_near = now->mv_near;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  offload_engine_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (!s->begun) begin(s);
  in->smem_near = s->smem_near;
  in->data_far = s->data_far;
  in->in_policy = s->policy;
  drive_table(s, in);
  STIM_LOOK(offload_engine, s, in);
  drive_moves(s, &now, in);
  in->out_take = (now.out_valid || s->profile == ABUSE) && chance8(&s->rng, soon[s->profile]);
  if (chance8(&s->rng, s->profile == FAST ? 8 : 6)) instruction(s, in);
  if (in->in_valid && (now.in_ready || (now.out_valid && in->out_take))) new_table(s, in);
  offload_engine_step(&s->shadow, in);
}

static bool waiting(const void *state) {
  return ((const state_t *)state)->shadow.phase != OFFLOAD_NONE;
}

STIM_DEFINE(offload_engine, .reset = reset, .waiting = waiting)
