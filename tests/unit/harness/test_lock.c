/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks on files: who has one, who waits and for how long, and that a tool keeps it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "lock.h"

static char path[] = "/tmp/lockstack-lock-XXXXXX";

static int make_file(void **state) {
  (void)state;
  const int fd = mkstemp(path);
  return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state) {
  (void)state;
  return unlink(path);
}

static const lock_wait_t at_once = {.most_seconds = 0};

/* Two descriptions of one file exclude each other, in one process, too. */
static void test_second_lock_waits_in_vain(void **state) {
  (void)state;
  const int first = lock_open(path, false, &at_once);
  assert_true(first >= 0);
  const double began = clock_seconds();
  assert_int_equal(lock_open(path, false, &(lock_wait_t){.most_seconds = 0.05}), -1);
  assert_int_equal(errno, ETIMEDOUT);
  assert_true(clock_seconds() - began >= 0.05);
  close(first);
  const int second = lock_open(path, false, &at_once);
  assert_true(second >= 0);
  close(second);
}

/* Whoever is told to stop waits a second, not the whole time. */
static void test_stopped_wait_ends(void **state) {
  (void)state;
  static const volatile sig_atomic_t stop = 1;
  const int first = lock_open(path, false, &at_once);
  assert_int_equal(lock_open(path, false, &(lock_wait_t){.most_seconds = 3600, .stop = &stop}), -1);
  assert_int_equal(errno, ETIMEDOUT);
  close(first);
}

/* A tool that outlives its caller still writes in the folder: it keeps the lock if it inherits it,
 * and none otherwise. */
static void test_tool_keeps_inherited_lock(void **state) {
  (void)state;
  for (int inherited = 0; inherited < 2; inherited++) {
    const int fd = lock_open(path, inherited, &at_once);
    assert_true(fd >= 0);
    FILE *tool = popen("cat >/dev/null", "w"); /* runs until its input ends */
    assert_non_null(tool);
    close(fd);
    const int other = lock_open(path, false, &(lock_wait_t){.most_seconds = inherited ? 0.05 : 5});
    assert_int_equal(other < 0, inherited);
    if (other >= 0) close(other);
    pclose(tool);
  }
}

static void test_no_folder_is_an_error(void **state) {
  (void)state;
  assert_int_equal(lock_open("/tmp/lockstack-no-such-folder/lock", false, &at_once), -1);
  assert_int_equal(errno, ENOENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_second_lock_waits_in_vain),
      cmocka_unit_test(test_stopped_wait_ends),
      cmocka_unit_test(test_tool_keeps_inherited_lock),
      cmocka_unit_test(test_no_folder_is_an_error),
  };
  return cmocka_run_group_tests(tests, make_file, remove_file);
}
