/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements and .npy files. Values of elements are worked out by hand from IEEE 754 and two's
 * complement; files are given byte by byte after NumPy's format 1.0 and 2.0; each reason for a
 * refusal has a row.
 */
#include "npy.h"

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

/* The text is read as an element of this type with these bits. */
static void expect_element(const char *type, const char *text, uint64_t wanted) {
  uint64_t got = 0;
  trouble_t trouble = {0};
  if (!element_read(element_find(type), text, false, &got, &trouble)) fail_msg("%s", trouble.text);
  assert_int_equal(got, wanted);
}

/* The text is refused with a line that contains `why`. */
static void expect_text_refused(const char *type, const char *text, const char *why) {
  uint64_t got;
  trouble_t trouble = {0};
  if (element_read(element_find(type), text, false, &got, &trouble)) fail_msg("'%s' is taken as %s", text, type);
  if (!strstr(trouble.text, why)) fail_msg("'%s' has no '%s'", trouble.text, why);
}

/* Limits of each integer type and rounding of numbers: to nearest, ties to even. 65519 is the
 * last number below the half-way point to the f16 that does not exist; 65520 rounds to infinity
 * and is refused. */
static void numbers_are_read(void **state) {
  (void)state;
  expect_element("u8", "255", 255);
  expect_element("u8", "0x10", 16);
  expect_element("s8", "-128", 0x80);
  expect_element("s16", "32767", 0x7fff);
  expect_element("u64", "18446744073709551615", UINT64_MAX);
  expect_element("s64", "-9223372036854775808", (uint64_t)1 << 63);
  expect_element("f32", "1", 0x3f800000);
  expect_element("f32", "16777217", 0x4b800000); /* between two: the even one */
  expect_element("f32", "-inf", 0xff800000);
  expect_element("f32", ".5", 0x3f000000);
  expect_element("f64", "0.1", 0x3fb999999999999a);
  expect_element("f16", "1", 0x3c00);
  expect_element("f16", "65504", 0x7bff);
  expect_element("f16", "65519", 0x7bff);
  expect_element("f16", "2049", 0x6800);    /* between 2048 and 2050 */
  expect_element("f16", "2051", 0x6802);    /* between 2050 and 2052 */
  expect_element("f16", "4095.9", 0x6c00);  /* a carry into the exponent */
  expect_element("f16", "5.9604645e-8", 1); /* the smallest */
  expect_element("f16", "6.1e-5", 0x03ff);  /* the largest subnormal */
  expect_element("f16", "-0", 0x8000);
  expect_text_refused("u8", "256", "a whole number from 0 to 255");
  expect_text_refused("u8", "-1", "from 0 to 255");
  expect_text_refused("s8", "128", "from -128 to 127");
  expect_text_refused("s32", "1.5", "a whole number");
  expect_text_refused("u64", "18446744073709551616", "a whole number");
  expect_text_refused("f32", "1e39", "a smaller number");
  expect_text_refused("f16", "65520", "a smaller number");
  expect_text_refused("f32", "1x", "a number such as");
  expect_text_refused("f32", "", "a number such as");
  uint32_t minus = 0;
  trouble_t trouble = {0};
  assert_true(element_read(element_find("u32"), "-1", true, &minus, &trouble)); /* a parameter of C's int is .u32 */
  assert_int_equal(minus, UINT32_MAX);
  assert_false(element_read(element_find("u32"), "-2147483649", true, &minus, &trouble));
}

/* All f16 but NaN: printing and reading are inverse. */
static void halves_are_read_back(void **state) {
  (void)state;
  const element_t *t = element_find("f16");
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    const uint16_t half = (uint16_t)bits;
    uint16_t back;
    trouble_t trouble = {0};
    char text[ELEMENT_TEXT];
    if ((bits & 0x7c00) == 0x7c00 && bits & 0x3ff) continue; /* NaN */
    element_print(t, &half, text);
    assert_true(element_read(t, text, false, &back, &trouble));
    assert_int_equal(back, half);
  }
}

/* The two texts count as equal elements within the tolerance. */
static bool values_match(const char *type, const char *got, const char *want, element_tolerance_t tolerance) {
  uint64_t a = 0, b = 0;
  trouble_t trouble = {0};
  assert_true(element_read(element_find(type), got, false, &a, &trouble));
  assert_true(element_read(element_find(type), want, false, &b, &trouble));
  return element_same(element_find(type), &a, &b, &tolerance);
}

/* A tolerance holds up to its limit and no further: bits alone, equality, ulps (also across
 * zero), absolute and relative distance. */
static void tolerances_hold_what_they_say(void **state) {
  (void)state;
  const element_tolerance_t exact = {.exact = true}, equal = {0}, two = {.ulps = 2}, tenth = {.absolute = 0.1},
                            percent = {.relative = 0.01};
  assert_false(values_match("f32", "0", "-0", exact));
  assert_true(values_match("f32", "0", "-0", equal));
  assert_true(values_match("f32", "nan", "nan", two));
  assert_false(values_match("f32", "nan", "1", tenth));
  assert_true(values_match("f32", "1.00000024", "1", two)); /* two numbers above */
  assert_false(values_match("f32", "1.00000036", "1", two));
  assert_true(values_match("f32", "1.4e-45", "-1.4e-45", two)); /* across zero */
  assert_false(values_match("f32", "2.8e-45", "-1.4e-45", two));
  assert_true(values_match("f64", "1.05", "1", tenth));
  assert_false(values_match("f64", "1.15", "1", tenth));
  assert_true(values_match("f64", "101", "100", percent));
  assert_false(values_match("f64", "102", "100", percent));
  assert_false(values_match("f32", "inf", "3.4e38", percent));
  assert_true(values_match("u64", "18446744073709551615", "18446744073709551613", two));
  assert_false(values_match("u64", "18446744073709551615", "18446744073709551612", two));
  assert_true(values_match("s8", "-1", "1", two));
  assert_false(values_match("s32", "-1", "0", exact));
}

/* ---- .npy ---- */

/* Writes a file of version 1.0 with this head and `bytes` bytes of elements. Returns its size. */
static size_t make_file(char *file, const char *head, size_t bytes) {
  const size_t length = strlen(head);
  memcpy(file, "\x93NUMPY\1\0", 8);
  file[8] = (char)length, file[9] = 0;
  memcpy(file + 10, head, length);
  memset(file + 10 + length, 7, bytes);
  return 10 + length + bytes;
}

/* The file is refused with a line that contains `why`. */
static void expect_file_refused(const void *file, size_t size, const char *why) {
  npy_t n;
  trouble_t trouble = {0};
  char *copy = malloc(size + 1); /* so that a sanitizer sees what is behind it */
  memcpy(copy, file, size);
  char *exactly = realloc(copy, size ? size : 1);
  if (npy_parse(&n, exactly, size, &trouble)) fail_msg("it is taken, not: %s", why);
  if (!strstr(trouble.text, why)) fail_msg("'%s' has no '%s'", trouble.text, why);
  free(exactly);
}

/* A file with this head and so many bytes of elements is refused, for this reason. */
static void expect_head_refused(const char *head, size_t bytes, const char *why) {
  char file[512];
  expect_file_refused(file, make_file(file, head, bytes), why);
}

/* A matrix, a single number and a file of version 2.0, whose head has a length of four bytes. */
static void files_are_read(void **state) {
  (void)state;
  trouble_t trouble = {0};
  char file[512];
  npy_t n;
  size_t size = make_file(file, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", 24);
  assert_true(npy_parse(&n, file, size, &trouble));
  assert_string_equal(n.type->name, "f32");
  assert_int_equal(n.dims, 2);
  assert_int_equal(n.shape[1], 3);
  assert_int_equal(n.count, 6);
  assert_int_equal(n.at, size - 24);
  /* one number; another order, no newline */
  size = make_file(file, "{\"shape\": (), \"fortran_order\": False, \"descr\": \"|u1\"}", 1);
  assert_true(npy_parse(&n, file, size, &trouble));
  assert_int_equal(n.count, 1);
  memcpy(file, "\x93NUMPY\2\0\x3a\0\0\0{'descr': '<i8', 'fortran_order': False, 'shape': (1,)}  \n12345678", 78);
  assert_true(npy_parse(&n, file, 78, &trouble));
  assert_string_equal(n.type->name, "s64");
}

/* Each way in which a file or its head can be wrong, with part of the message. */
static void bad_files_are_refused(void **state) {
  (void)state;
#define HEAD(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"
  expect_file_refused("\x93NUMP", 5, "no .npy file");
  expect_file_refused("PK\3\4....", 8, "no .npy file");
  expect_file_refused("\x93NUMPY\3\0\0\0\0\0", 12, "version 3.0 of .npy; 1.0 or 2.0");
  expect_file_refused("\x93NUMPY\1\1\0\0\0\0", 12, "version 1.1");
  expect_file_refused("\x93NUMPY\1\0\x40\0{", 11, "cut off in its head");
  expect_file_refused("\x93NUMPY\2\0\x40", 9, "cut off in its head");
  expect_head_refused(HEAD("'>f4'", "False", "(1,)"), 4, "big endian (>f4); '<f4' would be right");
  expect_head_refused(HEAD("'<c8'", "False", "(1,)"), 8, "its elements are '<c8'");
  expect_head_refused(HEAD("'<f1'", "False", "(1,)"), 8, "its elements are '<f1'");
  expect_head_refused(HEAD("[('a', '<f4')]", "False", "(1,)"), 4, "records");
  expect_head_refused(HEAD("'<f4'", "True", "(1,)"), 4, "Fortran order");
  expect_head_refused(HEAD("'<f4'", "Maybe", "(1,)"), 4, "neither True nor False");
  expect_head_refused(HEAD("'<f4'", "False", "(2,)"), 7, "cut off: 7 bytes of elements, not the 8");
  expect_head_refused(HEAD("'<f4'", "False", "(2,)"), 9, "too long: 9 bytes");
  expect_head_refused(HEAD("'<f4'", "False", "(-2,)"), 9, "no list such as (3, 4)");
  expect_head_refused(HEAD("'<f4'", "False", "(1,1,1,1,1,1,1,1,1)"), 4, "more than 8 dimensions");
  expect_head_refused(HEAD("'<f4'", "False", "(4294967296, 4294967296)"), 4, "more elements than any memory");
  expect_head_refused(HEAD("'<f4'", "False", "(99999999999999999999,)"), 4, "no list");
  expect_head_refused("{'descr': '<f4', 'shape': (1,)}\n", 4, "lacks");
  expect_head_refused("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}\n", 4, "'descr' twice");
  expect_head_refused("{'colour': 1}", 4, "unknown key 'colour'");
  expect_head_refused("{'descr': '<f4'", 0, "no comma between keys");
  expect_head_refused("{'descr': '<f4", 0, "no text of a type");
  expect_head_refused("[]", 0, "no dictionary");
  expect_head_refused(HEAD("'<f4'", "False", "(1,)") "x", 4, "more behind the dictionary");
}

/* Each type with 0 to 3 dimensions: the head that we write can be read, and elements begin at a
 * multiple of 64 bytes. */
static void heads_are_written_and_read(void **state) {
  (void)state;
  const uint64_t shape[] = {3, 1, 2};
  static const uint64_t counts[] = {1, 3, 3, 6}; /* elements, by the number of dimensions */
  for (const element_t *t = elements; t->name; t++)
    for (unsigned dims = 0; dims <= 3; dims++) {
      trouble_t trouble = {0};
      char *text = NULL;
      size_t size;
      npy_t n;
      const uint64_t count = counts[dims];
      FILE *out = open_memstream(&text, &size);
      npy_head(out, t, dims, shape);
      for (uint64_t i = 0; i < count * t->bytes; i++) fputc(1, out);
      fclose(out);
      assert_true(npy_parse(&n, text, size, &trouble));
      assert_ptr_equal(n.type, t);
      assert_int_equal(n.dims, dims);
      assert_int_equal(n.count, count);
      assert_int_equal(n.at % 64, 0);
      assert_memory_equal(n.shape, shape, dims * sizeof *shape);
      free(text);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_read),
      cmocka_unit_test(halves_are_read_back),
      cmocka_unit_test(tolerances_hold_what_they_say),
      cmocka_unit_test(files_are_read),
      cmocka_unit_test(bad_files_are_refused),
      cmocka_unit_test(heads_are_written_and_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
