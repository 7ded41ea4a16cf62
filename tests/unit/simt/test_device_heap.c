/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap of kernels' malloc. What is taken never overlaps, and all of the room can be
 * taken, whatever was given back in what order. Then sizes, ends and mistakes.
 */
#include <string.h>

#include "device_heap.h"
#include "simt_host.h"
#include "unit_test.h"

enum { BASE = 0x10000, UNITS = 256, MOST = 64 };

/* The machine's memory: one that has room, one that has none. */
static uint64_t allocate_base(void *machine, uint64_t bytes, trouble_t *err) {
  (void)err;
  *(uint64_t *)machine += bytes;
  return BASE;
}

static uint64_t refuse_room(void *machine, uint64_t bytes, trouble_t *err) {
  (void)machine, (void)bytes;
  trouble_fail(err, TROUBLE_INPUT, "no room");
  return 0;
}

/* A kernel that calls malloc, so that its launch needs a heap. */
static simt_op_t calls = {.kind = SIMT_HOST, .sub = SIMT_HOST_MALLOC};
static const simt_kernel_t kernel = {.ops = &calls, .num_ops = 1};

/* A heap of so many units. Its size is rounded up to whole units. */
static void place_heap(device_heap_t *h, uint64_t units) {
  uint64_t bytes = 0;
  trouble_t err = {0};
  const simt_store_t store = {.machine = &bytes, .allocate = allocate_base};
  *h = (device_heap_t){0};
  assert_int_equal(device_heap_size(h, units * DEVICE_HEAP_UNIT - 3, &err), 0);
  assert_int_equal(device_heap_place(h, &kernel, &store, &err), 0);
  assert_int_equal(bytes, units * DEVICE_HEAP_UNIT);
}

/* The longest run of units that nobody has. */
static unsigned longest_free_run(const uint8_t *of) {
  unsigned best = 0, run = 0;
  for (unsigned u = 0; u < UNITS; u++) {
    run = of[u] ? 0 : run + 1;
    if (run > best) best = run;
  }
  return best;
}

/* Random takes and gives against a map of who has which unit. A take fails only
 * where no run of free units is long enough. At the end all is one free run again. */
static void test_any_order(void **state) {
  device_heap_t h;
  uint8_t of[UNITS] = {0}; /* who has it, from 1 on */
  uint64_t at[MOST] = {0}, seed = 9;
  (void)state;
  place_heap(&h, UNITS);
  for (unsigned n = 0; n < 200000; n++) {
    const unsigned i = (unsigned)(test_random(&seed) % MOST);
    if (at[i]) {
      assert_int_equal(device_heap_give(&h, at[i]), 0);
      for (unsigned u = 0; u < UNITS; u++)
        if (of[u] == i + 1) of[u] = 0;
      at[i] = 0;
      continue;
    }
    const uint64_t bytes = 1 + test_random(&seed) % (test_random(&seed) % 8 ? 100 : 2000),
                   units = (bytes + DEVICE_HEAP_UNIT - 1) / DEVICE_HEAP_UNIT;
    assert_int_equal(device_heap_take(&h, bytes, &at[i]), 0);
    if (!at[i]) {
      assert_true(longest_free_run(of) < units);
      continue;
    }
    assert_true(at[i] % DEVICE_HEAP_UNIT == 0 && at[i] >= BASE && at[i] + bytes <= BASE + UNITS * DEVICE_HEAP_UNIT);
    for (uint64_t u = (at[i] - BASE) / DEVICE_HEAP_UNIT, left = units; left; u++, left--) {
      assert_int_equal(of[u], 0);
      of[u] = (uint8_t)(i + 1);
    }
  }
  for (unsigned i = 0; i < MOST; i++) assert_int_equal(device_heap_give(&h, at[i]), 0);
  assert_int_equal(device_heap_take(&h, UNITS * DEVICE_HEAP_UNIT, &at[0]), 0);
  assert_int_equal(at[0], BASE);
  device_heap_free(&h);
}

/* 0 bytes and too many give NULL. What is not the start
 * of an allocation, or is given back already, is refused. */
static void test_mistakes(void **state) {
  device_heap_t h;
  uint64_t a, b;
  trouble_t err = {0};
  (void)state;
  place_heap(&h, 4);
  assert_int_equal(device_heap_size(&h, 100, &err), -1);
  assert_non_null(strstr(err.text, "has its size once"));
  assert_int_equal(device_heap_take(&h, 0, &a), 0);
  assert_int_equal(a, 0);
  assert_int_equal(device_heap_take(&h, UINT64_MAX, &a), 0);
  assert_int_equal(a, 0);
  assert_int_equal(device_heap_take(&h, 17, &a), 0);
  assert_int_equal(device_heap_take(&h, 32, &b), 0);
  assert_true(a == BASE && b == BASE + 32);
  assert_int_equal(device_heap_give(&h, 0), 0);
  assert_int_equal(device_heap_give(&h, a + 16), -1);
  assert_int_equal(device_heap_give(&h, b + 32), -1);
  assert_int_equal(device_heap_give(&h, 5), -1);
  assert_int_equal(device_heap_give(&h, a), 0);
  assert_int_equal(device_heap_give(&h, a), -1);
  device_heap_free(&h);
}

/* Memory is taken at the first launch of a kernel
 * that calls malloc, once; 8 MB by default. */
static void test_place(void **state) {
  static const simt_op_t other = {.kind = SIMT_HOST, .sub = SIMT_HOST_PRINT};
  static const simt_kernel_t quiet = {.ops = (simt_op_t *)(uintptr_t)&other, .num_ops = 1};
  device_heap_t h = {0};
  uint64_t bytes = 0;
  trouble_t err = {0};
  const simt_store_t store = {.machine = &bytes, .allocate = allocate_base}, full = {.allocate = refuse_room};
  (void)state;
  assert_int_equal(device_heap_size(&h, 0, &err), -1);
  err = (trouble_t){0};
  assert_int_equal(device_heap_size(&h, (UINT64_C(1) << 40) + 1, &err), -1);
  err = (trouble_t){0};
  assert_int_equal(device_heap_place(&h, &quiet, &store, &err), 0);
  assert_int_equal(bytes, 0);
  assert_int_equal(device_heap_place(&h, &kernel, &full, &err), -1);
  assert_string_equal(err.text, "a heap of 8388608 bytes: no room");
  assert_int_equal(device_heap_place(&h, &kernel, &store, &err), 0);
  assert_int_equal(device_heap_place(&h, &kernel, &store, &err), 0);
  assert_int_equal(bytes, DEVICE_HEAP_BYTES);
  device_heap_free(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_order), cmocka_unit_test(test_mistakes),
                                     cmocka_unit_test(test_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
