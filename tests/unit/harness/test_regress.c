/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a regression: signatures of failures, by which jobs fall into buckets, and one job as a
 * child process of a program that does as it is told.
 */
#include "file.h"
#include "processes.h"
#include "signature.h"
#include "task.h"

#include <setjmp.h>
#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/lockstack-regress-XXXXXX", program[100];

/* Numbers, folders and blanks are taken out of a line, so one fault has one text. */
static void same_words_for_the_same_fault(void **unused) {
  (void)unused;
  static const char *const cases[][2] = {
      {"lockstack: /tmp/a1/fifo.c:31: x != 0x1f, after 1,234.5 cycles", "lockstack: fifo.c:N: x != N, after N cycles"},
      {"  lsu_rx  port2 \t7", "lsu_rx port2 N"},
      {"", ""},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[200];
    strcpy(line, cases[i][0]);
    signature_normalise(line);
    assert_string_equal(line, cases[i][1]);
  }
}

/* The signature of a job `check fifo` with this outcome, result and output. */
static void check_signature(const char *wanted, const char *outcome, int code, const char *document,
                            const char *output) {
  json_t *root = document ? json_loads(document, 0, NULL) : NULL;
  char *text = signature_of("check", "fifo", outcome, code, root, output);
  assert_string_equal(text, wanted);
  free(text);
  json_decref(root);
}

/* A signature comes from the result if it says what failed, otherwise from the output's telling
 * line. */
static void signatures(void **unused) {
  (void)unused;
  check_signature("check fifo: DIVERGED probe_rd", "FAIL", 1,
                  "{\"outcome\": \"DIVERGED\", \"failure\": {\"port\": \"probe_rd\"}}", "x");
  check_signature("check fifo: FAIL nsu[N] port y", "FAIL", 1,
                  "{\"lockstep\": {\"instances\": [{}, {\"first\": {\"what\": \"nsu[3] port y\"}}]}}", "");
  check_signature("check fifo: FAIL no_loss", "FAIL", 1,
                  "{\"properties\": [{\"status\": \"proved\", \"name\": \"a\"}, "
                  "{\"status\": \"refuted\", \"name\": \"no_loss\"}]}",
                  "");
  check_signature("check fifo: KILLED Segmentation fault", "KILLED", 139, NULL, "some output\n");
  check_signature("check fifo: TIMEOUT time over", "TIMEOUT", 137, NULL, "some output\n");
  check_signature("check fifo: INFRA lockstack: disk full", "INFRA", 3, NULL, "building\nlockstack: disk full\nmore\n");
  check_signature("check fifo: FAIL missed", "FAIL", 1, NULL, "lockstack: building fifo (rtl+cov)\nmissed\n");
  check_signature("check fifo: FAIL last", "FAIL", 1, NULL, "first\nlast\n\n");
}

/* ---- a job ---- */

/* Runs a job to its end, or for `limit` seconds. Its folder is 7, by its position. */
static results_job_t run_job(const char *what, double limit) {
  plan_job_t job = {.position = 7,
                    .key = "do it",
                    .verb = "do",
                    .subject = "it",
                    .args = json_pack("[s, s]", "do", what),
                    .limit = limit};
  const task_place_t place = {program, folder, "lockstack-unit-test"};
  task_t task;
  results_job_t result;
  assert_true(task_start(&task, &place, &job));
  while (!task_ended(&task, &result)) nanosleep(&(struct timespec){0, 5000000}, NULL);
  json_decref(job.args);
  return result;
}

/* A file of the job's folder is still there. */
static bool file_left(const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/7%s%s", folder, *name ? "/" : "", name);
  return access(path, F_OK) == 0;
}

/* The job ends with this outcome. Its folder is kept unless it passed, but the result's file is
 * not. */
static void check_job(const char *what, const char *outcome, int code) {
  results_job_t result = run_job(what, 60);
  assert_string_equal(result.outcome, outcome);
  assert_int_equal(result.exit_code, code);
  assert_true(!strcmp(outcome, "PASS") == !result.signature);
  if (isdigit((unsigned char)*what)) assert_string_equal(result.result, "{\"schema\":\"lockstack.do/1\"}");
  assert_true(!result.result == (!strcmp(what, "half") || !strcmp(what, "nothing")));
  assert_true(file_left("kept") == (strcmp(outcome, "PASS") != 0));
  assert_false(file_left("result.json"));
  task_free_result(&result);
}

/* Exit codes and signals as outcomes. A job that ends with 0 needs a result that agrees. */
static void outcomes(void **unused) {
  (void)unused;
  check_job("0", "PASS", 0);
  check_job("1", "FAIL", 1);
  check_job("2", "BAD_INPUT", 2);
  check_job("3", "INFRA", 3);
  check_job("9", "FAIL", 9);
  check_job("kill", "KILLED", 128 + SIGABRT);
  check_job("half", "FAIL", 1);
  check_job("nothing", "INFRA", 0); /* it ends with 0, and says otherwise or nothing */
  check_job("other", "INFRA", 0);
  check_job("diverged", "INFRA", 0);
  check_job("refuted", "INFRA", 0);
}

/* Of much output the last RESULTS_OUTPUT bytes are kept. */
static void only_the_end_of_much_output(void **unused) {
  (void)unused;
  results_job_t result = run_job("much", 60);
  assert_int_equal(strlen(result.output), RESULTS_OUTPUT);
  assert_string_equal(result.output + RESULTS_OUTPUT - 4, "end\n");
  task_free_result(&result);
}

/* A job whose time is over ends with all its children, also with those in a session of their
 * own. */
static void time_over(void **unused) {
  (void)unused;
  results_job_t result = run_job("hang", 0.3);
  assert_string_equal(result.outcome, "TIMEOUT");
  task_free_result(&result);
  char path[200];
  long child = 0;
  snprintf(path, sizeof path, "%s/7/child", folder);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld", &child), 1);
  fclose(file);
  snprintf(path, sizeof path, "/proc/%ld/environ", child);
  char byte;
  file = fopen(path, "r");
  assert_true(!file || fread(&byte, 1, 1, file) == 0); /* gone, or nobody has fetched its status yet */
  if (file) fclose(file);
}

/* The program of the jobs is a shell script: its second argument says how it ends, and its
 * fourth is the file of its result. */
static int make_program(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(program, sizeof program, "%s/program", folder);
  FILE *file = fopen(program, "w");
  if (!file) return -1;
  fputs(
      "#!/bin/sh\n"
      "touch kept\n"
      "echo '{\"schema\": \"lockstack.do/1\"}' >\"$4\"\n"
      "case $2 in\n"
      "kill) kill -ABRT $$ ;;\n"
      "other) echo '{\"a\": 1}' >\"$4\" ;;\n"
      "diverged) echo '{\"schema\": \"lockstack.do/1\", \"outcome\": \"DIVERGED\"}' >\"$4\" ;;\n"
      "refuted) echo '{\"schema\": \"lockstack.do/1\", \"held\": false}' >\"$4\" ;;\n"
      "nothing) rm \"$4\" ;;\n"
      "half) echo '{' >\"$4\"; exit 1 ;;\n"
      "much) i=0; while [ $i -lt 3000 ]; do echo 'a line of what it has to say, again and again'; i=$((i + 1)); done; "
      "echo end ;;\n"
      "hang) setsid sh -c 'echo $$ >child; sleep 1000' & sleep 1000 ;;\n"
      "*) exit $2 ;;\n"
      "esac\n",
      file);
  fclose(file);
  return chmod(program, 0755);
}

/* A process that was told to stop has no result, whoever told it: it says so itself, or ended by
 * SIGTERM or SIGINT. Other signals are failures. */
static void cut_short(void **unused) {
  (void)unused;
  const struct {
    int exit_code;
    const char *result;
    bool cut;
  } cases[] = {{3, "{\"outcome\": \"INTERRUPTED\", \"interrupted\": true}", true},
               {3, "{\"interrupted\": false}", false},
               {3, NULL, false},
               {0, "{\"interrupted\": false}", false},
               {128 + SIGTERM, NULL, true},
               {128 + SIGINT, NULL, true},
               {128 + SIGSEGV, NULL, false}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const results_job_t result = {.exit_code = cases[i].exit_code, .result = cases[i].result};
    if (task_cut_short(&result) != cases[i].cut) fail_msg("case %u", i);
  }
}

static int remove_program(void **state) {
  (void)state;
  return file_remove_all(folder) ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_words_for_the_same_fault), cmocka_unit_test(signatures), cmocka_unit_test(outcomes),
      cmocka_unit_test(only_the_end_of_much_output),   cmocka_unit_test(time_over),  cmocka_unit_test(cut_short),
  };
  return cmocka_run_group_tests(tests, make_program, remove_program);
}
