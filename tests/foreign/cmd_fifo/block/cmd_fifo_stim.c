/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_fifo.h"
#include "rng.h"
#include "stim.h"

enum { EVEN, FILLING, DRAINING };

static const stim_profile_t profiles[] = {
    [EVEN] = {"even", "as many pushes as pops"},
    [FILLING] = {"filling", "seldom a pop: the queue is full most of the time"},
    [DRAINING] = {"draining", "seldom a push: the queue is empty most of the time"},
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

static void next(void *state, uint64_t cycle, const void *out, void *inputs) {
  state_t *s = state;
  cmd_fifo_in_t *in = inputs;
  (void)cycle, (void)out;
  in->push = rng_chance(&s->rng, s->profile == DRAINING ? 1 : 5, 8);
  in->pop = rng_chance(&s->rng, s->profile == FILLING ? 1 : 5, 8);
  in->cmd.op = rng_chance(&s->rng, 1, 2) ? op_e_OP_READ : op_e_OP_WRITE;
  if (rng_chance(&s->rng, 1, 32)) in->cmd.op = op_e_OP_FLUSH;
  in->cmd.tag.id = rng_next(&s->rng);
  in->cmd.tag.addr = rng_next(&s->rng);
  in->cmd.data = rng_next(&s->rng);
  in->cmd.last = rng_chance(&s->rng, 1, 4);
}

static bool reset(void *state, uint64_t cycle) {
  (void)state;
  return cycle % 1000 == 999;
}

const stim_t cmd_fifo_stim = {
    .profiles = profiles,
    .num_profiles = sizeof profiles / sizeof *profiles,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
