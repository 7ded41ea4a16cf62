/* SPDX-License-Identifier: Apache-2.0
 *
 * The queue before an instance of ofld_score, with an engine that is the test's: what goes in, in
 * which cycle, and who may go.
 */
#include "offload_score.h"

#include <string.h>

#include "block_engine.h"
#include "ofld_score_ports.h"
#include "unit_test.h"

/* The engine's outputs, and the inputs of its last cycle. */
static ofld_score_out_t says;
static ofld_score_in_t got;
static trouble_t fault;
static offload_score_t s;

static bool score_open(void *state, const void *context, unsigned instance) {
  (void)state, (void)context, (void)instance;
  return true;
}

static const void *score_out(void *state) {
  (void)state;
  return &says;
}

static void score_step(void *state, const void *in) {
  (void)state;
  got = *(const ofld_score_in_t *)in;
}

static const block_engine_t engine = {
    .name = "test", .state_size = 8, .open = score_open, .out = score_out, .step = score_step};
static const block_engine_t *const engines[] = {&engine};

/* All blocks are allowed at first. */
static int open_queue(void **state) {
  (void)state;
  says = (ofld_score_out_t){.allow = UINT64_MAX};
  return offload_score_init(&s, engines);
}

/* Fails if there was a fault. */
static int close_queue(void **state) {
  (void)state;
  offload_score_deinit(&s);
  return fault.kind;
}

static void tick_queue(bool epoch_end) {
  offload_score_tick(&s, epoch_end, &fault);
}

/* One measure a cycle. Misses are reads less hits: 9 - 4. */
static void test_in_order(void **state) {
  (void)state;
  offload_score_add(&s,
                    &(offload_measure_t){.block = 3, .stores = 1, .regs = 2, .rdf = 9, .hits = 4, .hit_bytes = 576});
  offload_score_add(&s, &(offload_measure_t){.block = 63, .stores = 64, .regs = 14, .rdf = 2048, .hits = 0});
  tick_queue(true);
  const ofld_score_in_t first = {.epoch_end = 1,
                                 .upd_valid = 1,
                                 .upd_block = 3,
                                 .upd_stores = 1,
                                 .upd_regs = 2,
                                 .upd_misses = 5,
                                 .upd_hit_bytes = 576};
  assert_memory_equal(&got, &first, sizeof first);
  tick_queue(false);
  const ofld_score_in_t second = {
      .upd_valid = 1, .upd_block = 63, .upd_stores = 64, .upd_regs = 14, .upd_misses = 2048};
  assert_memory_equal(&got, &second, sizeof second);
  tick_queue(false);
  assert_int_equal(got.upd_valid, 0);
}

/* What finds no room is lost, of blocks in order; what has none is not even asked for. */
static void test_full(void **state) {
  (void)state;
  tick_queue(false);
  for (unsigned i = 0; i < OFFLOAD_MEASURES + 5; i++)
    offload_score_add(&s, &(offload_measure_t){.block = i % 64, .rdf = i});
  offload_score_add(&s, &(offload_measure_t){.block = 64});
  for (unsigned i = 0; i < OFFLOAD_MEASURES; i++) {
    tick_queue(false);
    assert_int_equal(got.upd_valid, 1);
    assert_int_equal(got.upd_misses, i);
    if (i == 0) offload_score_add(&s, &(offload_measure_t){.block = 1, .rdf = 99}); /* the place that is free now */
  }
  tick_queue(false);
  assert_int_equal(got.upd_misses, 99);
  tick_queue(false);
  assert_int_equal(got.upd_valid, 0);
}

/* A bit for each of 64 blocks, as it was in the last cycle; blocks from 64 on have none. */
static void test_allow(void **state) {
  (void)state;
  says.allow = ~(UINT64_C(1) << 5 | UINT64_C(1) << 63);
  assert_true(offload_score_allows(&s, 5));
  tick_queue(false);
  assert_false(offload_score_allows(&s, 5));
  assert_false(offload_score_allows(&s, 63));
  assert_true(offload_score_allows(&s, 62));
  assert_true(offload_score_allows(&s, 64) && offload_score_allows(&s, 69)); /* without an entry */
}

/* Another module: from then on all blocks may go, what waits is
 * of other blocks, and so is what the instance still says. */
static void test_clear(void **state) {
  (void)state;
  says.allow = 0;
  tick_queue(false);
  offload_score_add(&s, &(offload_measure_t){.block = 3, .rdf = 9});
  offload_score_clear(&s);
  assert_true(offload_score_allows(&s, 3));
  tick_queue(false);
  assert_int_equal(got.clear, 1);
  assert_int_equal(got.upd_valid, 0);
  assert_true(offload_score_allows(&s, 3));
  says.allow = 8;
  tick_queue(false);
  assert_int_equal(got.clear, 0);
  assert_int_equal(got.upd_valid, 0);
  assert_true(offload_score_allows(&s, 3));
  assert_false(offload_score_allows(&s, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_in_order, open_queue, close_queue),
                                     cmocka_unit_test_setup_teardown(test_full, open_queue, close_queue),
                                     cmocka_unit_test_setup_teardown(test_allow, open_queue, close_queue),
                                     cmocka_unit_test_setup_teardown(test_clear, open_queue, close_queue)};
  return cmocka_run_group_tests_name("offload_score", tests, NULL, NULL);
}
