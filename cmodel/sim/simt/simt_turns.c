/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_turns.h"

enum {
  FEW = 8,       /* backward branches that are not looked at: most loops have less */
  SELDOM = 64,   /* of a loop that reads nothing of others, each 64th state is looked at */
  LOOKS = 64,    /* states of a look in which one must come back */
  AGAIN = 2,     /* how often it must come back before a warp spins */
  LONGEST = 1024 /* states of the longest cycle that is found */
};

/* Words of a register file. Each counts with its place. */
static uint64_t add_words(uint64_t hash, const simt_warp_t *file, simt_span_t span) {
  const uint32_t *word = (const uint32_t *)(const void *)file->base[0];
  uint64_t sum = 0;
  for (uint32_t i = span.at / 4; i < (span.at + span.bytes) / 4; i++)
    sum += (uint64_t)word[i] * (2654435761u * i + 40503u);
  return (hash ^ sum) * 0x9e3779b97f4a7c15u;
}

static uint64_t hash_path(const simt_stack_t *s) {
  return ((uint64_t)simt_stack_pc(s) << 32 | simt_stack_mask(s)) * 0x9e3779b97f4a7c15u;
}

/* All registers. */
static uint64_t hash_state(const simt_stack_t *s, const simt_state_t *state) {
  uint64_t hash = hash_path(s);
  for (unsigned i = 0; i < 2; i++)
    if (state->file[i]) hash = add_words(hash, state->file[i], (simt_span_t){0, state->kernel->reg_bytes});
  return hash;
}

/* What decides how the loop goes on: registers, and what the warp has stored. */
static uint64_t hash_deciders(const simt_turns_t *t, const simt_stack_t *s, const simt_state_t *state) {
  const simt_kernel_t *k = state->kernel;
  uint64_t hash = k->deciders ? hash_path(s) : hash_state(s, state);
  for (unsigned i = 0; i < 2; i++)
    for (uint32_t n = 0; k->deciders && state->file[i] && n < k->num_deciders; n++)
      hash = add_words(hash, state->file[i], k->deciders[n]);
  return (hash ^ t->stored ^ t->changes) * 0x9e3779b97f4a7c15u;
}

/* A source: a register of `bytes` bytes a lane, or a constant, which is the same in each round. */
static uint64_t add_source(uint64_t hash, const simt_warp_t *file, uint32_t at, unsigned bytes) {
  const bool in_file = at != SIMT_NO_OPERAND && !(at & SIMT_CONST);
  return in_file ? add_words(hash, file, (simt_span_t){at, 32 * bytes}) : hash;
}

static uint64_t add_sources(uint64_t hash, const simt_warp_t *file, const simt_op_t *op) {
  const unsigned address = op->flags & SIMT_ADDR32 ? 4 : 8;
  hash = add_source(hash, file, op->base, address);
  if (op->kind == SIMT_COPY) return add_source(add_source(hash, file, op->d, 4), file, op->b, 4);
  if (op->kind == SIMT_ATOM)
    return add_source(add_source(hash, file, op->b, op->reg_bytes), file, op->c, op->reg_bytes);
  for (unsigned i = 0; i < op->vec; i++) hash = add_source(hash, file, op->v[i], op->reg_bytes);
  return hash;
}

/* Whether it adds 0 for all lanes: an atomic load. */
static bool adds_nothing(const simt_op_t *op, const simt_warp_t *file) {
  const uint32_t *word = simt_src(file, op->b);
  uint32_t any = 0;
  for (unsigned i = 0; i < 8u * op->reg_bytes; i++) any |= word[i];
  return !any;
}

/* Whether it changes memory again with the sources of the last round. */
static bool always_changes(const simt_op_t *op, const simt_state_t *state) {
  if (op->kind == SIMT_HOST || op->matrix) return true;
  if (op->kind != SIMT_ATOM) return false;
  if (op->sub == PTX_MOD_inc || op->sub == PTX_MOD_dec) return true;
  bool none = op->sub != PTX_MOD_add;
  for (unsigned i = 0; !none && i < 2 && state->file[i]; i++) none = adds_nothing(op, state->file[i]);
  return !none;
}

/* Whether the kept state has come back. A state is kept for ever longer until it does. */
static bool note_state(simt_cycle_t *c, uint64_t state) {
  if (c->power && state == c->state) {
    c->steps = 0;
    c->repeats++;
    return true;
  }
  if (c->power && ++c->steps < c->power) return false;
  *c = (simt_cycle_t){.state = state, .power = c->power && c->power < LONGEST ? 2 * c->power : 1};
  return false;
}

static void begin_turn(simt_turns_t *t, uint32_t mask) {
  t->mask = mask;
  t->branches = 0;
  t->turn = (simt_cycle_t){0};
}

/* A new look forgets the last one. */
static bool is_looked_at(simt_turns_t *t, uint32_t watch) {
  if (!watch) return false;
  if (t->watch != watch) {
    t->watch = watch, t->looked = 0, t->works = false;
    t->seen = (simt_cycle_t){0};
  }
  return !t->works;
}

/* From the time when a warp spins, the same state must come back again and again: a warp that went
 * on and waits for the next lock makes progress. */
static void look(simt_turns_t *t, uint64_t state, uint32_t from) {
  const bool back = t->seen.repeats >= AGAIN ? state == t->seen.state : note_state(&t->seen, state);
  t->pc = from, t->threads = t->mask;
  if (back) t->looked = 0;
  else t->works = ++t->looked > LOOKS;
}

bool simt_turns_spins(const simt_turns_t *t, uint32_t watch) {
  return watch && t->watch == watch && !t->works && t->seen.repeats >= AGAIN;
}

/* An instruction that waits for room is executed again: it counts once. */
void simt_turns_store(simt_turns_t *t, const simt_op_t *op, const simt_state_t *state) {
  if (op == t->store) return;
  t->store = op;
  if (always_changes(op, state)) {
    t->changes++;
    return;
  }
  for (unsigned i = 0; i < 2; i++)
    if (state->file[i]) t->stored = add_sources(t->stored, state->file[i], op);
}

bool simt_turns_branch(simt_turns_t *t, const simt_turns_rule_t *rule, const simt_stack_t *s, uint32_t from,
                       bool parted, uint32_t watch, const simt_state_t *state) {
  if (parted || simt_stack_mask(s) != t->mask) begin_turn(t, simt_stack_mask(s));
  if (simt_stack_pc(s) > from) return false;
  const bool others = rule->its && s->top, looks = is_looked_at(t, watch);
  const bool seldom = others && t->branches % SELDOM == SELDOM - 1;
  const bool asks = t->branches++ >= FEW && (t->observes || seldom);
  t->observes = false;
  if (!asks && !looks) return others && t->branches >= rule->most;
  if (looks) look(t, hash_deciders(t, s, state), from);
  t->stored = 0, t->store = NULL;
  const bool waits = asks && note_state(&t->turn, hash_state(s, state)) && t->turn.repeats >= rule->rounds;
  if (!waits && !(others && t->branches >= rule->most)) return false;
  begin_turn(t, 0);
  return true;
}
