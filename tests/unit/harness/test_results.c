/* SPDX-License-Identifier: Apache-2.0
 *
 * The database of results: what is written is read again, and what is damaged or of another format
 * is refused in one line.
 */
#include "results.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/lockstack-results-XXXXXX";
static trouble_t trouble;

/* Each test has an empty file of its own. */
static int make_database(void **state) {
  (void)state;
  strcpy(path + strlen(path) - 6, "XXXXXX");
  int fd = mkstemp(path);
  return fd < 0 ? -1 : close(fd);
}

static int remove_database(void **state) {
  (void)state;
  return unlink(path);
}

/* Opens the database, for writing or for reading. */
static results_t *open_results(bool write) {
  results_t *results;
  if (!results_open(&results, path, write, &trouble)) fail_msg("%s", trouble.text);
  return results;
}

/* Adds a run of two jobs that wait. */
static int64_t add_smoke_run(results_t *results) {
  static const results_job_t jobs[] = {
      {.position = 0, .key = "check fifo", .verb = "check", .subject = "fifo", .args = "[\"check\", \"fifo\"]"},
      {.position = 1, .key = "check arb_rr", .verb = "check", .subject = "arb_rr", .args = "[\"check\", \"arb_rr\"]"},
  };
  results_run_t run = {.suite = "smoke",
                       .suite_sha = "abc",
                       .seed = UINT64_MAX >> 1,
                       .started = "2026-01-31T12:00:00.000Z",
                       .jobs = 2,
                       .engine = "local"};
  assert_int_equal(results_add_run(results, &run, jobs, 2), TROUBLE_NONE);
  return run.id;
}

/* Checks what all tests' runs have in common and keeps the state. The seed needs 63 bits, so one
 * that was cut to 32 would show. */
static bool keep_run(void *context, const results_run_t *run) {
  assert_string_equal(run->suite, "smoke");
  assert_true(run->seed == UINT64_MAX >> 1);
  assert_null(run->host);
  snprintf(context, 16, "%s", run->state);
  return true;
}

/* Appends a job to a line of text: position, key, state, outcome, code. */
static bool keep_job(void *context, const results_job_t *job) {
  char *line = context;
  snprintf(line + strlen(line), 200, "%u %s %s %s %d;", job->position, job->key, job->state,
           job->outcome ? job->outcome : "-", job->exit_code);
  return true;
}

/* A job that has ended, one that runs, and their run are the same after the database was closed. */
static void written_is_read(void **unused) {
  (void)unused;
  char state[16], jobs[1000] = "";
  results_t *results = open_results(true);
  int64_t run = add_smoke_run(results);
  assert_int_equal(results_start_job(results, run, 1, "2026-01-31T12:00:01.000Z", "here"), TROUBLE_NONE);
  results_job_t end = {.run = run, .position = 0, .outcome = "FAIL", .exit_code = 1, .output = "DIVERGED"};
  assert_int_equal(results_end_job(results, &end), TROUBLE_NONE);
  results_close(results);
  results = open_results(false);
  assert_int_equal(results_runs(results, keep_run, state), TROUBLE_NONE);
  assert_string_equal(state, "running");
  assert_int_equal(results_jobs(results, run, keep_job, jobs), TROUBLE_NONE);
  assert_string_equal(jobs, "0 check fifo done FAIL 1;1 check arb_rr running - 0;");
  results_close(results);
}

/* A second end or a start changes no job that has ended. Resuming lets running jobs wait again. */
static void done_stays_done(void **unused) {
  (void)unused;
  char jobs[1000] = "";
  results_t *results = open_results(true);
  int64_t run = add_smoke_run(results);
  results_job_t end = {.run = run, .position = 0, .outcome = "PASS"};
  assert_int_equal(results_end_job(results, &end), TROUBLE_NONE);
  end.outcome = "KILLED";
  assert_int_equal(results_end_job(results, &end), TROUBLE_NONE);
  assert_int_equal(results_start_job(results, run, 0, "later", "there"), TROUBLE_NONE);
  assert_int_equal(results_start_job(results, run, 1, "later", "there"), TROUBLE_NONE);
  assert_int_equal(results_resume_run(results, run), TROUBLE_NONE);
  assert_int_equal(results_jobs(results, run, keep_job, jobs), TROUBLE_NONE);
  assert_string_equal(jobs, "0 check fifo done PASS 0;1 check arb_rr waiting - 0;");
  results_close(results);
}

/* A job whose sources have changed since its result waits again without a result; the others
 * stay. */
static void ended_jobs_run_again(void **unused) {
  (void)unused;
  char jobs[1000] = "";
  const unsigned again[] = {1};
  results_t *results = open_results(true);
  int64_t run = add_smoke_run(results);
  for (unsigned i = 0; i < 2; i++)
    assert_int_equal(
        results_end_job(results, &(results_job_t){.run = run, .position = i, .outcome = "PASS", .result = "{}"}),
        TROUBLE_NONE);
  assert_int_equal(results_again(results, run, again, 1), TROUBLE_NONE);
  assert_int_equal(results_jobs(results, run, keep_job, jobs), TROUBLE_NONE);
  assert_string_equal(jobs, "0 check fifo done PASS 0;1 check arb_rr waiting - 0;");
  assert_int_equal(
      results_end_job(results, &(results_job_t){.run = run, .position = 1, .outcome = "FAIL", .exit_code = 1}),
      TROUBLE_NONE);
  *jobs = 0;
  assert_int_equal(results_jobs(results, run, keep_job, jobs), TROUBLE_NONE);
  assert_string_equal(jobs, "0 check fifo done PASS 0;1 check arb_rr done FAIL 1;");
  results_close(results);
}

/* A run with two jobs of one key is not added at all. */
static void whole_or_not(void **unused) {
  (void)unused;
  results_t *results = open_results(true);
  results_job_t twice[] = {{.position = 0, .key = "a", .verb = "a", .subject = "", .args = "[]"},
                           {.position = 1, .key = "a", .verb = "a", .subject = "", .args = "[]"}};
  results_run_t run = {.suite = "smoke", .suite_sha = "", .started = ""};
  assert_int_equal(results_add_run(results, &run, twice, 2), TROUBLE_ENVIRONMENT);
  char state[16] = "none";
  assert_int_equal(results_runs(results, keep_run, state), TROUBLE_NONE);
  assert_string_equal(state, "none");
  results_close(results);
}

/* Opening is refused with this kind of trouble and a line that contains `part`. */
static void expect_refused(trouble_kind_t wanted, const char *part, bool write) {
  results_t *results;
  assert_false(results_open(&results, path, write, &trouble));
  if (trouble.kind != wanted || !strstr(trouble.text, part))
    fail_msg("%d: '%s' should have '%s'", trouble.kind, trouble.text, part);
  assert_null(results);
  assert_null(strchr(trouble.text, '\n'));
}

/* Changes the database behind our back. */
static void change_database(const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

/* A database of another format, without its format, or without a table is refused and says so. */
static void other_formats(void **unused) {
  (void)unused;
  results_close(open_results(true));
  change_database("UPDATE meta SET value = '2'");
  expect_refused(TROUBLE_INPUT, "its format is 2, this program reads and writes 1", true);
  expect_refused(TROUBLE_INPUT, "its format is 2", false);
  change_database("DELETE FROM meta");
  expect_refused(TROUBLE_INPUT, "its format is not given", true);
  change_database("DROP TABLE job");
  expect_refused(TROUBLE_INPUT, "not one of results", true);
}

/* A file that is no database, and a database whose pages 3 to 10 have bytes overwritten: both
 * are refused, as what they are. */
static void damaged(void **unused) {
  (void)unused;
  FILE *file = fopen(path, "w");
  for (int i = 0; i < 1000; i++) fputs("not a database", file);
  fclose(file);
  expect_refused(TROUBLE_INPUT, "not a database of results", true);
  unlink(path);
  results_t *results = open_results(true);
  for (int i = 0; i < 200; i++) add_smoke_run(results);
  results_close(results);
  file = fopen(path, "r+");
  for (long page = 2; page < 10; page++) {
    fseek(file, page * 4096, SEEK_SET);
    for (int i = 0; i < 200; i++) fputc(0xa5, file);
  }
  fclose(file);
  expect_refused(TROUBLE_INPUT, "damaged", true);
}

/* Another program that holds the database is an environment's trouble, after a short wait: 10 ms
 * here instead of the usual time. */
static void locked(void **unused) {
  (void)unused;
  results_t *results = open_results(true);
  add_smoke_run(results);
  sqlite3_busy_timeout(results_sqlite(results), 10);
  sqlite3 *other;
  assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
  assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(results_end_run(results, 1, "done", "now"), TROUBLE_ENVIRONMENT);
  assert_non_null(strstr(results_trouble(results)->text, "another program is using it"));
  sqlite3_close(other);
  results_close(results);
}

/* To write, the folder is missing, an environment's trouble. To read, it is the user's: there is
 * no such database. */
static void no_such_folder(void **unused) {
  (void)unused;
  results_t *results;
  assert_false(results_open(&results, "/no/such/folder/db", true, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_ENVIRONMENT);
  assert_non_null(strstr(trouble.text, "cannot be opened"));
  assert_false(results_open(&results, "/no/such/folder/db", false, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_INPUT);
  assert_non_null(strstr(trouble.text, "no such database"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(written_is_read, make_database, remove_database),
      cmocka_unit_test_setup_teardown(done_stays_done, make_database, remove_database),
      cmocka_unit_test_setup_teardown(ended_jobs_run_again, make_database, remove_database),
      cmocka_unit_test_setup_teardown(whole_or_not, make_database, remove_database),
      cmocka_unit_test_setup_teardown(other_formats, make_database, remove_database),
      cmocka_unit_test_setup_teardown(damaged, make_database, remove_database),
      cmocka_unit_test_setup_teardown(locked, make_database, remove_database),
      cmocka_unit_test(no_such_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
