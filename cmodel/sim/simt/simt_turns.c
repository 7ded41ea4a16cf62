/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_turns.h"

enum {
  FEW = 8,       /* backward branches that are not looked at: most loops have less */
  SELDOM = 64,   /* of a loop that reads nothing of others, each 64th state is looked at */
  LOOKS = 64,    /* states of a look in which one must come back */
  AGAIN = 2,     /* how often it must come back before a warp spins */
  LONGEST = 1024 /* states of the longest cycle that is found */
};

/* Each word counts with its place. */
static uint64_t add_words(uint64_t hash, const void *file, size_t bytes) {
  const uint32_t *word = file;
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes / 4; i++) sum += (uint64_t)word[i] * (2654435761u * (uint32_t)i + 40503u);
  return (hash ^ sum) * 0x9e3779b97f4a7c15u;
}

static uint64_t hash_state(const simt_stack_t *s, const simt_state_t *state) {
  uint64_t hash = ((uint64_t)simt_stack_pc(s) << 32 | simt_stack_mask(s)) * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < 2; i++)
    if (state->file[i]) hash = add_words(hash, state->file[i], state->bytes[i]);
  return hash;
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

bool simt_turns_branch(simt_turns_t *t, const simt_turns_rule_t *rule, const simt_stack_t *s, uint32_t from,
                       bool parted, uint32_t watch, const simt_state_t *state) {
  if (parted || simt_stack_mask(s) != t->mask) begin_turn(t, simt_stack_mask(s));
  if (simt_stack_pc(s) > from) return false;
  const bool others = rule->its && s->top, looks = is_looked_at(t, watch);
  const bool asks = others && t->branches++ >= FEW && (t->observes || t->branches % SELDOM == 0);
  t->observes = false;
  if (!asks && !looks) return others && t->branches >= rule->most;
  const uint64_t now = hash_state(s, state);
  if (looks) look(t, now, from);
  const bool waits = asks && note_state(&t->turn, now) && t->turn.repeats >= rule->rounds;
  if (!waits && !(others && t->branches >= rule->most)) return false;
  begin_turn(t, 0);
  return true;
}
