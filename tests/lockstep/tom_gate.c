/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_gate: SMs that ask until they have an answer, and stacks that end their
 * instances. All profiles but faults keep the rules of tom_gate.ports.
 */
#include "tom_gate.h"

#include "tom_stim.h"

enum { MIXED, REFUSED, WAITING, ONE_STACK, MANY, LOWERED, LEARNING, FAULTS };

/* mixed changes modes and limits.
 *  refused and waiting: full stacks, with and without control.
 *  one-stack: the turns of all SMs.
 *  many: pending counts at their end.
 *  lowered: more are pending than the limit allows.
 *  learning: the sum is at the target, beyond it, or saturates.
 *  faults: sticky errors. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "all stacks, limits and modes for a while, asks that stay or go"},
    [REFUSED] = {"refused", "with control, stacks that are full most of the time"},
    [WAITING] = {"waiting", "without control, stacks that are full most of the time"},
    [ONE_STACK] = {"one-stack", "all SMs ask for one stack"},
    [MANY] = {"many", "nothing is done for long: as many are pending as can be"},
    [LOWERED] = {"lowered", "the limit changes at any time"},
    [LEARNING] = {"learning", "targets that are met exactly, or passed, or near the highest sum"},
    [FAULTS] = {"faults",
                "asks that come and go without an answer, done without a pending instance, stacks that there are not"},
};

/* linger: cycles for which each SM's ask stays after its answer. */
typedef struct {
  rng_t rng;
  unsigned profile;
  tom_gate_t shadow;
  uint64_t ask, target;
  uint8_t stack[Sms], linger[Sms];
  unsigned limit, ctrl, done_of_16, ask_of_16, favourite, odd; /* odd: the SM that asks for missing stacks */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->odd = (unsigned)rng_below(&s->rng, Sms);
  tom_gate_reset(&s->shadow);
}

/* New limit, mode and rates, for a while. */
static void phase(state_t *s) {
  const uint64_t most = bits_ones(CountBits);
  s->limit = (unsigned)(rng_bits(&s->rng, 1) ? rng_below(&s->rng, 9) & most : tom_number(&s->rng, CountBits));
  s->ctrl = (unsigned)rng_bits(&s->rng, 1);
  s->done_of_16 = (unsigned)rng_below(&s->rng, 17);
  s->ask_of_16 = (unsigned)rng_below(&s->rng, 17);
  s->favourite = (unsigned)rng_below(&s->rng, Stacks);
  if (s->profile == REFUSED || s->profile == WAITING) {
    s->limit = 1 + (unsigned)rng_below(&s->rng, most < 4 ? most : 4);
    s->ctrl = s->profile == REFUSED;
    s->ask_of_16 = 8;
  }
  if (s->profile != MANY) return;
  s->limit = (unsigned)most;
  s->done_of_16 = rng_bits(&s->rng, 2) ? 0 : 16;
  s->ask_of_16 = 16;
}

static void ask(state_t *s, tom_gate_in_t *in) {
  const uint64_t answers = s->shadow.gnt | s->shadow.nak;
  for (unsigned sm = 0; sm < Sms; sm++) {
    const uint64_t bit = UINT64_C(1) << sm;
    if (answers & bit) s->linger[sm] = (uint8_t)(rng_bits(&s->rng, 1) ? 0 : rng_below(&s->rng, 4));
    if (s->ask & bit && s->shadow.answered & bit && s->linger[sm]-- == 0) s->ask &= ~bit;
    else if (!(s->ask & bit) && rng_chance(&s->rng, s->ask_of_16, 16)) {
      s->ask |= bit;
      s->stack[sm] = (uint8_t)(s->profile == ONE_STACK ? s->favourite : rng_below(&s->rng, Stacks));
    } else if (s->profile == FAULTS && rng_chance(&s->rng, 1, 8)) s->ask &= ~bit;
    if (s->profile == FAULTS && sm == s->odd && rng_chance(&s->rng, 1, 16))
      s->stack[sm] = (uint8_t)rng_bits(&s->rng, TOM_STACK_W);
    bits_put(in->ask_stack, sm * TOM_STACK_W, TOM_STACK_W, s->stack[sm]);
  }
  in->ask = s->ask;
}

static void done(state_t *s, tom_gate_in_t *in) {
  for (unsigned i = 0; i < Stacks; i++) {
    if (!s->shadow.pending[i] && !(s->profile == FAULTS && rng_chance(&s->rng, 1, 1024))) continue;
    in->done |= (uint64_t)rng_chance(&s->rng, s->done_of_16, 16) << i;
  }
}

/* A target that mostly stays until the block reports it, and SMs that see instances. */
static void learn(state_t *s, tom_gate_in_t *in) {
  const uint64_t most = bits_ones(SeenBits);
  const unsigned rate = (unsigned)rng_below(&s->rng, 4);
  if (rng_chance(&s->rng, 1, s->shadow.irq ? 8 : 400)) s->target = 0;
  else if (!s->target && rng_bits(&s->rng, 1))
    s->target = rng_bits(&s->rng, 1)   ? 1 + rng_below(&s->rng, 300)
                : rng_bits(&s->rng, 1) ? most
                                       : tom_number(&s->rng, SeenBits);
  s->target &= most;
  in->target = s->target;
  in->seen = rate == 0 ? 0 : rng_next(&s->rng) & bits_ones(Sms);
  if (rate == 1) in->seen &= rng_next(&s->rng) & rng_next(&s->rng);
  if (rate == 2 && rng_bits(&s->rng, 1)) in->seen = bits_ones(Sms);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_gate_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (!s->limit || rng_chance(&s->rng, 1, s->profile == LOWERED ? 16 : s->profile == MANY ? 1000 : 200)) phase(s);
  ask(s, in);
  done(s, in);
  if (s->profile == LEARNING) learn(s, in);
  in->limit = s->limit;
  in->ctrl = s->ctrl;
  tom_gate_step(&s->shadow, in);
}

/* Errors stay until a reset, so profile faults resets soon. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned profile = s->profile;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, profile == FAULTS ? 40 : 5000)) return false;
  const uint64_t seed = rng_next(&s->rng);
  memset(s, 0, sizeof *s);
  init(s, seed, profile);
  return true;
}

STIM_DEFINE(tom_gate, .reset = reset)
