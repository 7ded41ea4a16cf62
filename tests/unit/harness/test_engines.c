/* SPDX-License-Identifier: Apache-2.0
 *
 * Engines of a machine's instances, here of the block lsu_ext: a model, RTL and lockstep side by
 * side. Inputs that nothing looks at neither reach the RTL nor the record, constant inputs cost no
 * record, and an object other than the one that the machine was compiled for is refused.
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "engines.h"

static const places_t places = {LOCKSTACK_SOURCE_DIR, LOCKSTACK_BINARY_DIR "/dut"};
static const engine_t each[] = {ENGINE_MODEL, ENGINE_RTL, ENGINE_LOCKSTEP};
static const engines_lane_t lanes[] = {{"dn_beat", "dn_valid", false},
                                       {"rf_rd_data", "rf_rd_valid", true},
                                       {"sm_rdata", "sm_req", true},
                                       {NULL, NULL, false}};
enum { COUNT = 3, IN_WORDS = 256 };

typedef struct {
  engines_t *engines;
  void *state[COUNT];
  uint64_t in[IN_WORDS];
} rig_t;

/* Three instances of lsu_ext, each with the engine that `each` has for it. */
static engines_config_t make_configuration(void) {
  return (engines_config_t){
      .block = "lsu_ext", .constant = "nbu_id", .lanes = lanes, .places = &places, .engine = each, .count = COUNT};
}

/* Opens one instance for each engine of `each`. */
static void start_rig_with(rig_t *rig, engines_config_t config) {
  trouble_t trouble = {0};
  memset(rig, 0, sizeof *rig);
  if (!engines_open(&rig->engines, &config, &trouble)) fail_msg("%s", trouble.text);
  for (unsigned k = 0; k < COUNT; k++) {
    const block_engine_t *e = engines_table(rig->engines)[k];
    assert_true(e->in_words <= IN_WORDS);
    rig->state[k] = aligned_alloc(64, (e->state_size + 63) / 64 * 64);
    memset(rig->state[k], 0, e->state_size);
    assert_true(e->open(rig->state[k], e->context, k));
  }
}

/* Opens the three instances of make_configuration(). */
static void start_rig(rig_t *rig) {
  start_rig_with(rig, make_configuration());
}

/* Closes the instances, then the engines. */
static void finish_rig(rig_t *rig) {
  for (unsigned k = 0; k < COUNT; k++) {
    const block_engine_t *e = engines_table(rig->engines)[k];
    if (e->close) e->close(rig->state[k]);
    free(rig->state[k]);
  }
  engines_close(rig->engines);
}

/* Where this port lies in the inputs. */
static uint64_t *input_field(rig_t *rig, const char *port) {
  const block_engine_t *e = engines_table(rig->engines)[0];
  int at = e->place(e->context, port);
  assert_true(at >= 0);
  return rig->in + at;
}

/* All instances show the same outputs. */
static void same_outputs(rig_t *rig) {
  const block_engine_t *const *e = engines_table(rig->engines);
  for (unsigned k = 1; k < COUNT; k++)
    assert_memory_equal(e[k]->out(rig->state[k]), e[0]->out(rig->state[0]), 8 * e[0]->out_words);
}

/* One cycle of all three; none may fail. */
static void step_all(rig_t *rig) {
  const block_engine_t *const *e = engines_table(rig->engines);
  same_outputs(rig);
  for (unsigned k = 0; k < COUNT; k++) {
    e[k]->step(rig->state[k], rig->in);
    const char *failed = e[k]->failed ? e[k]->failed(rig->state[k]) : NULL;
    if (failed) fail_msg("%s: %s", e[k]->name, failed);
  }
}

/* The report of instance k, after the RTL has caught up with the model. */
static engines_report_t report_of(rig_t *rig, unsigned k) {
  engines_report_t report;
  engines_settle(rig->engines);
  engines_report(rig->engines, k, &report);
  return report;
}

/* Random words on a port. */
static void scribble(rig_t *rig, const char *port, unsigned words, uint64_t *seed) {
  for (unsigned w = 0; w < words; w++) input_field(rig, port)[w] = test_random(seed);
}

/* 100 cycles with noise on data that no valid signal covers: nothing is recorded. Then a grant
 * that nobody asked for: the RTL asserts, and the record begins. */
static void what_does_not_count(void **state) {
  (void)state;
  rig_t rig;
  uint64_t seed = 1;
  start_rig(&rig);
  *input_field(&rig, "nbu_id") = 3;
  for (unsigned c = 0; c < 100; c++) {
    scribble(&rig, "dn_beat", 2, &seed);
    scribble(&rig, "mr_data", 4, &seed);
    scribble(&rig, "rf_rd_data", 16, &seed);
    scribble(&rig, "sm_rdata", 16, &seed);
    *input_field(&rig, "mr_tag") = c & 7;
    step_all(&rig);
  }
  const engines_report_t before = report_of(&rig, 2);
  assert_int_equal(before.engine, ENGINE_LOCKSTEP);
  assert_int_equal(before.compared, 100);
  assert_int_equal(before.recorded, 0);
  assert_int_equal(report_of(&rig, 0).cycles, 0);
  assert_int_equal(report_of(&rig, 1).cycles, 100);
  assert_int_equal(engines_divergences(rig.engines), 0);
  assert_true(engines_table(rig.engines)[0]->idle(rig.state[0]));
  assert_null(engines_table(rig.engines)[2]->idle);

  *input_field(&rig, "sm_gnt") = 1; /* that counts, and nobody has asked for it: an assertion of the RTL */
  for (unsigned k = 0; k < COUNT; k++) engines_table(rig.engines)[k]->step(rig.state[k], rig.in);
  const engines_report_t after = report_of(&rig, 2);
  assert_true(after.recorded > 0 && after.diverged);
  assert_int_equal(after.first_cycle, 100);
  assert_non_null(strstr(after.first, "DUT_ASSERT"));
  assert_int_equal(engines_divergences(rig.engines), 1);
  assert_non_null(strstr(engines_table(rig.engines)[1]->failed(rig.state[1]), "Assertion failed"));
  finish_rig(&rig);
}

/* Settling between two cycles changes nothing, before or after outputs were asked for. */
static void settled_at_any_time(void **state) {
  (void)state;
  rig_t rig;
  uint64_t seed = 5;
  start_rig_with(&rig, (engines_config_t){.block = "tom_busy", .places = &places, .engine = each, .count = COUNT});
  *input_field(&rig, "limit") = 50;
  for (unsigned c = 0; c < 5000; c++) {
    *input_field(&rig, "tx_flits") = test_random(&seed) & 0xdb6;
    step_all(&rig);
    if (c % 7 == 0) same_outputs(&rig);
    if (c % 3) continue;
    engines_settle(rig.engines);
    if (c % 2) same_outputs(&rig);
  }
  engines_settle(rig.engines);
  if (engines_divergences(rig.engines)) fail_msg("%s", report_of(&rig, 2).first);
  assert_int_equal(report_of(&rig, 2).compared, 5000);
  finish_rig(&rig);
}

/* The machine is refused with this kind of trouble and a line that contains `why`. */
static void expect_engines_refused(engines_config_t config, trouble_kind_t kind, const char *why) {
  engines_t *engines;
  trouble_t trouble = {0};
  assert_false(engines_open(&engines, &config, &trouble));
  assert_int_equal(trouble.kind, kind);
  assert_null(engines);
  if (!strstr(trouble.text, why) || strchr(trouble.text, '\n')) fail_msg("'%s', not '%s'", trouble.text, why);
}

/* Other ports than those that the machine knows, a block that does not exist, a wrong parameter. */
static void misfits(void **state) {
  (void)state;
  static const engines_lane_t unknown[] = {{"dn_beat", "dn_valit", false}, {NULL, NULL, false}};
  static const engines_lane_t backwards[] = {{"dn_beat", "dn_valid", true}, {NULL, NULL, false}};
  engines_config_t c = make_configuration();
  c.in_size = 8;
  expect_engines_refused(c, TROUBLE_ENVIRONMENT, "not the lsu_ext that the machine was compiled for: other ports");
  c = make_configuration(), c.constant = "up_valid"; /* an output */
  expect_engines_refused(c, TROUBLE_ENVIRONMENT, "other ports");
  c = make_configuration(), c.lanes = unknown;
  expect_engines_refused(c, TROUBLE_ENVIRONMENT, "other ports");
  c = make_configuration(), c.lanes = backwards;
  expect_engines_refused(c, TROUBLE_ENVIRONMENT, "other ports");
  c = make_configuration(), c.block = "lsu_exd";
  expect_engines_refused(c, TROUBLE_INPUT, "lsu_exd");
  c = make_configuration(), strcpy(c.params, "NoSuch=1");
  expect_engines_refused(c, TROUBLE_INPUT, "NoSuch");
}

/* A block whose outputs follow its inputs at once is no part of a machine that asks for outputs
 * first. */
static void mealy(void **state) {
  (void)state;
  engines_config_t c = {.block = "arb_rr", .places = &places, .engine = each, .count = 1};
  expect_engines_refused(c, TROUBLE_ENVIRONMENT, "outputs that depend on inputs at once");
}

/* ---- Firmware of the machine's own ---- */

/* The firmware's state is a number: its instance and the context, to which each step adds its
 * input. */
static bool soft_open(void *state, const void *context, unsigned instance) {
  *(unsigned *)state = instance + *(const unsigned *)context;
  return true;
}

static void soft_step(void *state, const void *in) {
  *(unsigned *)state += *(const unsigned *)in;
}

static unsigned discarded;

/* Counts how often the firmware is discarded. */
static void soft_discard(const block_engine_t *own) {
  assert_string_equal(own->name, "soft");
  discarded++;
}

/* Firmware is the machine's own functions, called directly, next to instances that are models.
 * It needs no object, and nothing is compared. It is discarded exactly once. */
static void firmware(void **state) {
  static const engine_t engine[] = {ENGINE_FIRMWARE, ENGINE_MODEL, ENGINE_FIRMWARE}, soft[] = {ENGINE_FIRMWARE};
  static const unsigned context = 40;
  const block_engine_t own = {
      .name = "soft", .context = &context, .state_size = sizeof(unsigned), .open = soft_open, .step = soft_step};
  engines_config_t c = make_configuration();
  engines_t *engines;
  engines_report_t report;
  trouble_t trouble = {0};
  (void)state;
  c.engine = engine, c.firmware = &own, c.discard = soft_discard;
  if (!engines_open(&engines, &c, &trouble)) fail_msg("%s", trouble.text);
  unsigned unit = 0, in = 5;
  const block_engine_t *e = engines_table(engines)[2];
  assert_string_equal(e->name, "soft");
  assert_string_equal(engines_table(engines)[1]->name, "model");
  assert_true(e->open(&unit, e->context, 2));
  e->step(&unit, &in);
  assert_int_equal(unit, 47);
  engines_settle(engines);
  engines_report(engines, 2, &report);
  assert_int_equal(report.engine, ENGINE_FIRMWARE);
  assert_false(report.diverged);
  assert_int_equal(report.cycles + report.compared + engines_divergences(engines), 0);
  engines_report(engines, 1, &report);
  assert_int_equal(report.engine, ENGINE_MODEL);
  assert_int_equal(discarded, 0);
  engines_close(engines);
  assert_int_equal(discarded, 1);

  c.block = "no_such_block"; /* of the instance that is a model */
  expect_engines_refused(c, TROUBLE_INPUT, "no_such_block");
  assert_int_equal(discarded, 2);
  c.engine = soft, c.count = 1;
  assert_true(engines_build(&c, &trouble));
  engines_discard(&c);
  assert_int_equal(discarded, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_does_not_count), cmocka_unit_test(settled_at_any_time),
                                     cmocka_unit_test(misfits), cmocka_unit_test(mealy), cmocka_unit_test(firmware)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
