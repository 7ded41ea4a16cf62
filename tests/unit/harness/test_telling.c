/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cycles of a failure a report shows, what it says of the others, and why a recording did not
 * become smaller.
 */
#include "unit_test.h"

#include "shrunk_report.h"
#include "telling.h"

#include <stdlib.h>
#include <string.h>

static const dut_port_t ports[] = {{.name = "go", .width = 1, .offset = 0, .size = 8, .dir = DUT_IN},
                                   {.name = "value", .width = 8, .offset = 8, .size = 8, .dir = DUT_IN}};
static const dut_t dut = {.ports = ports, .num_ports = 2, .in_size = 16};
static trace_t trace;

/* Cycles by a letter each: r a reset, . idle, a digit the value with `go`. */
static void record(const char *cycles) {
  trace_free(&trace);
  trace_init(&trace, dut.in_size);
  for (const char *c = cycles; *c; c++) {
    const uint64_t in[2] = {*c != '.', *c == '.' ? 0 : (uint64_t)(*c - '0')};
    assert_true(*c == 'r' ? trace_add_reset(&trace, NULL) : trace_add(&trace, in));
  }
}

/* The shown cycles as x, the others as a blank. */
static void expect_shown(const char *cycles, const char *wanted) {
  char got[128] = "";
  record(cycles);
  bool *shown = telling_choose(&dut, &trace);
  assert_non_null(shown);
  for (size_t i = 0; i < trace.count; i++) got[i] = shown[i] ? 'x' : ' ';
  free(shown);
  assert_string_equal(got, wanted);
}

static void test_cycles_that_bring_something(void **state) {
  (void)state;
  expect_shown("5.....3.", "x     x ");
  expect_shown("r..7", "x  x");
  expect_shown("5555555.", "x     x ");
  expect_shown("1234567891234567", "xxxxxxxxxxxxxxxx");
  expect_shown("12345678912345678", "         xxxxxxxx");
}

static void expect_between(const char *cycles, size_t from, size_t to, const char *wanted) {
  char text[TELLING_TEXT];
  record(cycles);
  assert_string_equal(telling_between(&dut, &trace, from, to, text), wanted);
}

static void test_cycles_between(void **state) {
  (void)state;
  expect_between("5.....3.", 1, 6, "5 idle cycles");
  expect_between("5.3", 1, 2, "1 idle cycle");
  expect_between("53", 1, 1, "");
  expect_between("5555555.", 1, 6, "5 cycles with the inputs of the one before");
  expect_between("1234..", 0, 5, "5 cycles, 1 of them idle");
  expect_between("1234", 0, 4, "4 cycles with other inputs");
}

static void expect_line(const shrunk_t *shrunk, const char *wanted) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  shrunk_report(out, shrunk);
  fclose(out);
  assert_string_equal(text, wanted);
  free(text);
}

static void test_why_it_is_not_smaller(void **state) {
  (void)state;
  shrink_t s = {
      .cycles_before = 9, .busy_before = 8, .cycles_after = 2, .busy_after = 1, .finished = true, .passed = 7};
  expect_line(&(shrunk_t){.stats = &s}, "  shrunk from 9 cycles (8 with inputs) to 2 (1)\n");
  s = (shrink_t){9, 9, 8, 8, .tried = 12, .passed = 9, .other = 1, .illegal = 2, .finished = true};
#define SAME "  shrunk from 9 cycles (8 with inputs) to 9 (8)"
  expect_line(&(shrunk_t){.stats = &s}, SAME ": of 12 smaller ones 9 do not fail, 1 fails otherwise, 2 break the rules "
                                             "of the inputs\n");
  expect_line(&(shrunk_t){.stats = &s, .free_cycles = 3},
              SAME ": of 12 smaller ones 9 do not fail, 1 fails otherwise, 2 break the rules of the inputs; the "
                   "stimulus answers to outputs: inputs that it would not make fail after 3 cycles\n");
  s.finished = false;
  expect_line(&(shrunk_t){.stats = &s},
              SAME "; time was over after 12 attempts, more --shrink-seconds may give less\n");
  s = (shrink_t){1, 1, 0, 0, .finished = true};
  expect_line(&(shrunk_t){.stats = &s}, "  shrunk from 1 cycles (0 with inputs) to 1 (0): it fails without inputs\n");
  expect_line(&(shrunk_t){.stats = &s, .unsteady = "the model does not repeat"},
              "  not shrunk: the model does not repeat\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cycles_that_bring_something),
                                     cmocka_unit_test(test_cycles_between),
                                     cmocka_unit_test(test_why_it_is_not_smaller)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  trace_free(&trace);
  return failed;
}
