/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimuli and their decisions, of every block:
 *   test_tape OBJECT.so...
 *
 * Rules held, for every profile of each block's stimulus:
 *   1. Played again, noted decisions make the same inputs: none is taken behind the tape's back.
 *   2. Whatever is done to the decisions, RTL and model agree on the inputs that they make. Numbers
 *      become 0 or others, cycles are emptied, turned round or taken out.
 * The shrinker relies on both.
 */
#include "run.h"
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLES = 400, TRIES = 3 };

static const char *const *paths;
static int num_paths;

/* Two recordings are the same cycles: reset or not, inputs or none, and the same bits of them. */
static void assert_same(const dut_t *dut, const char *profile, const trace_t *a, const trace_t *b) {
  if (a->count != b->count)
    fail_msg("%s, profile %s: %zu cycles played, %zu noted", dut->block, profile, b->count, a->count);
  for (size_t i = 0; i < a->count; i++) {
    const trace_cycle_t *x = &a->cycles[i], *y = &b->cycles[i];
    const bool same = x->reset == y->reset && !x->in == !y->in && (!x->in || memcmp(x->in, y->in, dut->in_size) == 0);
    if (!same)
      fail_msg("%s, profile %s: cycle %zu has other inputs when its decisions are played", dut->block, profile, i);
  }
}

/* Rule 1. The tape is played with another seed, so that a decision that is not on the tape
 * shows. */
static void note_and_play(const dut_t *dut, unsigned profile, tape_t *tape) {
  trace_t noted, played;
  tape_t again;
  trace_init(&noted, dut->in_size);
  trace_init(&played, dut->in_size);
  assert_true(run_note(dut, 7, profile, false, CYCLES, SIZE_MAX, &noted, tape));
  tape->seed = ~tape->seed;
  assert_true(run_render(dut, tape, &played, &again));
  assert_same(dut, dut->stim->profiles[profile].name, &noted, &played);
  assert_int_equal(again.count, tape->count);
  for (size_t i = 0; i < tape->count; i++) assert_int_equal(again.cycles[i].count, tape->cycles[i].count);
  tape_free(&again);
  trace_free(&noted);
  trace_free(&played);
}

/* One of: no decisions, fewer of them, some made 0, one made all ones or another, nothing (two of
 * the six cases). `rest` says what a changed cycle gets once its decisions are used up (tape.h). */
static void spoil_cycle(rng_t *rng, tape_cycle_t *c) {
  switch (rng_below(rng, 6)) {
  case 0: c->count = 0; break;
  case 1: c->count = (uint32_t)rng_below(rng, c->count + 1u); break;
  case 2:
    for (uint32_t i = 0; i < c->count; i++)
      if (rng_chance(rng, 1, 2)) c->draws[i] = 0;
    break;
  case 3:
    if (c->count) c->draws[rng_below(rng, c->count)] = rng_chance(rng, 1, 2) ? ~0ull : rng_next(rng);
    break;
  default: return;
  }
  c->rest = (uint8_t)rng_bits(rng, 1);
}

/* Spoils each cycle's decisions, drops one cycle in eight, swaps 20 pairs of those left, and may
 * make one of the start's decisions 0. */
static void spoil_tape(rng_t *rng, tape_t *tape) {
  size_t left = 0;
  for (size_t i = 0; i < tape->count; i++) {
    spoil_cycle(rng, &tape->cycles[i]);
    if (rng_chance(rng, 7, 8)) tape->cycles[left++] = tape->cycles[i];
  }
  tape->count = left;
  for (unsigned n = 0; left > 1 && n < 20; n++) {
    tape_cycle_t *a = &tape->cycles[rng_below(rng, left)], *b = &tape->cycles[rng_below(rng, left)], swapped = *a;
    *a = *b;
    *b = swapped;
  }
  if (tape->start.count && rng_bits(rng, 1)) tape->start.draws[rng_below(rng, tape->start.count)] = 0;
}

/* Rule 2: runs the spoilt tape from power up. Spoils add up over the tries. */
static void check_spoilt(const dut_t *dut, unsigned profile, tape_t *tape, lockstep_t *ls, rng_t *rng) {
  driver_t driver;
  spoil_tape(rng, tape);
  assert_true(driver_play(&driver, dut, tape, NULL));
  assert_true(lockstep_power_up(ls));
  run_tape(ls, &driver, tape->count, 0);
  if (ls->outcome != OUTCOME_PASS)
    fail_msg("%s, profile %s: %s %s in cycle %u of changed decisions", dut->block, dut->stim->profiles[profile].name,
             outcome_name(ls->outcome), ls->outcome == OUTCOME_DIVERGED ? dut->ports[ls->port].name : ls->text,
             (unsigned)ls->cycle);
  driver_close(&driver);
}

/* Both rules, on every profile of one object. */
static void check_object(const char *path) {
  trouble_t trouble;
  const dut_t *dut;
  lockstep_t ls;
  rng_t rng;
  rng_init(&rng, 1);
  if (!dut_load(path, &dut, &trouble)) fail_msg("%s", trouble.text);
  assert_true(lockstep_open(&ls, dut));
  for (unsigned p = 0; p < dut->stim->num_profiles; p++) {
    tape_t tape;
    note_and_play(dut, p, &tape);
    for (unsigned n = 0; n < TRIES; n++) check_spoilt(dut, p, &tape, &ls, &rng);
    tape_free(&tape);
  }
  lockstep_close(&ls);
}

static void test_tapes(void **state) {
  (void)state;
  assert_true(num_paths > 0);
  for (int i = 0; i < num_paths; i++) check_object(paths[i]);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tapes)};
  paths = (const char *const *)argv + 1;
  num_paths = argc - 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
