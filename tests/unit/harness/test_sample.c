/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of parameters that --sample draws. Rules held:
 *   1. The same seed gives the same sets; another one gives others.
 *   2. Each set keeps ranges and rules, is there once, and is not the default set.
 *   3. Few sets have each class of each parameter, and few more each pair of classes.
 *   4. What --set fixes keeps its value.
 *   5. A file without a parameter, or without a second set, is refused.
 */
#include "sample.h"
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "KIND(moore)\nCLOCK(clk)\nRESET(rst, high, sync)\n"
#define PORTS "sample_x.ports"

/* Draws of this text as a port file. The caller frees. */
static bool draw_text(sample_t *s, const char *text, const char *fixed, uint64_t seed, unsigned count,
                      trouble_t *trouble) {
  FILE *file = fopen(PORTS, "w");
  fputs(text, file);
  fclose(file);
  const bool ok = sample_draw(s, LOCKSTACK_SOURCE_DIR, PORTS, fixed, seed, count, trouble);
  unlink(PORTS);
  return ok;
}

static void draw(sample_t *s, const char *text, const char *fixed, uint64_t seed, unsigned count) {
  trouble_t trouble = {0};
  if (!draw_text(s, text, fixed, seed, count, &trouble)) fail_msg("%s", trouble.text);
}

/* The value of a parameter in a set; what is left out is as by default. */
static long long value_in(const char *set, const char *name, long long own) {
  const size_t n = strlen(name);
  for (const char *at = set; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, name, n) == 0 && at[n] == '=') return strtoll(at + n + 1, NULL, 10);
  return own;
}

static bool has_value(const sample_t *s, const char *name, long long own, long long value) {
  for (unsigned i = 0; i < s->count; i++)
    if (value_in(s->sets[i], name, own) == value) return true;
  return false;
}

static const char fifo[] = HEAD "PARAM(Width, 32, 1, 4096, \"w\")\nPARAM(Depth, 4, 1, 1024, \"d\")\n"
                                "IN_V(data, Width, always)\nOUT(level, CLOG2(Depth + 1), always)\n";

static void same_seed_same_sets(void **state) {
  sample_t a, b, c;
  unsigned other = 0;
  (void)state;
  draw(&a, fifo, "", 7, 8), draw(&b, fifo, "", 7, 8), draw(&c, fifo, "", 8, 8);
  assert_int_equal(a.count, 8);
  for (unsigned i = 0; i < 8; i++) {
    assert_string_equal(a.sets[i], b.sets[i]);
    other += strcmp(a.sets[i], c.sets[i]) != 0;
  }
  assert_true(other > 0);
  sample_free(&a), sample_free(&b), sample_free(&c);
}

/* Eight sets have the ends of both ranges. CLOG2(Depth + 1) is another width at each power of two:
 * one of them is there, and values that are none. */
static void ends_and_steps_come_soon(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    sample_t s;
    unsigned powers = 0, others = 0;
    draw(&s, fifo, "", seed, 8);
    assert_true(has_value(&s, "Width", 32, 1) && has_value(&s, "Width", 32, 4096));
    assert_true(has_value(&s, "Depth", 4, 1) && has_value(&s, "Depth", 4, 1024));
    for (unsigned i = 0; i < s.count; i++) {
      const long long depth = value_in(s.sets[i], "Depth", 4);
      if (depth == 1 || depth == 1024) continue;
      powers += (depth & (depth - 1)) == 0, others += (depth & (depth - 1)) != 0;
    }
    assert_true(powers >= 1 && others >= 2);
    sample_free(&s);
  }
}

/* Three parameters of 3, 3 and 2 values: 9 + 6 + 6 pairs, for which no fewer than 9 sets do.
 * Fifteen are enough for each seed, and all pairs are counted as met just then. */
static void all_pairs_in_few_sets(void **state) {
  static const char text[] =
      HEAD "PARAM(A, 0, 0, 2, \"a\")\nPARAM(B, 0, 0, 2, \"b\")\nPARAM(C, 0, 0, 1, \"c\")\nIN(x, 1, always)\n";
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    sample_t s;
    bool seen[3][3] = {{false}};
    unsigned pairs = 0;
    draw(&s, text, "", seed, 15);
    for (unsigned i = 0; i < s.count; i++) seen[value_in(s.sets[i], "A", 0)][value_in(s.sets[i], "B", 0)] = true;
    for (unsigned i = 0; i < 9; i++) pairs += seen[i / 3][i % 3];
    assert_int_equal(pairs, 9);
    assert_int_equal(s.pairs, 21);
    assert_int_equal(s.met, 21);
    sample_free(&s);
    draw(&s, text, "", seed, 4);
    assert_true(s.met < 21);
    sample_free(&s);
  }
}

/* B divides A, A is no 12, and both together are small: each set keeps that, no set comes twice,
 * and the default set is not drawn. A pair that the rules forbid is not waited for. */
static void rules_are_kept(void **state) {
  static const char text[] = HEAD "PARAM(A, 4, 1, 64, \"a\")\nPARAM(B, 2, 1, 8, \"b\")\nPARAM(F, 64, 64, 1024, \"f\")\n"
                                  "PARAM_RULE(A % B == 0, \"B divides A\")\nPARAM_RULE(A != 12 && A * B < 200, \"x\")\n"
                                  "PARAM_RULE(F % 64 == 0, \"whole words\")\nIN(x, A, always)\n";
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    sample_t s;
    bool other_words = false;
    draw(&s, text, "", seed, 40);
    assert_int_equal(s.count, 40);
    assert_true(s.met <= s.pairs && s.met * 4 > s.pairs * 3);
    for (unsigned i = 0; i < s.count; i++) {
      const long long a = value_in(s.sets[i], "A", 4), b = value_in(s.sets[i], "B", 2),
                      f = value_in(s.sets[i], "F", 64);
      assert_true(a >= 1 && a <= 64 && b >= 1 && b <= 8 && f >= 64 && f <= 1024);
      assert_true(a % b == 0 && a != 12 && a * b < 200 && f % 64 == 0);
      assert_true(a != 4 || b != 2 || f != 64);
      other_words |= (f & (f - 1)) != 0;
      for (unsigned k = 0; k < i; k++) assert_string_not_equal(s.sets[i], s.sets[k]);
    }
    assert_true(other_words);
    sample_free(&s);
  }
}

/* A width that is none is not drawn either: a scalar port has at most 64 bits. Texts are drawn by
 * their words, negative numbers as they are. */
static void what_cannot_be_read_is_not_drawn(void **state) {
  static const char text[] = HEAD "PARAM(W, 8, 1, 80, \"w\")\nPARAM_TEXT(M, \"A\", \"A B\", \"m\")\n"
                                  "PARAM(O, -4, -128, 127, \"o\")\nIN(x, W, always)\n";
  sample_t s;
  bool b = false, negative = false;
  (void)state;
  draw(&s, text, "", 1, 30);
  for (unsigned i = 0; i < s.count; i++) {
    assert_true(value_in(s.sets[i], "W", 8) <= 64);
    b |= strstr(s.sets[i], "M=B") != NULL, negative |= value_in(s.sets[i], "O", -4) == -128;
  }
  assert_true(b && negative);
  sample_free(&s);
}

static void fixed_values_stay(void **state) {
  sample_t s;
  (void)state;
  draw(&s, fifo, "Depth=7", 1, 6);
  for (unsigned i = 0; i < s.count; i++) assert_int_equal(strncmp(s.sets[i], "Depth=7,Width=", 14), 0);
  assert_int_equal(s.pairs, 0);
  sample_free(&s);
}

static void ends_where_there_are_no_more(void **state) {
  static const char two[] = HEAD "PARAM(A, 0, 0, 1, \"a\")\nIN(x, 1, always)\n";
  static const struct {
    const char *text, *fixed, *says;
  } none[] = {{HEAD "IN(x, 1, always)\n", "", "--sample: " PORTS " has no parameter: a PARAM would be right"},
              {HEAD "PARAM(A, 0, 0, 1, \"a\")\nIN(x, 1, always)\n", "A=1",
               "--sample: " PORTS " has no parameter that --set does not fix"},
              {HEAD "PARAM(A, 3, 3, 3, \"a\")\nIN(x, 1, always)\n", "",
               "--sample: " PORTS " allows no other set of parameters than the default one"},
              {HEAD "PARAM(A, 3, 1, 4, \"a\")\nIN(x, 1, always)\n", "A=5", "A = 5: from 1 to 4 (\"a\")"}};
  sample_t s;
  (void)state;
  draw(&s, two, "", 1, 10);
  assert_int_equal(s.count, 1);
  assert_string_equal(s.sets[0], "A=1");
  sample_free(&s);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    trouble_t trouble = {0};
    assert_false(draw_text(&s, none[i].text, none[i].fixed, 1, 4, &trouble));
    assert_string_equal(trouble.text, none[i].says);
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    sample_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_seed_same_sets),
      cmocka_unit_test(ends_and_steps_come_soon),
      cmocka_unit_test(all_pairs_in_few_sets),
      cmocka_unit_test(rules_are_kept),
      cmocka_unit_test(fixed_values_stay),
      cmocka_unit_test(what_cannot_be_read_is_not_drawn),
      cmocka_unit_test(ends_where_there_are_no_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
