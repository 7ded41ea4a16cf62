/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of launches: their offsets with pointers of 4 and of 8 bytes, from the calls of
 * runtime.h and of mpu_host.h.
 */
#include <string.h>

#include "mpu_host.h"
#include "runtime.h"
#include "unit_test.h"

static rt_args_t got; /* of the last launch */
static unsigned launches;

/* The device of this test: it keeps the arguments of the last launch. */
static int keep_launch(void *ctx, const rt_launch_t *launch) {
  (void)ctx;
  got.size = launch->param_bytes;
  memcpy(got.bytes, launch->params, launch->param_bytes);
  launches++;
  return 0;
}

/* A runtime that only keeps what it is asked to launch. */
static runtime_t runtime_of(uint32_t pointer_bytes) {
  return (runtime_t){.launch = keep_launch, .pointer_bytes = pointer_bytes};
}

/* Each argument is aligned to its size: behind the word, a pointer of 8 bytes needs 4 bytes of
 * padding. */
static void test_layout(void **state) {
  (void)state;
  static const uint8_t narrow[] = {0xfc, 0xff, 0xff, 0xff, 1, 0, 0, 0, 8, 7, 6, 5, 0, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0},
                       wide[] = {0xfc, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
                                 8,    7,    6,    5,    0, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0};
  for (uint32_t bytes = 4; bytes <= 8; bytes += 4) {
    const runtime_t rt = runtime_of(bytes);
    const uint64_t last = UINT64_C(0x300000004);
    rt_args_t args;
    rt_args_init(&args, &rt);
    rt_arg_ptr(&args, 0xfffffffc);
    rt_arg_u32(&args, 1);
    rt_arg_ptr(&args, 0x05060708);
    rt_arg(&args, &last, 8, 8);
    assert_int_equal(args.size, bytes == 4 ? sizeof narrow : sizeof wide);
    assert_memory_equal(args.bytes, bytes == 4 ? narrow : wide, args.size);
  }
}

/* A pointer keeps all of its 8 bytes. */
static void test_pointer_above_4_gb(void **state) {
  (void)state;
  const runtime_t rt = runtime_of(8);
  rt_args_t args;
  rt_args_init(&args, &rt);
  rt_arg_ptr(&args, UINT64_C(0x123456789a));
  uint64_t pointer;
  memcpy(&pointer, args.bytes, sizeof pointer);
  assert_int_equal(pointer, UINT64_C(0x123456789a));
}

/* The same call with modules of either size. If a module's pointers are too short for an
 * address, the call fails with status 2 and launches nothing. */
static void test_host_program(void **state) {
  (void)state;
  const rt_dim3_t one = {1, 1, 1};
  for (uint32_t bytes = 4; bytes <= 8; bytes += 4) {
    const runtime_t rt = runtime_of(bytes);
    float *low = (float *)(uintptr_t)0x10000100, *high = (float *)(uintptr_t)0x100000000;
    uint32_t word;
    mpu_use(&rt);
    launches = 0;
    assert_int_equal(mpu_launch(k, one, one, low, 7U, low), 0);
    assert_int_equal(launches, 1);
    assert_int_equal(got.size, bytes == 4 ? 12 : 24);
    memcpy(&word, got.bytes + bytes, sizeof word);
    assert_int_equal(word, 7);
    memcpy(&word, got.bytes + got.size - bytes, sizeof word);
    assert_int_equal(word, 0x10000100);
    assert_int_equal(mpu_launch(k, one, one, low, high), bytes == 4 ? 2 : 0);
    assert_int_equal(mpu_status(), bytes == 4 ? 2 : 0);
    assert_int_equal(launches, bytes == 4 ? 1 : 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_layout), cmocka_unit_test(test_pointer_above_4_gb),
                                     cmocka_unit_test(test_host_program)};
  return cmocka_run_group_tests_name("runtime", tests, NULL, NULL);
}
