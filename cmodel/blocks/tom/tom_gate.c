/* SPDX-License-Identifier: Apache-2.0
 *
 * A counter of pending instances and a round-robin pointer for each stack. Numbers in brackets are
 * rules of the port file.
 */
#include "tom_gate.h"

#include <string.h>

#include "bits.h"

void tom_gate_reset(tom_gate_t *s) {
  memset(s, 0, sizeof *s);
}

void tom_gate_eval(const tom_gate_t *s, const tom_gate_in_t *in, tom_gate_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->gnt = s->gnt;
  out->nak = s->nak;
  out->irq = s->irq;
  out->err = s->err;
  out->probe_answered = s->answered;
  out->probe_seen = s->seen;
  for (unsigned i = 0; i < Stacks; i++) bits_put(out->pending, i * (CountBits), CountBits, s->pending[i]);
}

static unsigned stack_of_sm(const tom_gate_in_t *in, unsigned sm) {
  return (unsigned)bits_get(in->ask_stack, sm * TOM_STACK_W, TOM_STACK_W);
}

/* The SM asks and has not been answered [2]. */
static bool waits(const tom_gate_t *s, const tom_gate_in_t *in, unsigned sm) {
  return in->ask >> sm & 1 && !(s->answered >> sm & 1);
}

/* The SM that has its turn among those that ask for the stack; -1: none. */
static int next_of(const tom_gate_t *s, const tom_gate_in_t *in, unsigned stack) {
  for (unsigned i = 0; i < Sms; i++) {
    const unsigned sm = (s->turn[stack] + i) % (Sms);
    if (waits(s, in, sm) && stack_of_sm(in, sm) == stack) return (int)sm;
  }
  return -1;
}

/* Answers for the next cycle [3, 4]. `s` is the state before, `then` the state after. */
static void answer(const tom_gate_t *s, const tom_gate_in_t *in, tom_gate_t *then) {
  then->gnt = then->nak = 0;
  for (unsigned sm = 0; sm < Sms; sm++) {
    if (!waits(s, in, sm)) continue;
    const unsigned stack = stack_of_sm(in, sm);
    if (stack >= (Stacks)) then->err = true;
    if (stack >= (Stacks) || (in->ctrl && s->pending[stack] >= in->limit)) then->nak |= UINT64_C(1) << sm;
  }
  for (unsigned i = 0; i < Stacks; i++) {
    const int sm = s->pending[i] < in->limit ? next_of(s, in, i) : -1;
    if (sm < 0) continue;
    then->gnt |= UINT64_C(1) << sm;
    then->turn[i] = (unsigned)sm + 1;
    then->pending[i]++;
  }
  then->answered = in->ask & (s->answered | then->gnt | then->nak);
}

/* Rule 7: the sum stops at its highest value, and begins anew while the target is 0. */
static void learn(tom_gate_t *s, const tom_gate_in_t *in) {
  const uint64_t most = bits_ones(SeenBits);
  s->seen += (unsigned)__builtin_popcountll(in->seen);
  if (s->seen > most) s->seen = most;
  if (s->seen >= in->target) s->irq = true;
  if (in->target) return;
  s->seen = 0;
  s->irq = false;
}

/* A grant and a done of one stack in one cycle both count [5]. */
void tom_gate_step(tom_gate_t *s, const tom_gate_in_t *in) {
  tom_gate_t then = *s;
  answer(s, in, &then);
  for (unsigned i = 0; i < Stacks; i++) {
    if (!(in->done >> i & 1)) continue;
    if (s->pending[i]) then.pending[i]--;
    else then.err = true;
  }
  learn(&then, in);
  *s = then;
}
