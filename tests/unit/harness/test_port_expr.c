/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of port files, compared with the C compiler's own values of the same text; and each
 * text that is none.
 */
#include "port_expr.h"
#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wparentheses" /* what binds tighter is what is tested */

enum { Depth = 7, Width = 33 };
#define CLOG2(x) ((x) <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(x)-1))

/* The names of these tests: Depth is 7 and Width is 33. port_expr() calls it for each word. */
static bool find_name(void *context, const char *word, size_t length, long long *value, trouble_t *trouble) {
  (void)context;
  *value = *word == 'D' ? Depth : Width;
  if (length == 5 && (strncmp(word, "Depth", 5) == 0 || strncmp(word, "Width", 5) == 0)) return true;
  return trouble_set(trouble, TROUBLE_INPUT, "%.*s is unknown", (int)length, word);
}

/* Each text is also C, in the second column: the compiler gives the expected value, so the
 * operators' order, division and shifts are C's. `0 ? 2 : 0 ? 4 : 5` is here because nested
 * choices are what is tested. */
static void values_are_those_of_c(void **state) {
  (void)state;
  static const struct {
    const char *text;
    long long value;
  } cases[] = {
#define CASE(expression) {#expression, (long long)(expression)}
      /* numbers and signs */
      CASE(1),
      CASE(0x1F),
      CASE(017),
      CASE(-3),
      CASE(- -3),
      CASE(~5),
      CASE(!0),
      CASE(!7),
      CASE(+4),
      /* which operator binds tighter, and from which side */
      CASE(2 + 3 * 4),
      CASE((2 + 3) * 4),
      CASE(20 - 6 - 3),
      CASE(100 / 7 / 2),
      CASE(100 % 7),
      CASE(-7 / 2),
      CASE(-7 % 2),
      CASE(1 << 4 << 2),
      CASE(-64 >> 3),
      CASE(1 + 1 << 2),
      /* comparisons, bits, and words of logic */
      CASE(3 < 4),
      CASE(4 < 3),
      CASE(4 <= 4),
      CASE(5 >= 6),
      CASE(6 > 5),
      CASE(1 == 1),
      CASE(1 != 1),
      CASE(6 & 3 | 8),
      CASE(6 ^ 3 & 1),
      CASE(0 || 2),
      CASE(1 && 0 || 1),
      /* choices */
      CASE(1 ? 2 : 3),
      CASE(0   ? 2
           : 0 ? 4
               : 5),
      /* names and CLOG2 */
      CASE(Depth > 1 ? CLOG2(Depth) : 1),
      CASE(Width * 32 - 1),
      CASE(CLOG2(0)),
      CASE(CLOG2(1)),
      CASE(CLOG2(2)),
      CASE(CLOG2(1 << 30)),
      CASE(CLOG2((1 << 20) + 1)),
      CASE(Depth == 7 ? Width : 0),
      /* the ends of 64 bits */
      CASE(9223372036854775807),
      CASE(-9223372036854775807 - 1),
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trouble_t trouble;
    long long value = 0;
    if (!port_expr(cases[i].text, find_name, NULL, &value, &trouble)) fail_msg("%s: %s", cases[i].text, trouble.text);
    if (value != cases[i].value) fail_msg("%s is %lld, not %lld", cases[i].text, cases[i].value, value);
  }
}

/* Syntax, numbers of other languages, division by zero, shifts and results beyond 64 bits. Each
 * message says what is wrong at that place. */
static void what_is_none_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      /* syntax */
      {"", "nothing is here"},
      {"1 +", "ends where a number should be"},
      {"(1", "`)` is missing"},
      {"1 2", "an operator should be"},
      {"1)", "an operator should be"},
      {"* 2", "a number should be at `* 2`"},
      /* numbers of other languages */
      {"1.5", "not a number"},
      {"4'd3", "not a number"},
      {"12ab", "not a number"},
      {"0x", "not a number"},
      /* no value, or none in 64 bits */
      {"99999999999999999999", "too large"},
      {"1 / 0", "divides by zero"},
      {"1 % (3 - 3)", "by zero"},
      {"1 << 63", "shifts by 63"},
      {"1 << -1", "shifts by -1"},
      /* names and functions */
      {"Deep", "Deep is unknown"},
      {"max(1, 2)", "no function max"},
      {"CLOG2", "`(` is missing"},
      {"1 ? 2", "`:` is missing"},
      {"\"a\"", "a number should be at"},
      /* results beyond 64 bits, of each operator */
      {"9223372036854775807 + 1", "too large"},
      {"-9223372036854775807 - 2", "too large"},
      {"9223372036854775807 * 2", "too large"},
      {"2 << 62", "too large"},
      {"-(-9223372036854775807 - 1)", "too large"},
      {"(-9223372036854775807 - 1) / -1", "too large"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trouble_t trouble;
    long long value;
    if (port_expr(cases[i].text, find_name, NULL, &value, &trouble))
      fail_msg("%s has the value %lld", cases[i].text, value);
    if (!strstr(trouble.text, cases[i].says))
      fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].text, trouble.text, cases[i].says);
  }
}

/* 100000 open signs are refused before the stack ends; a long sum is no nesting and has its
 * value. */
static void deep_ones_end(void **state) {
  (void)state;
  static char text[100001];
  trouble_t trouble;
  long long value;
  static const char signs[] = "(-!~";
  for (const char *sign = signs; *sign; sign++) {
    memset(text, *sign, sizeof text - 1);
    assert_false(port_expr(text, find_name, NULL, &value, &trouble));
    assert_non_null(strstr(trouble.text, "nested too deeply"));
  }
  for (size_t i = 0; i + 1 < sizeof text; i++) text[i] = "1?"[i % 2];
  assert_false(port_expr(text, find_name, NULL, &value, &trouble));
  assert_non_null(strstr(trouble.text, "nested too deeply"));
  for (size_t i = 0; i + 1 < sizeof text; i++) text[i] = "1+"[i % 2];
  text[sizeof text - 2] = 0;
  assert_true(port_expr(text, find_name, NULL, &value, &trouble));
  assert_int_equal(value, 50000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_c),
      cmocka_unit_test(what_is_none_is_refused),
      cmocka_unit_test(deep_ones_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
