/* SPDX-License-Identifier: Apache-2.0
 *
 * Two devices in lockstep, on the device whose faults are known: a difference is found, an X is
 * counted and not compared, and an assertion does not end the run.
 */
#include "unit_test.h"

#include "against.h"
#include "again.h"
#include "fake_dut.h"
#include "replay.h"
#include "report.h"
#include "shrink.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static failure_t found;
static against_t *counts;

/* What the reference shows as X, by masks. It shows 0 there. */
static fake_out_t x;
static uint32_t echo_flips; /* bits of echo that it has wrong */
static const char *lost;    /* from the 100th cycle on, the reference is lost with this text */
static unsigned cycles;     /* of the reference, while `lost` is set */

/* Before each test: no faults, nothing unknown. */
static int reset_faults(void **state) {
  (void)state;
  memset(&fake_faults, 0, sizeof fake_faults);
  memset(&x, 0, sizeof x);
  fake_stim_waits = fake_stim_repeats = fake_stim_rules = fake_stim_tells = false;
  lost = NULL;
  echo_flips = 0;
  against_free(counts);
  counts = NULL;
  return 0;
}

/* --- the reference: the same device without the fault wrong_sum_after, but with X */

static void get_outputs_x(void *dev, void *out) {
  fake_dut()->get_outputs(dev, out);
  ((fake_out_t *)out)->echo[0] ^= echo_flips;
  for (unsigned i = 0; i < sizeof x / 8; i++) ((uint64_t *)out)[i] &= ~((const uint64_t *)&x)[i];
  fake_dut()->canonical(out);
}

static void get_undefined(void *dev, void *out) {
  (void)dev;
  memcpy(out, &x, sizeof x);
}

static bool step_and_die(void *dev) {
  fake_dut()->step(dev);
  return !lost || ++cycles < 100;
}

static const char *why_lost(void *dev) {
  return lost && cycles >= 100 ? lost : fake_dut()->failure(dev);
}

static const dut_t *reference(bool four_state) {
  static dut_t dut;
  dut = *fake_dut_repaired();
  dut.kind = four_state ? "icarus" : "netlist";
  dut.get_outputs = get_outputs_x;
  if (four_state) dut.get_undefined = get_undefined;
  if (lost) dut.step = step_and_die, dut.failure = why_lost;
  cycles = 0;
  return &dut;
}

static const dut_t *pair(bool four_state) {
  trouble_t trouble;
  const dut_t *dut = against_pair(fake_dut(), reference(four_state), &trouble);
  assert_non_null(dut);
  return dut;
}

/* Runs a profile of a pair; the failure, if any, is in `found`, and the counts in `counts`. */
static outcome_t run_profile(bool four_state, unsigned profile, uint64_t n) {
  lockstep_t ls;
  driver_t driver;
  assert_true(lockstep_open(&ls, pair(four_state)));
  assert_true(driver_open(&driver, ls.dut, 1, profile));
  const outcome_t outcome = run_stimulus(&ls, &driver, n, NULL, NULL);
  failure_of(&ls, &found);
  against_free(counts);
  counts = against_take(ls.dut);
  assert_non_null(counts);
  driver_close(&driver);
  lockstep_close(&ls);
  return outcome;
}

static const against_port_t *port(const char *name) {
  const int i = dut_find_port(fake_dut(), name, false);
  assert_true(i >= 0);
  return &counts->port[i];
}

/* --- tests */

/* The model of the object is never called, whatever it does. */
static void test_the_model_is_not_called(void **state) {
  (void)state;
  fake_faults.model_assert_on = 9;
  fake_faults.wrong_idle = true;
  fake_faults.static_sum = true;
  for (unsigned profile = 0; profile < 2; profile++) assert_int_equal(run_profile(false, profile, 5000), OUTCOME_PASS);
  assert_false(counts->four_state);
  assert_int_equal(counts->unknown, 0);
  assert_true(against_was_compared(counts, true));
}

/* A fault of one device is found, with and without X beside it; the report names the sides. */
static void test_a_planted_fault_is_found(void **state) {
  (void)state;
  fake_faults.wrong_sum_after = 77;
  for (int four_state = 0; four_state < 2; four_state++) {
    x.sum = four_state ? 0xff00 : 0;
    assert_int_equal(run_profile(four_state, 0, 100000), OUTCOME_DIVERGED);
    assert_string_equal(fake_dut()->ports[found.port].name, "sum");
  }
}

static void test_the_report_names_the_sides(void **state) {
  lockstep_t ls;
  char *text = NULL;
  size_t size;
  (void)state;
  fake_faults.wrong_sum_after = 77;
  x.sum = 0xf000;
  const fake_in_t add = {.add = 1, .value = 77};
  assert_true(lockstep_open(&ls, pair(true)));
  assert_int_equal(lockstep_cycle(&ls, &add), OUTCOME_PASS);
  assert_int_equal(lockstep_cycle(&ls, NULL), OUTCOME_DIVERGED);
  failure_of(&ls, &found);
  FILE *out = open_memstream(&text, &size);
  report_failure(out, &ls, &found);
  fclose(out);
  assert_non_null(strstr(text, "    rtl                 0x004c\n"));
  assert_non_null(strstr(text, "    reference (icarus)  0xX04d\n"));
  assert_null(strstr(text, "model"));
  free(text);
  lockstep_close(&ls);
}

/* What is X is not compared: the fault is in bit 0 of sum. All other bits are counted as known. */
static void test_x_is_counted_and_not_compared(void **state) {
  (void)state;
  fake_faults.wrong_sum_after = 77;
  x.sum = 1;
  assert_int_equal(run_profile(true, 0, 1000), OUTCOME_PASS);
  assert_true(counts->four_state);
  assert_int_equal(port("sum")->unknown, 1000);
  assert_int_equal(port("sum")->known, 15 * 1000);
  assert_int_equal(port("sum")->never, 1);
  assert_int_equal(port("not_zero")->known, 1000);
  assert_int_equal(counts->unknown, 1000);
  assert_true(against_was_compared(counts, true));
  x.sum = 0xffff;
  assert_int_equal(run_profile(true, 0, 1000), OUTCOME_PASS);
  assert_int_equal(port("sum")->known, 0);
  assert_true(against_was_compared(counts, false));
  assert_false(against_was_compared(counts, true)); /* no bit of sum in a full run */
}

/* A port is compared only while what qualifies it is known, and 1. */
static void test_an_unknown_qualifier(void **state) {
  (void)state;
  echo_flips = 4;
  assert_int_equal(run_profile(true, 0, 1000), OUTCOME_DIVERGED);
  assert_string_equal(fake_dut()->ports[found.port].name, "echo");
  x.not_zero = 1;
  assert_int_equal(run_profile(true, 0, 1000), OUTCOME_PASS);
  assert_int_equal(port("echo")->known, 0);
  assert_int_equal(port("echo")->unknown, 70 * 1000);
  assert_int_equal(port("not_zero")->unknown, 1000);
  assert_int_equal(port("sum")->known, 16 * 1000);
}

/* Bits of a port that was not valid are in no sum: not_zero is 0 in the first cycle. */
static void test_what_is_not_valid_is_not_counted(void **state) {
  lockstep_t ls;
  (void)state;
  const fake_in_t add = {.add = 1, .value = 7};
  for (int four_state = 0; four_state < 2; four_state++) {
    fake_faults.junk_when_invalid = true;
    assert_true(lockstep_open(&ls, pair(four_state)));
    for (int i = 0; i < 11; i++) assert_int_equal(lockstep_cycle(&ls, &add), OUTCOME_PASS);
    against_free(counts);
    counts = against_take(ls.dut);
    assert_int_equal(port("echo")->known, 10 * 70);
    assert_int_equal(counts->known, 10 * 70 + 11 * 17);
    lockstep_close(&ls);
  }
}

/* Probes are compared if both devices have them, and are in no sum. */
static void test_probes(void **state) {
  trouble_t trouble;
  lockstep_t ls;
  static dut_t bare;
  (void)state;
  fake_faults.wrong_sum_after = 77;
  fake_faults.wrong_probe_too = true;
  assert_int_equal(run_profile(false, 0, 100000), OUTCOME_DIVERGED);
  assert_string_equal(fake_dut()->ports[found.port].name, "probe_count");
  bare = *reference(false);
  bare.no_probes = true;
  const dut_t *dut = against_pair(fake_dut(), &bare, &trouble);
  assert_true(lockstep_open(&ls, dut));
  const fake_in_t add = {.add = 1, .value = 77};
  assert_int_equal(lockstep_cycle(&ls, &add), OUTCOME_PASS);
  assert_int_equal(lockstep_cycle(&ls, &add), OUTCOME_DIVERGED);
  assert_string_equal(dut->ports[ls.port].name, "sum");
  lockstep_close(&ls);
}

/* An assertion is counted by its place and side; the run goes on and still finds what differs. */
static void test_assertions_do_not_end_the_run(void **state) {
  (void)state;
  fake_faults.dut_assert_on = 9;
  assert_int_equal(run_profile(false, 1, 5000), OUTCOME_PASS);
  assert_int_equal(counts->num_places, 2);
  for (int i = 0; i < 2; i++) {
    assert_string_equal(counts->places[i].text, "fake.sv:7: Assertion failed");
    assert_true(counts->places[i].count > 1);
  }
  assert_true(counts->places[0].reference != counts->places[1].reference);
  fake_faults.wrong_sum_after = 77;
  assert_int_equal(run_profile(false, 0, 100000), OUTCOME_DIVERGED);
}

/* A process that is gone, a missing file, logic that does not settle: the run ends, and says so. */
static void test_a_lost_reference_ends_the_run(void **state) {
  static const struct {
    const char *text, *wanted;
    outcome_t outcome;
  } cases[] = {{DUT_ENVIRONMENT "it was killed", "it was killed", OUTCOME_INFRA},
               {DUT_INPUT "no file", "no file", OUTCOME_BAD_INPUT},
               {DUT_ENDED "fake: does not settle", "the reference: fake: does not settle", OUTCOME_DUT_ASSERT}};
  (void)state;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    lost = cases[i].text;
    assert_int_equal(run_profile(false, 0, 1000), cases[i].outcome);
    assert_string_equal(found.text, cases[i].wanted);
  }
}

/* Another failure of the device in the cycles before comes first. */
static void test_an_earlier_difference_comes_first(void **state) {
  (void)state;
  lost = "fake: does not settle";
  echo_flips = 4;
  assert_int_equal(run_profile(false, 0, 1000), OUTCOME_DIVERGED);
}

static void test_devices_that_cannot_be_made(void **state) {
  lockstep_t ls;
  (void)state;
  fake_faults.create_fails = true;
  assert_false(lockstep_open(&ls, pair(false)));
  assert_int_equal(ls.outcome, OUTCOME_DUT_ASSERT);
  lockstep_close(&ls);
}

/* Shrinks to the one addition that wakes the fault, with snapshots of both devices and without; the
 * replay file fails again in a process of its own. */
static void test_shrinks_and_replays(void **state) {
  (void)state;
  for (int snapshots = 0; snapshots < 2; snapshots++) {
    lockstep_t ls;
    trace_t trace;
    tape_t tape;
    shrink_t stats;
    again_t again;
    trouble_t trouble;
    char path[64] = "against.replay";
    fake_faults = (fake_faults_t){.wrong_sum_after = 77, .no_snapshots = !snapshots};
    assert_int_equal(run_profile(false, 0, 100000), OUTCOME_DIVERGED);
    assert_true(lockstep_open(&ls, pair(false)));
    trace_init(&trace, ls.dut->in_size);
    assert_true(run_note(ls.dut, 1, 0, false, found.cycle + 1, 1 << 24, &trace, &tape));
    assert_true(shrink(&ls, &tape, &trace, &found, 5, &stats));
    assert_true(trace.count <= 3);
    replay_t replay = {.block = "fake", .against = "netlist", .outcome = OUTCOME_DIVERGED, .differs = found.differs};
    snprintf(replay.port, sizeof replay.port, "sum");
    assert_true(again_write(&again, path, sizeof path, &replay, ls.dut, &trace, &trouble));
    assert_int_equal(again.as, AGAIN_SAME);
    assert_true(replay_read(path, &replay, NULL, NULL, &trouble));
    assert_string_equal(replay.against, "netlist");
    unlink(path);
    tape_free(&tape);
    trace_free(&trace);
    lockstep_close(&ls);
  }
}

int main(void) {
#define T(name) cmocka_unit_test_setup(name, reset_faults)
  const struct CMUnitTest tests[] = {
      T(test_the_model_is_not_called),
      T(test_a_planted_fault_is_found),
      T(test_the_report_names_the_sides),
      T(test_x_is_counted_and_not_compared),
      T(test_an_unknown_qualifier),
      T(test_what_is_not_valid_is_not_counted),
      T(test_probes),
      T(test_assertions_do_not_end_the_run),
      T(test_a_lost_reference_ends_the_run),
      T(test_an_earlier_difference_comes_first),
      T(test_devices_that_cannot_be_made),
      T(test_shrinks_and_replays),
  };
  return cmocka_run_group_tests(tests, NULL, reset_faults);
}
