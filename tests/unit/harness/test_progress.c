/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with separators, and a progress line that stays silent for the first two seconds.
 */
#include "clock.h"
#include "number.h"
#include "progress.h"
#include "unit_test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The number as text. */
static void check_number_text(uint64_t value, const char *text) {
  char buf[28];
  assert_string_equal(number_text(value, buf), text);
}

/* A comma between groups of three digits, up to the largest number of 64 bits. */
static void numbers_have_separators(void **state) {
  (void)state;
  check_number_text(0, "0");
  check_number_text(999, "999");
  check_number_text(1000, "1,000");
  check_number_text(123456, "123,456");
  check_number_text(1234567, "1,234,567");
  check_number_text(UINT64_MAX, "18,446,744,073,709,551,615");
}

/* What `call` writes to standard error, which is a file meanwhile. */
static size_t read_standard_error(void (*call)(void), char *text, size_t size) {
  int saved = dup(STDERR_FILENO);
  FILE *file = tmpfile();
  assert_non_null(file);
  dup2(fileno(file), STDERR_FILENO);
  call();
  dup2(saved, STDERR_FILENO);
  close(saved);
  rewind(file);
  size_t length = fread(text, 1, size - 1, file);
  text[length] = 0;
  fclose(file);
  return length;
}

/* Work of ten steps that ends at once. */
static void short_work(void) {
  progress_t progress;
  progress_start(&progress, "short", "steps", 10);
  for (unsigned i = 0; i <= 10; i++) progress_update(&progress, i);
  progress_end(&progress);
}

/* A tool of named work, and one of none, which ran for 5 s and 11 s; twice the same work. */
static void tools(void) {
  progress_tool("building x (rtl)", "yosys", 5);
  progress_tool(NULL, "yosys", 11);
  progress_tool(NULL, NULL, 0);
  progress_tool("building x (rtl)", "yosys", 11);
  progress_tool("building x (rtl)", "g++", 12);
  progress_tool(NULL, NULL, 0);
}

/* Work that has run for three seconds when it says how far it is. */
static void long_work(void) {
  progress_t progress;
  progress_start(&progress, "long", "steps", 4000);
  progress.start -= 3; /* as if it had begun three seconds ago */
  progress.next -= 3;
  snprintf(progress.note, sizeof progress.note, "12 instructions");
  progress_update(&progress, 3000);
  progress_update(&progress, 3001); /* too soon for another line */
  progress_end(&progress);
}

/* Ten steps take far less than two seconds, so nothing is written. */
static void short_work_is_silent(void **state) {
  (void)state;
  char text[256];
  assert_int_equal(read_standard_error(short_work, text, sizeof text), 0);
}

/* 3000 steps in 3 s leave 1 s for the last 1000. There is one line, because the second update
 * comes too soon. */
static void long_work_says_how_far_it_is(void **state) {
  (void)state;
  char text[256];
  read_standard_error(long_work, text, sizeof text);
  assert_non_null(strstr(text, "long: 3,000 of 4,000 steps, "));
  assert_non_null(strstr(text, "/s, 1 s left; 12 instructions\n"));
  assert_ptr_equal(strchr(text, '\n'), strrchr(text, '\n'));
}

/* Time passes while the processor works. */
static void clocks_go_forward(void **state) {
  (void)state;
  double clock = clock_seconds(), cpu = clock_cpu();
  volatile unsigned spin = 0;
  while (clock_cpu() - cpu < 0.01) spin++;
  assert_true(clock_seconds() > clock);
}

/* Outside of a terminal work has one line, after ten seconds. */
static void tools_are_named(void **state) {
  (void)state;
  char text[256];
  read_standard_error(tools, text, sizeof text);
  assert_string_equal(text, "lockstack: building x (rtl)\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tools_are_named), cmocka_unit_test(numbers_have_separators),
                                     cmocka_unit_test(short_work_is_silent),
                                     cmocka_unit_test(long_work_says_how_far_it_is),
                                     cmocka_unit_test(clocks_go_forward)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
