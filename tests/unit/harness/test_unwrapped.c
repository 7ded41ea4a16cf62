/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator's own script is passed over; a script of a user, and one whose program a variable
 * names, are not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "process.h"
#include "unit_test.h"
#include "unwrapped.h"

/* What the script that is looked for is known by, and an end that no other program has. */
static const char own[] = "#! /usr/bin/perl\n"
                          "# Copyright 2003-2023 by Wilson Snyder.\n"
                          "print \"the script\\n\"; exit 3;\n"
                          "    run(ulimit_stack_unlimited() . verilator_bin() . \" \" . join(' ', @quoted_sw));\n";

static char folder[] = "/tmp/unwrapped-XXXXXX";

static void write_program(const char *name, const char *text) {
  char path[PLAIN_PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file) || chmod(path, 0755), 0);
}

/* What `verilator --one 'a b'` says. */
static void expect_says(const char *wanted, int status) {
  char *const argv[] = {"verilator", "--one", "a b", NULL};
  char *text;
  assert_int_equal(process_tool(&(process_t){.argv = argv}, &text, 0), status);
  assert_string_equal(text, wanted);
  free(text);
}

static int make_programs(void **state) {
  (void)state;
  char *path = NULL;
  assert_non_null(mkdtemp(folder));
  assert_true(asprintf(&path, "%s:%s", folder, getenv("PATH")) > 0);
  setenv("PATH", path, 1);
  free(path);
  unsetenv("VERILATOR_ROOT"), unsetenv("VERILATOR_BIN"), unsetenv("VERILATOR_TEST_FLAGS");
  write_program("verilator_bin", "#!/bin/sh\necho \"$0|$1|$2|$(ulimit -s)\"\n");
  return 0;
}

static int remove_programs(void **state) {
  (void)state;
  return !file_remove_all(folder);
}

static void test_own_script(void **state) {
  (void)state;
  char wanted[PLAIN_PATH], behind[PLAIN_PATH], most[32] = "unlimited";
  struct rlimit stack;
  getrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_max != RLIM_INFINITY) snprintf(most, sizeof most, "%lu", (unsigned long)stack.rlim_cur / 1024);
  write_program("verilator", own);
  snprintf(wanted, sizeof wanted, "%s/verilator_bin|--one|a b|%s\n", folder, most);
  expect_says(wanted, 0);
  assert_false(unwrapped_program("verilator_bin", behind));
}

static void test_variables(void **state) {
  (void)state;
  char behind[PLAIN_PATH];
  write_program("verilator", own);
  assert_true(unwrapped_program("verilator", behind));
  setenv("VERILATOR_BIN", "another", 1);
  expect_says("the script\n", 3);
  unsetenv("VERILATOR_BIN");
}

static void test_another_script(void **state) {
  (void)state;
  write_program("verilator", "#!/bin/sh\necho another script\nexit 4\n");
  expect_says("another script\n", 4);
  write_program("verilator", "#!/usr/bin/perl\n# starts verilator_bin\nprint \"a user's\\n\";\n");
  expect_says("a user's\n", 0);
}

/* The script would look for the program elsewhere. */
static void test_alone(void **state) {
  (void)state;
  char path[PLAIN_PATH];
  snprintf(path, sizeof path, "%s/verilator_bin", folder);
  write_program("verilator", own);
  assert_int_equal(unlink(path), 0);
  expect_says("the script\n", 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_script), cmocka_unit_test(test_variables),
                                     cmocka_unit_test(test_another_script), cmocka_unit_test(test_alone)};
  return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
