/* SPDX-License-Identifier: Apache-2.0
 *
 * The block of one NSU's credits against the system's NDP buffer manager, on random offload blocks:
 * both give the same grants in the same cycles, and count the same free entries. Then the manager
 * with a wrong instance of the block, which it must notice.
 */
#include "unit_test.h"

#include <string.h>

#include "block_engine.h"
#include "ndp_manager.h"
#include "ofld_credits.h"

enum { TAG = GPU_MAX_WARPS };

static ofld_credits_t block;
static ndp_manager_t manager;

static unsigned random_below(uint64_t *seed, unsigned n) {
  return (unsigned)(test_random(seed) % n);
}

/* How many entries an NSU frees in this cycle: none in two of three cases, never more than it
 * holds. */
static unsigned random_freed(uint64_t *seed, unsigned entries, unsigned left) {
  return random_below(seed, 3) ? 0 : random_below(seed, entries - left + 1);
}

/* One SM, one stack, one NSU, with the entries of the block's parameters. */
static void start_both(void) {
  gpu_config_t config = {.num_sms = 1,
                         .num_stacks = 1,
                         .nsu_cmd_entries = CmdEntries,
                         .nsu_rd_entries = RdEntries,
                         .nsu_wr_entries = WrEntries};
  config.nsu_units[0] = 1;
  ofld_credits_reset(&block);
  assert_int_equal(ndp_manager_init(&manager, &config), 0);
}

/* One cycle on both sides. Returns the tag of this cycle's grant, or -1. */
static int cycle_both(const ofld_credits_in_t *in) {
  ofld_credits_out_t out;
  ndp_request_t granted;
  ofld_credits_eval(&block, in, &out);
  const bool grant = ndp_manager_grant(&manager, 0, &granted);
  assert_int_equal(out.gnt_valid, grant);
  if (grant) assert_int_equal(out.gnt_tag, granted.warp);
  if (in->cr_valid)
    assert_true(ndp_manager_credit(&manager, 0, 0, (unsigned)in->cr_cmd, (unsigned)in->cr_rd, (unsigned)in->cr_wr));
  if (in->req_valid)
    ndp_manager_request(
        &manager, 0,
        (ndp_request_t){.warp = (uint16_t)in->req_tag, .rd = (uint16_t)in->req_rd, .wr = (uint16_t)in->req_wr});
  ofld_credits_step(&block, in);
  assert_int_equal(block.cmd, manager.nsu[0].cmd);
  assert_int_equal(block.rd, manager.nsu[0].rd);
  assert_int_equal(block.wr, manager.nsu[0].wr);
  assert_int_equal(block.count, manager.nsu[0].count);
  assert_false(block.err);
  return grant ? (int)granted.warp : -1;
}

/* 200000 cycles at seven rates of requests and credits. Requests stay below the depth of the
 * queue. */
static void test_same_grants(void **state) {
  uint64_t seed = 3;
  unsigned grants = 0, waits = 0;
  (void)state;
  start_both();
  for (unsigned t = 0; t < 200000; t++) {
    const unsigned rate = 1 + t / 1000 % 7;
    ofld_credits_in_t in = {0};
    in.req_valid = block.count < (Depth)-1 && !random_below(&seed, rate);
    in.req_tag = t % TAG;
    in.req_rd = random_below(&seed, 65);
    in.req_wr = random_below(&seed, 65);
    in.cr_valid = !random_below(&seed, rate);
    in.cr_cmd = random_freed(&seed, CmdEntries, block.cmd);
    in.cr_rd = random_freed(&seed, RdEntries, block.rd);
    in.cr_wr = random_freed(&seed, WrEntries, block.wr);
    const bool grant = cycle_both(&in) >= 0;
    grants += grant;
    waits += !grant && block.count;
  }
  assert_true(grants > 10000 && waits > 10000);
  ndp_manager_deinit(&manager);
}

/* Idle: nothing changes while nothing comes. */
static void test_idle(void **state) {
  const ofld_credits_in_t none = {0};
  ofld_credits_in_t in = {.req_valid = 1, .req_tag = 5, .req_rd = 64};
  (void)state;
  start_both();
  for (unsigned n = 0; n < 4; n++) cycle_both(&in);
  assert_false(ofld_credits_idle(&block));
  cycle_both(&in); /* the fourth takes the last read data entries: this one waits */
  assert_true(ofld_credits_idle(&block));
  ofld_credits_t asleep = block;
  ofld_credits_step(&asleep, &none);
  assert_memory_equal(&asleep, &block, sizeof block);
  assert_int_equal(block.count, 1);
  ndp_manager_deinit(&manager);
}

/* ---- Instances that are wrong: the manager says so, and grants nothing ----------------------- */

static bool open_liar(void *state, const void *context, unsigned instance) {
  (void)instance;
  *(ofld_credits_out_t *)state = *(const ofld_credits_out_t *)context;
  return true;
}

static const void *liars_out(void *state) {
  return state;
}

static void liars_step(void *state, const void *in) {
  (void)state, (void)in;
}

/* The manager's verdict on an instance that always shows `out`, while a block of `rd` read data
 * entries waits and `wr_taken` write entries are in use. An empty `wanted`: no fault. */
static void expect_fault(const ofld_credits_out_t *out, unsigned rd, unsigned wr_taken, const char *wanted) {
  const block_engine_t liar = {.name = "liar",
                               .context = out,
                               .state_size = sizeof *out,
                               .in_words = sizeof(ofld_credits_in_t) / 8,
                               .out_words = sizeof *out / 8,
                               .open = open_liar,
                               .out = liars_out,
                               .step = liars_step};
  trouble_t fault = {0};
  ndp_request_t granted;
  start_both();
  assert_int_equal(ndp_manager_hardware(&manager, (const block_engine_t *const[]){&liar}), 0);
  manager.nsu[0].wr -= wr_taken;
  ndp_manager_request(&manager, 0, (ndp_request_t){.warp = 5, .rd = (uint16_t)rd, .wr = 1});
  ndp_manager_tick(&manager, &fault);
  if (*wanted) {
    assert_int_equal(fault.kind, 1);
    if (!strstr(fault.text, wanted)) fail_msg("'%s'", fault.text);
  } else assert_int_equal(fault.kind, 0);
  assert_int_equal(ndp_manager_grant(&manager, 0, &granted), !*wanted && out->gnt_valid);
  ndp_manager_deinit(&manager);
}

static void test_wrong_instances(void **state) {
  (void)state;
  expect_fault(&(ofld_credits_out_t){.req_ready = 1, .gnt_valid = 1, .gnt_tag = 5}, 3, 0, "");
  expect_fault(&(ofld_credits_out_t){.req_ready = 1}, 3, 0, "");
  expect_fault(&(ofld_credits_out_t){.req_ready = 1, .gnt_valid = 1, .gnt_tag = 6}, 3, 0,
               "grants a block that is not the first of those that wait");
  /* it was not asked */
  expect_fault(&(ofld_credits_out_t){.gnt_valid = 1, .gnt_tag = 5}, 3, 0,
               "grants a block that is not the first of those that wait");
  expect_fault(&(ofld_credits_out_t){.req_ready = 1, .gnt_valid = 1, .gnt_tag = 5}, 3, WrEntries,
               "grants entries that are not free");
  expect_fault(&(ofld_credits_out_t){.req_ready = 1, .err = 1}, 3, 0, "more than there are entries");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_grants), cmocka_unit_test(test_idle),
                                     cmocka_unit_test(test_wrong_instances)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
