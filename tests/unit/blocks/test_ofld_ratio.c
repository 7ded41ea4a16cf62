/* SPDX-License-Identifier: Apache-2.0
 *
 * The offload ratio's controller against a second reading of Algorithm 1 of the NSU paper, here in
 * per cent and with the history as text: on machines worked out by hand, and on many random epochs.
 * An epoch has two cycles. CMakeLists.txt builds the test also with MoveBy 1, which always moves by
 * 5 %.
 */
#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "ofld_ratio.h"
#include "ratio_machines.h"

/* --- The paper's words */

typedef struct {
  int ratio, step, dir; /* per cent */
  char history[8];      /* Y: changed */
  bool first;
  unsigned long before;
} reading_t;

/* The state before the first epoch: ratio 10 %, step 15 %, upwards. */
static reading_t begin_reading(void) {
  return (reading_t){.ratio = 10, .step = 15, .dir = 1, .first = true};
}

/* The algorithm at the end of an epoch. A lower IPC turns the direction. More than two such
 * changes in the last four epochs make the step smaller by 5, otherwise it grows by 5 (5 to 15).
 * A move out of 0 to 100 % turns the direction instead. */
static void read_epoch(reading_t *r, unsigned long ipc) {
  const unsigned long before = r->before;
  r->before = ipc;
  if (r->first) {
    r->first = false;
    return;
  }
  if (ipc < before) r->dir *= -1;
  strcat(r->history, ipc < before ? "Y" : "n");
  if (strlen(r->history) > 4) memmove(r->history, r->history + 1, 5);
  unsigned changes = 0;
  for (const char *h = r->history; *h; h++) changes += *h == 'Y';
  if (changes > 4 / 2 && 5 < r->step) r->step -= 5;
  else if (r->step < 15) r->step += 5;
  const int moved = r->ratio + r->dir * ((MoveBy) ? 5 : r->step);
  if (moved < 0 || moved > 100) r->dir *= -1;
  else r->ratio = moved;
}

/* --- The model */

static ofld_ratio_t model;
static ofld_ratio_out_t out;

/* One cycle of the model. If it is idle and no input comes, the step must not change it. */
static void model_cycle(unsigned run, unsigned instrs) {
  const ofld_ratio_in_t in = {.run = run, .done_valid = instrs != 0, .done_instrs = instrs};
  if (!run && !instrs && ofld_ratio_idle(&model)) {
    ofld_ratio_t asleep = model;
    ofld_ratio_step(&asleep, &in);
    assert_memory_equal(&asleep, &model, sizeof model);
  }
  ofld_ratio_step(&model, &in);
  ofld_ratio_eval(&model, &in, &out);
}

/* An epoch of two cycles with these instructions, and two idle ones to see what came of it. */
static void run_epoch(unsigned instrs) {
  model_cycle(1, instrs / 2);
  model_cycle(0, 0);
  model_cycle(1, instrs - instrs / 2);
  assert_int_equal(out.epoch_end, 0);
  model_cycle(0, 0);
  assert_int_equal(out.epoch_end, 1);
}

/* Model and reading agree. The model counts in 5 %, and its threshold is ratio / 20 of 2^32,
 * rounded down. */
static void expect_same(const reading_t *r) {
  unsigned history = 0;
  for (const char *h = r->history; *h; h++) history = history << 1 | (*h == 'Y');
  assert_int_equal(out.ratio * 5, r->ratio);
  assert_int_equal(out.probe_step * 5, r->step);
  assert_int_equal(out.probe_up, r->dir > 0);
  assert_int_equal(out.probe_history, history);
  assert_true(out.threshold * 20 <= (uint64_t)out.ratio << 32 && (out.threshold + 1) * 20 > (uint64_t)out.ratio << 32);
}

/* --- Machines */

/* Machines of ratio_machines.def: each epoch's IPC follows from the ratio. The ratios there are
 * by hand. */
static void test_traces(void **state) {
  (void)state;
  for (unsigned m = 0; m < RATIO_MACHINES; m++) {
    reading_t r = begin_reading();
    ofld_ratio_reset(&model);
    memset(&out, 0, sizeof out);
    out.ratio = 2;
    for (unsigned e = 0; e < ratio_machines[m].epochs; e++) {
      const unsigned ipc = ratio_machines[m].instructions((unsigned)out.ratio, e);
      run_epoch(ipc);
      read_epoch(&r, ipc);
      expect_same(&r);
      if (!(MoveBy)) assert_int_equal(out.ratio, ratio_machines[m].ratio[e]);
    }
  }
}

/* 100000 epochs of an IPC that drifts; each of the 21 ratios must occur. */
static void test_epochs(void **state) {
  uint64_t seed = 1;
  reading_t r = begin_reading();
  unsigned at[21] = {0}, instrs = 1000;
  (void)state;
  ofld_ratio_reset(&model);
  for (unsigned e = 0; e < 100000; e++) {
    instrs = ratio_machine_drifts(&seed, e, instrs);
    run_epoch(instrs);
    read_epoch(&r, instrs);
    expect_same(&r);
    at[out.ratio]++;
  }
  for (unsigned i = 0; i <= 20; i++) assert_true(at[i] > 0);
}

/* The reading can tell a wrong ratio from a right one. */
static void test_fires(void **state) {
  reading_t r = begin_reading();
  (void)state;
  ofld_ratio_reset(&model);
  for (unsigned e = 0; e < 3; e++) {
    run_epoch(10 + e);
    read_epoch(&r, 10 - e);
  }
  assert_int_not_equal(out.ratio * 5, r.ratio);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_traces), cmocka_unit_test(test_epochs),
                                     cmocka_unit_test(test_fires)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
