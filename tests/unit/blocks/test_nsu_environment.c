/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's golden model in the environment of its lockstep test (tests/lockstep/nsu.c). These
 * rules hold whatever the RTL does: a legal environment sees no error and its blocks end, the
 * errors profile reaches each error, and a model that says it is idle does not change.
 */
#include <string.h>

#include "nsu.h"
#include "stim.h"
#include "unit_test.h"

extern const stim_t nsu_stim;

enum { CYCLES = 30000 };

typedef struct {
  uint64_t err, idle_cycles, acks, beats;
} seen_t;

static nsu_t nsu;

/* Steps the model; where it is idle and no input comes, it must stay as it is and show the same. */
static void step_model(const nsu_in_t *in, const nsu_out_t *out, seen_t *seen) {
  static nsu_t before;
  static nsu_out_t after;
  bool idle = nsu_idle(&nsu) && !in->in_valid && !in->out_credit;
  if (idle) before = nsu;
  nsu_step(&nsu, in);
  if (!idle) return;
  seen->idle_cycles++;
  memset(&after, 0, sizeof after);
  nsu_eval(&nsu, in, &after);
  assert_memory_equal(&after, out, sizeof after);
  assert_int_equal(memcmp(&before.warps, &nsu.warps, sizeof before.warps), 0);
  assert_int_equal(memcmp(&before.regfile, &nsu.regfile, sizeof before.regfile), 0);
  assert_int_equal(memcmp(&before.icache, &nsu.icache, sizeof before.icache), 0);
  assert_int_equal(memcmp(&before.tx, &nsu.tx, sizeof before.tx), 0);
}

/* One profile of the environment for CYCLES cycles, and what happened in it. */
static seen_t run_profile(unsigned profile, uint64_t seed) {
  static char state[1 << 20];
  static nsu_in_t in;
  static nsu_out_t out;
  seen_t seen = {0};
  assert_true(nsu_stim.state_size <= sizeof state);
  memset(state, 0, sizeof state);
  memset(&nsu, 0, sizeof nsu);
  memset(&out, 0, sizeof out);
  nsu_reset(&nsu);
  nsu_stim.init(state, seed, profile);
  for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
    memset(&in, 0, sizeof in);
    nsu_stim.next(state, cycle, &out, &in);
    memset(&out, 0, sizeof out);
    if (nsu_stim.reset(state, cycle)) {
      nsu_reset(&nsu);
      continue;
    }
    nsu_eval(&nsu, &in, &out);
    seen.err |= out.err;
    seen.acks += out.probe_ack;
    seen.beats += out.out_valid;
    step_model(&in, &out, &seen);
  }
  return seen;
}

/* The profiles whose packets or programs are illegal on purpose. */
static bool breaks_rules(unsigned p) {
  return !strcmp(nsu_stim.profiles[p].name, "errors") || !strcmp(nsu_stim.profiles[p].name, "bad-code");
}

/* Profiles that keep the rules: no error, blocks that end (acks), and sleep in some of the
 * profiles. */
static void test_legal(void **state) {
  uint64_t idle = 0;
  (void)state;
  for (unsigned p = 0; p < nsu_stim.num_profiles; p++) {
    if (breaks_rules(p)) continue;
    seen_t seen = run_profile(p, 7 + p);
    if (seen.err) fail_msg("profile %s: err %llx", nsu_stim.profiles[p].name, (unsigned long long)seen.err);
    assert_true(seen.acks > 5);
    assert_true(seen.beats > seen.acks);
    idle += seen.idle_cycles;
  }
  assert_true(idle > 1000);
}

/* Four seeds of each illegal profile reach all PKT_NUM_ERR errors together. */
static void test_every_error(void **state) {
  uint64_t err = 0;
  (void)state;
  for (unsigned p = 0; p < nsu_stim.num_profiles; p++)
    for (unsigned n = 0; n < 4 && breaks_rules(p); n++) err |= run_profile(p, n).err;
  assert_int_equal(err, (1u << PKT_NUM_ERR) - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_legal), cmocka_unit_test(test_every_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
