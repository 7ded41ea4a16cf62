/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames for axis_drop_fifo, and a receiver.
 */
#include "axis_drop_fifo.h"
#include "rng.h"
#include "stim.h"

enum { SHORT, LONG, SLOW, BAD, PROFILES };

static const stim_profile_t profiles[] = {
    [SHORT] = {"short", "frames of a few words, a receiver in bursts"},
    [LONG] = {"long", "frames longer than the memory between others"},
    [SLOW] = {"slow", "a receiver that rarely takes: words wait"},
    [BAD] = {"bad", "most frames are marked, an eager receiver"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  stream_source_t source;
  stream_sink_t sink;
  unsigned left; /* words of the frame, after this one */
  uint64_t data;
  bool user;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static unsigned frame(state_t *s) {
  if (s->profile == LONG && rng_chance(&s->rng, 3, 8))
    return (unsigned)rng_range(&s->rng, ROOM - 2 > 0 ? ROOM - 2 : 0, ROOM + 3);
  return (unsigned)rng_below(&s->rng, ROOM < 6 ? ROOM : 6);
}

static void next(void *state, uint64_t cycle, const void *outputs, void *inputs) {
  static const stream_mode_t modes[PROFILES] = {STREAM_BURSTS, STREAM_RANDOM, STREAM_WAITS, STREAM_ALWAYS};
  static const unsigned rates[PROFILES] = {4, 4, 1, 8};
  state_t *s = state;
  const axis_drop_fifo_out_t *last = outputs;
  axis_drop_fifo_in_t *in = inputs;
  (void)cycle;
  if (stream_offer(&s->source, &s->rng, last->s_axis_tready, s->profile == BAD ? 4 : 7)) {
    s->left = s->left ? s->left - 1 : frame(s);
    s->data = rng_next(&s->rng) >> (64 - DATA_WIDTH);
    s->user = rng_chance(&s->rng, s->profile == BAD ? 6 : 2, 8);
  }
  in->s_axis_tvalid = s->source.valid;
  in->s_axis_tdata = s->data;
  in->s_axis_tlast = !s->left;
  in->s_axis_tuser = s->user;
  in->m_axis_tready = stream_accept(&s->sink, &s->rng, last->m_axis_tvalid, modes[s->profile], rates[s->profile]);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  if (cycle % 2000 != 1999) return false;
  s->source = (stream_source_t){0}; /* the block has forgotten its part of the frame, and so does this */
  s->left = 0;
  return true;
}

static const char *const rules[] = {"a stream whose source changes its mind"};

static int broken(void *state, const void *inputs, const void *outputs) {
  const axis_drop_fifo_in_t *in = inputs;
  const axis_drop_fifo_out_t *out = outputs;
  const uint64_t payload[] = {in->s_axis_tdata, in->s_axis_tlast, in->s_axis_tuser};
  return stream_watch(state, in->s_axis_tvalid, out->s_axis_tready, payload, 3) ? 0 : -1;
}

static const legal_t legal = {.rules = rules, .num_rules = 1, .state_size = sizeof(stream_watch_t), .broken = broken};

const stim_t axis_drop_fifo_stim = {
    .profiles = profiles,
    .num_profiles = PROFILES,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
    .legal = &legal,
};
