/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory image. What was never written reads as zero and takes no page. Pages of 4096 bytes
 * come when they are written. Lines have 128 bytes, and pointers to them stay good.
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "memory_image.h"

/* Reading makes no pages. */
static void unwritten_is_zero(void **state) {
  (void)state;
  memory_image_t *m = memory_image_new();
  uint8_t bytes[300];
  memset(bytes, 1, sizeof bytes);
  memory_image_read(m, UINT64_C(0xfffffff000) - 100, bytes, sizeof bytes);
  for (unsigned i = 0; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0);
  assert_int_equal(memory_image_line(m, 12345)[127], 0);
  assert_int_equal(memory_image_pages(m), 0);
  memory_image_free(m);
}

/* 9000 bytes from the last byte of page 0 on are in pages 0 to 3. Their neighbours stay zero. */
static void across_pages(void **state) {
  (void)state;
  memory_image_t *m = memory_image_new();
  uint8_t out[9000], in[9000];
  for (unsigned i = 0; i < sizeof out; i++) out[i] = (uint8_t)(i * 7 + 1);
  assert_true(memory_image_write(m, 4095, out, sizeof out));
  assert_int_equal(memory_image_pages(m), 4);
  memory_image_read(m, 4095, in, sizeof in);
  assert_memory_equal(in, out, sizeof in);
  memory_image_read(m, 4094, in, 1);
  assert_int_equal(in[0], 0);
  memory_image_read(m, 4095 + sizeof out, in, 1);
  assert_int_equal(in[0], 0);
  memory_image_free(m);
}

/* Any address of a line gives the line's first byte:
 * 0x300001234 is in the line from 0x300001200 on. */
static void lines_are_aligned_and_stay(void **state) {
  (void)state;
  memory_image_t *m = memory_image_new();
  uint8_t *line = memory_image_line_to_write(m, 0x300001234);
  line[0] = 5;
  line[127] = 6;
  uint8_t byte;
  memory_image_read(m, 0x300001200, &byte, 1);
  assert_int_equal(byte, 5);
  memory_image_read(m, 0x30000127f, &byte, 1);
  assert_int_equal(byte, 6);
  assert_ptr_equal(memory_image_line(m, 0x30000127f), line);
  memory_image_free(m);
}

/* Against a plain array, with enough pages to grow the
 * table many times, and line pointers that stay good. */
static void against_array(void **state) {
  (void)state;
  enum { PAGES = 9000, BYTES = PAGES * 4096 };
  memory_image_t *m = memory_image_new();
  uint8_t *shadow = calloc(1, BYTES), *first = memory_image_line_to_write(m, 0), chunk[64], got[64];
  uint64_t seed = 3;
  for (unsigned i = 0; i < 40000; i++) {
    uint64_t at = test_random(&seed) % (BYTES - 64), n = test_random(&seed) % 64;
    for (unsigned k = 0; k < n; k++) chunk[k] = (uint8_t)test_random(&seed);
    memcpy(shadow + at, chunk, n);
    assert_true(memory_image_write(m, at, chunk, n));
    at = test_random(&seed) % (BYTES - 64);
    memory_image_read(m, at, got, 64);
    assert_memory_equal(got, shadow + at, 64);
  }
  assert_true(memory_image_pages(m) > 8000);
  assert_ptr_equal(memory_image_line(m, 0), first);
  free(shadow);
  memory_image_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(unwritten_is_zero), cmocka_unit_test(across_pages),
                                     cmocka_unit_test(lines_are_aligned_and_stay), cmocka_unit_test(against_array)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
