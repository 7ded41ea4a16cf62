/* SPDX-License-Identifier: Apache-2.0
 *
 * From a wrong output back to the inputs that decided, on a device of three registers:
 *   if (arm) count <= n, first <= n; else if (count) count <= count - 1;
 *   fire = count == 1 && first < 40; sum <= sum + n
 * What does not decide is not named: count, while first alone keeps fire at 0.
 */
#include "unit_test.h"

#include "slice.h"
#include "state_table.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t arm, n;
} in_t;

typedef struct {
  uint64_t fire, sum;
} out_t;

typedef struct {
  unsigned char count, first, sum;
} regs_t;

static const dut_port_t ports[] = {{.name = "arm", .pin = "arm", .width = 1, .offset = 0, .size = 8, .dir = DUT_IN},
                                   {.name = "n", .pin = "n", .width = 6, .offset = 8, .size = 8, .dir = DUT_IN},
                                   {.name = "fire", .pin = "fire", .width = 1, .offset = 0, .size = 8, .dir = DUT_OUT},
                                   {.name = "sum", .pin = "sum", .width = 8, .offset = 8, .size = 8, .dir = DUT_OUT}};
static const dut_state_t states[] = {{"count", 6, 1}, {"first", 6, 1}, {"sum", 8, 1}};
static regs_t regs;
static in_t now;
static unsigned hidden; /* a state that no register shows */
static bool has_hidden;

static void *create(void) {
  return &regs;
}
static void destroy(void *dev) {
  (void)dev;
}
static void reset(void *dev, const void *in) {
  (void)in;
  memset(dev, 0, sizeof regs);
}
static void set_inputs(void *dev, const void *in) {
  (void)dev, memcpy(&now, in, sizeof now);
}
static bool eval(void *dev) {
  return dev != NULL;
}
static void state_get(void *dev, void *bytes) {
  memcpy(bytes, dev, sizeof regs);
}
static void state_set(void *dev, const void *bytes) {
  memcpy(dev, bytes, sizeof regs);
}

static void get_outputs(void *dev, void *out) {
  const regs_t *r = dev;
  *(out_t *)out = (out_t){r->count == 1 && r->first < 40, r->sum};
}

static bool step(void *dev) {
  regs_t *r = dev;
  if (now.arm) r->count = r->first = (unsigned char)now.n;
  else if (r->count) r->count--;
  r->sum = (unsigned char)(r->sum + now.n + (has_hidden ? hidden++ : 0));
  return true;
}

static const dut_t dut = {.ports = ports,
                          .num_ports = 4,
                          .in_size = sizeof(in_t),
                          .out_size = sizeof(out_t),
                          .states = states,
                          .num_states = 3,
                          .state_size = sizeof(regs_t),
                          .create = create,
                          .destroy = destroy,
                          .reset = reset,
                          .set_inputs = set_inputs,
                          .eval = eval,
                          .step = step,
                          .get_outputs = get_outputs,
                          .state_get = state_get,
                          .state_set = state_set};
static const char lines[] = "count fuse.sv:12,15\nfirst fuse.sv:13\nsum fuse.sv:20\n";
static trace_t trace;

static void add(uint64_t arm, uint64_t n) {
  assert_true(trace_add(&trace, &(in_t){arm, n}));
}

/* The slice of the output `port` in the last cycle, all bits of it, as it is printed. */
static void expect(unsigned port, const char *wanted) {
  const out_t wrong = {1, 0xff};
  char *text = NULL;
  size_t size;
  slice_t slice;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  slice_find(&slice, &dut, lines, &trace, &ports[port], &wrong, 5);
  slice_print(out, &slice);
  slice_free(&slice);
  fclose(out);
  assert_string_equal(text, wanted);
  free(text);
}

static int begin(void **state) {
  (void)state;
  trace_free(&trace);
  trace_init(&trace, sizeof(in_t));
  has_hidden = false;
  return 0;
}

/* In the last cycle all counts, also that nothing was armed; before it, of `first`, which holds its
 * value, only the cycle in which it got it. */
static void test_the_register_that_decides(void **state) {
  (void)state;
  add(0, 7), add(1, 44);
  for (int i = 0; i < 43; i++) add(0, 0);
  add(0, 0);
  expect(2, "    register first  cycles 2-45  0x2c  fuse.sv:13\n"
            "    input    arm    cycle 1      0x1\n"
            "    input    n      cycle 1      0x2c\n"
            "    input    arm    cycle 44     0x0\n");
}

/* In cycle 1 `sum` keeps its value. */
static void test_a_chain_ends_at_the_reset(void **state) {
  (void)state;
  add(0, 3), add(0, 0), add(0, 5), add(0, 0);
  expect(3, "    register sum  cycles 0-3  0x00 to 0x08  fuse.sv:20\n"
            "    input    n    cycle 2     0x05\n"
            "    input    n    cycle 0     0x03\n"
            "    and what a reset has set\n");
  assert_true(trace_add_reset(&trace, NULL));
  add(0, 1), add(0, 0);
  expect(3, "    register sum  cycles 5-6  0x00 to 0x01  fuse.sv:20\n"
            "    input    n    cycle 5     0x01\n"
            "    and what a reset has set\n");
}

static void test_what_cannot_be_followed(void **state) {
  (void)state;
  add(0, 1), add(0, 1), add(0, 1);
  has_hidden = true;
  expect(3, "    not followed through registers: the RTL has state that is in no register\n");
}

static void test_lines_of_a_register(void **state) {
  char where[64];
  (void)state;
  assert_true(state_lines(lines, "first", where, sizeof where));
  assert_string_equal(where, "fuse.sv:13");
  assert_false(state_lines(lines, "firs", where, sizeof where));
  assert_false(state_lines(lines, "last", where, sizeof where));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_the_register_that_decides, begin),
                                     cmocka_unit_test_setup(test_a_chain_ends_at_the_reset, begin),
                                     cmocka_unit_test_setup(test_what_cannot_be_followed, begin),
                                     cmocka_unit_test(test_lines_of_a_register)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  trace_free(&trace);
  return failed;
}
