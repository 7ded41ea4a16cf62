/* SPDX-License-Identifier: Apache-2.0
 *
 * Edits between words, and which names are suggested for one that does not exist.
 */
#include "nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Insertions, deletions, replacements and swaps of neighbours count one each, in both
 * directions. */
static void edits(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    unsigned edits;
  } rows[] = {{"", "", 0},           {"", "abc", 3},       {"check", "check", 0},
              {"chekc", "check", 1}, {"chck", "check", 1}, {"checkk", "check", 1},
              {"chexk", "check", 1}, {"ab", "ba", 1},      {"kitten", "sitting", 3},
              {"ca", "abc", 3}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(nearest_edits(rows[i].a, rows[i].b), rows[i].edits);
    assert_int_equal(nearest_edits(rows[i].b, rows[i].a), rows[i].edits);
  }
}

/* What is suggested for the word, of eight names of blocks. */
static const char *suggest(nearest_t *n, const char *word) {
  static const char *const names[] = {"fifo", "fifo_2w", "nsu_rx", "nsu_tx", "nsu", "lsu", "lsu_rx", "lsu_tx"};
  nearest_start(n, word);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) nearest_try(n, names[i]);
  return nearest_text(n);
}

/* At most three names: the nearest ones, and those that begin with the word. */
static void suggestions(void **state) {
  (void)state;
  nearest_t n;
  assert_string_equal(suggest(&n, "fifoo"), "; did you mean fifo?");
  assert_string_equal(suggest(&n, "fifo_"), "; did you mean fifo or fifo_2w?"); /* one letter less; a beginning */
  assert_string_equal(suggest(&n, "msu_rx"), "; did you mean lsu_rx or nsu_rx?");
  assert_string_equal(suggest(&n, "xsu"), "; did you mean lsu or nsu?");
  assert_string_equal(suggest(&n, "ns"), "; did you mean nsu, nsu_rx or nsu_tx?");
  assert_string_equal(suggest(&n, "lu_rx"), "; did you mean lsu_rx?");
  assert_string_equal(suggest(&n, "completely"), "");
  assert_string_equal(suggest(&n, "x"), ""); /* one letter is one edit away from nothing */
  assert_string_equal(suggest(&n, ""), "");
}

/* Long names are cut to NEAREST_NAME, and a long word matches nothing. */
static void long_words(void **state) {
  (void)state;
  char word[200];
  nearest_t n;
  memset(word, 'a', sizeof word - 1);
  word[sizeof word - 1] = 0;
  nearest_start(&n, word);
  nearest_try(&n, word);
  assert_int_equal(n.count, 1);
  assert_int_equal(strlen(n.name[0]), NEAREST_NAME - 1);
  suggest(&n, word);
  assert_int_equal(n.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edits), cmocka_unit_test(suggestions),
                                     cmocka_unit_test(long_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
