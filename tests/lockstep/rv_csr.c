/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of rv_csr: accesses to control registers, traps, interrupts and returns.
 */
#include "rv_csr.h"

#include "rv_stim.h"

enum { SOFTWARE, TRAPS, COUNT, NOISE };

/* software has long runs of accesses; traps has several traps and returns in a row.
 *  count: carries from the low half into the high half.
 *  noise: several events in one cycle. */
static const stim_profile_t profiles[] = {
    [SOFTWARE] = {"software", "accesses to every register, traps, interrupts and returns between"},
    [TRAPS] = {"traps", "traps, interrupts and returns, accesses to what they change between"},
    [COUNT] = {"count", "counters near the ends of their halves"},
    [NOISE] = {"noise", "anything at any time"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void access_any(rng_t *rng, rv_csr_in_t *in) {
  in->access = 1;
  in->addr = rv_stim_csr(rng);
  in->sub = rng_range(rng, 1, 3);
  in->none = rng_chance(rng, 1, 4);
  in->value = in->none ? 0 : rv_stim_number(rng, 32);
}

static void turn_any(rng_t *rng, rv_csr_in_t *in) {
  const unsigned which = (unsigned)rng_below(rng, 3);
  in->trap = which == 0;
  in->intr = which == 1;
  in->mret = which == 2;
}

/* Writes a counter close below its end, and then lets it run. */
static void count(rng_t *rng, rv_csr_in_t *in) {
  static const uint16_t counters[] = {RV_CSR_MCYCLE, RV_CSR_MCYCLEH, RV_CSR_MINSTRET, RV_CSR_MINSTRETH};
  in->retire = !rng_chance(rng, 1, 8);
  if (!rng_chance(rng, 1, 16)) return;
  access_any(rng, in);
  in->addr = counters[rng_below(rng, 4)];
  in->none = 0;
  if (rng_chance(rng, 3, 4)) in->sub = 1, in->value = 0xffffffff - rng_below(rng, 12);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  rng_t *rng = &s->rng;
  rv_csr_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->irq = rng_bits(rng, 1);
  in->pc = rng_bits(rng, 32) & ~UINT64_C(3);
  in->cause = rng_bits(rng, 4);
  in->tval = rng_bits(rng, 32);
  in->retire = rng_chance(rng, 1, 4);
  switch (s->profile) {
  case SOFTWARE:
    if (rng_chance(rng, 7, 8)) access_any(rng, in);
    else turn_any(rng, in);
    break;
  case TRAPS:
    if (rng_bits(rng, 1)) turn_any(rng, in);
    else access_any(rng, in);
    break;
  case COUNT: count(rng, in); break;
  default:
    access_any(rng, in);
    in->sub = rng_bits(rng, 2);
    in->none = rng_bits(rng, 1);
    in->pc = rng_bits(rng, 32);
    in->trap = rng_bits(rng, 1);
    in->intr = rng_bits(rng, 1);
    in->mret = rng_bits(rng, 1);
    break;
  }
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  return rng_chance(&s->rng, 1, 2000);
}

RV_STIM_DEFINE(rv_csr, .reset = reset)
