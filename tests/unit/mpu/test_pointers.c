/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules with 32-bit pointers on the GPU and on the MPU: parameters, global, shared and constant
 * memory, variables whose addresses are in others, addresses that come round 2^32; and generic
 * addresses and atomics on the GPU, which alone has them.
 */
#include <string.h>

#include "gpu_rig.h"
#include "mpu_bed.h"
#include "unit_test.h"

enum { THREADS = 64, WORDS = THREADS + 2 };

/* b[t] = a[t - 1] + 3 a[(t ^ 1) - 1] + 7 + 200 + 300, and what `more` does
 * with thread t's addresses %r6 in a, %r17 in b; b[THREADS + 1] at %r20 */
#define KERNEL(more)                                                                                                 \
  ".version 6.0\n.target sm_35\n.address_size 32\n.const .u32 table[4] = {5, 6, 7, 8};\n"                            \
  ".global .u32 some[3] = {100, 200, 300};\n"                                                                        \
  ".global .u32 list[2] = {0, some};\n.visible .entry k(.param .u32 k_a, .param .u32 k_n, .param .u32 k_b)\n{\n"     \
  ".reg .b32 %r<32>;\n"                                                                                              \
  ".shared .align 4 .b8 sh[256];\nld.param.u32 %r1, [k_a];\nld.param.u32 %r2, [k_n];\nld.param.u32 %r3, [k_b];\n"    \
  "mov.u32 %r4, %tid.x;\n"                                                                                           \
  "shl.b32 %r5, %r4, 2;\nadd.s32 %r6, %r1, %r5;\nld.global.u32 %r7, [%r6+-4];\nmov.u32 %r8, sh;\n"                   \
  "add.s32 %r9, %r8, %r5;\nst.shared.u32 [%r9], %r7;\n"                                                              \
  "bar.sync 0;\nxor.b32 %r10, %r5, 4;\nadd.s32 %r10, %r8, %r10;\nld.shared.u32 %r11, [%r10];\n"                      \
  "mad.lo.u32 %r7, %r11, %r2, %r7;\n"                                                                                \
  "ld.const.u32 %r12, [table+8];\nadd.u32 %r7, %r7, %r12;\nmov.u32 %r13, some;\nld.global.u32 %r14, [%r13+4];\n"     \
  "add.u32 %r7, %r7, %r14;\n"                                                                                        \
  "ld.global.u32 %r15, [list+4];\nld.global.u32 %r16, [%r15+8];\nadd.u32 %r7, %r7, %r16;\nadd.s32 %r17, %r3, %r5;\n" \
  "add.s32 %r18, %r17, -1879048192;\n"                                                                               \
  "add.s32 %r20, %r3, 260;\n" more "st.global.u32 [%r18+1879048192], %r7;\nret;\n}\n"

static uint32_t input_word(unsigned i) {
  return i * 0x01030507u;
}

/* Runs the kernel by way of the runtime. `more`: it also
 * adds the next thread's word and sums all threads. */
static void check_runtime(const runtime_t *rt, bool more) {
  uint32_t in[WORDS], out[WORDS] = {0};
  rt_ptr_t a, b;
  rt_args_t args;
  for (unsigned i = 0; i < WORDS; i++) in[i] = input_word(i);
  assert_int_equal(rt->malloc(rt->ctx, sizeof in, &a), 0);
  assert_int_equal(rt->malloc(rt->ctx, sizeof out, &b), 0);
  assert_int_equal(rt->memcpy_h2d(rt->ctx, a, in, sizeof in), 0);
  assert_int_equal(rt->memcpy_h2d(rt->ctx, b, out, sizeof out), 0);
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, a + 4);
  rt_arg_u32(&args, 3);
  rt_arg_ptr(&args, b);
  assert_int_equal(args.size, 12);
  assert_int_equal(rt_launch_1d(rt, "k", THREADS, THREADS, &args), 0);
  assert_int_equal(rt->memcpy_d2h(rt->ctx, out, b, sizeof out), 0);
  for (unsigned t = 0; t < THREADS; t++) {
    const uint32_t want = input_word(t) + 3 * input_word(t ^ 1) + 7 + 200 + 300 + (more ? input_word(t + 1) : 0);
    if (out[t] != want) fail_msg("thread %u: 0x%x, not 0x%x", t, out[t], want);
  }
  assert_int_equal(out[THREADS], 0);
  assert_int_equal(out[THREADS + 1], more ? THREADS * (THREADS - 1) / 2 : 0);
}

static void check_on_gpu(const char *ptx, bool more) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 2;
  c.nsu.ratio = 0;
  gpu_rig_t *rig = rig_new(&c, ptx, strlen(ptx), "pointers.ptx", false);
  if (rig->err.kind) fail_msg("%s", rig->err.text);
  check_runtime(&rig->runtime, more);
  rig_free(rig);
}

static void test_gpu(void **state) {
  (void)state;
  check_on_gpu(KERNEL(""), false);
}

static void test_gpu_more(void **state) {
  (void)state;
  check_on_gpu(KERNEL("cvta.to.global.u32 %r21, %r6;\nld.u32 %r22, [%r21];\nadd.u32 %r7, %r7, %r22;\n"
                      "atom.global.add.u32 %r23, [%r20], %r4;\n"),
               true);
}

/* What has no address of 32 bits is refused, and not cut. */
static void test_gpu_refuses(void **state) {
  (void)state;
  gpu_config_t c = gpu_config_default();
  static const char ptx[] = KERNEL("cvta.shared.u32 %r21, %r8;\n");
  gpu_rig_t *rig = rig_new(&c, ptx, strlen(ptx), "pointers.ptx", false);
  assert_int_equal(rig->err.kind, 0);
  rt_args_t args;
  rt_args_init(&args, &rig->runtime);
  assert_int_not_equal(rt_launch_1d(&rig->runtime, "k", THREADS, THREADS, &args), 0);
  assert_int_equal(rig->err.kind, 2);
  assert_non_null(strstr(rig->err.text, "cvta.shared.u32' is not executed by the GPU model"));
  rig_free(rig);
}

static void test_mpu(void **state) {
  (void)state;
  for (unsigned which = 0; which < BED_MACHINES; which++) {
    static const char ptx[] = KERNEL("");
    mpu_rig_t rig;
    ptx_error_t bad = {0};
    const mpu_config_t c = bed_machine(which);
    ptx_module_t *module = ptx_parse(ptx, strlen(ptx), "pointers.ptx", &bad);
    if (!module) fail_msg("%s", bad.trouble.text);
    if (mpu_rig_open(&rig, &c) || mpu_load(rig.mpu, module, &rig.error))
      fail_msg("%s: %s", bed_machine_name(which), rig.error.text);
    runtime_t runtime = mpu_rig_runtime(&rig);
    runtime.pointer_bytes = module->address_bytes;
    check_runtime(&runtime, false);
    mpu_rig_close(&rig);
    ptx_free(module);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gpu), cmocka_unit_test(test_gpu_more),
                                     cmocka_unit_test(test_gpu_refuses), cmocka_unit_test(test_mpu)};
  return cmocka_run_group_tests_name("pointers", tests, NULL, NULL);
}
