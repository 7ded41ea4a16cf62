/* SPDX-License-Identifier: Apache-2.0
 *
 * One instance of a block in a system, with a fake device that adds: assertions of the RTL are
 * noticed, what came in is recorded and found again, and the system goes on with the model after a
 * difference.
 */
#include "device_call.h"
#include "guard.h"
#include "instance.h"
#include "unit_test.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* in: 0 the value that is added, 1 constant; out: the sum. */
typedef struct {
  uint64_t add, constant;
} in_t;

typedef struct {
  uint64_t sum;
} model_t;

static bool eval_holds = true, step_holds = true;
static uint64_t breaks_at; /* the device adds one too many when its sum is that */

/* The fake model: its state is the sum. */
static void model_reset(void *model, const void *in) {
  (void)in;
  ((model_t *)model)->sum = 0;
}

static enum { NOWHERE, IN_EVAL, IN_STEP } crashes; /* the model, when its sum is 6 */
static dut_assert_t handler;
static void *handler_context;

/* What guard.h does for a signal: tells the handler, which does not return. */
static void crash_at_six(const void *model, const char *text) {
  if (((const model_t *)model)->sum == 6) handler(handler_context, NULL, 0, text);
}

/* The output is the sum of the cycles before. */
static void model_eval(const void *model, const void *in, void *out) {
  if (crashes == IN_EVAL) crash_at_six(model, "fake_eval: SIGFPE, a test");
  (void)in, *(uint64_t *)out = ((const model_t *)model)->sum;
}

/* Adds the cycle's input. */
static void model_step(void *model, const void *in) {
  if (crashes == IN_STEP) crash_at_six(model, "fake_step: SIGSEGV, a test");
  ((model_t *)model)->sum += ((const in_t *)in)->add;
}

/* The model may sleep whenever its inputs are quiet. */
static bool model_idle(const void *model) {
  return (void)model, true;
}
static void on_model_assert(dut_assert_t with, void *context) {
  handler = with, handler_context = context;
}
static void canonical(void *out) {
  (void)out;
}

static struct {
  model_t state;
  in_t in;
} device;

/* The fake device has the same state, and is only one: instances are opened one after the other. */
static void *create(void) {
  return memset(&device, 0, sizeof device);
}
static void destroy(void *dev) {
  (void)dev;
}
static void reset(void *dev, const void *in) {
  (void)in;
  (void)dev, device.state.sum = 0;
}
static void set_inputs(void *dev, const void *in) {
  (void)dev, memcpy(&device.in, in, sizeof device.in);
}

/* A loop without an end in the device's own code. */
static volatile sig_atomic_t hangs;

static bool eval(void *dev) {
  while (hangs) continue;
  return (void)dev, eval_holds;
}
static bool matches(void *dev, const void *out) {
  return (void)dev, *(const uint64_t *)out == device.state.sum;
}
static void get_outputs(void *dev, void *out) {
  (void)dev, *(uint64_t *)out = device.state.sum;
}
static const char *failure(void *dev) {
  return (void)dev, eval_holds && step_holds ? NULL : "nsu.sv:7: assertion failed";
}

/* The device's clock edge; at breaks_at it adds one too many. */
static bool step(void *dev) {
  (void)dev;
  bool breaks = breaks_at && device.state.sum == breaks_at && device.in.add;
  device.state.sum += device.in.add + breaks;
  return step_holds;
}

static const dut_port_t ports[] = {
    {"add", NULL, NULL, 64, 0, 8, DUT_IN, DUT_SCALAR, false, 0, "add_i", 0, 0, NULL, NULL, 0, false},
    {"constant", NULL, NULL, 64, 8, 8, DUT_IN, DUT_SCALAR, false, 0, "constant_i", 0, 0, NULL, NULL, 0, false},
    {"sum", NULL, NULL, 64, 0, 8, DUT_OUT, DUT_SCALAR, false, 0, "sum_o", 0, 0, NULL, NULL, 0, false}};

static const dut_t fake = {.version = DUT_VERSION,
                           .block = "fake",
                           .kind = "rtl",
                           .ports = ports,
                           .num_ports = 3,
                           .in_size = 16,
                           .out_size = 8,
                           .model_size = sizeof(model_t),
                           .model_reset = model_reset,
                           .model_eval = model_eval,
                           .model_step = model_step,
                           .model_idle = model_idle,
                           .on_model_assert = on_model_assert,
                           .canonical = canonical,
                           .create = create,
                           .destroy = destroy,
                           .reset = reset,
                           .set_inputs = set_inputs,
                           .eval = eval,
                           .matches = matches,
                           .get_outputs = get_outputs,
                           .step = step,
                           .failure = failure};

static const in_t quiet = {.constant = 9};

/* One cycle of an instance of RTL, with these results of the device; returns the failure. */
static const char *one_cycle(bool eval_result, bool step_result) {
  instance_t core;
  in_t in = quiet;
  uint64_t out = 7;
  eval_holds = step_holds = true;
  assert_true(instance_open(&core, &fake, ENGINE_RTL, &quiet));
  eval_holds = eval_result, step_holds = step_result;
  const char *failed = instance_cycle(&core, &in, &out);
  assert_int_equal(out, 0);
  assert_int_equal(core.cycles, 1);
  assert_false(instance_idle(&core));
  instance_close(&core);
  eval_holds = step_holds = true;
  return failed;
}

/* An assertion in eval or in step ends the instance with its text. */
static void rtl_assertion(void **state) {
  (void)state;
  assert_null(one_cycle(true, true));
  assert_string_equal(one_cycle(false, true), "nsu.sv:7: assertion failed");
  assert_string_equal(one_cycle(true, false), "nsu.sv:7: assertion failed");
}

/* Each engine gives the same outputs, whether a cycle is one call or split in step and outputs. */
static void engines_agree(void **state) {
  (void)state;
  breaks_at = 0;
  for (unsigned e = ENGINE_MODEL; e <= ENGINE_LOCKSTEP; e++) {
    for (unsigned split = 0; split < 2; split++) {
      instance_t i;
      uint64_t out, sum = 0, seed = 3;
      assert_true(instance_open(&i, &fake, (engine_t)e, &quiet));
      for (unsigned c = 0; c < 1000; c++) {
        in_t in = {test_random(&seed) % 3, 9};
        if (split) {
          assert_null(instance_step(&i, &in));
          assert_int_equal(*(const uint64_t *)instance_outputs(&i), sum + in.add);
        } else {
          assert_null(instance_cycle(&i, &in, &out));
          assert_int_equal(out, sum);
        }
        sum += in.add;
      }
      instance_settle(&i);
      assert_false(i.diverged);
      assert_int_equal(instance_idle(&i), e == ENGINE_MODEL);
      if (e == ENGINE_LOCKSTEP) assert_int_equal(i.compared, 1000);
      instance_close(&i);
    }
  }
}

/* A difference is found in its cycle, outputs stay the model's, and the recording alone shows it
 * again. */
static void divergence(void **state) {
  (void)state;
  char path[64] = "test_instance.replay";
  breaks_at = 6;
  for (unsigned split = 0; split < 2; split++) {
    instance_t i;
    char text[600];
    uint64_t out;
    assert_true(instance_open(&i, &fake, ENGINE_LOCKSTEP, &quiet));
    for (unsigned c = 0; c < 5000; c++) { /* adds 2 in every 200th cycle: the sum is 6 before cycle 600, wrong in 601 */
      in_t in = {c % 200 ? 0 : 2, 9};
      if (split) {
        assert_null(instance_step(&i, &in));
        assert_int_equal(*(const uint64_t *)instance_outputs(&i), 2 * (c / 200 + 1));
      } else {
        assert_null(instance_cycle(&i, &in, &out));
        assert_int_equal(out, 2 * ((c + 199) / 200));
      }
    }
    instance_settle(&i);
    assert_true(i.diverged);
    assert_int_equal(instance_first_cycle(&i), 601);
    instance_first(&i, text, sizeof text);
    assert_string_equal(text, "DIVERGED sum");
    trouble_t trouble;
    if (!instance_capture(&i, path, sizeof path, &(capture_t){.shrink_seconds = 1, .params = "Width=3"}, &trouble))
      fail_msg("%s", trouble.text);
    instance_close(&i);
  }
  breaks_at = 0;
}

/* A model that crashes is noticed in its cycle. The RTL goes on in its place without a cycle
 * more or less, and the recording alone shows the crash again. */
static void model_crash(void **state) {
  (void)state;
  char path[64] = "test_instance_crash.replay";
  for (unsigned where = IN_EVAL; where <= IN_STEP; where++) {
    for (unsigned split = 0; split < 2; split++) {
      instance_t i;
      char text[600];
      uint64_t out, sum = 0;
      crashes = where;
      assert_true(instance_open(&i, &fake, ENGINE_LOCKSTEP, &quiet));
      /* the sum is 6 from cycle 401 on; asleep, its step is first called in 600 */
      for (unsigned c = 0; c < 5000; c++) {
        in_t in = {c % 200 ? 0 : 2, 9};
        if (split) assert_null(instance_step(&i, &in));
        else assert_null(instance_cycle(&i, &in, &out));
        if (!split) assert_int_equal(out, sum);
        sum += in.add;
        if (split) assert_int_equal(*(const uint64_t *)instance_outputs(&i), sum);
      }
      instance_settle(&i);
      assert_true(i.diverged);
      assert_int_equal(instance_first_cycle(&i), where == IN_EVAL ? 401 : 600);
      instance_first(&i, text, sizeof text);
      assert_string_equal(text, where == IN_EVAL ? "MODEL_CRASH fake_eval: SIGFPE, a test"
                                                 : "MODEL_CRASH fake_step: SIGSEGV, a test");
      trouble_t trouble;
      if (!instance_capture(&i, path, sizeof path, &(capture_t){.shrink_seconds = 1}, &trouble))
        fail_msg("%s", trouble.text);
      instance_close(&i);
    }
  }
  crashes = NOWHERE;
}

static jmp_buf out_of_run;
static char last_line[256];
static int last_code;

/* Called in place of ending the program: notes what would be printed and jumps out of the run. */
static void note_end(void *context, int exit_code, const char *line) {
  (void)context;
  snprintf(last_line, sizeof last_line, "%s", line);
  last_code = exit_code;
  longjmp(out_of_run, 1);
}

/* Without RTL next to it a crash of the model ends the run, with one line and code 1. */
static void model_crash_alone(void **state) {
  (void)state;
  static instance_t i;
  const in_t in = {2, 9};
  uint64_t out;
  crashes = IN_STEP;
  instance_on_end(note_end, NULL);
  assert_true(instance_open(&i, &fake, ENGINE_MODEL, &quiet));
  if (setjmp(out_of_run) == 0) {
    for (unsigned c = 0; c < 10; c++) instance_cycle(&i, &in, &out);
    fail_msg("it went on");
  }
  assert_string_equal(last_line, "MODEL_CRASH of fake in its cycle 3: fake_step: SIGSEGV, a test");
  assert_int_equal(last_code, 1);
  instance_close(&i);
  instance_on_end(NULL, NULL);
  crashes = NOWHERE;
}

/* engine_assign(): all instances, lists and ranges of them; each wrong form is refused. */
static void assigning(void **state) {
  (void)state;
  engine_t engine[8] = {0};
  trouble_t trouble;
  assert_true(engine_assign("router=rtl", "router", engine, 8, false, &trouble));
  for (unsigned i = 0; i < 8; i++) assert_int_equal(engine[i], ENGINE_RTL);
  assert_true(engine_assign("router[*]=model", "router", engine, 8, false, &trouble));
  for (unsigned i = 0; i < 8; i++) assert_int_equal(engine[i], ENGINE_MODEL);
  assert_true(engine_assign("router[1,4-6]=lockstep", "router", engine, 8, false, &trouble));
  for (unsigned i = 0; i < 8; i++)
    assert_int_equal(engine[i], i == 1 || (i >= 4 && i <= 6) ? ENGINE_LOCKSTEP : ENGINE_MODEL);
  static const char *const wrong[] = {"router",      "router[8]=rtl",  "router[]=rtl", "router[2-1]=rtl",
                                      "router[1",    "router[1,]=rtl", "router[1=rtl", "router[1]x=rtl",
                                      "routers=rtl", "router=fast"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(engine_assign(wrong[i], "router", engine, 8, false, &trouble));
  assert_string_equal(trouble.text, "'fast' should be model, rtl or lockstep");
  assert_false(engine_assign("router=firmware", "router", engine, 8, false, &trouble));
  assert_string_equal(trouble.text, "no firmware does what router does; model, rtl or lockstep would be right");
  assert_false(engine_assign("router=fast", "router", engine, 8, true, &trouble));
  assert_string_equal(trouble.text, "'fast' should be model, rtl, lockstep or firmware");
  assert_true(engine_assign("router[2]=firmware", "router", engine, 8, true, &trouble));
  assert_true(engine[2] == ENGINE_FIRMWARE && engine[3] == ENGINE_MODEL);
  assert_true(engine_names("nsu[3]=rtl", "nsu"));
  assert_false(engine_names("nsus=rtl", "nsu"));
}

/* A device that does not return is left after the limit of a call, or soon after an interrupt. It
 * is not called again. */
static void device_without_end(void **state) {
  (void)state;
  instance_t core;
  in_t in = quiet;
  uint64_t out = 7;
  bool held = true;
  assert_true(instance_open(&core, &fake, ENGINE_RTL, &quiet));
  assert_null(device_call(&fake, &device, DEVICE_STEP, &held));
  guard_start(&fake);
  guard_limit(1);
  hangs = 1;
  const char *failed = instance_cycle(&core, &in, &out);
  assert_non_null(strstr(failed, "device rtl: did not return after 1 s of CPU time: a loop without an end"));
  assert_string_equal(instance_cycle(&core, &in, &out), "the RTL did not return");
  guard_limit(1000);
  guard_interrupts(&hangs);
  assert_string_equal(device_call(&fake, &device, DEVICE_EVAL, &held), GUARD_INTERRUPTED);
  guard_interrupts(NULL);
  guard_limit(10);
  hangs = 0;
  instance_close(&core);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rtl_assertion),     cmocka_unit_test(engines_agree),
                                     cmocka_unit_test(divergence),        cmocka_unit_test(model_crash),
                                     cmocka_unit_test(model_crash_alone), cmocka_unit_test(assigning),
                                     cmocka_unit_test(device_without_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
