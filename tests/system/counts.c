/* SPDX-License-Identifier: Apache-2.0
 *
 *   counts            each row of counts.csv, run again: every figure must be what it says, to the last cycle (a cmocka program)
 *   counts --write    runs each row again and prints the table with what came out
 *
 * A row is a system, a workload, settings (KEY=VALUE as `lockstack run --set` takes them, blanks between) and what the run counted. Old numbers hold:
 * who changes what a system counts changes this file, and says why.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_report.h"
#include "simulate.h"
#include "unit_test.h"

enum { ROWS_MOST = 256, CELLS = 13, SETTINGS_SIZE = 512, TABLE_SIZE = 256 };

/* Where a cell is in what `run --json` says; up to two paths, of which the one that is there counts. */
static const struct {
  const char *name, *path, *other;
} cell[CELLS] = {
    {"cycles", "cycles", NULL},
    {"warp_instructions", "warp_instructions", NULL},
    {"reads", "dram.reads", NULL},
    {"writes", "dram.writes", NULL},
    {"row_hits", "dram.row_hits", NULL},
    {"row_misses", "dram.row_misses", NULL},
    {"row_conflicts", "dram.row_conflicts", NULL},
    {"link_flits", "network_link_flits", "network.link_flits_on_chip"},
    {"far_link_flits", "network.link_flits_between_processors", NULL},
    {"down", "traffic_bytes.gpu_to_memory", "tsv.down"},       /* bytes to memory; beats over the TSVs */
    {"up", "traffic_bytes.memory_to_gpu", "tsv.up"},
    {"across", "traffic_bytes.memory_network", "register_moves"}, /* bytes between stacks; registers moved */
    {"energy_pj", "energy.total_nj", NULL},
};

typedef struct {
  char name[TABLE_SIZE];
  char system[16], workload[16], settings[SETTINGS_SIZE];
  char wanted[CELLS][24];
} row_t;

static row_t rows[ROWS_MOST];
static unsigned num_rows;

/* --- the table */

static _Noreturn void refuse(const char *path, unsigned line, const char *why) {
  fprintf(stderr, "%s:%u: %s\n", path, line, why);
  exit(2);
}

static bool read_row(char *line, row_t *row) {
  char *at = line, *field[3 + CELLS];
  line[strcspn(line, "\n")] = 0;
  for (unsigned i = 0; i < 3 + CELLS; i++)
    if (!(field[i] = strsep(&at, ","))) return false;
  snprintf(row->system, sizeof row->system, "%s", field[0]);
  snprintf(row->workload, sizeof row->workload, "%s", field[1]);
  snprintf(row->settings, sizeof row->settings, "%s", field[2]);
  snprintf(row->name, sizeof row->name, "%s %s %.200s", field[0], field[1], field[2]);
  for (unsigned i = 0; i < CELLS; i++) snprintf(row->wanted[i], sizeof row->wanted[i], "%s", field[3 + i]);
  return !at;
}

static void read_rows(const char *path) {
  char line[2048];
  FILE *in = fopen(path, "r");
  if (!in) refuse(path, 0, strerror(errno));
  for (unsigned n = 1; fgets(line, sizeof line, in); n++) {
    if (*line == '#' || n == 1 || !strncmp(line, "system,", 7)) continue;
    if (num_rows == ROWS_MOST) refuse(path, n, "too many rows");
    if (!read_row(line, &rows[num_rows++])) refuse(path, n, "should be system,workload,settings and the figures that the second line names");
  }
  fclose(in);
}

/* --- a run */

static void apply(simulate_job_t *job, const row_t *row) {
  char text[SETTINGS_SIZE], why[CONFIG_ERROR_SIZE], *at = text;
  snprintf(text, sizeof text, "%s", row->settings);
  for (char *word; (word = strsep(&at, " "));) {
    char *value = strchr(word, '=');
    if (!*word) continue;
    if (!value) fail_msg("%s: '%s' should be KEY=VALUE", row->name, word);
    *value++ = 0;
    bool ok = strncmp(word, "workload.", 9) ? !config_set(job->system.kind->schema, &job->system.config, word, value, why)
                                            : workload_set(job->workload, job->values, word + 9, value, why, sizeof why);
    if (!ok) fail_msg("%s: %s", row->name, why);
  }
  if (config_check(job->system.kind->schema, &job->system.config, why)) fail_msg("%s: %s", row->name, why);
}

/* The result as `run --json` has it, of this system alone. */
static json_t *run_row(const row_t *row) {
  static simulate_job_t job;
  static simulate_result_t result;
  char why[CONFIG_ERROR_SIZE], path[512];
  memset(&job, 0, sizeof job);
  job.system.kind = system_find(row->system);
  job.workload = workload_find(row->workload);
  if (!job.system.kind || !job.workload) fail_msg("%s: no such system, or no such workload", row->name);
  snprintf(path, sizeof path, LOCKSTACK_SOURCE_DIR "/harness/systemc/configs/%s.yaml", row->system);
  config_default(job.system.kind->schema, &job.system.config);
  if (config_load(job.system.kind->schema, &job.system.config, path, why)) fail_msg("%s", why);
  workload_defaults(job.workload, job.values);
  apply(&job, row);
  job.system.places = (places_t){LOCKSTACK_SOURCE_DIR, LOCKSTACK_BINARY_DIR "/dut"};
  simulate(&job, &result);
  if (result.status) fail_msg("%s: %s", row->name, result.error);
  if (!result.result_ok) fail_msg("%s: wrong result: %s", row->name, result.wrong);
  const run_report_t report = {.config = "", .job = &job, .result = &result, .baseline = &result};
  return run_report_json(&report);
}

/* --- its figures */

static const json_t *find(const json_t *root, const char *path) {
  char text[128], *at = text;
  snprintf(text, sizeof text, "%s", path);
  for (char *word; root && (word = strsep(&at, "."));) root = json_object_get(root, word);
  return root;
}

/* A number, or the sum of an object of numbers; energies, which are fractions of a nanojoule, as whole picojoules. */
static int64_t figure(const json_t *value) {
  const char *key;
  json_t *one;
  int64_t sum = 0;
  if (json_is_integer(value)) return json_integer_value(value);
  if (json_is_real(value)) return (int64_t)(1000 * json_real_value(value) + 0.5);
  json_object_foreach((json_t *)value, key, one) sum += figure(one);
  return sum;
}

static void print_cell(const json_t *root, unsigned i, char text[24]) {
  const json_t *value = find(root, cell[i].path);
  if (!value && cell[i].other) value = find(root, cell[i].other);
  *text = 0;
  if (value && !json_is_null(value)) snprintf(text, 24, "%" PRId64, figure(value));
}

static void test_row(void **state) {
  const row_t *row = *state;
  char got[24], wrong[1024] = "";
  json_t *root = run_row(row);
  for (unsigned i = 0; i < CELLS; i++) {
    size_t used = strlen(wrong);
    print_cell(root, i, got);
    if (strcmp(got, row->wanted[i])) snprintf(wrong + used, sizeof wrong - used, " %s is '%s', not '%s'", cell[i].name, got, row->wanted[i]);
  }
  json_decref(root);
  if (*wrong) fail_msg("%s:%s", row->name, wrong);
}

static int write_rows(const char *path) {
  char line[2048], got[24];
  FILE *in = fopen(path, "r");
  while (in && fgets(line, sizeof line, in) && *line == '#') fputs(line, stdout);
  if (in) fclose(in);
  fputs("system,workload,settings", stdout);
  for (unsigned i = 0; i < CELLS; i++) printf(",%s", cell[i].name);
  for (unsigned r = 0; r < num_rows; r++) {
    json_t *root = run_row(&rows[r]);
    printf("\n%s,%s,%s", rows[r].system, rows[r].workload, rows[r].settings);
    for (unsigned i = 0; i < CELLS; i++) {
      print_cell(root, i, got);
      printf(",%s", got);
    }
    json_decref(root);
  }
  puts("");
  return 0;
}

int main(int argc, char **argv) {
  static struct CMUnitTest tests[ROWS_MOST];
  bool write = argc > 1 && !strcmp(argv[1], "--write");
  const char *path = argc > 1 + write ? argv[1 + write] : LOCKSTACK_SOURCE_DIR "/tests/system/counts.csv";
  read_rows(path);
  if (write) return write_rows(path);
  for (unsigned r = 0; r < num_rows; r++) tests[r] = (struct CMUnitTest){rows[r].name, test_row, NULL, NULL, &rows[r]};
  return _cmocka_run_group_tests("counts", tests, num_rows, NULL, NULL);
}
