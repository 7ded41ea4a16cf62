/* SPDX-License-Identifier: Apache-2.0
 *
 * Transfers for apb_timer.
 */
#include "apb_timer.h"
#include "protocol/apb.h"
#include "rng.h"
#include "stim.h"

enum { FAST, WIDE, DIVIDED, WILD, PROFILES };

static const stim_profile_t profiles[] = {
    [FAST] = {"fast", "small values, no division: it expires again and again"},
    [WIDE] = {"wide", "values of every size, few transfers: it counts far"},
    [DIVIDED] = {"divided", "few transfers, divisions up to 255"},
    [WILD] = {"wild", "any address, any data"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  apb_requester_t bus;
  uint64_t address, data;
  bool write;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void draw(state_t *s) {
  s->address = 4 * rng_below(&s->rng, 5);
  s->write = rng_chance(&s->rng, 5, 8);
  if (s->address == 0) s->data = rng_below(&s->rng, 8) | 1;
  else if (s->address == 4)
    s->data = s->profile == WIDE ? rng_next(&s->rng) >> (64 - rng_range(&s->rng, 1, WIDTH)) : rng_below(&s->rng, 6);
  else if (s->address == 16) s->data = s->profile == DIVIDED ? rng_below(&s->rng, 256) : rng_below(&s->rng, 3);
  else s->data = rng_below(&s->rng, 2);
  if (s->profile != WILD) return;
  if (rng_chance(&s->rng, 4, 8)) s->address = rng_below(&s->rng, 256);
  if (rng_chance(&s->rng, 4, 8)) s->data = rng_next(&s->rng) & 0xffffffff;
}

static void next(void *state, uint64_t cycle, const void *outputs, void *inputs) {
  static const unsigned rates[PROFILES] = {2, 2, 1, 6};
  state_t *s = state;
  const apb_timer_out_t *last = outputs;
  apb_timer_in_t *in = inputs;
  const bool rests = (s->profile == DIVIDED || s->profile == WIDE) && !s->bus.sel && !rng_chance(&s->rng, 1, 32);
  (void)cycle;
  if (!rests && apb_request(&s->bus, &s->rng, last->pready, rates[s->profile])) draw(s);
  in->psel = s->bus.sel;
  in->penable = s->bus.enable;
  in->pwrite = s->write;
  in->paddr = s->address;
  in->pwdata = s->data;
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  if (cycle % 3000 != 2999) return false;
  s->bus = (apb_requester_t){0};
  return true;
}

static const char *const rules[] = {"a transfer that is none of APB"};

static int broken(void *state, const void *inputs, const void *outputs) {
  const apb_timer_in_t *in = inputs;
  const apb_timer_out_t *out = outputs;
  const uint64_t payload[] = {in->paddr, in->pwrite, in->pwdata};
  return apb_watch(state, in->psel, in->psel && in->penable, out->pready, payload, 3) ? 0 : -1;
}

static const legal_t legal = {.rules = rules, .num_rules = 1, .state_size = sizeof(apb_watch_t), .broken = broken};

const stim_t apb_timer_stim = {
    .profiles = profiles,
    .num_profiles = PROFILES,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
    .legal = &legal,
};
