/* SPDX-License-Identifier: Apache-2.0
 *
 * Device functions as clang writes their calls: recursion of each thread to its own depth, tables
 * of functions with divergent targets, calls under a guard, several returns, nested calls, threads
 * that end inside; stacks that are too small. Against the same in C, on the GPU and on the machines
 * of mpu_bed.h.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"
#include "mpu_bed.h"
#include "simt_call.h"
#include "unit_test.h"

enum { THREADS = 96 };

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n"
#define FIB                                                                                    \
  ".visible .func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .pred %p<2>; .reg .b32 %r<9>;\n" \
  "ld.param.u32 %r1, [n];\nsetp.lt.s32 %p1, %r1, 2;\n"                                         \
  "@!%p1 bra MORE;\nst.param.b32 [r], %r1;\nret;\nMORE:\nadd.s32 %r2, %r1, -1;\n"              \
  "{ .param .b32 a; st.param.b32 [a], %r2; .param .b32 q;\n"                                   \
  "call.uni (q), fib, (a);\nld.param.b32 %r3, [q]; }\nadd.s32 %r4, %r1, -2;\n"                 \
  "{ .param .b32 a; st.param.b32 [a], %r4; .param .b32 q;\n"                                   \
  "call.uni (q), fib, (a);\nld.param.b32 %r5, [q]; }\nadd.s32 %r6, %r3, %r5;\nst.param.b32 [r], %r6;\nret;\n}\n"
#define BINARY(name, op)                                                                                     \
  ".visible .func (.param .b32 r) " name                                                                     \
  "(.param .b32 x, .param .b32 y)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [x];\nld.param.u32 %r2, [y];\n" op \
  " %r3, %r1, %r2;\nst.param.b32 [r], %r3;\nret;\n}\n"
#define ENTRY                                                                                    \
  ".visible .entry k(.param .u64 a)\n{\n.reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %d<20>;\n" \
  "ld.param.u64 %d1, [a];\n"                                                                     \
  "mov.u32 %r1, %tid.x;\nmad.wide.u32 %d2, %r1, 4, %d1;\nand.b32 %r2, %r1, 7;\n"

/* What thread t leaves in its word, which held `before`. */
typedef uint32_t reference_t(uint32_t thread, uint32_t before);

/* Word t of the buffer is 3 t + 1 before. 0, or the exit status with
 * its text. stack: bytes of a warp's call stack, 0: the default. */
static int run_on_gpu(const char *ptx, bool offload, unsigned stack, uint32_t out[THREADS], char text[512]) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = c.num_stacks = 2;
  if (stack) c.sm.stack = stack;
  if (offload) c.nsu.ratio = 1;
  gpu_rig_t *rig = rig_new(&c, ptx, strlen(ptx), "calls.ptx", offload);
  assert_non_null(rig);
  trouble_t err = {0};
  uint32_t in[THREADS];
  for (unsigned i = 0; i < THREADS; i++) in[i] = 3 * i + 1;
  const uint64_t at = gpu_malloc(rig->gpu, sizeof in, &err);
  assert_int_equal(gpu_copy_in(rig->gpu, at, in, sizeof in, &err), 0);
  const gpu_launch_t l = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = &at, .param_bytes = sizeof at};
  const int status = rig_run(rig, &l, 2000000);
  snprintf(text, 512, "%s", rig->err.text);
  if (!status) assert_int_equal(gpu_copy_out(rig->gpu, out, at, sizeof in, &err), 0);
  rig_free(rig);
  return status;
}

/* The same on a machine of mpu_bed.h. */
static int run_on_mpu(const char *ptx, unsigned machine, unsigned stack, uint32_t out[THREADS], char text[512]) {
  mpu_config_t c = bed_machine(machine);
  if (stack) c.stack = stack;
  for (unsigned i = 0; i < THREADS; i++) out[i] = 3 * i + 1;
  bed_t bed = {.ptx = ptx, .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .data = out, .bytes = THREADS * sizeof *out};
  const int status = bed_run(&bed, &c);
  snprintf(text, 512, "%.60s: %.440s", bed_machine_name(machine), bed.error.text);
  return status;
}

/* The kernel gives the reference's words on the GPU, with
 * and without offloading, and on every near-bank machine. */
static void expect_reference(const char *ptx, reference_t *reference) {
  uint32_t out[THREADS];
  char text[512];
  for (int offload = 0; offload < 2; offload++) { /* blocks before and behind a call may be offloaded, the call not */
    if (run_on_gpu(ptx, offload, 0, out, text)) fail_msg("%s", text);
    for (unsigned i = 0; i < THREADS; i++)
      if (out[i] != reference(i, 3 * i + 1))
        fail_msg("thread %u, offload %d: %u, not %u", i, offload, out[i], reference(i, 3 * i + 1));
  }
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    if (run_on_mpu(ptx, m, 0, out, text)) fail_msg("%s", text);
    for (unsigned i = 0; i < THREADS; i++)
      if (out[i] != reference(i, 3 * i + 1))
        fail_msg("%s: thread %u: %u, not %u", bed_machine_name(m), i, out[i], reference(i, 3 * i + 1));
  }
}

/* The same on the host, and what a thread's word is then. */
static uint32_t fib(uint32_t n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static uint32_t is_fib(uint32_t t, uint32_t before) {
  return fib(t % 8) + before;
}

/* Thread t adds fib(t % 8) to its word. */
static const char fib_kernel[] = HEAD FIB ENTRY
    "ld.global.u32 %r9, [%d2];\n{ .param .b32 a; st.param.b32 [a], %r2; .param .b32 q;\ncall.uni (q), fib, (a);\n"
    "ld.param.b32 %r3, [q]; }\nadd.u32 %r4, %r3, %r9;\nst.global.u32 [%d2], %r4;\nret;\n}\n";

/* Each thread recurses to its own depth: fib(t % 8). */
static void test_recursion(void **state) {
  (void)state;
  expect_reference(fib_kernel, is_fib);
}

#define CALL(name) "{ .param .b32 a; st.param.b32 [a], %r1; call.uni " name ", (a); }\n"
#define CALLER(name, calls) \
  ".visible .func " name "(.param .b32 n)\n{\n.reg .b32 %r<2>;\nld.param.u32 %r1, [n];\n" calls "ret;\n}\n"
#define CHAINS(calls)                                                                                            \
  HEAD ".visible .func x(.param .b32 n);\n" CALLER("y", CALL("x")) CALLER("x", CALL("y")) CALLER("z", CALL("y")) \
      CALLER("w", "") ENTRY calls "ret;\n}\n"

/* Registers of a thread: those of the most expensive chain of calls, each function once. x and y
 * call each other, and z calls y: all of them can be in one chain, whichever the kernel calls
 * first. w calls nobody, so a chain has it or the others. */
static void test_registers_of_chains(void **state) {
  (void)state;
  static const char *const modules[] = {CHAINS(CALL("x") CALL("z") CALL("w")), CHAINS(CALL("z") CALL("x") CALL("w")),
                                        CHAINS(CALL("w") CALL("z") CALL("x"))};
  for (unsigned i = 0; i < sizeof modules / sizeof *modules; i++) {
    ptx_error_t wrong = {0};
    trouble_t err = {0};
    ptx_module_t *m = ptx_parse(modules[i], strlen(modules[i]), "chains.ptx", &wrong);
    if (!m) fail_msg("%s", wrong.trouble.text);
    simt_kernel_t *k = simt_decode(m, ptx_find_kernel(m, "k"), &err);
    if (!k) fail_msg("%s", err.text);
    uint32_t sum = 0;
    for (uint32_t u = 0; u < k->num_units; u++) sum += strcmp(k->units[u].func->name, "w") ? k->units[u].hw_regs : 0;
    assert_int_equal(k->num_units, 5);
    assert_int_equal(k->hw_regs, sum);
    simt_kernel_free(k);
    ptx_free(m);
  }
}

/* A frame of fib has 16 bytes. 48 bytes hold three, and
 * the fourth call is refused; 7 * 16 bytes hold fib(7). */
static void test_overflow(void **state) {
  (void)state;
  uint32_t out[THREADS];
  char text[512];
  assert_int_equal(run_on_gpu(fib_kernel, false, 48, out, text), 2);
  const char *says =
      "kernel k: the warp of thread (ctaid 0,0,0 tid 0,0,0) has no room in its stack of 48 bytes for a call of fib, "
      "of 4 calls deep; "
      "a larger gpu.stack would be right";
  if (!strstr(text, says)) fail_msg("%s", text);
  assert_int_equal(run_on_gpu(fib_kernel, false, 7 * 16, out, text), 0); /* fib(7) is 7 deep */
  assert_int_equal(run_on_mpu(fib_kernel, 0, 48, out, text), 2);
  if (!strstr(
          text,
          "has no room in its stack of 48 bytes for a call of fib, of 4 calls deep; a larger mpu.stack would be right"))
    fail_msg("%s", text);
  assert_int_equal(run_on_mpu(fib_kernel, 0, 7 * 16, out, text), 0);
}

/* Targets of one warp differ by thread; one of them calls on. Some threads do not call. */
static uint32_t is_table(uint32_t t, uint32_t before) {
  if (t % 8 == 5) return before;
  const uint32_t x = before, y = t;
  if (t % 3 == 0) return x + y;
  return t % 3 == 1 ? x * y : x - y;
}

/* Threads call through a table of three functions; thread 5 of each eight does not call. */
static void test_table(void **state) {
  (void)state;
  expect_reference(
      HEAD BINARY("plus", "add.s32") BINARY("times", "mul.lo.s32") BINARY(
          "less",
          "sub.s32") ".visible .global .align 8 .u64 table[3] = {plus, times, less};\n" ENTRY
                     "ld.global.u32 %r9, [%d2];\nrem.u32 %r4, %r1, 3;\nmov.u64 %d4, table;\n"
                     "mad.wide.u32 %d5, %r4, 8, %d4;\nld.global.u64 %d6, [%d5];\n"
                     "setp.ne.u32 %p1, %r2, 5;\nmov.u32 %r10, %r9;\n{ .param .b32 x; .param .b32 y; .param .b32 q;\n"
                     "st.param.b32 [x], %r9; st.param.b32 [y], %r1;\n"
                     "proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n"
                     "@%p1 call (q), %d6, (x, y), proto;\n"
                     "@%p1 ld.param.b32 %r10, [q]; }\nst.global.u32 [%d2], %r10;\nret;\n}\n",
      is_table);
}

/* A call through a register whose value is no
 * function's address ends the run, with the address. */
static void test_no_function(void **state) {
  (void)state;
  uint32_t out[THREADS];
  char text[512];
  static const char ptx[] = HEAD ENTRY
      "mov.u64 %d3, 4096;\n{ .param .b32 x; st.param.b32 [x], %r1;\nproto: .callprototype _ (.param .b32 _);\n"
      "call %d3, (x), proto; }\nret;\n}\n";
  assert_int_equal(run_on_gpu(ptx, false, 0, out, text), 2);
  if (!strstr(text, "calls address 0x1000, which is no function's")) fail_msg("%s", text);
  assert_int_equal(run_on_mpu(ptx, 0, 0, out, text), 2);
  if (!strstr(text, "calls address 0x1000, which is no function's")) fail_msg("%s", text);
}

/* Some threads end inside of the function, the others
 * go on; variables of the function are its own. */
static uint32_t is_ended(uint32_t t, uint32_t before) {
  return t % 4 == 3 ? before : 7 * t;
}

/* A quarter of the threads ends in the function; their words stay. */
static void test_exit(void **state) {
  (void)state;
  expect_reference(
      HEAD ".func (.param .b32 r) f(.param .b32 n)\n{\n"
           ".local .align 4 .b8 l[8]; .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %d<3>;\nld.param.u32 %r1, [n];\n"
           "mov.u64 %d1, l;\nst.local.u32 [%d1+4], %r1;\nand.b32 %r2, %r1, 3;\nsetp.eq.u32 %p1, %r2, 3;\n@%p1 exit;\n"
           "ld.local.u32 %r3, [l+4];\n"
           "mul.lo.u32 %r4, %r3, 7;\nst.param.b32 [r], %r4;\nret;\n}\n" ENTRY
           "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 q;\ncall.uni (q), f, (a);\nld.param.b32 %r3, [q]; }\n"
           "st.global.u32 [%d2], %r3;\nret;\n}\n",
      is_ended);
}

/* Registers that loads and near-bank instructions write in a function that calls itself, some of
 * them before and some behind the call, with 64 bits, too; vectors as parameters. */
static uint32_t walk(uint32_t n, uint32_t before) {
  return n ? before * n + walk(n - 1, before) + (before ^ n) : before;
}

/* What a thread's word is then. */
static uint32_t is_walked(uint32_t t, uint32_t before) {
  return walk(t % 8, before) + t;
}

/* walk() above, as PTX. */
static void test_near(void **state) {
  (void)state;
  expect_reference(
      HEAD
      ".visible .func (.param .align 16 .b8 r[16]) walk(.param .align 16 .b8 p[16])\n{\n"
      ".reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %d<9>;\n"
      "ld.param.v2.b64 {%d1, %d2}, [p];\nld.global.u32 %r1, [%d1];\ncvt.u32.u64 %r2, %d2;\nmul.lo.u32 %r3, %r1, %r2;\n"
      "xor.b32 %r4, %r1, %r2;\n"
      "mul.wide.u32 %d3, %r1, %r2;\nsetp.eq.u32 %p1, %r2, 0;\nmov.u32 %r7, %r1;\n@%p1 bra END;\nadd.s64 %d4, %d2, -1;\n"
      "{ .param .align 16 .b8 a[16]; .param .align 16 .b8 q[16]; st.param.v2.b64 [a], {%d1, %d4};\n"
      "ld.global.u32 %r13, [%d1];\ncall.uni (q), walk, (a);\n"
      "ld.param.v4.b32 {%r5, %r6, %r8, %r9}, [q]; }\ncvt.u32.u64 %r10, %d3;\nsub.u32 %r11, %r10, %r3;\n"
      "add.u32 %r7, %r3, %r5;\nadd.u32 %r7, %r7, %r4;\n"
      "add.u32 %r7, %r7, %r11;\nsub.u32 %r7, %r7, %r13;\nadd.u32 %r7, %r7, %r1;\nEND: mov.u32 %r12, 1;\n"
      "st.param.v4.b32 [r], {%r7, %r1, %r2, %r12};\nret;\n}\n" ENTRY "cvt.u64.u32 %d4, %r2; ld.global.u32 %r9, [%d2];\n"
      "{ .param .align 16 .b8 a[16]; st.param.v2.b64 [a], {%d2, %d4}; .param .align 16 .b8 q[16];\n"
      "call.uni (q), walk, (a);\nld.param.b32 %r3, [q]; ld.param.b32 %r4, [q+4]; }\nsub.u32 %r9, %r9, %r4;\n"
      "add.u32 %r3, %r3, %r1;\nadd.u32 %r3, %r3, %r9;\n"
      "st.global.u32 [%d2], %r3;\nret;\n}\n",
      is_walked);
}

/* Parameters and results in registers, as PTX before 2.0 has them: numbers of 16, 32 and 64 bits, a
 * predicate, constants, results that nobody wants, a return under a guard, a function that calls
 * itself, one whose parameters are .param variables, and a call through a register. */
static uint32_t mixed(uint32_t n, uint32_t flag) {
  return n == 0 ? 5 : (flag ? 3 : 1) * n + mixed(n - 1, n & 1);
}

static uint32_t is_in_registers(uint32_t t, uint32_t before) {
  const uint32_t m = mixed(t % 8, t % 8 > 3), half = (uint16_t)(before * 3) + 40;
  const uint32_t sum = m + half;
  const float scaled = 0.5f * (float)(t % 8);
  uint32_t bits;
  memcpy(&bits, &scaled, sizeof bits);
  return (t % 8 != 6 ? sum : 77) + bits + (t & 1 ? 100 + t : 0);
}

/* mixed() above and what is called with it, as PTX. */
static void test_registers(void **state) {
  (void)state;
  expect_reference(
      HEAD ".visible .func (.reg .u32 r, .reg .pred odd) mixed(.reg .u64 n, .reg .pred flag)\n{\n"
           ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<3>;\n"
           "setp.eq.u64 %p1, n, 0;\nmov.u32 r, 5;\nsetp.ne.u32 odd, 1, 1;\n@%p1 ret;\nadd.s64 %d1, n, -1;\n"
           "cvt.u32.u64 %r1, n;\nand.b32 %r2, %r1, 1;\n"
           "setp.ne.u32 odd, %r2, 0;\ncall (%r3, _), mixed, (%d1, odd);\nselp.u32 %r4, 3, 1, flag;\n"
           "mad.lo.u32 r, %r4, %r1, %r3;\n}\n"
           ".func (.reg .u32 r) third(.reg .u16 a, .reg .u32 b)\n{\n.reg .b32 %r<3>;\ncvt.u32.u16 %r1, a;\n"
           "add.u32 r, %r1, b;\nret;\n}\n"
           ".func (.param .f32 r) scale(.param .f32 x, .param .f32 by)\n{\n.reg .f32 %f<4>;\nld.param.f32 %f1, [x];\n"
           "ld.param.f32 %f2, [by];\n"
           "mul.rn.f32 %f3, %f1, %f2;\nst.param.f32 [r], %f3;\nret;\n}\n" BINARY("plus", "add.s32") ENTRY
      ".reg .b16 %h<3>; .reg .f32 %f<5>; .reg .pred %q<3>;\nld.global.u32 %r9, [%d2];\ncvt.u64.u32 %d3, %r2;\n"
      "setp.gt.u32 %p1, %r2, 3;\n"
      "call.uni (%r3, %q1), mixed, (%d3, %p1);\nmul.lo.u32 %r4, %r9, 3;\ncvt.u16.u32 %h1, %r4;\n"
      "call.uni (%r5), third, (%h1, 40);\n"
      "setp.ne.u32 %p2, %r2, 6;\nmov.u32 %r6, 77;\nmov.u64 %d4, plus;\n"
      "proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n"
      "@%p2 call (%r6), %d4, (%r3, %r5), proto;\ncvt.rn.f32.u32 %f1, %r2;\ncall.uni (%f2), scale, (%f1, 0.5);\n"
      "mov.b32 %r7, %f2;\nadd.u32 %r6, %r6, %r7;\n"
      "add.u32 %r11, %r1, 100;\n@!%q1 bra OUT;\nadd.u32 %r6, %r6, %r11;\nOUT:\n"
      "st.global.u32 [%d2], %r6;\nret;\n}\n",
      is_in_registers);
}

/* Of a function of another source, linked: its file and line, not the kernel's. */
static void fails_in_part(const char *part, const char *want) {
  static const char whole[] = HEAD ".extern .func f();\n" ENTRY "call.uni f;\nret;\n}\n",
                    other[] = HEAD ".visible .entry other()\n{\nret;\n}\n";
  const ptx_source_t source[] = {{whole, strlen(whole), "kernel.ptx"}, {part, strlen(part), "part.ptx"}};
  ptx_error_t error;
  ptx_module_t *m = ptx_link(source, 2, "both", &error);
  if (!m) fail_msg("%s", error.trouble.text);
  gpu_config_t c = gpu_config_default();
  c.num_sms = c.num_stacks = 2;
  gpu_rig_t *rig = rig_new(&c, other, strlen(other), "other.ptx", false);
  assert_int_equal(rig->err.kind, 0);
  const uint64_t at = gpu_malloc(rig->gpu, 4096, &rig->err);
  const gpu_launch_t l = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = &at, .param_bytes = sizeof at};
  if (!gpu_load(rig->gpu, m, NULL, &rig->err)) assert_int_equal(rig_run(rig, &l, 100000), 2);
  if (strncmp(rig->err.text, want, strlen(want)) != 0) fail_msg("'%s' does not begin with '%s'", rig->err.text, want);
  rig_free(rig);
  ptx_free(m);
}

/* An error in a function of another source has that source's file
 * and line. The function fails when it runs, or when it is decoded. */
static void test_parts(void **state) {
  (void)state;
  fails_in_part(
      HEAD "\n\n.visible .func f()\n{\n.reg .b64 %d; .reg .b32 %r;\nmov.u64 %d, 8;\nst.global.u32 [%d], %r;\nret;\n}\n",
      "part.ptx:10: kernel k: ");
  fails_in_part(HEAD "\n.visible .func f()\n{\n.reg .b32 %r;\n  cvta.shared.u32 %r, %r;\nret;\n}\n",
                "part.ptx:8:3: kernel k: 'cvta.shared.u32' is not executed by ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recursion), cmocka_unit_test(test_registers_of_chains), cmocka_unit_test(test_overflow),
      cmocka_unit_test(test_table),     cmocka_unit_test(test_no_function),         cmocka_unit_test(test_exit),
      cmocka_unit_test(test_near),      cmocka_unit_test(test_registers),           cmocka_unit_test(test_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
