/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulated counts of whole systems, held to those of a file:
 *
 *   counts LOCKSTACK RUNS.txt COUNTS.csv SUITE check    every run of the suite again; exact
 *                                                       equality
 *   counts LOCKSTACK RUNS.txt COUNTS.csv SUITE make     runs that have no row yet; rows are added
 *                                                       as they come, so that it resumes
 *
 * RUNS.txt has a line for each group of runs: SUITE SYSTEM WORKLOAD OPTIONS. WORKLOAD * is every
 * workload there is, *-kmn,stn- all but those two. {a,b} anywhere is one run for each of a and b.
 * What an --engine computes changes no count: such a run is held to the row of the same run without
 * it. Two runs at a time. Exit status 1: a count differs, a run fails, or has no row.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 2, TEXT = 1024, MOST = 4096 };

static const struct {
  const char *name, *paths;
} columns[] = {
#define COLUMN(name, paths) {#name, paths},
#include "columns.def"
#undef COLUMN
#undef NJ
#undef MOVED
};
enum { NUM_COLUMNS = sizeof columns / sizeof *columns };

typedef struct {
  char words[TEXT]; /* "nsu vadd --set offload.ratio=0.5 --engine nsu=lockstep": what follows `lockstack run` */
  char key[TEXT];   /* the same without --engine */
  double seconds;   /* of processor time */
} run_t;

typedef struct {
  char key[TEXT];
  char values[NUM_COLUMNS][32];
} row_t;

typedef struct {
  const char *lockstack, *csv;
  run_t runs[MOST];
  size_t num_runs;
  row_t rows[MOST];
  size_t num_rows;
  bool make;
  unsigned wrong, done;
} counts_t;

static counts_t all;

/* Ends the program: the environment is at fault, not a count. */
static void stop_with(const char *what, const char *why) {
  fprintf(stderr, "counts: %s: %s\n", what, why);
  exit(3);
}

/* --- the list of runs */

/* The run's words without its --engine options: the key of its row. */
static void write_key(const char *words, char *key) {
  char copy[TEXT];
  snprintf(copy, sizeof copy, "%s", words);
  *key = 0;
  bool skip = false;
  for (char *word = strtok(copy, " \n"); word; word = strtok(NULL, " \n")) {
    if (skip || strcmp(word, "--engine") == 0) {
      skip = !skip;
      continue;
    }
    if (*key) strcat(key, " ");
    strcat(key, word);
  }
}

/* Adds a run of these words. */
static void add_run(const char *words) {
  if (all.num_runs == MOST) stop_with("runs", "too many");
  run_t *run = &all.runs[all.num_runs++];
  snprintf(run->words, TEXT, "%s", words);
  write_key(words, run->key);
}

/* Adds a run for each way to choose one item of each {a,b}. */
static void add_each(const char *words) {
  const char *open = strchr(words, '{'), *close = open ? strchr(open, '}') : NULL;
  char one[2 * TEXT];
  if (!close) {
    add_run(words);
    return;
  }
  for (const char *item = open + 1; item <= close; item += strcspn(item, ",}") + 1) {
    snprintf(one, sizeof one, "%.*s%.*s%s", (int)(open - words), words, (int)strcspn(item, ",}"), item, close + 1);
    add_each(one);
  }
}

/* "*-kmn,stn-" leaves out kmn and stn. */
static bool is_left_out(const char *pattern, const char *name) {
  size_t length = strlen(name);
  for (const char *at = pattern; (at = strstr(at, name)); at++)
    if (strchr("-,", at[-1]) && strchr("-,", at[length])) return true;
  return false;
}

/* Adds the runs of one line of RUNS.txt. */
static void add_group(const json_t *workloads, const char *system, const char *workload, const char *options) {
  char words[2 * TEXT];
  const json_t *entry;
  size_t i;
  if (*workload != '*') {
    snprintf(words, sizeof words, "%s %s%s", system, workload, options);
    add_each(words);
    return;
  }
  json_array_foreach(workloads, i, entry) {
    const char *name = json_string_value(json_object_get(entry, "name"));
    if (is_left_out(workload, name)) continue;
    snprintf(words, sizeof words, "%s %s%s", system, name, options);
    add_each(words);
  }
}

/* The command's own list of systems and workloads; the caller frees it. */
static json_t *run_list(const char *lockstack) {
  char command[TEXT];
  json_error_t error;
  snprintf(command, sizeof command, "'%s' list --json -", lockstack);
  FILE *pipe = popen(command, "r");
  json_t *list = pipe ? json_loadf(pipe, 0, &error) : NULL;
  if (!list || pclose(pipe)) stop_with(command, "gives no list");
  return list;
}

/* Adds the runs of this suite's lines in RUNS.txt. A # begins a comment. */
static void read_runs(const char *path, const char *suite) {
  char line[TEXT];
  json_t *list = run_list(all.lockstack);
  FILE *file = fopen(path, "r");
  if (!file) stop_with(path, "cannot be read");
  while (fgets(line, sizeof line, file)) {
    char of[32], system[32], workload[256];
    int options = 0;
    line[strcspn(line, "#\n")] = 0;
    for (char *end = line + strlen(line); end > line && end[-1] == ' ';) *--end = 0;
    if (sscanf(line, "%31s %31s %255s%n", of, system, workload, &options) < 3) continue;
    if (strcmp(of, suite) == 0) add_group(json_object_get(list, "workloads"), system, workload, line + options);
  }
  fclose(file);
  json_decref(list);
  if (!all.num_runs) stop_with(suite, "no run of this suite is in the list");
}

/* --- the file of counts */

/* The row of this key, NULL: there is none. */
static row_t *find_row(const char *key) {
  for (size_t i = 0; i < all.num_rows; i++)
    if (strcmp(all.rows[i].key, key) == 0) return &all.rows[i];
  return NULL;
}

/* Reads the rows of COUNTS.csv. For `make` it need not be there. */
static void read_rows(void) {
  char line[2 * TEXT];
  FILE *file = fopen(all.csv, "r");
  if (!file && all.make) return;
  if (!file) stop_with(all.csv, "cannot be read");
  while (fgets(line, sizeof line, file)) {
    if (*line == '#' || strncmp(line, "run,", 4) == 0) continue;
    if (all.num_rows == MOST) stop_with(all.csv, "too many rows");
    row_t *row = &all.rows[all.num_rows++];
    char *at = line;
    line[strcspn(line, "\n")] = 0;
    snprintf(row->key, TEXT, "%s", strsep(&at, ","));
    for (int c = 0; c < NUM_COLUMNS; c++)
      snprintf(row->values[c], sizeof row->values[c], "%s", at ? strsep(&at, ",") : "");
  }
  fclose(file);
}

/* Adds a row to the file, behind the header if the file is new. */
static void append_row(const row_t *row) {
  FILE *file = fopen(all.csv, "a");
  if (!file) stop_with(all.csv, "cannot be written");
  if (ftell(file) == 0) {
    fputs("# SPDX-License-Identifier: Apache-2.0 -- made by tests/counts/counts.c\n# Long file: a row a run.\nrun",
          file);
    for (int c = 0; c < NUM_COLUMNS; c++) fprintf(file, ",%s", columns[c].name);
    fputc('\n', file);
  }
  fputs(row->key, file);
  for (int c = 0; c < NUM_COLUMNS; c++) fprintf(file, ",%s", row->values[c]);
  fputc('\n', file);
  if (fclose(file)) stop_with(all.csv, "cannot be written");
}

/* --- one run */

/* The member at a path such as "dram.row_hits", NULL: there is none. */
static const json_t *find_path(const json_t *root, const char *path, size_t length) {
  char copy[TEXT], *rest = copy;
  snprintf(copy, sizeof copy, "%.*s", (int)length, path);
  for (char *key; root && (key = strsep(&rest, "."));) root = json_object_get(root, key);
  return root;
}

/* Adds a number, or all numbers of an object; false: there is none. */
static bool add_value(const json_t *value, double *sum) {
  const char *key;
  json_t *member;
  if (json_is_number(value)) *sum += json_number_value(value);
  if (!json_is_object(value)) return json_is_number(value);
  json_object_foreach((json_t *)value, key, member) add_value(member, sum);
  return true;
}

/* A row's values: whole numbers exactly, others to eight digits, nothing where the run has no
 * such figure. */
static void make_row(const json_t *root, const char *key, row_t *row) {
  snprintf(row->key, TEXT, "%s", key);
  for (int c = 0; c < NUM_COLUMNS; c++) {
    double sum = 0;
    bool any = false;
    for (const char *path = columns[c].paths; *path; path += strspn(path, " ")) {
      size_t length = strcspn(path, " ");
      any |= add_value(find_path(root, path, length), &sum);
      path += length;
    }
    const char *format = sum == (double)(int64_t)sum ? "%.15g" : "%.8g";
    snprintf(row->values[c], sizeof row->values[c], any ? format : "", sum);
  }
}

/* Counts and prints a difference. It is flushed, so that it is seen at once in a log. */
static void report_difference(const run_t *run, const char *what, const char *was, const char *is) {
  all.wrong++;
  printf("%s: %s is %s, was %s\n", run->words, what, is, was);
  fflush(stdout);
}

/* Compares a run's values with those of its row, column by column, as texts. */
static void compare_row(const run_t *run, const row_t *row) {
  const row_t *old = find_row(run->key);
  for (int c = 0; old && c < NUM_COLUMNS; c++)
    if (strcmp(old->values[c], row->values[c])) report_difference(run, columns[c].name, old->values[c], row->values[c]);
}

/* What a run that failed had to say. */
static void show_log(const char *path) {
  char line[TEXT];
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) fputs(line, stdout);
  if (file) fclose(file);
}

/* A run has ended: its row is compared, or added where `make` finds none. A run that failed is a
 * difference of its exit status, behind what it wrote. */
static void finish_run(run_t *run, int status, const char *json, const char *log) {
  json_error_t error;
  json_t *root = status == 0 ? json_load_file(json, 0, &error) : NULL;
  row_t row;
  unlink(json);
  all.done++;
  if (!root) {
    char code[16];
    show_log(log);
    snprintf(code, sizeof code, "%d", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    report_difference(run, "the exit status", "0", code);
    return;
  }
  make_row(root, run->key, &row);
  run->seconds = json_number_value(json_object_get(root, "cpu_seconds"));
  json_decref(root);
  if (all.make && !find_row(run->key)) {
    append_row(&row);
    all.rows[all.num_rows++] = row;
  } else compare_row(run, &row);
}

/* Starts `lockstack run` with these words and with its result in a file. Returns the child. */
static pid_t start_run(const run_t *run, const char *json, const char *log) {
  char *argv[64] = {(char *)all.lockstack, "run"}, words[TEXT];
  int n = 2;
  snprintf(words, sizeof words, "%s", run->words);
  for (char *word = strtok(words, " "); word && n < 60; word = strtok(NULL, " ")) argv[n++] = word;
  argv[n++] = "--json", argv[n++] = (char *)json;
  pid_t child = fork();
  if (child) return child;
  if (!freopen("/dev/null", "w", stdout) || !freopen(log, "w", stderr)) _exit(3);
  execv(argv[0], argv);
  _exit(127);
}

/* JOBS at a time; the slot of a child is its place in `running`. */
static void run_all(void) {
  struct {
    pid_t child;
    run_t *run;
    char json[64], log[64];
  } running[JOBS] = {0};
  size_t next = 0;
  for (unsigned busy = 0; busy || next < all.num_runs;) {
    for (int s = 0; s < JOBS && next < all.num_runs; s++) {
      if (running[s].child) continue;
      run_t *run = &all.runs[next++];
      bool have = find_row(run->key);
      if (all.make && have && !strstr(run->words, "--engine")) continue;
      if (!all.make && !have) {
        report_difference(run, "the row", "wanted", "missing");
        continue;
      }
      snprintf(running[s].json, sizeof running[s].json, "counts-%d-%d.json", (int)getpid(), s);
      snprintf(running[s].log, sizeof running[s].log, "counts-%d-%d.log", (int)getpid(), s);
      running[s].run = run;
      running[s].child = start_run(run, running[s].json, running[s].log);
      if (running[s].child < 0) stop_with("fork", "failed");
      busy++;
    }
    int status;
    pid_t child = busy ? wait(&status) : -1;
    for (int s = 0; s < JOBS && child > 0; s++) {
      if (running[s].child != child) continue;
      running[s].child = 0;
      busy--;
      finish_run(running[s].run, status, running[s].json, running[s].log);
      unlink(running[s].log);
    }
  }
}

/* Orders runs for qsort(), the longest first. */
static int compare_seconds(const void *a, const void *b) {
  const double left = ((const run_t *)a)->seconds, right = ((const run_t *)b)->seconds;
  return (left < right) - (left > right);
}

/* Where the time of a suite goes. */
static void say_longest(void) {
  enum { LONGEST = 10 };
  double sum = 0;
  for (size_t i = 0; i < all.num_runs; i++) sum += all.runs[i].seconds;
  qsort(all.runs, all.num_runs, sizeof all.runs[0], compare_seconds);
  printf("%.0f s of processor time, most of it by\n", sum);
  for (size_t i = 0; i < all.num_runs && i < LONGEST; i++)
    printf("%7.1f s  %s\n", all.runs[i].seconds, all.runs[i].words);
}

int main(int argc, char **argv) {
  if (argc != 6 || (strcmp(argv[5], "check") && strcmp(argv[5], "make")))
    return fprintf(stderr, "usage: counts LOCKSTACK RUNS.txt COUNTS.csv SUITE check|make\n"), 2;
  all.lockstack = argv[1];
  all.csv = argv[3];
  all.make = strcmp(argv[5], "make") == 0;
  read_runs(argv[2], argv[4]);
  read_rows();
  run_all();
  say_longest();
  printf("%u runs of suite %s, %u differences\n", all.done, argv[4], all.wrong);
  return all.wrong ? 1 : 0;
}
