/* SPDX-License-Identifier: Apache-2.0
 *
 * What was compared: cycles in which conditions and elements were valid, inputs that change, and
 * the verdict on them. Each verdict fires once.
 */
#include "unit_test.h"

#include "compared.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t add, value;
} in_t;

typedef struct {
  uint64_t ok, sum, lanes, data, probe, tail;
} out_t;

#define PORT(T, name, valid, width, dir, each)                                                                         \
  {                                                                                                                    \
#name, valid, NULL, width, offsetof(T, name), sizeof(((T *)0)->name), dir, DUT_SCALAR, false, 0, #name "_x", 0, 0, \
        each, NULL, 0, false                                                                                           \
  }

static dut_port_t ports[] = {
    PORT(in_t, add, NULL, 1, DUT_IN, NULL),       PORT(in_t, value, "add", 8, DUT_IN, NULL),
    PORT(out_t, ok, NULL, 1, DUT_OUT, NULL),      PORT(out_t, sum, "ok", 8, DUT_OUT, NULL),
    PORT(out_t, lanes, NULL, 3, DUT_OUT, NULL),   PORT(out_t, data, NULL, 24, DUT_OUT, "lanes"),
    PORT(out_t, probe, "ok", 8, DUT_PROBE, NULL), PORT(out_t, tail, NULL, 1, DUT_OUT, NULL),
};
enum { ADD, VALUE, OK, SUM, LANES, DATA, PROBE };

static dut_t dut = {
    .ports = ports, .num_ports = sizeof ports / sizeof *ports, .in_size = sizeof(in_t), .out_size = sizeof(out_t)};
static tally_t tally;

/* Each test counts from nothing, with probes and with nothing declared off. */
static int open_tally(void **state) {
  (void)state;
  dut.no_probes = false;
  ports[OK].off = ports[LANES].off = 0;
  return tally_open(&tally, &dut) ? 0 : 1;
}

static int close_tally(void **state) {
  (void)state;
  tally_close(&tally);
  return 0;
}

/* One cycle with these inputs and outputs; sum, data and probe stay 0. */
static void count_cycle(uint64_t add, uint64_t value, uint64_t ok, uint64_t lanes) {
  const in_t in = {add, value};
  const out_t out = {.ok = ok, .lanes = lanes};
  tally_count(&tally, &in, &out, 0, 1);
}

/* The outputs in this state, as a list. */
static void expect_list(tally_state_t state, const char *wanted) {
  char text[200];
  assert_string_equal(tally_list(&tally, state, text, sizeof text), wanted);
}

/* The inputs that never changed, as a list. */
static void expect_still(const char *wanted) {
  char text[200];
  assert_string_equal(tally_list_still(&tally, text, sizeof text), wanted);
}

/* sum and probe count while ok is 1, data while any of its three lanes is. */
static void outputs_count_while_their_condition_is_true(void **state) {
  (void)state;
  count_cycle(0, 0, 0, 1);
  count_cycle(1, 5, 1, 2);
  count_cycle(1, 6, 1, 4);
  assert_int_equal(tally.cycles, 3);
  assert_int_equal(tally_cycles(&tally, OK), 3);
  assert_int_equal(tally_cycles(&tally, SUM), 2);
  assert_int_equal(tally_cycles(&tally, PROBE), 2);
  assert_int_equal(tally_cycles(&tally, DATA), 3);
  expect_list(TALLY_NEVER, "");
  expect_still("");
  assert_int_equal(compared_outcome(&tally, true), OUTCOME_PASS);
}

/* A batch of cycles lies in one piece of memory, a cycle's inputs and outputs next to each
 * other. It counts as its cycles would, one by one. */
static void a_batch_is_its_cycles(void **state) {
  (void)state;
  struct {
    in_t in;
    out_t out;
  } cycle[3] = {{{0, 0}, {.ok = 1, .lanes = 1}}, {{1, 2}, {.ok = 0, .lanes = 7}}, {{1, 3}, {.ok = 1, .lanes = 0}}};
  tally_count(&tally, &cycle[0].in, &cycle[0].out, sizeof cycle[0], 3);
  assert_int_equal(tally_cycles(&tally, SUM), 2);
  assert_int_equal(tally_cycles(&tally, DATA), 2);
  expect_still("");
}

/* An output that was never valid was never compared; only a strict verdict fails for that. */
static void a_condition_that_was_never_true(void **state) {
  (void)state;
  count_cycle(0, 0, 0, 7);
  count_cycle(1, 1, 0, 7);
  count_cycle(1, 2, 0, 7);
  expect_list(TALLY_NEVER, "sum, probe");
  assert_int_equal(tally_cycles(&tally, SUM), 0);
  assert_int_equal(compared_outcome(&tally, false), OUTCOME_PASS);
  assert_int_equal(compared_outcome(&tally, true), OUTCOME_NOT_COMPARED);
}

/* Lane 1 is never valid, so data[1] was never compared. */
static void an_element_that_was_never_valid(void **state) {
  (void)state;
  count_cycle(0, 0, 1, 1);
  count_cycle(1, 1, 1, 4);
  count_cycle(1, 2, 1, 5);
  expect_list(TALLY_NEVER, "data[1]");
  assert_int_equal(compared_outcome(&tally, true), OUTCOME_NOT_COMPARED);
}

/* Outputs that the port file declares off need no comparison. One that is valid nevertheless is
 * told. */
static void what_is_off_is_no_failure(void **state) {
  (void)state;
  tally_close(&tally);
  ports[OK].off = 1;
  ports[LANES].off = 6;
  assert_true(tally_open(&tally, &dut));
  count_cycle(0, 0, 0, 1);
  count_cycle(1, 1, 0, 1);
  count_cycle(1, 2, 0, 1);
  expect_list(TALLY_OFF, "sum, probe");
  expect_list(TALLY_NEVER, "");
  assert_int_equal(compared_outcome(&tally, true), OUTCOME_PASS);
  assert_null(tally_on(&tally));
  count_cycle(1, 2, 1, 1);
  assert_int_equal(tally_on(&tally)->port, OK);
}

/* Sum counts while ok is 0, data[k] while bit k of lanes is 0, the probe while ok is 1
 * and tail 0; each is told by the qualifier that it has. */
static void qualifiers_of_several_ports(void **state) {
  static const char each[] = "!lanes";
  char text[64];
  (void)state;
  tally_close(&tally);
  ports[SUM].valid = "!ok", ports[DATA].each = each, ports[PROBE].valid = "ok & !tail";
  ports[OK].off = 1;
  assert_true(tally_open(&tally, &dut));
  count_cycle(0, 0, 1, 7);
  expect_list(TALLY_NEVER, "sum, data");
  assert_int_equal(tally_cycles(&tally, SUM), 0);
  count_cycle(0, 0, 0, 5);
  expect_list(TALLY_NEVER, "data[0], data[2]");
  assert_int_equal(tally_cycles(&tally, SUM), 1);
  assert_int_equal(tally_cycles(&tally, DATA), 1);
  count_cycle(0, 0, 0, 2);
  expect_list(TALLY_NEVER, "");
  assert_non_null(tally_on(&tally)); /* ok was 1, also where it is one of several */
  assert_int_equal(tally_on(&tally)->port, OK);
  assert_string_equal(tally_list(&tally, TALLY_OFF, text, sizeof text), "");
  ports[SUM].valid = ports[PROBE].valid = "ok", ports[DATA].each = "lanes";
}

/* An input counts as sent when it changes while its qualifier holds. */
static void inputs_with_an_inverted_qualifier(void **state) {
  (void)state;
  ports[VALUE].valid = "!add";
  tally_close(&tally);
  assert_true(tally_open(&tally, &dut));
  for (int i = 0; i < 3; i++) count_cycle(1, (uint64_t)i, 1, 7);
  expect_still("add, value");
  count_cycle(0, 4, 1, 7);
  count_cycle(0, 5, 1, 7);
  expect_still("");
  ports[VALUE].valid = "add";
}

/* A device without probes cannot compare them, and that is no failure. */
static void a_device_without_probes(void **state) {
  (void)state;
  dut.no_probes = true;
  count_cycle(0, 0, 1, 7);
  count_cycle(1, 1, 1, 7);
  count_cycle(1, 2, 1, 7);
  expect_list(TALLY_ABSENT, "probe");
  assert_int_equal(tally_cycles(&tally, PROBE), 0);
  assert_int_equal(compared_outcome(&tally, true), OUTCOME_PASS);
}

/* A block whose only output is a probe, on a device without probes: no verdict can pass. */
static void nothing_that_could_be_compared(void **state) {
  static const dut_port_t one = PORT(out_t, probe, NULL, 8, DUT_PROBE, NULL);
  const dut_t probes = {.ports = &one, .num_ports = 1, .no_probes = true, .out_size = sizeof(out_t)};
  (void)state;
  tally_close(&tally);
  assert_true(tally_open(&tally, &probes));
  count_cycle(0, 0, 0, 0);
  assert_int_equal(compared_outcome(&tally, false), OUTCOME_NOT_COMPARED);
}

/* Inputs that never change: the strict verdict fails if all of them are still. */
static void a_stimulus_that_sends_nothing(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) count_cycle(0, (uint64_t)i, 1, 7); /* a value that is not valid is not sent */
  expect_still("add, value");
  assert_true(tally_unsent(&tally));
  assert_int_equal(compared_outcome(&tally, false), OUTCOME_PASS);
  assert_int_equal(compared_outcome(&tally, true), OUTCOME_NOT_COMPARED);
  count_cycle(1, 9, 1, 7);
  expect_still("value");
  assert_int_equal(compared_outcome(&tally, true), OUTCOME_PASS);
}

/* Not a single cycle was compared, which fails every verdict. */
static void a_reset_in_every_cycle(void **state) {
  (void)state;
  assert_int_equal(compared_outcome(&tally, false), OUTCOME_NOT_COMPARED);
  expect_list(TALLY_NEVER, "ok, sum, lanes, data, probe, tail");
}

/* A replay must compare the port that failed when it was recorded. */
static void a_replay_that_does_not_compare_its_port(void **state) {
  (void)state;
  count_cycle(1, 1, 0, 7);
  assert_int_equal(compared_again(&tally, "sum"), OUTCOME_NOT_COMPARED);
  assert_int_equal(compared_again(&tally, "ok"), OUTCOME_PASS);
  assert_int_equal(compared_again(&tally, ""), OUTCOME_PASS);
}

/* A list of names ends with "..." behind the last that fits into its text. */
static void lists_end_where_there_is_no_room(void **state) {
  char text[40];
  (void)state;
  assert_string_equal(tally_list(&tally, TALLY_NEVER, text, sizeof text), "ok, sum, lanes, ...");
}

/* The printed lines name what to change: the stimulus or the port file. */
static void lines_for_people(void **state) {
  char *text = NULL;
  size_t size;
  (void)state;
  count_cycle(0, 0, 0, 5);
  count_cycle(0, 0, 0, 5);
  FILE *file = open_memstream(&text, &size);
  compared_print(file, &tally, OUTCOME_NOT_COMPARED, "x_stim.c", "x.ports");
  fclose(file);
  assert_non_null(strstr(text, "never compared: sum, data[1], probe\n"));
  assert_non_null(strstr(text, "never true: ok, lanes. The stimulus (x_stim.c)"));
  assert_non_null(strstr(text, "x.ports should say so: OFF(ok, CONDITION)"));
  assert_non_null(
      strstr(text, "inputs that never changed: add, value\n    these are all: the stimulus (x_stim.c) sends nothing"));
  free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_tally, close_tally)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(outputs_count_while_their_condition_is_true),
      TEST(a_batch_is_its_cycles),
      TEST(a_condition_that_was_never_true),
      TEST(an_element_that_was_never_valid),
      TEST(what_is_off_is_no_failure),
      TEST(qualifiers_of_several_ports),
      TEST(inputs_with_an_inverted_qualifier),
      TEST(a_device_without_probes),
      TEST(nothing_that_could_be_compared),
      TEST(a_stimulus_that_sends_nothing),
      TEST(a_reset_in_every_cycle),
      TEST(a_replay_that_does_not_compare_its_port),
      TEST(lists_end_where_there_is_no_room),
      TEST(lines_for_people),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
