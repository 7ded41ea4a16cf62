/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of ofld_credits: SMs that ask, and an NSU that frees entries that it was given. All
 * profiles but faults keep the rules of ofld_credits.ports.
 */
#include "ofld_credits.h"

#include <string.h>

#include "rng.h"
#include "stim.h"

enum { MIXED, COMMANDS, READS, WRITES, FULL, EMPTIED, FAULTS };
enum { MOST_ASKED = 127 };

/* mixed answers most requests at once. commands, reads and writes each make one buffer scarce.
 *  full: requests wait in every place.
 *  emptied: all counts go from one end to the other.
 *  faults: sticky errors, which need a reset soon after; the other profiles must never set them. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "requests of all sizes, entries freed soon"},
    [COMMANDS] = {"commands", "small requests, command entries come back rarely"},
    [READS] = {"reads", "read data entries come back rarely"},
    [WRITES] = {"writes", "write address entries come back rarely"},
    [FULL] = {"full", "a request whenever there is a place, entries freed rarely: as many wait as can"},
    [EMPTIED] = {"emptied", "all that is freed comes back at once, now and then; no more asked for than is there"},
    [FAULTS] = {"faults", "more credits than there are entries, requests without a place or for too much"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  ofld_credits_t shadow;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  ofld_credits_reset(&s->shadow);
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Entries to ask for, from a buffer with `entries` entries and `left` free
 * ones. Never more than the buffer has. */
static unsigned asked(state_t *s, unsigned entries, unsigned left) {
  const unsigned most = least(entries, MOST_ASKED);
  switch (rng_below(&s->rng, 6)) {
  case 0: return 0;
  case 1: return 1;
  case 2: return least(most, (unsigned)rng_below(&s->rng, 8));
  case 3: return least(most, left);
  case 4: return s->profile == COMMANDS ? 0 : most;
  default: return s->profile == COMMANDS ? 1 : (unsigned)rng_below(&s->rng, most + 1);
  }
}

static void request(state_t *s, ofld_credits_in_t *in) {
  const bool full = s->shadow.count == (Depth);
  in->req_valid = rng_chance(&s->rng, s->profile == FULL ? 8 : 3, 8);
  if (s->profile == EMPTIED && s->shadow.count) in->req_valid = 0;
  if (full && s->profile != FAULTS) in->req_valid = 0;
  in->req_tag = rng_bits(&s->rng, TagBits);
  in->req_rd = asked(s, RdEntries, s->shadow.rd);
  in->req_wr = asked(s, WrEntries, s->shadow.wr);
  if (s->profile != FAULTS || !rng_chance(&s->rng, 1, 16)) return;
  in->req_rd = rng_bits(&s->rng, 7);
  in->req_wr = rng_bits(&s->rng, 7);
}

/* Some of the entries that are in use. */
static unsigned freed(state_t *s, unsigned entries, unsigned left, bool rarely) {
  const unsigned given = entries - left;
  if (s->profile == EMPTIED) return given;
  if (rarely && !rng_chance(&s->rng, 1, 32)) return 0;
  switch (rng_below(&s->rng, 4)) {
  case 0: return 0;
  case 1: return least(given, 1);
  case 2: return given;
  default: return (unsigned)rng_below(&s->rng, given + 1);
  }
}

/* More entries than are in use: by a power of two, or by the most that the field holds. Their
 * sum with the free ones exceeds the count's width, too. */
static unsigned over(state_t *s, unsigned entries, unsigned left, unsigned bits) {
  return least((1u << bits) - 1, entries - left + (1u << rng_below(&s->rng, bits + 1)));
}

/* A credit message now and then; its fields are at most 255, 1023 and 1023. */
static void credits(state_t *s, ofld_credits_in_t *in) {
  static const unsigned every[] = {
      [MIXED] = 3, [COMMANDS] = 3, [READS] = 2, [WRITES] = 2, [FULL] = 40, [EMPTIED] = 60, [FAULTS] = 3};
  in->cr_valid = rng_chance(&s->rng, 1, every[s->profile]);
  in->cr_cmd = least(255, freed(s, CmdEntries, s->shadow.cmd, s->profile == COMMANDS));
  in->cr_rd = least(1023, freed(s, RdEntries, s->shadow.rd, s->profile == READS));
  in->cr_wr = least(1023, freed(s, WrEntries, s->shadow.wr, s->profile == WRITES));
  if (s->profile != FAULTS || !rng_chance(&s->rng, 1, 8)) return;
  switch (rng_below(&s->rng, 4)) {
  case 0: in->cr_cmd = over(s, CmdEntries, s->shadow.cmd, 8); break;
  case 1: in->cr_rd = over(s, RdEntries, s->shadow.rd, 10); break;
  case 2: in->cr_wr = over(s, WrEntries, s->shadow.wr, 10); break;
  default:
    in->cr_cmd = rng_bits(&s->rng, 8);
    in->cr_rd = rng_bits(&s->rng, 10);
    in->cr_wr = rng_bits(&s->rng, 10);
    break;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  ofld_credits_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  request(s, in);
  credits(s, in);
  ofld_credits_step(&s->shadow, in);
}

/* Errors stay until a reset, so profile faults resets soon. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned profile = s->profile;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, profile == FAULTS ? 60 : 5000)) return false;
  const uint64_t seed = rng_next(&s->rng);
  memset(s, 0, sizeof *s);
  init(s, seed, profile);
  return true;
}

const stim_t ofld_credits_stim = {
    .profiles = profiles,
    .num_profiles = sizeof profiles / sizeof *profiles,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
