/* SPDX-License-Identifier: Apache-2.0
 *
 * The manager of NSUs' entries with instances that are the test's: what they are asked and given
 * back, in which cycle, and what is made of their grants. Two stacks of one and of two NSUs.
 */
#include "ndp_manager.h"

#include <string.h>

#include "block_engine.h"
#include "ofld_credits_ports.h"
#include "unit_test.h"

/* RD, WR: entries of an NSU; it has two commands. */
enum { NSUS = 3, RD = 20, WR = 12 };

/* ---- An ofld_credits that says what the test wants ------------------------------------------- */

typedef struct {
  unsigned number;
} state_t;

/* Of each instance: its outputs, the inputs of its last
 * cycle, its cycles. refused_at: who cannot be opened. */
static ofld_credits_out_t says[NSUS];
static ofld_credits_in_t got[NSUS];
static unsigned steps[NSUS], open_now, refused_at;

/* Each instance is opened with its own number. */
static bool credits_open(void *state, const void *context, unsigned instance) {
  assert_int_equal(instance, (unsigned)(uintptr_t)context);
  ((state_t *)state)->number = (unsigned)(uintptr_t)context;
  if (((state_t *)state)->number == refused_at) return false;
  open_now++;
  return true;
}

static const void *credits_out(void *state) {
  return &says[((state_t *)state)->number];
}

static void credits_step(void *state, const void *in) {
  const unsigned n = ((state_t *)state)->number;
  got[n] = *(const ofld_credits_in_t *)in;
  steps[n]++;
}

static void credits_close(void *state) {
  (void)state;
  open_now--;
}

#define ENGINE(number)                                                                                                 \
  {                                                                                                                    \
    .name = "test", .context = (const void *)(uintptr_t)(number), .state_size = sizeof(state_t), .open = credits_open, \
    .out = credits_out, .step = credits_step, .close = credits_close                                                   \
  }
static const block_engine_t engine[NSUS] = {ENGINE(0), ENGINE(1), ENGINE(2)};
static const block_engine_t *const engines[NSUS] = {&engine[0], &engine[1], &engine[2]};

/* ---- A manager ------------------------------------------------------------------------------- */

static gpu_config_t config;
static ndp_manager_t m;
static trouble_t fault;

/* Before each test: stack 0 has NSU 0, stack 1 has NSUs 1 and 2. All instances are ready. */
static int open_manager(void **state) {
  (void)state;
  config = gpu_config_default();
  config.num_sms = 3;
  config.num_stacks = 2;
  memset(config.nsu_units, 0, sizeof config.nsu_units);
  config.nsu_units[0] = 1;
  config.nsu_units[1] = 5; /* units 0 and 2 */
  config.nsu_cmd_entries = 2, config.nsu_rd_entries = RD, config.nsu_wr_entries = WR;
  memset(says, 0, sizeof says), memset(got, 0, sizeof got), memset(steps, 0, sizeof steps);
  for (unsigned n = 0; n < NSUS; n++) says[n].req_ready = 1;
  fault = (trouble_t){0};
  refused_at = NSUS;
  return ndp_manager_init(&m, &config) || ndp_manager_hardware(&m, engines);
}

/* Fails if an instance is still open. */
static int close_manager(void **state) {
  (void)state;
  ndp_manager_deinit(&m);
  return (int)open_now;
}

/* A warp's block asks for so many entries. */
static void request_entries(unsigned stack, unsigned sm, unsigned warp, unsigned rd, unsigned wr) {
  ndp_manager_request(
      &m, stack, (ndp_request_t){.sm = (uint8_t)sm, .warp = (uint8_t)warp, .rd = (uint16_t)rd, .wr = (uint16_t)wr});
}

/* A cycle; `got` of instances that had none of it is zero. */
static void tick_manager(void) {
  memset(got, 0, sizeof got);
  ndp_manager_tick(&m, &fault);
}

/* How a warp is named to the hardware. */
static unsigned warp_tag(unsigned sm, unsigned warp) {
  return sm * GPU_MAX_WARPS + warp;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* The second one refuses; the first is closed again. */
static void test_an_instance_that_cannot_be_had(void **state) {
  (void)state;
  ndp_manager_t other;
  refused_at = 1;
  assert_int_equal(open_now, NSUS);
  assert_int_equal(ndp_manager_init(&other, &config), 0);
  assert_int_equal(ndp_manager_hardware(&other, engines), -1);
  assert_int_equal(open_now, NSUS + 1); /* that of the first NSU */
  ndp_manager_deinit(&other);
  assert_int_equal(open_now, NSUS);
}

/* One request a cycle, in order, to the instance of its NSU; none while
 * it takes none. An NSU of which nothing is asked has no cycles. */
static void test_asked(void **state) {
  (void)state;
  request_entries(0, 1, 7, 3, 0);
  request_entries(0, 2, 40, 0, 4);
  says[0].req_ready = 0;
  tick_manager();
  assert_int_equal(got[0].req_valid, 0);
  says[0].req_ready = 1;
  tick_manager();
  assert_true(got[0].req_valid && got[0].req_tag == warp_tag(1, 7) && got[0].req_rd == 3 && got[0].req_wr == 0 &&
              !got[0].cr_valid);
  tick_manager();
  assert_true(got[0].req_valid && got[0].req_tag == warp_tag(2, 40) && got[0].req_rd == 0 && got[0].req_wr == 4);
  tick_manager();
  assert_int_equal(got[0].req_valid, 0);
  assert_int_equal(steps[0], 4);
  assert_true(!steps[1] && !steps[2]);
  assert_int_equal(fault.kind, 0);
}

/* Only who is granted may begin, in that cycle and once; its entries
 * are gone until they are given back, all of a cycle together. */
static void test_granted(void **state) {
  (void)state;
  ndp_request_t r;
  request_entries(0, 1, 7, 3, 2);
  request_entries(0, 2, 40, 0, 4);
  tick_manager();
  assert_false(ndp_manager_grant(&m, 0, &r));
  says[0].gnt_valid = 1, says[0].gnt_tag = warp_tag(1, 7);
  tick_manager();
  assert_true(ndp_manager_grant(&m, 0, &r));
  assert_true(r.sm == 1 && r.warp == 7 && r.rd == 3);
  assert_false(ndp_manager_grant(&m, 0, &r));
  says[0].gnt_valid = 0;
  tick_manager();
  assert_false(ndp_manager_grant(&m, 0, &r));
  says[0].gnt_valid = 1, says[0].gnt_tag = warp_tag(2, 40);
  tick_manager();
  assert_true(ndp_manager_grant(&m, 0, &r));
  assert_int_equal(r.warp, 40);
  says[0].gnt_valid = 0;
  assert_true(ndp_manager_credit(&m, 0, 0, 1, 2, 1) && ndp_manager_credit(&m, 0, 0, 1, 1, 3));
  assert_false(ndp_manager_credit(&m, 0, 0, 1, 0, 0)); /* more than there are */
  assert_false(ndp_manager_credit(&m, 0, 1, 0, 0, 0)); /* no such NSU */
  assert_false(ndp_manager_credit(&m, 1, 2, 0, 1, 0));
  tick_manager();
  assert_true(got[0].cr_valid && got[0].cr_cmd == 2 && got[0].cr_rd == 3 && got[0].cr_wr == 4 && !got[0].req_valid);
  const unsigned before = steps[0];
  tick_manager(); /* nothing waits, nothing came: the instance needs no cycle */
  assert_int_equal(steps[0], before);
  assert_int_equal(fault.kind, 0);
}

/* NSUs of one stack: the one with least to do. */
static void test_two_of_a_stack(void **state) {
  (void)state;
  request_entries(1, 0, 1, 1, 1);
  request_entries(1, 0, 2, 1, 1);
  request_entries(1, 0, 3, 1, 1);
  assert_int_equal(ndp_manager_unit(&m, 0, 1), 0);
  assert_int_equal(ndp_manager_unit(&m, 0, 2), 2);
  assert_int_equal(ndp_manager_unit(&m, 0, 3), 0);
  tick_manager();
  assert_true(got[1].req_tag == warp_tag(0, 1) && got[2].req_tag == warp_tag(0, 2) && !got[0].req_valid);
}

/* A fault of the hardware (kind 1); it is forgotten then. */
static void expect_fault(const char *text) {
  assert_int_equal(fault.kind, 1);
  if (!strstr(fault.text, text)) fail_msg("'%s' does not say '%s'", fault.text, text);
  fault = (trouble_t){0};
}

/* Who is not first, what is not free, and an instance that says itself that it is wrong. */
static void test_wrong_grants(void **state) {
  (void)state;
  ndp_request_t r;
  request_entries(1, 0, 1, RD, 1);
  request_entries(1, 0, 2, 1, 1);
  request_entries(1, 0, 3, 1, 1); /* behind the first one */
  tick_manager(), tick_manager();
  says[1].gnt_valid = 1, says[1].gnt_tag = warp_tag(0, 3);
  tick_manager();
  expect_fault("stack 1 grants a block that is not the first");
  assert_false(ndp_manager_grant(&m, 1, &r));

  says[1].gnt_tag = warp_tag(0, 1);
  tick_manager();
  assert_int_equal(fault.kind, 0);
  assert_true(ndp_manager_grant(&m, 1, &r));
  request_entries(1, 2, 9, 0, 0); /* to the other one, which has less to do */
  says[1].gnt_tag = warp_tag(0, 3);
  tick_manager();
  expect_fault("stack 1 grants entries that are not free"); /* the first has all RD */
  assert_false(ndp_manager_grant(&m, 1, &r));
  says[1].gnt_valid = 0;

  says[2].gnt_valid = 1, says[2].gnt_tag = warp_tag(2, 9); /* whom it has, but not first */
  tick_manager();
  expect_fault("not the first");
  says[2].gnt_valid = 0, says[2].err = 1;
  tick_manager();
  expect_fault("more than there are entries");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_manager, close_manager)
  const struct CMUnitTest tests[] = {TEST(test_an_instance_that_cannot_be_had), TEST(test_asked), TEST(test_granted),
                                     TEST(test_two_of_a_stack), TEST(test_wrong_grants)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
