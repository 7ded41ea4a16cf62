/* SPDX-License-Identifier: Apache-2.0
 *
 * Counted toggles: names of nets as OpenSTA has them, sums over devices and windows, runs of any
 * length, and the way through a pipe.
 */
#include "unit_test.h"

#include "toggles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIGNAL(scope, name, ranged, right, step, width, first) \
  { scope, name, -1, ranged, right, step, width, first }

/* The name of this bit of the signal. */
static void check_name(const char *expected, dut_signal_t signal, unsigned bit) {
  char *name = toggles_name(&signal, bit);
  assert_non_null(name);
  assert_string_equal(name, expected);
  free(name);
}

/* Instances are joined by /, ranges count from their right bound, and special characters are
 * escaped. */
static void nets_have_openstas_names(void **state) {
  (void)state;
  check_name("_0123_", (dut_signal_t)SIGNAL("TOP fifo ", "_0123_", false, 0, 1, 1, 0), 0);
  check_name("i_rx/i_move/count[3]", (dut_signal_t)SIGNAL("TOP fifo i_rx i_move ", "count", true, 0, 1, 4, 0), 3);
  check_name("count[0]", (dut_signal_t)SIGNAL("TOP fifo ", "count", true, 3, -1, 4, 0), 3);
  check_name("count[5]", (dut_signal_t)SIGNAL("TOP fifo ", "count", true, 4, 1, 4, 0), 1);
  check_name("count[-2]", (dut_signal_t)SIGNAL("TOP fifo ", "count", true, -2, 1, 4, 0), 0);
  check_name("one[0]", (dut_signal_t)SIGNAL("TOP fifo ", "one", true, 0, 1, 1, 0), 0);
  check_name("i_x.genblk1\\[2\\].y", (dut_signal_t)SIGNAL("TOP fifo ", "i_x.genblk1[2].y", false, 0, 1, 1, 0), 0);
  check_name("i_x.genblk1\\[2\\].y[7]", (dut_signal_t)SIGNAL("TOP fifo ", "i_x.genblk1[2].y", true, 0, 1, 8, 0), 7);
  check_name("g\\[1\\].i_part/a\\/b\\\\c$d",
             (dut_signal_t)SIGNAL("TOP fifo g[1].i_part ", "a/b\\c$d", false, 0, 1, 1, 0), 0);
  assert_null(toggles_name(&(dut_signal_t)SIGNAL("TOP ", "clk_i", false, 0, 1, 1, 0), 0));
}

/* A device of two counts, the second one of two names. */
static const dut_signal_t signals[] = {
    SIGNAL("TOP ", "clk_i", false, 0, 1, 1, 0), SIGNAL("TOP b ", "q", true, 0, 1, 2, 0),
    SIGNAL("TOP b i_a ", "y", false, 0, 1, 1, 1), SIGNAL("TOP b ", "g[2].a/b\\c", false, 0, 1, 1, 1)};

/* The device's signals, as dut.h asks for them. */
static unsigned all_signals(const dut_signal_t **table) {
  *table = signals;
  return 4;
}

/* How many counts the device has. */
static uint32_t two_counts(void *dev) {
  (void)dev;
  return 2;
}

/* The counts of a device that has run 2 n cycles, two of them in reset. */
static void take_counts(void *dev, dut_count_t *counts, dut_counted_t *counted) {
  const uint32_t n = *(const uint32_t *)dev;
  counts[0] = (dut_count_t){n, n, 2 * n, n};
  counts[1] = (dut_count_t){1, 0, n, n / 2};
  *counted = (dut_counted_t){2 * n, 2};
}

/* Two windows, the second of two devices: sums over all, by window, by net; and the CSV. A
 * device of n = 10 runs 20 cycles, two of n = 5 run 10 each. q[0] rises and falls 10 + 5 + 5
 * times; the other three nets rise once each time. So all nets toggle 40 + 9 = 49 times, in the
 * second window 20 + 6 = 26 times, over 4 nets and 40 or 20 cycles. */
static void counts_are_summed(void **state) {
  (void)state;
  const dut_t dut = {.signals = all_signals, .num_counts = two_counts, .take_counts = take_counts};
  toggles_t t;
  uint32_t n = 10;
  assert_true(toggles_open(&t, 3));
  assert_true(toggles_take(&t, &dut, &n, 0));
  n = 5;
  assert_true(toggles_take(&t, &dut, &n, 1));
  assert_true(toggles_take(&t, &dut, &n, 1)); /* the next profile begins within the window */
  assert_int_equal(t.num_nets, 4);
  assert_int_equal(t.cycles, 40), assert_int_equal(t.in_reset, 6);
  assert_int_equal(t.windows[0].cycles, 20), assert_int_equal(t.windows[1].cycles, 20),
      assert_int_equal(t.windows[2].cycles, 0);
  const toggles_net_t *q0 = toggles_find(&t, "q[0]"), *q1 = toggles_find(&t, "q[1]"), *y = toggles_find(&t, "i_a/y");
  assert_true(q0 && q1 && y && !toggles_find(&t, "clk_i") && !toggles_find(&t, "q"));
  const toggles_net_t *odd = toggles_find(&t, "g\\[2\\].a\\/b\\\\c");
  assert_true(odd && toggles_find_shown(&t, "g[2].a/b\\\\c") == odd && toggles_find_shown(&t, "q[1]") == q1 &&
              !toggles_find_shown(&t, "q"));
  assert_int_equal(q1->count, y->count), assert_int_not_equal(q0->count, q1->count);
  assert_int_equal(t.all[q0->count].rises, 20), assert_int_equal(t.all[q0->count].falls, 20),
      assert_int_equal(t.all[q0->count].high, 40);
  assert_int_equal(t.all[y->count].rises, 3), assert_int_equal(t.all[y->count].falls, 0),
      assert_int_equal(t.all[y->count].high, 20);
  assert_int_equal(t.windows[1].toggles[q0->count], 20);
  assert_int_equal(t.windows[1].toggles[y->count], 2), assert_null(t.windows[2].toggles);
  assert_float_equal(toggles_mean(&t, -1), 49. / 4 / 40, 1e-12);
  assert_float_equal(toggles_mean(&t, 1), 26. / 4 / 20, 1e-12);
  assert_float_equal(toggles_mean(&t, 2), 0, 0);
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  toggles_csv(&t, to);
  fclose(to);
  assert_string_equal(
      text,
      "net,rises,falls,high,edges\ng\\[2\\].a\\/b\\\\c,3,0,0.250000,9\ni_a/y,3,0,0.250000,9\nq[0],20,20,0.500000,20\n"
      "q[1],3,0,0.250000,9\n");
  free(text);
  toggles_close(&t);
}

/* Windows of a run of any length: of `length` cycles
 * each, the last one shorter; their sum is the run. */
static void check_run(const toggles_t *t, uint64_t cycles, unsigned windows, uint64_t length) {
  uint64_t sum = 0, toggles = 0;
  const toggles_net_t *q0 = toggles_find(t, "q[0]");
  assert_int_equal(t->num_windows, windows);
  for (unsigned i = 0; i < windows; i++) {
    if (i + 1 < windows) assert_int_equal(t->windows[i].cycles, length);
    sum += t->windows[i].cycles, toggles += t->windows[i].toggles[q0->count];
  }
  assert_int_equal(sum, cycles), assert_int_equal(t->cycles, cycles);
  assert_int_equal(toggles, t->all[q0->count].rises + t->all[q0->count].falls), assert_int_equal(toggles, cycles);
}

/* As long as it says, `calls` times, and `more` (counted by twos) for the last window. */
static void make_run(toggles_t *t, unsigned calls, uint32_t more) {
  const dut_t dut = {.signals = all_signals, .num_counts = two_counts, .take_counts = take_counts};
  uint32_t n = 32;
  assert_true(toggles_open_run(t));
  for (unsigned i = 0; i < calls; i++) n = (uint32_t)toggles_next(t, &dut, &n) / 2;
  n = more;
  assert_true(toggles_end(t, &dut, &n));
}

/* Windows double their length when there are 100 of them: 64 cycles each, then 128, and so on.
 * After 100 windows of 64 there are 50 of 128 and the last one. */
static void run_of_any_length(void **state) {
  (void)state;
  toggles_t t;
  make_run(&t, 2, 0), check_run(&t, 128, 2, 64), toggles_close(&t);
  make_run(&t, 99, 5), check_run(&t, 99 * 64 + 10, 100, 64), toggles_close(&t);
  make_run(&t, 100, 5), check_run(&t, 100 * 64 + 10, 51, 128), toggles_close(&t);
  make_run(&t, 1000, 1), check_run(&t, (UINT64_C(6400) << 18) + 2, 51, 128 << 18), toggles_close(&t);
}

/* What comes out of a pipe is what went in. */
static void through_a_pipe(void **state) {
  (void)state;
  toggles_t t, other;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  make_run(&t, 3, 7);
  assert_true(toggles_put(&t, ends[1]));
  assert_true(toggles_get(&other, ends[0]));
  assert_int_equal(other.num_nets, t.num_nets), assert_int_equal(other.in_reset, t.in_reset);
  check_run(&other, 3 * 64 + 14, 4, 64);
  for (unsigned i = 0; i < t.num_nets; i++) {
    assert_string_equal(other.nets[i].name, t.nets[i].name), assert_string_equal(other.nets[i].shown, t.nets[i].shown);
    assert_int_equal(other.nets[i].count, t.nets[i].count);
    assert_ptr_equal(toggles_find_shown(&other, t.nets[i].shown),
                     &other.nets[toggles_find_shown(&t, t.nets[i].shown) - t.nets]);
    assert_memory_equal(&other.all[t.nets[i].count], &t.all[t.nets[i].count], sizeof *t.all);
  }
  close(ends[1]); /* nothing is no run */
  toggles_close(&other);
  assert_false(toggles_get(&other, ends[0]));
  toggles_close(&other), toggles_close(&t), close(ends[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nets_have_openstas_names), cmocka_unit_test(counts_are_summed),
                                     cmocka_unit_test(run_of_any_length), cmocka_unit_test(through_a_pipe)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
