/* SPDX-License-Identifier: Apache-2.0
 *
 * Which runs figures need, and what is made of jobs that give results, fail, never end or give
 * nonsense. The program that is run is a shell script that answers by workload. Long file: results,
 * their store, rows and interrupts are tested with the same script.
 */
#include "figure_runs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "process.h"
#include "unit_test.h"

static char folder[] = "/tmp/test_figure_runs_XXXXXX";
static char script[64];
static figure_runs_t runs;

/* $3 is the workload; what it is told to do is in the file of that name, "" when there is none. */
static const char program[] =
    "#!/bin/sh\n"
    "for last; do :; done\n"
    "[ \"$1\" = offload ] && { echo '{\"mean\": {\"annotated\": {\"near\": 1, \"far\": 2, \"both\": 3}}, \"refused\": "
    "[]}' >$last; exit 0; }\n"
    "echo \"$*\" >>$(dirname $0)/log\n"
    "what=$(cat $(dirname $0)/$3 2>/dev/null)\n"
    "case $what in\n"
    "  wrong) echo '{\"cycles\": 5, \"result_ok\": false}' >$last; echo 'WRONG' >&2; exit 1 ;;\n"
    "  diverges) echo '{\"cycles\": 5, \"result_ok\": true, \"lockstep\": {\"divergences\": 2}}' >$last; exit 1 ;;\n"
    "  refuses) echo 'first' >&2; echo 'lockstack: the last line' >&2; echo >&2; exit 2 ;;\n"
    "  silent) exit 3 ;;\n"
    "  nonsense) echo 'cycles: 5' >$last ;;\n"
    "  dies) kill -SEGV $$ ;;\n"
    "  hangs) exec sleep 1000 ;;\n"
    "  *) echo '{\"cycles\": 7, \"result_ok\": true, \"lockstep\": {\"divergences\": 0}, \"content\": {\"files\": ['"
    "\"$(cat $(dirname $0)/files 2>/dev/null)\"']}}' >$last ;;\n"
    "esac\n";

/* Writes a file of this text into the script's folder. A workload's name as the file's tells the
 * script what that workload's runs do. */
static void write_in_folder(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* Files of configurations are where their names say. */
static const char *same_place(const char *path) {
  return path;
}

/* The planned run of this workload and configuration, or NULL. */
static figure_run_t *find_run(const char *workload, const char *configuration) {
  for (unsigned i = 0; i < runs.count; i++)
    if (!strcmp(runs.system->workloads[runs.run[i].workload], workload) &&
        !strcmp(runs.system->configurations[runs.run[i].configuration].name, configuration))
      return &runs.run[i];
  return NULL;
}

static char store[80];

/* Prepares `runs` for one figure of the MPU's with these workloads; `version` is the program's
 * identity. */
static void ask_figures(const char *figure, const char *const workload[], const char *version) {
  memset(&runs, 0, sizeof runs);
  runs.system = &figures_mpu;
  runs.figure[figure_index(&figures_mpu, figure)] = true;
  for (; *workload; workload++) runs.workload[figure_workload(&figures_mpu, *workload)] = true;
  runs.jobs = 2;
  runs.program = script;
  runs.engine = "local";
  runs.place = same_place;
  runs.folder = store;
  runs.identity = json_pack("{s:s}", "version", version);
}

/* How often the script ran since the last call. */
static unsigned count_log_lines(void) {
  char path[128];
  snprintf(path, sizeof path, "%s/log", folder);
  char *text = file_read(path);
  unsigned lines = 0;
  for (char *p = text; p && (p = strchr(p, '\n')); p++) lines++;
  free(text);
  unlink(path);
  return lines;
}

/* The folder of all tests, with the script in it. The store's folder does not exist yet. */
static int make_program_folder(void **state) {
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(script, sizeof script, "%s/program", folder);
  snprintf(store, sizeof store, "%s/a/store", folder); /* made, with the folder above it */
  write_in_folder("program", program);
  return chmod(script, 0755);
}

static int remove_program_folder(void **state) {
  (void)state;
  char *argv[] = {"rm", "-r", folder, NULL};
  return process_run(argv, "/dev/null", 10, NULL, NULL);
}

#define ASK(figure, version, ...) ask_figures(figure, (const char *const[]){__VA_ARGS__, NULL}, version)

/* ---- Commands ---- */

/* The run's command, as a user would type it. */
static void expect_command(const char *workload, const char *configuration, const char *wanted) {
  figure_run_t *run = find_run(workload, configuration);
  assert_non_null(run);
  char *command = figure_run_command(run);
  assert_string_equal(command, wanted);
  free(command);
}

/* mpu-03 compares two configurations, so two workloads are four runs. */
static void only_what_is_needed(void **state) {
  (void)state;
  ASK("mpu-03", "1", "axpy", "pr");
  assert_true(figure_runs_plan(&runs));
  assert_int_equal(runs.count, 4);
  expect_command("axpy", "base", "lockstack run mpu axpy --full --json -");
  expect_command("pr", "base", "lockstack run mpu pr --full --json -");
  assert_non_null(find_run("axpy", "far"));
  assert_null(find_run("axpy", "near"));
  figure_runs_free(&runs);
}

/* All figures of the MPU's together need each configuration once. */
static void shared_runs_are_made_once(void **state) {
  (void)state;
  ASK("mpu-08", "1", "nw_rows");
  for (unsigned f = 0; f < figures_mpu.num_figures; f++) runs.figure[f] = true;
  assert_true(figure_runs_plan(&runs));
  assert_int_equal(runs.count, figures_mpu.num_configurations);
  expect_command("nw_rows", "compiler",
                 "lockstack offload --rule mpu firmware/workloads/kernels/nw_rows/nw_rows.ptx --json -");
  figure_runs_free(&runs);
}

/* Two configurations with the same arguments share a run, whatever figures need them. A workload
 * that a figure leaves out gets none from it. */
static void the_same_inputs_are_one_run(void **state) {
  (void)state;
  static const char *const workloads[] = {"axpy", "pr", NULL};
  static const figure_configuration_t same[] = {{"one", "", FIGURE_SIMULATION, "mpu", {"a=1"}},
                                                {"other", "", FIGURE_SIMULATION, "mpu", {"a=1"}},
                                                {"rival", "", FIGURE_SIMULATION, "mine.yaml", {"a=1"}}};
  static const figure_quantity_t cycles[] = {{"cycles", "cycles"}};
  static const figure_t figures[] = {{"mpu-01", 0, "a", 1, 0, 0, 0, 2, NULL, FIGURE_GAIN, "-pr", 0, FIGURE_MEAN, false},
                                     {"mpu-02", 0, "b", 1, 0, 1, 0, 1, NULL, FIGURE_GAIN, NULL, 0, FIGURE_MEAN, false}};
  static const figure_system_t system = {.name = "own",
                                         .workloads = workloads,
                                         .configurations = same,
                                         .quantities = cycles,
                                         .figures = figures,
                                         .num_workloads = 2,
                                         .num_configurations = 3,
                                         .num_quantities = 1,
                                         .num_figures = 2};
  ASK("mpu-01", "1", "axpy");
  runs.system = &system;
  runs.figure[0] = runs.figure[1] = runs.workload[0] = runs.workload[1] = true;
  memset(runs.workload + 2, 0, sizeof runs.workload - 2 * sizeof *runs.workload);
  memset(runs.figure + 2, 0, sizeof runs.figure - 2 * sizeof *runs.figure);
  assert_true(figure_runs_plan(&runs));
  assert_int_equal(runs.count, 3);
  expect_command("axpy", "one", "lockstack run mpu axpy --full --set a=1 --json -");
  expect_command("axpy", "rival", "lockstack run mine.yaml axpy --full --set a=1 --json -");
  expect_command("pr", "other", "lockstack run mpu pr --full --set a=1 --json -");
  figure_runs_make(&runs);
  assert_int_equal(runs.done, 3);
  assert_int_equal(count_log_lines(), 3);
  for (unsigned c = 0; c < 3; c++) assert_non_null(runs.result[c]);
  assert_ptr_equal(runs.result[0], runs.result[1]);
  assert_true(figure_compute(&system, 0, runs.result).mean == 0 && figure_compute(&system, 0, runs.result).known == 1);
  figure_runs_free(&runs);
}

/* A second size replaces the full one in configurations that use it. A workload without a second
 * size, and small scale, have none. */
static void sizes_of_classes(void **state) {
  (void)state;
  static const char *const workloads[] = {"axpy", "pr", "nw", NULL};
  static const figure_class_t classes[] = {
      {"axpy", "", FIGURE_FULL_SCALE, {"n=8"}}, {"axpy pr", "", FIGURE_SECOND_SIZE, {"n=4"}}, {0}};
  static const figure_configuration_t of[] = {{"whole", "", FIGURE_SIMULATION, "mpu", {0}},
                                              {"half", "", FIGURE_SIMULATION, "mpu", {0}}};
  static const figure_t figures[] = {{"mpu-01", 0, "a", 1, 0, 0, 0, 1, NULL, FIGURE_GAIN, NULL, 0, FIGURE_MEAN, false}};
  static const figure_system_t system = {.workloads = workloads,
                                         .classes = classes,
                                         .configurations = of,
                                         .figures = figures,
                                         .second_sizes = 1,
                                         .num_workloads = 3,
                                         .num_configurations = 2,
                                         .num_figures = 1};
  for (unsigned small = 0; small < 2; small++) {
    runs = (figure_runs_t){.system = &system, .small = small, .figure = {true}, .workload = {true, true, true}};
    assert_true(figure_runs_plan(&runs));
    assert_int_equal(runs.count, small ? 3 : 5);
    expect_command("axpy", "whole",
                   small ? "lockstack run mpu axpy --json -" : "lockstack run mpu axpy --full --set n=8 --json -");
    expect_command("nw", "whole", small ? "lockstack run mpu nw --json -" : "lockstack run mpu nw --full --json -");
    if (!small) expect_command("axpy", "half", "lockstack run mpu axpy --full --set n=4 --json -");
    figure_runs_free(&runs);
  }
}

/* A compilation is of the workload's own kernels, or of a file that the configuration names;
 * such a file is compiled once for all workloads. */
static void what_is_compiled(void **state) {
  (void)state;
  static const char *const workloads[] = {"axpy", "pr", NULL};
  static const figure_configuration_t two[] = {{"own", "", FIGURE_COMPILATION, "", {0}},
                                               {"example", "", FIGURE_COMPILATION, "", {"tests/x.ptx"}}};
  static const figure_quantity_t near_only[] = {{"near", "mean.annotated.near"}};
  static const figure_t figures[] = {
      {"mpu-12", 0, "a", 1, 0, 0, 0, 1, NULL, FIGURE_QUOTIENT, NULL, 0, FIGURE_MEAN, false}};
  static const figure_system_t system = {.name = "own",
                                         .rule = "mpu",
                                         .workloads = workloads,
                                         .configurations = two,
                                         .quantities = near_only,
                                         .figures = figures,
                                         .num_workloads = 2,
                                         .num_configurations = 2,
                                         .num_quantities = 1,
                                         .num_figures = 1};
  ASK("mpu-12", "1", "axpy");
  memset(runs.workload, 0, sizeof runs.workload);
  memset(runs.figure, 0, sizeof runs.figure);
  runs.system = &system;
  runs.figure[0] = runs.workload[0] = runs.workload[1] = true;
  assert_true(figure_runs_plan(&runs));
  assert_int_equal(runs.count, 3);
  expect_command("axpy", "own", "lockstack offload --rule mpu firmware/workloads/kernels/axpy/axpy.ptx --json -");
  expect_command("pr", "own", "lockstack offload --rule mpu firmware/workloads/kernels/pr/pr.ptx --json -");
  expect_command("axpy", "example", "lockstack offload --rule mpu tests/x.ptx --json -");
  figure_runs_make(&runs);
  assert_int_equal(runs.done, 3);
  const figure_result_t r = figure_compute(&system, 0, runs.result);
  assert_true(r.known == 2 && r.mean == 1);
  figure_runs_free(&runs);
}

/* The settings of small scale come first, then the user's, quoted for a shell where necessary. */
static void settings_come_in_order(void **state) {
  (void)state;
  static const char *const set[] = {"a=it's", "b=2"};
  char wanted[512] = "lockstack run mpu hist_words", *command;
  ASK("mpu-11", "1", "hist_words");
  runs.small = true;
  runs.set = set;
  runs.sets = 2;
  for (unsigned i = 0; figures_mpu.small[i]; i++) strcat(strcat(wanted, " --set "), figures_mpu.small[i]);
  strcat(wanted, " --set 'a=it'\\''s' --set b=2 --json -");
  assert_true(figure_runs_plan(&runs));
  assert_int_equal(runs.count, 1);
  command = figure_run_command(&runs.run[0]);
  assert_string_equal(command, wanted);
  free(command);
  figure_runs_free(&runs);
}

/* ---- Results ---- */

/* Six runs, two for each of three workloads, are made once each. The script gives every run 7
 * cycles, so each quotient is 1, and so is the mean. */
static void all_goes_well(void **state) {
  (void)state;
  ASK("mpu-03", "1", "axpy", "pr", "hist_words");
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  assert_int_equal(runs.done, 6);
  assert_int_equal(count_log_lines(), 6);
  assert_string_equal(runs.trouble.text, "");
  for (unsigned i = 0; i < runs.count; i++) assert_int_equal(runs.run[i].state, RUN_MADE);
  figure_result_t r = figure_compute(runs.system, (unsigned)figure_index(runs.system, "mpu-03"), runs.result);
  assert_int_equal(r.known, 3);
  assert_true(r.mean == 1.0);
  figure_runs_free(&runs);
}

/* The workload's base run failed with a message that contains `text`. */
static void expect_failure(const char *workload, const char *text) {
  figure_run_t *run = find_run(workload, "base");
  assert_int_equal(run->state, RUN_FAILED);
  if (!strstr(run->error, text)) fail_msg("%s: '%s' does not say '%s'", workload, run->error, text);
}

/* Six ways to fail, two runs among them that succeed. A failed run gives no result, and its
 * message says why: a wrong memory, divergences, the program's last line, nothing said, no JSON,
 * a signal. */
static void one_that_fails_does_not_stop_the_others(void **state) {
  (void)state;
  static const char *const what[][2] = {{"hist_words", "wrong"},  {"nw_rows", "diverges"}, {"conv_tiles", "refuses"},
                                        {"blur_tiles", "silent"}, {"knn", "nonsense"},     {"maxp_planes", "dies"}};
  for (unsigned i = 0; i < 6; i++) write_in_folder(what[i][0], what[i][1]);
  ASK("mpu-11", "fails", "axpy", "hist_words", "nw_rows", "conv_tiles", "blur_tiles", "knn", "maxp_planes",
      "gemv_segments");
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  assert_int_equal(runs.done, 8);
  assert_int_equal(find_run("axpy", "base")->state, RUN_MADE);
  assert_int_equal(find_run("gemv_segments", "base")->state, RUN_MADE);
  expect_failure("hist_words", "memory does not equal");
  expect_failure("nw_rows", "2 divergences");
  expect_failure("conv_tiles", "exit status 2: lockstack: the last line");
  expect_failure("blur_tiles", "exit status 3: no word why");
  expect_failure("knn", "no JSON");
  expect_failure("maxp_planes", "signal 11");
  for (unsigned i = 0; i < 6; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, what[i][0]);
    assert_int_equal(unlink(path), 0);
    assert_null(runs.result[find_run(what[i][0], "base")->workload * figures_mpu.num_configurations]);
  }
  count_log_lines();
  figure_runs_free(&runs);
}

/* The run fails with the system's reason; the caller goes on. */
static void a_program_that_is_not_there(void **state) {
  (void)state;
  ASK("mpu-11", "1", "axpy");
  runs.program = "/nowhere/lockstack";
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  assert_int_equal(runs.run[0].state, RUN_FAILED);
  assert_non_null(strstr(runs.run[0].error, "No such file"));
  figure_runs_free(&runs);
}

/* A compilation that refuses a kernel is wrong, with the compiler's reason. */
static void refused_kernels(void **state) {
  (void)state;
  json_t *result = json_loads("{\"refused\": [{\"text\": \"too many registers\"}]}", 0, NULL);
  char *wrong = figure_run_wrong(FIGURE_COMPILATION, result);
  assert_string_equal(wrong, "a kernel cannot be compiled: too many registers");
  free(wrong);
  json_decref(result);
}

/* ---- Stored results ---- */

/* Asks for four runs with --resume and makes them; how many of them came from the store. All
 * four must have a result in either case. */
static unsigned count_kept(const char *version, const char *setting) {
  const char *const set[] = {setting};
  unsigned count = 0;
  ASK("mpu-03", version, "axpy", "pr");
  runs.resume = true;
  runs.set = set;
  runs.sets = setting != NULL;
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  for (unsigned i = 0; i < runs.count; i++) count += runs.run[i].state == RUN_KEPT;
  assert_int_equal(runs.done, 4);
  for (unsigned i = 0; i < runs.count; i++)
    assert_non_null(runs.result[runs.run[i].workload * figures_mpu.num_configurations + runs.run[i].configuration]);
  return count;
}

/* A stored result counts if program, arguments and the files that it has read are the same.
 * `others` counts results of other programs that are left alone. */
static void resume_takes_what_is_of_this_program(void **state) {
  (void)state;
  assert_int_equal(count_kept("resume", NULL), 0);
  assert_int_equal(count_log_lines(), 4);
  figure_runs_free(&runs);

  assert_int_equal(count_kept("resume", NULL), 4); /* nothing is run */
  assert_int_equal(count_log_lines(), 0);
  assert_int_equal(runs.others, 0);
  figure_runs_free(&runs);

  assert_int_equal(count_kept("another version", NULL), 0);
  assert_int_equal(count_log_lines(), 4);
  assert_int_equal(runs.others, 4);
  figure_runs_free(&runs);

  /* A file that the runs have not found is there now, and not what they have read. */
  write_in_folder("files", "{\"path\": \"/tmp/there/is/no/such.ptx\", \"sha256\": null}");
  assert_int_equal(count_kept("files", NULL), 0);
  figure_runs_free(&runs);
  assert_int_equal(count_kept("files", NULL), 4);
  figure_runs_free(&runs);
  write_in_folder("files", "{\"path\": \"/dev/null\", \"sha256\": \"00\"}");
  assert_int_equal(count_kept("changed", NULL), 0);
  figure_runs_free(&runs);
  assert_int_equal(count_kept("changed", NULL), 0);
  assert_int_equal(runs.others, 4);
  figure_runs_free(&runs);
  write_in_folder("files", "");
  count_log_lines();

  assert_int_equal(count_kept("another version", "x=1"), 0); /* other arguments */
  assert_int_equal(runs.others, 4);
  figure_runs_free(&runs);
  count_log_lines();
}

/* A stored result that is cut short is made again. */
static void resume_survives_damage(void **state) {
  (void)state;
  assert_int_equal(count_kept("damage", NULL), 0);
  figure_runs_free(&runs);
  write_in_folder("a/store/mpu-axpy-base-full.json", "{\"schema\": \"lockstack.rep");
  assert_int_equal(count_kept("damage", NULL), 3);
  assert_int_equal(runs.others, 1);
  figure_runs_free(&runs);
  count_log_lines();
}

/* Without --resume a stored result is not looked at: all four runs are made again. */
static void no_resume_runs_again(void **state) {
  (void)state;
  assert_int_equal(count_kept("again", NULL), 0);
  figure_runs_free(&runs);
  count_log_lines();
  ASK("mpu-03", "again", "axpy", "pr");
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  assert_int_equal(count_log_lines(), 4);
  figure_runs_free(&runs);
}

/* A store that cannot be made stops the runs before the first. */
static void a_folder_that_cannot_be(void **state) {
  (void)state;
  ASK("mpu-11", "1", "axpy");
  runs.folder = script; /* a file */
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  assert_int_equal(runs.run[0].state, RUN_TO_DO);
  assert_non_null(strstr(runs.trouble.text, script));
  figure_runs_free(&runs);
  count_log_lines();
}

/* The identity changes with the commit and with a configuration's file. */
static void identity_knows_files(void **state) {
  (void)state;
  write_in_folder("config", "a: 1\n");
  char path[128];
  snprintf(path, sizeof path, "%s/config", folder);
  const figure_configuration_t of[] = {{"base", "", FIGURE_SIMULATION, path, {0}},
                                       {"compiler", "", FIGURE_COMPILATION, "", {0}}};
  const figure_system_t s = {.configurations = of, .num_configurations = 2};
  json_t *one = figure_identity(json_pack("{s:s}", "commit", "x"), script, &s, same_place);
  json_t *same = figure_identity(json_pack("{s:s}", "commit", "x"), script, &s, same_place);
  write_in_folder("config", "a: 2\n");
  json_t *config = figure_identity(json_pack("{s:s}", "commit", "x"), script, &s, same_place);
  json_t *commit = figure_identity(json_pack("{s:s}", "commit", "y"), script, &s, same_place);
  assert_true(json_equal(one, same));
  assert_false(json_equal(one, config));
  assert_false(json_equal(config, commit));
  json_decref(one), json_decref(same), json_decref(config), json_decref(commit);
}

/* ---- Rows ---- */

static run_rows_t rows;
static char rows_path[96];

/* mpu-03 of axpy and pr, four runs, by a program of this commit; how many of them came from
 * rows. */
static unsigned count_from_rows(const char *commit, bool dirty) {
  unsigned count = 0;
  trouble_t trouble;
  snprintf(rows_path, sizeof rows_path, "%s/b/c/rows.csv", folder);
  ASK("mpu-03", commit, "axpy", "pr");
  json_object_set_new(runs.identity, "commit", json_string(commit));
  json_object_set_new(runs.identity, "dirty", json_boolean(dirty));
  assert_true(run_rows_read(&rows, &figures_mpu, rows_path, &trouble));
  runs.rows = &rows;
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  assert_string_equal(runs.trouble.text, "");
  for (unsigned i = 0; i < runs.count; i++) count += runs.run[i].state == RUN_KEPT;
  return count;
}

/* Frees what count_from_rows() made. */
static void end_rows(void) {
  figure_runs_free(&runs);
  run_rows_free(&rows);
}

/* The file of rows as it is now; the caller frees it. */
static char *rows_text(void) {
  char *text = file_read(rows_path);
  assert_non_null(text);
  return text;
}

/* A row counts whatever program made it; the commit tells which one did, with + for local
 * changes. */
static void rows_are_taken_by_any_program(void **state) {
  (void)state;
  assert_int_equal(count_from_rows("abc", false), 0);
  assert_int_equal(count_log_lines(), 4);
  end_rows();
  char *text = rows_text(), *axpy = strstr(text, ",mpu axpy --full\n");
  assert_non_null(strstr(text, "\ncommit,cycles,"));
  assert_non_null(strstr(text, "\nabc,7,"));
  assert_non_null(axpy);
  assert_non_null(strstr(text, ",mpu pr --full --set mpu.policy=far\n"));

  assert_int_equal(count_from_rows("def", true), 4);
  assert_int_equal(count_log_lines(), 0);
  const figure_result_t r = figure_compute(runs.system, (unsigned)figure_index(runs.system, "mpu-03"), runs.result);
  assert_true(r.known == 2 && r.mean == 1.0);
  const json_t *result = runs.result[find_run("axpy", "base")->workload * figures_mpu.num_configurations];
  assert_string_equal(json_string_value(json_object_get(result, "commit")), "abc");
  assert_int_equal(json_integer_value(json_object_get(result, "cycles")), 7);
  end_rows();

  axpy[1] = 0; /* the line of axpy's base, up to its run, is that of another: made again, by a program with changes */
  char path[32] = "b/c/rows.csv", *half;
  assert_true(asprintf(&half, "%saway %s", text, axpy + 2) > 0);
  write_in_folder(path, half);
  assert_int_equal(count_from_rows("def", true), 3);
  assert_int_equal(count_log_lines(), 1);
  end_rows();
  free(half), free(text);
  text = rows_text();
  assert_non_null(strstr(text, "\ndef+,7,"));
  assert_non_null(strstr(text, "away ")); /* a row nobody asked for stays */
  free(text);
}

/* A column is known by the quantity it reads. An unknown one goes, and a row without the value
 * that is needed is made again. */
static void columns_are_known_by_what_they_read(void **state) {
  (void)state;
  write_in_folder(
      "b/c/rows.csv",
      "commit,old.counter,cycles,run\nabc,3,8,mpu axpy --full\nabc,3,,mpu pr --full\nabc,3,9,\"a '1,\"\"2'\"\n");
  assert_int_equal(count_from_rows("def", false), 1);
  assert_int_equal(count_log_lines(), 3);
  assert_int_equal(json_integer_value(json_object_get(
                       runs.result[find_run("axpy", "base")->workload * figures_mpu.num_configurations], "cycles")),
                   8);
  end_rows();
  char *text = rows_text();
  assert_null(strstr(text, "old.counter"));
  assert_non_null(strstr(text, ",\"a '1,\"\"2'\"\n")); /* what has commas is quoted */
  assert_non_null(strstr(text, "\nabc,8,"));
  assert_null(strstr(text, "\nabc,,"));
  free(text);
}

/* Eight processes read the same file, then each adds four rows of its own: none is lost. */
static void processes_add_to_one_file(void **state) {
  (void)state;
  enum { PROCESSES = 8 };
  char text[64];
  int ready[2], go[2];
  write_in_folder("b/c/rows.csv", "commit,cycles,run\nabc,3,mpu kmeans\n");
  assert_int_equal(count_from_rows("abc", false), 0);
  assert_true(runs.count == 4 && pipe(ready) == 0 && pipe(go) == 0);
  write_in_folder("b/c/rows.csv", "commit,cycles,run\nabc,3,mpu kmeans\n");
  for (int p = 0; p < PROCESSES; p++) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child) continue;
    trouble_t trouble;
    run_rows_t own;
    bool good = run_rows_read(&own, &figures_mpu, rows_path, &trouble);
    good = write(ready[1], "r", 1) == 1 && close(go[1]) == 0 && read(go[0], text, 1) == 0 && good;
    json_t *result = json_pack("{s:i}", "cycles", 7);
    snprintf(text, sizeof text, "seed=%d", p);
    for (unsigned i = 0; i < runs.count; i++) {
      for (unsigned a = 0; runs.run[i].argument[a]; a++)
        if (!strcmp(runs.run[i].argument[a], "--full")) runs.run[i].argument[a] = strdup(text);
      good = good && run_rows_add(&own, &runs, &runs.run[i], result, &trouble);
    }
    _exit(!good);
  }
  for (int p = 0; p < PROCESSES; p++) assert_int_equal(read(ready[0], text, 1), 1);
  close(go[0]), close(go[1]), close(ready[0]), close(ready[1]);
  for (int p = 0, status; p < PROCESSES; p++) assert_true(wait(&status) > 0 && status == 0);
  end_rows();
  char *all = rows_text();
  unsigned lines = 0;
  for (const char *c = all; (c = strstr(c, "seed=")); c++) lines++;
  assert_int_equal(lines, PROCESSES * 4);
  assert_non_null(strstr(all, ",mpu kmeans\n"));
  free(all);
  count_log_lines();
}

/* A process that is to stop does not wait long for another one's lock: it says that the file is
 * held. Once the lock is gone the row is added. */
static void a_file_that_another_holds(void **state) {
  (void)state;
  static volatile sig_atomic_t stop = 1;
  trouble_t trouble = {0};
  json_t *result = json_pack("{s:i}", "cycles", 9);
  count_from_rows("abc", false);
  runs.interrupted = &stop;
  const int held = open(rows_path, O_RDWR | O_CLOEXEC);
  assert_true(held >= 0 && flock(held, LOCK_EX) == 0);
  assert_false(run_rows_add(&rows, &runs, &runs.run[0], result, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_ENVIRONMENT);
  assert_non_null(strstr(trouble.text, "rows.csv: another process holds it"));
  close(held);
  assert_true(run_rows_add(&rows, &runs, &runs.run[0], result, &trouble));
  json_decref(result);
  end_rows();
  count_log_lines();
}

/* Only pr's runs are wrong: axpy's have rows, pr's have none. */
static void a_run_that_fails_has_no_row(void **state) {
  (void)state;
  write_in_folder("pr", "wrong");
  write_in_folder("b/c/rows.csv", "commit,cycles,run\n");
  assert_int_equal(count_from_rows("abc", false), 0);
  end_rows();
  write_in_folder("pr", "");
  char *text = rows_text();
  assert_non_null(strstr(text, "mpu axpy --full\n"));
  assert_null(strstr(text, "mpu pr "));
  free(text);
  count_log_lines();
}

/* Each mistake in a file of rows, with its line. */
static void bad_rows_are_told_by_line(void **state) {
  (void)state;
  static const char *const bad[][2] = {
      {"mpu axpy\n", "rows.csv:1: should be the header"},
      {"commit,cycles\n", "rows.csv:1: should be the header"},
      {"# x\n\ncommit,cycles,run\nabc,7\n", "rows.csv:4: should be a row of 3 columns"},
      {"commit,cycles,run\nabc,7x,mpu axpy\n", "rows.csv:2: should be a row"},
      {"commit,cycles,run\nabc,inf,mpu axpy\n", "rows.csv:2: should be a row"},
      {"commit,cycles,run\n,7,mpu axpy\n", "rows.csv:2: should be a row"},
      {"commit,cycles,run\nabc,7,\"mpu, axpy\n", "rows.csv:2: should be a row"},
      {"commit,cycles,run\nabc,7,\n", "rows.csv:2: should be a row"}};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    trouble_t trouble = {0};
    write_in_folder("b/c/rows.csv", bad[i][0]);
    assert_false(run_rows_read(&rows, &figures_mpu, rows_path, &trouble));
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    if (!strstr(trouble.text, bad[i][1])) fail_msg("'%s' does not say '%s'", trouble.text, bad[i][1]);
  }
  trouble_t trouble = {0};
  assert_false(run_rows_read(&rows, &figures_mpu, folder, &trouble)); /* a folder */
  assert_int_equal(trouble.kind, TROUBLE_INPUT);
}

/* ---- Interrupts ---- */

static volatile sig_atomic_t interrupted;

/* Stops after the second run, as a signal would. */
static void interrupt_after_two(const figure_runs_t *r, const figure_run_t *run) {
  (void)run;
  if (r->done == 2) interrupted = 1;
}

/* After an interrupt no further run begins; results so far stay. */
static void an_interrupt_keeps_what_is_known(void **state) {
  (void)state;
  write_in_folder("gemv_segments",
                  "hangs"); /* the third in the system's order, and the only one that would never end */
  interrupted = 0;
  ASK("mpu-11", "1", "blur_tiles", "conv_tiles", "gemv_segments", "hist_words", "nw_rows");
  runs.jobs = 1;
  runs.interrupted = &interrupted;
  runs.ended = interrupt_after_two;
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs);
  assert_int_equal(runs.done, 2);
  assert_int_equal(find_run("conv_tiles", "base")->state, RUN_MADE);
  assert_int_equal(find_run("gemv_segments", "base")->state, RUN_TO_DO);
  figure_runs_free(&runs);
  count_log_lines();
}

static unsigned ticks;
/* Stops at the third tick after two runs have ended, while the third run hangs. */
static void interrupt_a_running_one(const figure_runs_t *r) {
  if (r->done == 2 && ++ticks == 3) interrupted = 1;
}

/* An interrupt ends the run that never would; it counts as not run. */
static void an_interrupt_ends_children(void **state) {
  (void)state;
  interrupted = 0;
  ASK("mpu-11", "1", "blur_tiles", "conv_tiles", "gemv_segments", "hist_words");
  runs.jobs = 1;
  runs.interrupted = &interrupted;
  runs.tick = interrupt_a_running_one;
  assert_true(figure_runs_plan(&runs));
  figure_runs_make(&runs); /* ends although gemv does not */
  assert_int_equal(runs.done, 2);
  assert_int_equal(find_run("gemv_segments", "base")->state, RUN_TO_DO);
  assert_null(find_run("gemv_segments", "base")->error);
  figure_runs_free(&runs);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_is_needed),
                                     cmocka_unit_test(shared_runs_are_made_once),
                                     cmocka_unit_test(the_same_inputs_are_one_run),
                                     cmocka_unit_test(sizes_of_classes),
                                     cmocka_unit_test(what_is_compiled),
                                     cmocka_unit_test(settings_come_in_order),
                                     cmocka_unit_test(all_goes_well),
                                     cmocka_unit_test(one_that_fails_does_not_stop_the_others),
                                     cmocka_unit_test(a_program_that_is_not_there),
                                     cmocka_unit_test(refused_kernels),
                                     cmocka_unit_test(resume_takes_what_is_of_this_program),
                                     cmocka_unit_test(resume_survives_damage),
                                     cmocka_unit_test(no_resume_runs_again),
                                     cmocka_unit_test(a_folder_that_cannot_be),
                                     cmocka_unit_test(identity_knows_files),
                                     cmocka_unit_test(rows_are_taken_by_any_program),
                                     cmocka_unit_test(columns_are_known_by_what_they_read),
                                     cmocka_unit_test(processes_add_to_one_file),
                                     cmocka_unit_test(a_file_that_another_holds),
                                     cmocka_unit_test(a_run_that_fails_has_no_row),
                                     cmocka_unit_test(bad_rows_are_told_by_line),
                                     cmocka_unit_test(an_interrupt_keeps_what_is_known),
                                     cmocka_unit_test(an_interrupt_ends_children)};
  return cmocka_run_group_tests(tests, make_program_folder, remove_program_folder);
}
