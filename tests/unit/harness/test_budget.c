/* SPDX-License-Identifier: Apache-2.0
 *
 * The area ratchet: its verdicts and its file. A block may grow or shrink by 5 % of its budget
 * line; figures are literals worked out by hand.
 */
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "budget.h"

static trouble_t trouble;
static char why[512];

static const budget_line_t line = {.library = "ge",
                                   .block = "fifo",
                                   .params = "Depth=7",
                                   .area = 1000,
                                   .path = 2,
                                   .macro_bits = 100,
                                   .reason = "first"};

/* The verdict on a measurement against the one line above. */
static budget_verdict_t judge(double area, double path, unsigned long bits) {
  budget_line_t now = line;
  now.area = area, now.path = path, now.macro_bits = bits;
  return budget_judge(&line, &now, why, sizeof why);
}

/* Exactly 5 % is held in each of area, path and macro bits; a little more is grown or smaller. */
static void five_percent(void **state) {
  (void)state;
  assert_int_equal(judge(1050, 2.1, 105), BUDGET_HELD);
  assert_int_equal(judge(1051, 2, 100), BUDGET_GROWN);
  assert_string_equal(why, "area grew by 5.1 % (1051, budget 1000)");
  assert_int_equal(judge(1000, 2.11, 100), BUDGET_GROWN);
  assert_int_equal(judge(1000, 2, 106), BUDGET_GROWN);
  assert_int_equal(judge(950, 1.9, 95), BUDGET_HELD);
  assert_int_equal(judge(949, 2, 100), BUDGET_SMALLER);
  assert_string_equal(why, "area shrank by 5.1 % (949, budget 1000)");
}

/* One figure that grew is growth, however much the others shrank. */
static void growth_is_not_paid_by_what_shrank(void **state) {
  (void)state;
  assert_int_equal(judge(10, 3, 0), BUDGET_GROWN);
  assert_string_equal(why, "longest path grew by 50.0 % (3, budget 2)");
}

/* -1 is no path and 0 no macros; any macro is more than none. Without a line there is no
 * verdict. */
static void from_nothing_to_something(void **state) {
  (void)state;
  budget_line_t none = line, now = line;
  none.path = -1, none.macro_bits = 0, now.path = -1, now.macro_bits = 0;
  assert_int_equal(budget_judge(&none, &now, why, sizeof why), BUDGET_HELD);
  now.macro_bits = 1;
  assert_int_equal(budget_judge(&none, &now, why, sizeof why), BUDGET_GROWN);
  assert_int_equal(budget_judge(NULL, &now, why, sizeof why), BUDGET_NONE);
}

/* Lines are sorted by library and block. A reason may have commas. A line of the same library,
 * block and parameters is replaced. */
static void a_file_is_read_as_written(void **state) {
  (void)state;
  char path[] = "budget.XXXXXX";
  budget_t b = {0}, again;
  budget_line_t other = {.library = "ge",
                         .block = "arb_rr",
                         .cells = 34,
                         .flipflops = 4,
                         .area = 64.5,
                         .path = -1,
                         .reason = "a reason, with a comma"};
  budget_line_t of_another = line;
  strcpy(of_another.library, "osu018");
  close(mkstemp(path));
  assert_true(budget_set(&b, &of_another) && budget_set(&b, &line) && budget_set(&b, &other));
  assert_true(budget_write(&b, path, &trouble));
  assert_true(budget_read(&again, path, &trouble));
  assert_int_equal(again.count, 3);
  assert_string_equal(again.line[0].block, "arb_rr");
  assert_string_equal(again.line[2].library, "osu018");
  assert_memory_equal(again.line, b.line, 3 * sizeof *b.line);
  other.area = 2000;
  assert_true(budget_set(&again, &other));
  assert_int_equal(again.count, 3);
  assert_true(budget_find(&again, "ge", "arb_rr", "")->area == 2000);
  assert_null(budget_find(&again, "ge", "fifo", ""));
  assert_null(budget_find(&again, "osu018", "arb_rr", ""));
  budget_free(&b), budget_free(&again), unlink(path);
}

/* A block outside of the tree is named by its place, from the budget's folder on. */
static void places(void **state) {
  (void)state;
  char name[BUDGET_NAME];
  const struct {
    const char *budget, *ports, *name;
  } row[] = {{"/usr/b.csv", "/usr/lib/x.ports", "lib/x"},
             {"/usr/lib/b.csv", "/usr/lib/x.ports", "./x"},
             {"/usr/lib/b.csv", "/usr/x.ports", "../x"},
             {"/tmp/b.csv", "/usr/lib/x.ports", "../usr/lib/x"}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    assert_true(budget_place(row[i].budget, row[i].ports, "x", name));
    assert_string_equal(name, row[i].name);
  }
  assert_false(budget_place("/no/such/folder/b.csv", "/usr/x.ports", "x", name));
}

/* Too few columns, a word or infinity for a number, an empty reason or name, a line twice. A
 * file that does not exist is an empty budget. */
static void bad_lines(void **state) {
  (void)state;
  static const char *const bad[] = {"ge,fifo,,1,2,3,4,5,\n",
                                    "ge,fifo,,1,2,x,4,5,why\n",
                                    "ge,fifo\n",
                                    "fifo\n",
                                    ",fifo,,1,2,3,4,5,why\n",
                                    "ge,,,1,2,3,4,5,why\n",
                                    "ge,a,,1,2,3,4,5,why\nge,a,,1,2,3,4,5,why\n",
                                    "ge,fifo,,1,2,inf,4,5,why\n",
                                    "fifo,,1,2,3,4,5,why\n"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    char path[] = "budget.XXXXXX";
    budget_t b;
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(bad[i], file), fclose(file);
    assert_false(budget_read(&b, path, &trouble));
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    assert_non_null(strstr(trouble.text, "should be: library,block,params"));
    unlink(path);
  }
  budget_t none;
  assert_true(budget_read(&none, "not/there.csv", &trouble));
  assert_int_equal(none.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(five_percent),
                                     cmocka_unit_test(growth_is_not_paid_by_what_shrank),
                                     cmocka_unit_test(from_nothing_to_something),
                                     cmocka_unit_test(a_file_is_read_as_written),
                                     cmocka_unit_test(places),
                                     cmocka_unit_test(bad_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
