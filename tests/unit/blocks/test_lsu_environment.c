/* SPDX-License-Identifier: Apache-2.0
 *
 * The LSU-Extension's golden model in the environment of its lockstep test
 * (tests/lockstep/lsu_ext.c). These rules hold whatever the RTL does. A legal environment sees no
 * error. A model that says it is idle shows nothing and keeps each bit of its state while no event
 * comes, whatever the data inputs are. It is idle also while it waits for the memory controller.
 */
#include <string.h>

#include "lsu_ext.h"
#include "stim.h"
#include "unit_test.h"

extern const stim_t lsu_ext_stim;

enum { CYCLES = 30000 };

typedef struct {
  /* cycles it slept: with nothing under way, with transactions under way; words sent */
  uint64_t err, empty, waiting, beats;
} seen_t;

static lsu_ext_t lsu;

/* Outputs of a model that sleeps: what tables hold, and nothing else. */
static void expect_silence(const lsu_ext_out_t *out) {
  lsu_ext_out_t rest = *out, zero;
  memset(&zero, 0, sizeof zero);
  rest.probe_xacts = rest.probe_gather = 0;
  assert_memory_equal(&rest, &zero, sizeof zero);
}

/* One step. If the model is idle and no event comes, the data inputs are disturbed, and neither
 * state nor outputs may notice. */
static void step_model(const lsu_ext_in_t *in, const lsu_ext_out_t *out, seen_t *seen) {
  static lsu_ext_t before;
  static lsu_ext_in_t other;
  const bool comes = in->dn_valid || in->mr_valid || in->mc_credit || in->sm_gnt || in->up_take;
  if (comes || !lsu_ext_idle(&lsu)) {
    lsu_ext_step(&lsu, in);
    return;
  }
  expect_silence(out);
  before = lsu;
  other = *in;
  memset(other.rf_rd_data, 0x5a, sizeof other.rf_rd_data);
  memset(other.sm_rdata, 0xa5, sizeof other.sm_rdata);
  lsu_ext_step(&lsu, &other);
  assert_memory_equal(&before, &lsu, sizeof lsu);
  if (out->probe_xacts) seen->waiting++;
  else seen->empty++;
}

/* One profile of the environment for CYCLES cycles, and what happened in it. */
static seen_t run_profile(unsigned profile, uint64_t seed) {
  static char state[1 << 16];
  static lsu_ext_in_t in;
  static lsu_ext_out_t out;
  seen_t seen = {0};
  assert_true(lsu_ext_stim.state_size <= sizeof state);
  memset(state, 0, sizeof state);
  memset(&lsu, 0, sizeof lsu);
  lsu_ext_reset(&lsu);
  lsu_ext_stim.init(state, seed, profile);
  for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
    memset(&in, 0, sizeof in);
    lsu_ext_stim.next(state, cycle, &out, &in);
    memset(&out, 0, sizeof out);
    if (lsu_ext_stim.reset(state, cycle)) {
      lsu_ext_reset(&lsu);
      continue;
    }
    lsu_ext_eval(&lsu, &in, &out);
    seen.err |= out.err;
    seen.beats += out.up_valid != 0;
    step_model(&in, &out, &seen);
  }
  return seen;
}

/* The one profile whose inputs are illegal on purpose. */
static bool breaks_rules(unsigned p) {
  return !strcmp(lsu_ext_stim.profiles[p].name, "errors");
}

/* Profiles that keep the rules see no error but lsu_smem's (bit 8: a wrong address). The counts
 * show that both kinds of sleep occurred. */
static void test_legal(void **state) {
  uint64_t empty = 0, waiting = 0;
  (void)state;
  for (unsigned p = 0; p < lsu_ext_stim.num_profiles; p++) {
    if (breaks_rules(p)) continue;
    seen_t seen = run_profile(p, 7 + p);
    /* 8: a wrong address */
    if (seen.err & ~256u) fail_msg("profile %s: err %llx", lsu_ext_stim.profiles[p].name, (unsigned long long)seen.err);
    assert_true(seen.beats > 1000);
    empty += seen.empty;
    waiting += seen.waiting;
  }
  assert_true(empty > 1000);
  assert_true(waiting > 1000);
}

static void test_errors_profile_reaches_errors(void **state) {
  uint64_t err = 0;
  (void)state;
  for (unsigned p = 0; p < lsu_ext_stim.num_profiles; p++)
    for (uint64_t seed = 1; breaks_rules(p) && seed < 5; seed++) err |= run_profile(p, seed).err;
  assert_int_equal(err & 0x337, 0x337); /* all but those that need a wrong table: release, gather, stores */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_legal),
                                     cmocka_unit_test(test_errors_profile_reaches_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
