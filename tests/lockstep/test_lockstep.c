/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine on a device whose faults are known: every outcome and every check fires, and only when
 * it should.
 *
 * Long file: a test for each outcome, way to shrink and kind of file, all on the one device.
 */
#include "unit_test.h"

#include "again.h"
#include "compared.h"
#include "fake_dut.h"
#include "replay.h"
#include "report.h"
#include "shrink.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static failure_t found;

/* Before each test: no faults, and a stimulus that neither waits, repeats nor keeps rules. */
static int reset_faults(void **state) {
  (void)state;
  memset(&fake_faults, 0, sizeof fake_faults);
  fake_stim_waits = fake_stim_repeats = fake_stim_rules = fake_stim_tells = false;
  return 0;
}

/* Runs a profile of the fake device's stimulus; the failure, if any, is in `found`. */
static outcome_t run_profile(uint64_t seed, unsigned profile, uint64_t cycles) {
  lockstep_t ls;
  driver_t driver;
  assert_true(lockstep_open(&ls, fake_dut()));
  assert_true(driver_open(&driver, ls.dut, seed, profile));
  outcome_t outcome = run_stimulus(&ls, &driver, cycles, NULL, NULL);
  failure_of(&ls, &found);
  driver_close(&driver);
  lockstep_close(&ls);
  return outcome;
}

/* Without faults no profile fails. */
static void test_pass(void **state) {
  (void)state;
  for (unsigned profile = 0; profile < 2; profile++) assert_int_equal(run_profile(1, profile, 5000), OUTCOME_PASS);
}

/* Cycles in reset are not compared; powering up again goes on counting. */
static void test_not_compared(void **state) {
  lockstep_t ls;
  (void)state;
  const int echo = dut_find_port(fake_dut(), "echo", false);
  const fake_in_t add = {.add = 1, .value = 7};
  assert_true(lockstep_open(&ls, fake_dut()));
  for (int i = 0; i < 3; i++) assert_int_equal(lockstep_reset(&ls, NULL), OUTCOME_PASS);
  assert_int_equal(ls.tally.cycles, 0);
  assert_int_equal(compared_outcome(&ls.tally, false), OUTCOME_NOT_COMPARED);
  for (int i = 0; i < 50; i++) assert_int_equal(lockstep_ahead(&ls, NULL), OUTCOME_PASS);
  assert_int_equal(lockstep_catch_up(&ls), OUTCOME_PASS);
  assert_int_equal(ls.tally.cycles, 50);
  assert_int_equal(tally_state(&ls.tally, (unsigned)echo), TALLY_NEVER);
  assert_true(tally_unsent(&ls.tally));
  assert_int_equal(compared_outcome(&ls.tally, true), OUTCOME_NOT_COMPARED);
  assert_true(lockstep_power_up(&ls));
  for (int i = 0; i < 3; i++) assert_int_equal(lockstep_cycle(&ls, &add), OUTCOME_PASS);
  assert_int_equal(ls.tally.cycles, 53);
  assert_int_equal(tally_cycles(&ls.tally, (unsigned)echo), 2);
  assert_int_equal(compared_outcome(&ls.tally, true), OUTCOME_PASS);
  lockstep_close(&ls);
}

/* A wrong output is a divergence, and its port is named. */
static void test_diverged_output(void **state) {
  (void)state;
  fake_faults.wrong_sum_after = 77;
  assert_int_equal(run_profile(1, 0, 100000), OUTCOME_DIVERGED);
  assert_string_equal(fake_dut()->ports[found.port].name, "sum");
}

/* A probe and an output are wrong in one cycle: the probe is nearer to the cause and is named. */
static void test_probe_is_named_first(void **state) {
  (void)state;
  fake_faults.wrong_sum_after = 77;
  fake_faults.wrong_probe_too = true;
  assert_int_equal(run_profile(1, 0, 100000), OUTCOME_DIVERGED);
  assert_string_equal(fake_dut()->ports[found.port].name, "probe_count");
}

/* Bit 69 of a port of 70 bits, in its third word, is compared too. */
static void test_last_bit_of_a_wide_port(void **state) {
  (void)state;
  fake_faults.wide_bit = true;
  assert_int_equal(run_profile(1, 0, 1000), OUTCOME_DIVERGED);
  assert_string_equal(fake_dut()->ports[found.port].name, "echo");
}

/* What a port carries while its valid bit is 0 is not compared. */
static void test_invalid_fields_do_not_count(void **state) {
  (void)state;
  fake_faults.junk_when_invalid = true;
  assert_int_equal(run_profile(1, 1, 5000), OUTCOME_PASS);
}

static void test_dut_assert(void **state) {
  (void)state;
  fake_faults.dut_assert_on = 9;
  assert_int_equal(run_profile(1, 0, 100000), OUTCOME_DUT_ASSERT);
  assert_string_equal(found.text, "fake.sv:7: Assertion failed");
}

static void test_model_assert(void **state) {
  (void)state;
  fake_faults.model_assert_on = 9;
  assert_int_equal(run_profile(1, 0, 100000), OUTCOME_MODEL_ASSERT);
  assert_string_equal(found.text, "fake.c:42: value is allowed");
}

/* The stimulus says that it is owed an answer and sends nothing: stuck once its patience, 1000
 * cycles, is over. */
static void test_stuck(void **state) {
  (void)state;
  fake_stim_waits = true;
  assert_int_equal(run_profile(1, 0, 1000), OUTCOME_PASS); /* not before its patience is over */
  assert_int_equal(run_profile(1, 0, 10000), OUTCOME_STUCK);
  assert_in_range(found.cycle, 1000, 2000);
}

/* Inputs go on and probe_count changes: that is progress, even when it comes round every 256
 * cycles. */
static void test_what_repeats_itself_is_not_stuck(void **state) {
  (void)state;
  fake_stim_repeats = true;
  assert_int_equal(run_profile(1, 0, 100000), OUTCOME_PASS);
}

/* A model that is no pure function of its struct and inputs is named with what it writes to.
 * Some of it is seen in single cycles too, the rest only in runs of a stimulus. */
static void test_not_pure(void **state) {
  static const struct {
    unsigned writes;
    bool cycle; /* seen in single cycles, too */
    const char *text;
  } cases[] = {
      {EVAL_WRITES_STATE, true,
       "fake_eval writes its state: it must be pure, a function of struct and inputs that changes neither"},
      {EVAL_WRITES_INPUTS, true,
       "fake_eval writes its inputs: it must be pure, a function of struct and inputs that changes neither"},
      {STEP_WRITES_INPUTS, false, "fake_step writes its inputs: they are const"},
      {IDLE_WRITES_STATE, false,
       "fake_idle writes its state: it must be pure, a function of struct and inputs that changes neither"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fake_faults = (fake_faults_t){.writes = cases[i].writes};
    assert_int_equal(run_profile(1, 0, 1000), OUTCOME_MODEL_ASSERT);
    assert_string_equal(found.text, cases[i].text);
    lockstep_t ls;
    fake_in_t in = {.add = 1, .value = 5};
    assert_true(lockstep_open(&ls, fake_dut()));
    assert_int_equal(lockstep_cycle(&ls, &in), cases[i].cycle ? OUTCOME_MODEL_ASSERT : OUTCOME_PASS);
    lockstep_close(&ls);
  }
  fake_faults = (fake_faults_t){.writes = NEXT_WRITES_OUTPUTS};
  assert_int_equal(run_profile(1, 0, 1000), OUTCOME_STIM_CRASH);
  assert_string_equal(found.text, "fake_stim.next writes the model's outputs: they are const");
}

/* State outside the struct: the engine calls a model twice from the same struct and compares. */
static void test_static_model(void **state) {
  (void)state;
  fake_faults.static_sum = true;
  assert_int_equal(run_profile(1, 0, 1000), OUTCOME_MODEL_ASSERT);
  assert_non_null(
      strstr(found.text, "the model does not repeat: from the same struct and inputs it gives another sum"));
}

/* A model that says it is idle when it is not misses a step, and diverges. */
static void test_wrong_idle(void **state) {
  (void)state;
  fake_faults.wrong_idle = true;
  assert_int_equal(run_profile(1, 0, 100000), OUTCOME_DIVERGED);
  assert_string_equal(fake_dut()->ports[found.port].name, "sum");
}

/* RTL that refuses its parameters is reported with its own words. */
static void test_refused_parameters(void **state) {
  lockstep_t ls;
  (void)state;
  fake_faults.create_fails = true;
  assert_false(lockstep_open(&ls, fake_dut()));
  assert_int_equal(ls.outcome, OUTCOME_DUT_ASSERT);
  assert_string_equal(ls.text, "fake.sv:3: Bits must be even");
  lockstep_close(&ls);
}

/* Outputs follow from the state: they are there before a cycle is run, and stay when no input
 * comes. */
static void test_moore_outputs_between_cycles(void **state) {
  lockstep_t ls;
  (void)state;
  assert_true(lockstep_open(&ls, fake_dut()));
  fake_in_t in = {.add = 1, .value = 5};
  assert_int_equal(((const fake_out_t *)lockstep_outputs(&ls))->sum, 0);
  assert_int_equal(lockstep_cycle(&ls, &in), OUTCOME_PASS);
  assert_int_equal(((const fake_out_t *)lockstep_outputs(&ls))->sum, 5);
  assert_int_equal(lockstep_cycle(&ls, NULL), OUTCOME_PASS);
  assert_int_equal(((const fake_out_t *)lockstep_outputs(&ls))->sum, 5);
  assert_int_equal(ls.cycle, 2);
  lockstep_close(&ls);
}

/* A pair that is put back goes on as if the ten cycles between had not been: 5 + 5 is 10. */
static void test_snapshots(void **state) {
  lockstep_t ls;
  (void)state;
  assert_true(lockstep_open(&ls, fake_dut()));
  fake_in_t in = {.add = 1, .value = 5};
  lockstep_cycle(&ls, &in);
  lockstep_snapshot_t *snapshot = lockstep_save(&ls);
  for (int i = 0; i < 10; i++) lockstep_cycle(&ls, &in);
  lockstep_restore(&ls, snapshot);
  assert_int_equal(ls.cycle, 1);
  assert_int_equal(lockstep_cycle(&ls, &in), OUTCOME_PASS);
  assert_int_equal(((const fake_out_t *)lockstep_outputs(&ls))->sum, 10);
  lockstep_snapshot_free(&ls, snapshot);
  lockstep_close(&ls);
}

/* --- recording and shrinking */

/* Records the inputs of a run of the fake device. */
static void record_run(trace_t *trace, uint64_t seed, unsigned profile, uint64_t cycles) {
  trace_init(trace, sizeof(fake_in_t));
  assert_true(run_record(fake_dut(), seed, profile, false, cycles, 1 << 30, trace));
}

/* The recorded inputs alone give the same failure in the same cycle. */
static void test_recording_fails_in_the_same_cycle(void **state) {
  lockstep_t ls;
  trace_t trace;
  failure_t now;
  (void)state;
  fake_faults.wrong_sum_after = 77;
  assert_int_equal(run_profile(3, 1, 100000), OUTCOME_DIVERGED);
  record_run(&trace, 3, 1, found.cycle + 1);
  assert_true(lockstep_open(&ls, fake_dut()));
  assert_true(run_cycles(&ls, trace.cycles, 0, trace.count, 0));
  failure_of(&ls, &now);
  assert_true(failure_same(&now, &found));
  assert_int_equal(now.cycle, found.cycle);
  lockstep_close(&ls);
  trace_free(&trace);
}

/* 100000 cycles do not fit into 64 KiB: the recording says no instead of growing. */
static void test_recording_keeps_to_its_memory(void **state) {
  trace_t trace;
  (void)state;
  trace_init(&trace, sizeof(fake_in_t));
  assert_false(run_record(fake_dut(), 1, 0, false, 100000, 1 << 16, &trace));
  trace_free(&trace);
}

/* Records the inputs of a run, and the decisions that made them. */
static void note_run(trace_t *trace, tape_t *tape, uint64_t seed, unsigned profile, uint64_t cycles) {
  trace_init(trace, sizeof(fake_in_t));
  assert_true(run_note(fake_dut(), seed, profile, false, cycles, 1 << 30, trace, tape));
}

/* Records a run until its failure, shrinks it, and returns how many cycles are left. The shrunk
 * run must have the same failure, in its last cycle. */
static size_t shrink_failure(trace_t *trace, shrink_t *stats) {
  lockstep_t ls;
  failure_t before;
  tape_t tape;
  assert_int_not_equal(run_profile(5, 0, 1000000), OUTCOME_PASS);
  before = found;
  note_run(trace, &tape, 5, 0, found.cycle + 1);
  assert_true(lockstep_open(&ls, fake_dut()));
  assert_true(shrink(&ls, &tape, trace, &found, 20, stats));
  tape_free(&tape);
  assert_true(failure_same(&before, &found));
  assert_true(lockstep_power_up(&ls));
  run_cycles(&ls, trace->cycles, 0, trace->count, 0);
  failure_of(&ls, &before);
  assert_true(failure_same(&before, &found));
  assert_int_equal(before.cycle, trace->count - 1);
  lockstep_close(&ls);
  return trace->count;
}

/* With snapshots and without them: only the two values that matter are left, and all else is 0. */
static void test_shrinks_to_what_matters(void **state) {
  trace_t trace;
  shrink_t stats;
  for (int snapshots = 0; snapshots < 2; snapshots++) {
    reset_faults(state);
    fake_faults = (fake_faults_t){.wrong_sum_after = 77, .armed_by = 200, .no_snapshots = !snapshots};
    assert_int_equal(shrink_failure(&trace, &stats), 3); /* 200, then 77, then the wrong sum is seen */
    assert_true(stats.finished);
    const fake_in_t *first = (fake_in_t *)trace.cycles[0].in, *second = (fake_in_t *)trace.cycles[1].in;
    assert_int_equal(first->value, 200);
    assert_int_equal(second->value, 77);
    for (int i = 0; i < 4; i++) assert_int_equal(first->wide[i] | second->wide[i], 0);
    assert_null(trace.cycles[2].in);
    trace_free(&trace);
  }
}

/* Each failure alone is easier to have than the one that was found; none may take its place. */
static void test_shrinking_keeps_to_its_failure(void **state) {
  trace_t trace;
  shrink_t stats;
  (void)state;
  fake_faults = (fake_faults_t){.wrong_sum_after = 77, .armed_by = 200, .wrong_probe_too = true};
  shrink_failure(&trace, &stats);
  trace_free(&trace);
  fake_faults = (fake_faults_t){.dut_assert_on = 9};
  assert_int_equal(shrink_failure(&trace, &stats), 1);
  trace_free(&trace);
  fake_faults = (fake_faults_t){.model_assert_on = 9};
  assert_int_equal(shrink_failure(&trace, &stats), 1);
  trace_free(&trace);
}

/* What a run with these faults is after the inputs of a trace. */
static outcome_t outcome_with(const trace_t *trace, fake_faults_t faults) {
  lockstep_t ls;
  fake_faults = faults;
  assert_true(lockstep_open(&ls, fake_dut()));
  run_cycles(&ls, trace->cycles, 0, trace->count, 0);
  const outcome_t outcome = ls.outcome;
  lockstep_close(&ls);
  return outcome;
}

/* Inputs that the block may not be given show the same as the fault.
 * By inputs the shrinker ends there; by decisions it cannot. */
static void test_shrinking_keeps_to_the_rules(void **state) {
  const fake_faults_t fragile = {.wrong_when_illegal = true},
                      both = {.wrong_sum_after = 77, .armed_by = 201, .wrong_when_illegal = true};
  trace_t trace;
  shrink_t stats;
  lockstep_t ls;
  (void)state;
  fake_stim_rules = true;
  fake_faults = fragile;
  assert_int_equal(run_profile(5, 0, 100000), OUTCOME_PASS);
  fake_faults = both;
  assert_int_equal(shrink_failure(&trace, &stats), 3);
  /* constant after reset */
  assert_int_equal(((fake_in_t *)trace.cycles[0].in)->wide[2], ((fake_in_t *)trace.cycles[1].in)->wide[2]);
  assert_int_equal(outcome_with(&trace, fragile), OUTCOME_PASS);
  trace_free(&trace);
  fake_faults = both;
  assert_int_equal(run_profile(5, 0, 1000000), OUTCOME_DIVERGED);
  record_run(&trace, 5, 0, found.cycle + 1);
  assert_true(lockstep_open(&ls, fake_dut()));
  assert_true(shrink_inputs(&ls, &trace, &found, SHRINK_ANY, 20, &stats));
  lockstep_close(&ls);
  assert_int_equal(trace.count, 2);
  assert_int_equal(outcome_with(&trace, fragile), OUTCOME_DIVERGED);
  trace_free(&trace);
}

/* A recording of a run that holds the rules, with a fault and
 * inputs that are fragile beside it, and the pair that failed. */
static void record_fragile(trace_t *trace, lockstep_t *ls, uint64_t seed) {
  fake_faults = (fake_faults_t){.wrong_sum_after = 77, .armed_by = 201, .wrong_when_illegal = true};
  assert_int_equal(run_profile(seed, 0, 1000000), OUTCOME_DIVERGED);
  record_run(trace, seed, 0, found.cycle + 1);
  assert_true(lockstep_open(ls, fake_dut()));
}

/* Three cycles are left, wide's topmost bits did not change, and a device that only minds broken
 * rules passes. */
static void assert_small_and_legal(const trace_t *trace) {
  assert_int_equal(trace->count, 3);
  assert_int_equal(((fake_in_t *)trace->cycles[0].in)->wide[2], ((fake_in_t *)trace->cycles[1].in)->wide[2]);
  assert_int_equal(outcome_with(trace, (fake_faults_t){.wrong_when_illegal = true}), OUTCOME_PASS);
}

/* By inputs: the rules alone say what is legal, or RTL without the fault does. */
static void test_shrinking_by_rules_or_judge(void **state) {
  shrink_t stats;
  (void)state;
  fake_stim_rules = true;
  for (int told = 0; told < 2; told++) {
    trace_t trace;
    lockstep_t ls, judge;
    fake_stim_tells = told;
    record_fragile(&trace, &ls, 5);
    assert_true(lockstep_open(&judge, fake_dut_repaired()));
    assert_true(shrink_judged(&ls, told ? NULL : &judge, &trace, &found, 20, &stats));
    lockstep_close(&judge);
    lockstep_close(&ls);
    assert_small_and_legal(&trace);
    trace_free(&trace);
  }
}

/* A judge that refuses the recording as it is, rules that the
 * recording breaks, or nobody to ask: nothing is done. */
static void test_shrinking_is_refused(void **state) {
  trace_t trace;
  lockstep_t ls;
  shrink_t stats;
  (void)state;
  fake_stim_rules = true;
  record_fragile(&trace, &ls, 5);
  const size_t whole = trace.count;
  assert_false(shrink_judged(&ls, NULL, &trace, &found, 20, &stats));
  lockstep_t faulty;
  assert_true(lockstep_open(&faulty, fake_dut()));
  assert_false(shrink_judged(&ls, &faulty, &trace, &found, 20, &stats));
  lockstep_close(&faulty);
  fake_stim_tells = true;
  uint64_t *even = trace_copy(&trace, trace.cycles[0].in);
  ((fake_in_t *)even)->add = 1;
  ((fake_in_t *)even)->value = 2;
  trace.cycles[0].in = even;
  assert_false(shrink_judged(&ls, NULL, &trace, &found, 20, &stats));
  assert_int_equal(trace.count, whole);
  lockstep_close(&ls);
  trace_free(&trace);
}

/* Another field of the same port is easier to have wrong than the one that was. */
static void test_shrinking_keeps_to_its_field(void **state) {
  const fake_faults_t high = {.high_after = 77, .armed_by = 200},
                      both = {.high_after = 77, .armed_by = 200, .low_after = 9};
  trace_t trace;
  tape_t tape;
  shrink_t stats;
  failure_t wanted;
  lockstep_t ls;
  uint64_t seed = 0;
  (void)state;
  fake_faults = high;
  assert_int_equal(run_profile(1, 0, 1000000), OUTCOME_DIVERGED);
  wanted = found;
  fake_faults = both;
  do run_profile(++seed, 0, 1000000);
  while (!failure_same(&found, &wanted));
  note_run(&trace, &tape, seed, 0, found.cycle + 1);
  assert_true(lockstep_open(&ls, fake_dut()));
  assert_true(shrink(&ls, &tape, &trace, &found, 20, &stats));
  lockstep_close(&ls);
  assert_true(failure_same(&found, &wanted));
  assert_int_equal(trace.count, 3);
  assert_int_equal(outcome_with(&trace, (fake_faults_t){.low_after = 9}), OUTCOME_PASS);
  tape_free(&tape);
  trace_free(&trace);
}

/* Nothing is known of the rules: nothing but the end goes. Of outside vectors whole cycles may. */
static void test_shrinking_without_decisions(void **state) {
  trace_t trace;
  shrink_t stats;
  lockstep_t ls;
  (void)state;
  fake_faults = (fake_faults_t){.wrong_sum_after = 77, .armed_by = 200};
  assert_int_equal(run_profile(5, 0, 1000000), OUTCOME_DIVERGED);
  record_run(&trace, 5, 0, found.cycle + 20);
  assert_true(lockstep_open(&ls, fake_dut()));
  const size_t needed = found.cycle + 1;
  assert_true(shrink_inputs(&ls, &trace, &found, SHRINK_END, 20, &stats));
  assert_int_equal(trace.count, needed);
  assert_true(shrink_inputs(&ls, &trace, &found, SHRINK_CYCLES, 20, &stats));
  assert_int_equal(trace.count, 3);
  assert_int_not_equal(((fake_in_t *)trace.cycles[0].in)->wide[0], 0);
  lockstep_close(&ls);
  trace_free(&trace);
}

/* With no time at all the shrinker stops, says that it did not finish, and keeps the failure. */
static void test_shrinking_is_bounded(void **state) {
  lockstep_t ls;
  trace_t trace;
  tape_t tape;
  shrink_t stats;
  (void)state;
  fake_faults = (fake_faults_t){.wrong_sum_after = 77, .armed_by = 200};
  assert_int_equal(run_profile(5, 0, 1000000), OUTCOME_DIVERGED);
  note_run(&trace, &tape, 5, 0, found.cycle + 1);
  assert_true(lockstep_open(&ls, fake_dut()));
  assert_true(shrink(&ls, &tape, &trace, &found, 0, &stats));
  assert_false(stats.finished);
  tape_free(&tape);
  lockstep_close(&ls);
  trace_free(&trace);
}

/* A run that passes has no such failure, by decisions or by inputs. */
static void test_what_does_not_fail_is_not_shrunk(void **state) {
  lockstep_t ls;
  trace_t trace;
  tape_t tape;
  shrink_t stats;
  failure_t failure = {.outcome = OUTCOME_DIVERGED, .port = 3};
  (void)state;
  note_run(&trace, &tape, 1, 0, 100);
  assert_true(lockstep_open(&ls, fake_dut()));
  assert_false(shrink(&ls, &tape, &trace, &failure, 5, &stats));
  assert_false(shrink_inputs(&ls, &trace, &failure, SHRINK_ANY, 5, &stats));
  tape_free(&tape);
  lockstep_close(&ls);
  trace_free(&trace);
}

/* --- replay files */

static const char *path = "test_lockstep.replay";
static trouble_t trouble;

/* Writes the recording with a head in which every field differs from its default. */
static replay_t write_replay(const trace_t *trace) {
  replay_t replay = {.block = "fake",
                     .params = "A=1",
                     .profile = "busy",
                     .commit = "0123",
                     .port = "sum",
                     .seed = 7,
                     .differs = 0xfedcba9876543210,
                     .outcome = OUTCOME_DIVERGED};
  assert_true(replay_write(path, &replay, fake_dut(), trace, &trouble));
  return replay;
}

/* Reads the file back; the caller frees the trace in either case. */
static bool read_replay(replay_t *replay, trace_t *trace) {
  trace_init(trace, sizeof(fake_in_t));
  return replay_read(path, replay, fake_dut(), trace, &trouble);
}

/* A cycle without inputs and one with all of them 0 are the same. */
static void assert_same_trace(const trace_t *a, const trace_t *b) {
  static const fake_in_t zero;
  assert_int_equal(a->count, b->count);
  for (size_t i = 0; i < a->count; i++) {
    assert_int_equal(a->cycles[i].reset, b->cycles[i].reset);
    assert_memory_equal(a->cycles[i].in ? (void *)a->cycles[i].in : &zero,
                        b->cycles[i].in ? (void *)b->cycles[i].in : &zero, sizeof zero);
  }
}

/* What is written is read back. 60 cycles are written plain, 7800 are long enough to be
 * compressed. */
static void test_replay_round_trip(void **state) {
  trace_t trace, again;
  replay_t replay, read;
  (void)state;
  for (uint64_t cycles = 60; cycles < 10000; cycles *= 130) { /* plain, and compressed */
    record_run(&trace, 1, 1, cycles);
    replay = write_replay(&trace);
    assert_true(read_replay(&read, &again));
    assert_string_equal(read.block, replay.block);
    assert_string_equal(read.params, replay.params);
    assert_string_equal(read.profile, replay.profile);
    assert_string_equal(read.port, replay.port);
    assert_int_equal(read.seed, replay.seed);
    assert_int_equal(read.differs, replay.differs);
    assert_int_equal(read.outcome, replay.outcome);
    assert_same_trace(&trace, &again);
    trace_free(&trace);
    trace_free(&again);
  }
  unlink(path);
}

/* A folder with the port file of block `fake`. */
static void make_block(const char *folder) {
  char ports[128];
  snprintf(ports, sizeof ports, "%s/fake.ports", folder);
  mkdir(folder, 0777);
  FILE *file = fopen(ports, "w");
  assert_non_null(file);
  fclose(file);
}

static replay_t read_at(const char *file) {
  replay_t read;
  if (!replay_read(file, &read, NULL, NULL, &trouble)) fail_msg("%s", trouble.text);
  return read;
}

/* Paths are found from the file, wherever both were moved; from a copy of the file alone where it
 * was written. A folder without the block's port file is not the block's. An assertion is the same
 * in another folder. */
static void test_replay_moves_with_its_project(void **state) {
  trace_t trace;
  char here[256], wanted[512];
  (void)state;
  mkdir("moved-1", 0777), mkdir("moved-1/out", 0777);
  make_block("moved-1/fake"), make_block("moved-1/try");
  assert_non_null(getcwd(here, sizeof here));
  replay_t replay = {.block = "fake", .outcome = OUTCOME_DUT_ASSERT};
  snprintf(replay.folder, sizeof replay.folder, "%s/moved-1/fake", here);
  snprintf(replay.rtl, sizeof replay.rtl, "%s/moved-1/try", here);
  snprintf(replay.text, sizeof replay.text, "%s/moved-1/fake/fake.sv:11: Assertion failed: never", here);
  record_run(&trace, 1, 1, 60);
  assert_true(replay_write("moved-1/out/x.replay", &replay, fake_dut(), &trace, &trouble));
  assert_true(replay_write("alone.replay", &replay, fake_dut(), &trace, &trouble));
  assert_string_equal(read_at("moved-1/out/x.replay").folder, replay.folder);
  assert_string_equal(read_at("moved-1/out/x.replay").rtl, replay.rtl);
  mkdir("moved-2", 0777), mkdir("moved-2/fake", 0777);
  assert_int_equal(rename("alone.replay", "moved-2/alone.replay"), 0);
  assert_string_equal(read_at("moved-2/alone.replay").folder, replay.folder);
  unlink("moved-2/alone.replay"), rmdir("moved-2/fake"), rmdir("moved-2");
  assert_int_equal(rename("moved-1", "moved-2"), 0);
  const replay_t read = read_at("moved-2/out/x.replay");
  snprintf(wanted, sizeof wanted, "%s/moved-2/fake", here);
  assert_string_equal(read.folder, wanted);
  snprintf(wanted, sizeof wanted, "%s/moved-2/try", here);
  assert_string_equal(read.rtl, wanted);
  failure_t failure = {.outcome = OUTCOME_DUT_ASSERT, .port = -1};
  snprintf(failure.text, sizeof failure.text, "%s/moved-2/fake/fake.sv:11: Assertion failed: never", here);
  assert_true(replay_same(&read, fake_dut(), "rtl", &failure));
  snprintf(failure.text, sizeof failure.text, "%s/moved-2/fake/fake.sv:12: Assertion failed: never", here);
  assert_false(replay_same(&read, fake_dut(), "rtl", &failure));
  unlink("moved-2/out/x.replay"), unlink("moved-2/fake/fake.ports"), unlink("moved-2/try/fake.ports");
  rmdir("moved-2/out"), rmdir("moved-2/fake"), rmdir("moved-2/try"), rmdir("moved-2");
  trace_free(&trace);
}

static size_t file_size(void) {
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  return (size_t)info.st_size;
}

/* However many bytes are missing at its end, the file is refused and named. */
static void test_replay_cut_off_anywhere(void **state) {
  trace_t trace, again;
  replay_t read;
  (void)state;
  record_run(&trace, 1, 1, 60);
  write_replay(&trace);
  for (size_t size = file_size(); size-- > 0;) {
    assert_int_equal(truncate(path, (off_t)size), 0);
    assert_false(read_replay(&read, &again));
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    assert_non_null(strstr(trouble.text, path));
    trace_free(&again);
  }
  trace_free(&trace);
  unlink(path);
}

/* A file of this text is refused as bad input, with words that contain `why`. */
static void expect_text_refused(const char *text, const char *why) {
  trace_t trace;
  replay_t read;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  assert_false(read_replay(&read, &trace));
  assert_int_equal(trouble.kind, TROUBLE_INPUT);
  if (!strstr(trouble.text, why)) fail_msg("'%s' does not say '%s'", trouble.text, why);
  trace_free(&trace);
  unlink(path);
}

/* Each way in which a replay file can be wrong has a message with its line. */
static void test_replay_refuses(void **state) {
  (void)state;
#define HEAD "lockstack-replay 1\nblock fake\noutcome DIVERGED\nport sum\ncycles 3\n"
  expect_text_refused("", ":1: the file is cut off");
  expect_text_refused("hello\n", ":1: not a replay file");
  expect_text_refused("lockstack-replay 0\n", ":1: format version 0; this program reads versions 1 to 6");
  expect_text_refused("lockstack-replay 7\n", "format version 7");
  expect_text_refused("lockstack-replay 4\ndiffers 123\n", ":2: '123' should be a checksum of 16 digits");
  expect_text_refused("lockstack-replay 4\ndiffers 0000000000000000\n", "should be a checksum");
  expect_text_refused("lockstack-replay 1\nblocks fake\n", ":2: unknown key 'blocks'");
  expect_text_refused("lockstack-replay 1\nseed x\n", ":2: 'x' should be a whole number");
  expect_text_refused("lockstack-replay 1\noutcome PASS\n", ":2: 'PASS' should be DIVERGED");
  expect_text_refused("lockstack-replay 1\ncycles 3\n", "no `block` or `folder` line");
  expect_text_refused("lockstack-replay 1\nblock x\ncycles 3\n", "no `outcome` line");
  expect_text_refused("lockstack-replay 1\nblock x\noutcome DIVERGED\ncycles 0\n", "1 to 4294967296 cycles");
  expect_text_refused(HEAD "@0 val=1\n", ":6: block fake has no input 'val'");
  expect_text_refused(HEAD "@0 value=100\n", "value: '100' is over 8 bits");
  expect_text_refused(HEAD "@0 value=xy\n", "value: 'xy' is not hexadecimal");
  expect_text_refused(HEAD "@0 value\n", "'value' should be port=value");
  expect_text_refused(HEAD "@3 value=1\n", "cycle 3 is out of order or past the end");
  expect_text_refused(HEAD "@1 value=1\n@1 value=1\n", ":7: cycle 1 is out of order");
  expect_text_refused(HEAD "@0 value=1\nend crc32=00000000\n", ":7: the checksum is wrong");
#define LONG "lockstack-replay 1\nblock fake\noutcome DIVERGED\nport sum\ncycles 4294967296\n"
  expect_text_refused(LONG "end crc32=00000000\n", ":6: 4294967296 cycles in 93 bytes: at most 17158144 can be");
  expect_text_refused(LONG "@4294967295 value=1\n", ":6: 4294967295 cycles in ");
  expect_text_refused(HEAD "what\n", "`@cycle ...` or `end crc32=...` expected");
}

/* A file that cannot be written is trouble with the environment; a folder that is not there is
 * bad input. */
static void test_replay_full_disk(void **state) {
  trace_t trace;
  replay_t replay = {.block = "fake", .profile = "busy", .outcome = OUTCOME_DIVERGED};
  (void)state;
  record_run(&trace, 1, 0, 4000);
  unlink("full.replay"); /* by a link, so that nothing that goes wrong here can touch the device */
  assert_int_equal(symlink("/dev/full", "full.replay"), 0);
  assert_false(replay_write("full.replay", &replay, fake_dut(), &trace, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_ENVIRONMENT);
  assert_non_null(strstr(trouble.text, "full.replay"));
  unlink("full.replay");
  assert_false(replay_write("/nowhere/x.replay", &replay, fake_dut(), &trace, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_INPUT);
  trace_free(&trace);
}

/* --- vectors, reports, loading */

/* Runs a vector file of this text on the fake device. */
static outcome_t run_vectors(const char *text, vectors_result_t *result) {
  vectors_t vectors;
  lockstep_t ls;
  trace_t trace;
  FILE *file = fopen("test.vectors", "w"), *out = tmpfile();
  assert_true(file && out);
  fputs(text, file);
  fclose(file);
  outcome_t outcome = OUTCOME_BAD_INPUT;
  if (vectors_read(&vectors, "test.vectors", fake_dut()->stim, &trouble)) {
    assert_true(lockstep_open(&ls, fake_dut()));
    trace_init(&trace, sizeof(fake_in_t));
    outcome = vectors_run(&ls, ls.dut->stim, &vectors, "test.vectors", out, &trace, result, &trouble);
    trace_free(&trace);
    lockstep_close(&ls);
  }
  vectors_free(&vectors);
  fclose(out);
  unlink("test.vectors");
  return outcome;
}

/* --- replay files that are offered */

static const replay_t wanted = {
    .block = "fake", .profile = "busy", .port = "sum", .seed = 1, .outcome = OUTCOME_DIVERGED};

/* A recording of what the faults do to `sum`. */
static void record_failing(trace_t *trace) {
  assert_int_equal(run_profile(1, 0, 100000), OUTCOME_DIVERGED);
  assert_string_equal(fake_dut()->ports[found.port].name, "sum");
  record_run(trace, 1, 0, found.cycle + 1);
}

/* Runs the recording again and writes it to `kept`, or to a free name like it, which is then in
 * `kept`. */
static again_t offer_replay(const trace_t *trace, const replay_t *replay, char *kept, size_t size) {
  again_t again;
  assert_true(again_write(&again, kept, size, replay, fake_dut(), trace, &trouble));
  return again;
}

/* The same replay keeps its name, another gets the next number, and a number of which any file
 * is there is passed over: own-3.gtkw takes 3. */
static void test_no_file_takes_anothers_name(void **state) {
  static const char *const names[] = {"own.replay", "own.replay", "own-2.replay", "own-4.replay"};
  trace_t trace;
  replay_t replay = wanted;
  (void)state;
  fake_faults.wrong_sum_after = 77;
  record_failing(&trace);
  fclose(fopen("own-3.gtkw", "w"));
  for (unsigned i = 0; i < 4; i++) {
    char kept[64] = "own.replay";
    replay.seed = i < 2 ? 1 : i; /* the second is the first again */
    assert_int_equal(offer_replay(&trace, &replay, kept, sizeof kept).as, AGAIN_SAME);
    assert_string_equal(kept, names[i]);
  }
  for (unsigned i = 1; i < 4; i++) unlink(names[i]);
  unlink("own-3.gtkw");
  trace_free(&trace);
}

/* A failure that is not seen again is not offered as a file, and the side that does not repeat
 * is named. */
static void expect_no_file(const char *why) {
  trace_t trace;
  char kept[64] = "none.replay";
  record_failing(&trace);
  if (fake_faults.static_resets) run_profile(1, 0, 0); /* the recording was the even one */
  const again_t again = offer_replay(&trace, &wanted, kept, sizeof kept);
  assert_int_equal(again.as, AGAIN_OTHER);
  assert_non_null(strstr(again.why, why));
  assert_int_equal(access("none.replay", F_OK), -1);
  trace_free(&trace);
}

static void test_what_does_not_repeat_is_not_offered(void **state) {
  (void)state;
  fake_faults.static_devices = true;
  fake_faults.wrong_sum_after = 77;
  expect_no_file("the RTL does not repeat");
  fake_faults = (fake_faults_t){.static_resets = true};
  if (run_profile(1, 0, 100) != OUTCOME_PASS)
    run_profile(1, 0, 0); /* the next reset, of the run that fails, is an odd one */
  expect_no_file("the model does not repeat");
}

/* Sums add up over the lines, in hexadecimal: 1, 1 + 2 = 3, 3 + ff = 102. A wrong result is
 * counted, and a failure of the pair is given with its line. */
static void test_vectors(void **state) {
  vectors_result_t result;
  (void)state;
  assert_int_equal(run_vectors("# value sum\n\n1 1\n2 3\nff 102\n", &result), OUTCOME_PASS);
  assert_int_equal(run_vectors("1 1\n2 4\nff 102\n", &result), OUTCOME_DIVERGED);
  assert_int_equal(result.wrong, 1);
  fake_faults.wrong_sum_after = 2;
  run_vectors("1 1\n2 3\nff 102\n", &result);
  assert_int_equal(result.failure.outcome, OUTCOME_DIVERGED);
  assert_int_equal(result.failure_line, 2);
}

/* Too few numbers, too many, no number, one of over 64 bits, and a file without any are refused. */
static void test_vectors_refuse(void **state) {
  vectors_result_t result;
  (void)state;
  assert_int_equal(run_vectors("1 1\n2\n", &result), OUTCOME_BAD_INPUT);
  assert_string_equal(trouble.text, "test.vectors:2: too few numbers; a line is 2 hexadecimal numbers: value sum");
  assert_int_equal(run_vectors("1 1 1\n", &result), OUTCOME_BAD_INPUT);
  assert_int_equal(run_vectors("1 z\n", &result), OUTCOME_BAD_INPUT);
  assert_int_equal(run_vectors("1 11112222333344445\n", &result), OUTCOME_BAD_INPUT);
  assert_int_equal(run_vectors("# nothing\n", &result), OUTCOME_BAD_INPUT);
}

/* After 5 the sum is 5 and probe_count 1. The faults turn probe_count's bit 7 over, so RTL shows
 * 0x81. */
static void test_report(void **state) {
  lockstep_t ls;
  failure_t failure;
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  (void)state;
  fake_faults = (fake_faults_t){.wrong_sum_after = 5, .wrong_probe_too = true};
  assert_true(lockstep_open(&ls, fake_dut()));
  fake_in_t in = {.add = 1, .value = 5};
  lockstep_cycle(&ls, &in);
  lockstep_cycle(&ls, NULL);
  failure_of(&ls, &failure);
  report_failure(out, &ls, &failure);
  fclose(out);
  assert_string_equal(text, "DIVERGED in cycle 1\n  probe probe_count (8 bits)\n    rtl    0x81\n    model  0x01\n"
                            "  also wrong in this cycle: sum\n");
  free(text);
  lockstep_close(&ls);
}

/* A file that is not there, and one that is no object of a block. */
static void test_load_refuses(void **state) {
  const dut_t *dut;
  (void)state;
  assert_false(dut_load("/nowhere.so", &dut, &trouble));
  assert_false(dut_load("/proc/self/exe", &dut, &trouble));
  assert_non_null(strstr(trouble.text, "/proc/self/exe"));
}

#define T(name) cmocka_unit_test_setup(name, reset_faults)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(test_pass),
      T(test_not_compared),
      T(test_diverged_output),
      T(test_probe_is_named_first),
      T(test_last_bit_of_a_wide_port),
      T(test_invalid_fields_do_not_count),
      T(test_dut_assert),
      T(test_model_assert),
      T(test_stuck),
      T(test_what_repeats_itself_is_not_stuck),
      T(test_not_pure),
      T(test_static_model),
      T(test_wrong_idle),
      T(test_refused_parameters),
      T(test_moore_outputs_between_cycles),
      T(test_snapshots),
      T(test_recording_fails_in_the_same_cycle),
      T(test_recording_keeps_to_its_memory),
      T(test_shrinks_to_what_matters),
      T(test_shrinking_keeps_to_its_failure),
      T(test_shrinking_keeps_to_the_rules),
      T(test_shrinking_by_rules_or_judge),
      T(test_shrinking_is_refused),
      T(test_shrinking_keeps_to_its_field),
      T(test_shrinking_without_decisions),
      T(test_shrinking_is_bounded),
      T(test_what_does_not_fail_is_not_shrunk),
      T(test_replay_round_trip),
      T(test_replay_moves_with_its_project),
      T(test_replay_cut_off_anywhere),
      T(test_replay_refuses),
      T(test_replay_full_disk),
      T(test_no_file_takes_anothers_name),
      T(test_what_does_not_repeat_is_not_offered),
      T(test_vectors),
      T(test_vectors_refuse),
      T(test_report),
      T(test_load_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
