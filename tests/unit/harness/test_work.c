/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders of one run: none is given twice, none is removed that is in use or somebody else's, and
 * those that are kept do not grow without bound.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "process.h"
#include "unit_test.h"
#include "work.h"

static char above[] = "/tmp/lockstack-work-XXXXXX";

/* A path in the folder of all tests, valid until the next call. */
static const char *path_under(const char *name) {
  static char path[PLAIN_PATH];
  snprintf(path, sizeof path, "%s/%s", above, name);
  return path;
}

/* Is a file or folder of this name there? */
static bool is_there(const char *name) {
  return access(path_under(name), F_OK) == 0;
}

/* Opens a folder, which must have this name and number. */
static void expect_opened(work_t *w, const char *name, const char *number) {
  trouble_t trouble = {0};
  assert_true(work_open(w, above, name, &trouble));
  assert_string_equal(w->path, path_under(number));
}

/* Writes a file into the opened folder. */
static void write_in_work(const work_t *w, const char *name) {
  char path[PLAIN_PATH + 16];
  snprintf(path, sizeof path, "%s/%s", w->path, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("text", file);
  fclose(file);
}

/* Two folders at once. One that is not kept is gone; the number of one that is kept is never
 * given again. */
static void test_own(void **state) {
  (void)state;
  work_t a, b, c;
  expect_opened(&a, "own", "own.1");
  expect_opened(&b, "own", "own.2");
  write_in_work(&a, "log"), write_in_work(&b, "log");
  work_close(&a, false);
  assert_false(is_there("own.1"));
  work_close(&b, true);
  assert_true(is_there("own.2/log"));
  expect_opened(&c, "own", "own.3");
  assert_true(is_there("own.2/log"));
  work_close(&c, false);
  work_close(&c, false); /* not open: nothing */
}

/* A process that ends without closing its folder, while another one is at work: only its folder
 * is removed. */
static void test_killed(void **state) {
  (void)state;
  work_t mine, next;
  trouble_t trouble;
  expect_opened(&mine, "killed", "killed.1");
  pid_t child = process_fork(0);
  if (child == 0) {
    work_t w;
    _exit(!work_open(&w, above, "killed", &trouble));
  }
  assert_int_equal(process_wait(child), 0);
  assert_true(is_there("killed.2"));
  expect_opened(&next, "killed", "killed.3");
  assert_false(is_there("killed.2"));
  assert_true(is_there("killed.1"));
  work_close(&mine, false), work_close(&next, false);
}

/* A folder that looks like ours but is not stays, and its number is passed over. */
static void test_foreign(void **state) {
  (void)state;
  work_t w;
  assert_true(file_folder(path_under("foreign.7")));
  assert_true(file_folder(path_under("foreign.x")));
  expect_opened(&w, "foreign", "foreign.8");
  work_close(&w, false);
  for (unsigned i = 0; i < 2 * WORK_KEPT; i++)
    assert_true(work_open(&w, above, "foreign", &(trouble_t){0})), work_close(&w, true);
  assert_true(is_there("foreign.7") && is_there("foreign.x"));
}

/* Of many kept folders the newest WORK_KEPT stay. */
static void test_bound(void **state) {
  (void)state;
  work_t w;
  char name[32];
  unsigned kept = 0;
  for (unsigned i = 0; i < 3 * WORK_KEPT; i++)
    assert_true(work_open(&w, above, "bound", &(trouble_t){0})), work_close(&w, true);
  assert_true(work_open(&w, above, "bound", &(trouble_t){0}));
  work_close(&w, false);
  for (unsigned i = 1; i <= 3 * WORK_KEPT; i++) {
    snprintf(name, sizeof name, "bound.%u", i);
    kept += is_there(name);
    assert_true(is_there(name) == (i > 2 * WORK_KEPT)); /* the newest */
  }
  assert_int_equal(kept, WORK_KEPT);
}

/* Folders of nsu.2 are none of nsu, although their names begin alike. */
static void test_names(void **state) {
  (void)state;
  work_t w;
  for (unsigned i = 0; i < 2; i++) assert_true(work_open(&w, above, "nsu.2", &(trouble_t){0})), work_close(&w, true);
  expect_opened(&w, "nsu", "nsu.1");
  work_close(&w, false);
}

/* A finished folder takes the place of an older one as a whole. */
static void test_publish(void **state) {
  (void)state;
  work_t w;
  char path[PLAIN_PATH];
  snprintf(path, sizeof path, "%s", path_under("entry"));
  for (unsigned i = 0; i < 2; i++) {
    expect_opened(&w, "made", "made.1");
    write_in_work(&w, i ? "second" : "first");
    assert_true(work_publish(&w, path));
    assert_false(is_there("made.1"));
  }
  assert_true(is_there("entry/second"));
  assert_false(is_there("entry/first") || is_there("entry/.lock"));
}

/* A folder cannot be made in a file: the environment's trouble, with the system's reason. */
static void test_folder_in_a_file(void **state) {
  (void)state;
  work_t w;
  trouble_t trouble = {0};
  FILE *file = fopen(path_under("file"), "w");
  assert_non_null(file);
  fclose(file);
  assert_false(work_open(&w, path_under("file"), "x", &trouble));
  assert_int_equal(trouble.kind, TROUBLE_ENVIRONMENT);
  assert_non_null(strstr(trouble.text, "cannot make this folder: Not a directory"));
  work_close(&w, true);
}

static int make_parent(void **state) {
  (void)state;
  return !mkdtemp(above);
}

static int remove_parent(void **state) {
  (void)state;
  return !file_remove_all(above);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_own),
                                     cmocka_unit_test(test_killed),
                                     cmocka_unit_test(test_foreign),
                                     cmocka_unit_test(test_bound),
                                     cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_publish),
                                     cmocka_unit_test(test_folder_in_a_file)};
  return cmocka_run_group_tests(tests, make_parent, remove_parent);
}
