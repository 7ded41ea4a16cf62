/* SPDX-License-Identifier: Apache-2.0
 *
 * Which points a waiver takes (lines, bits, text with a star), and what makes it stale.
 */
#include "unit_test.h"
#include "waive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A block's points: a bus of four bits that was hit in bit 0, the same
 * signal where it is one bit wide, a line, a functional point. */
enum { BIT0, BIT1, BIT2, BIT3, SINGLE, BRANCH, READ_LAST, POINTS };
static cover_point_t points[POINTS];

/* All points are toggles of the signal full until this says otherwise. */
static void make_points(void) {
  for (unsigned i = 0; i < POINTS; i++)
    points[i] = (cover_point_t){.kind = COVER_TOGGLE,
                                .file = "rtl/x/x.sv",
                                .line = 41,
                                .name = "full",
                                .bit = i < SINGLE ? (int)i : -1,
                                .waiver = -1};
  points[BIT0].state = COVER_HIT;
  points[BRANCH].kind = COVER_LINE;
  points[BRANCH].name = "else";
  points[READ_LAST].kind = COVER_FUNCTIONAL;
  points[READ_LAST].name = "order[read,last]";
}

/* Reads this text as a file of waivers. */
static bool read_waivers(waivers_t *w, const char *text, trouble_t *trouble) {
  char path[] = "/tmp/waive.XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
  const bool ok = waivers_read(w, path, trouble);
  unlink(path);
  return ok;
}

/* The points that the line waives, a bit each, and why the waiver is stale, if it is. */
static unsigned apply_waiver(const char *line, const char **stale) {
  trouble_t trouble;
  cover_table_t table = {.points = points, .count = POINTS};
  waivers_t w;
  unsigned set = 0;
  make_points();
  assert_true(read_waivers(&w, line, &trouble));
  waivers_apply(&w, &table);
  for (unsigned i = 0; i < POINTS; i++) set |= (unsigned)(points[i].state == COVER_WAIVED) << i;
  *stale = waiver_stale(&w.list[0]);
  waivers_free(&w);
  return set;
}

/* Each form of a waiver, with the points that it takes. One that takes nothing, or a hit point,
 * is stale. */
static void a_waiver_takes_what_it_names(void **state) {
  (void)state;
  static const struct {
    const char *line;
    unsigned set;
    const char *stale;
  } cases[] = {
      {"toggle rtl/x/x.sv:full[3:2] why\n", 1 << BIT3 | 1 << BIT2, NULL},
      {"toggle rtl/x/x.sv:full[1] why\n", 1 << BIT1, NULL},
      {"toggle rtl/x/x.sv:full[] why\n", 1 << SINGLE, NULL},
      {"toggle rtl/x/x.sv:full why\n", 1 << BIT1 | 1 << BIT2 | 1 << BIT3 | 1 << SINGLE, "matches a point that is hit"},
      {"toggle rtl/x/*:fu*[2:1] why\n", 1 << BIT1 | 1 << BIT2, NULL},
      {"toggle rtl/x/x.sv:empty why\n", 0, "matches no point"},
      {"toggle rtl/x/x.sv:full[7:4] why\n", 0, "matches no point"},
      {"line rtl/x/x.sv:41:else why\n", 1 << BRANCH, NULL},
      {"line rtl/x/x.sv:42:else why\n", 0, "matches no point"},
      {"functional order[read,*] why\n", 1 << READ_LAST, NULL}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *stale;
    assert_int_equal(apply_waiver(cases[i].line, &stale), cases[i].set);
    assert_int_equal(stale == NULL, cases[i].stale == NULL);
    if (stale) assert_string_equal(stale, cases[i].stale);
  }
}

/* An unknown kind, a missing reason and a missing point: each message has the second line's
 * number. */
static void a_wrong_line_is_told(void **state) {
  (void)state;
  static const char *const wrong[] = {"# a comment\ntoggel rtl/x/x.sv:full why\n",
                                      "# a comment\ntoggle rtl/x/x.sv:full\n", "\nline\n"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    trouble_t trouble;
    waivers_t w;
    assert_false(read_waivers(&w, wrong[i], &trouble));
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    assert_non_null(strstr(trouble.text, ":2: "));
    waivers_free(&w);
  }
}

/* A reason that begins with "unreachable:" is a claim, which a proof may refute. */
static void a_reason_may_be_a_claim(void **state) {
  (void)state;
  trouble_t trouble;
  waivers_t w;
  assert_true(read_waivers(&w, "toggle a:b[3] unreachable: x is 0\ntoggle a:b[2] x is 0\n", &trouble));
  assert_int_equal(w.count, 2);
  assert_true(waiver_claims(&w.list[0]));
  assert_false(waiver_claims(&w.list[1]));
  w.list[0].matched = w.list[0].refuted = 1;
  assert_string_equal(waiver_stale(&w.list[0]), "claims what a proof refutes");
  waivers_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_waiver_takes_what_it_names),
      cmocka_unit_test(a_wrong_line_is_told),
      cmocka_unit_test(a_reason_may_be_a_claim),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
