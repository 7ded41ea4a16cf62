/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack bench: how fast Lockstack is on this machine, against the goals that it has.
 */
#include "bench.h"
#include "judged.h"
#include "names.h"
#include "number.h"
#include "process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The benchmarks; only_named: it takes minutes, and runs only when it is asked for. */
static const struct {
  const char *name, *help;
  int (*run)(bench_t *bench);
  bool only_named;
} benches[] = {
#define BENCH(name, only_named, help) {#name, help, bench_##name, only_named},
#include "benches.def"
};
enum { NUM_BENCHES = sizeof benches / sizeof *benches };

/* `any` is false when no benchmark was named: then all run that need no naming (only_named). */
typedef struct {
  bool wanted[NUM_BENCHES], any;
  uint64_t samples;
} options_t;

static const struct argp_option argp_options[] = {
    {"samples", 'n', "N", 0, "Runs, or pairs of runs, of each benchmark (default 7)", 0},
    {0},
};

/* 0, or EINVAL after a line that names all benchmarks. */
static error_t choose_benchmark(options_t *options, const char *name, const struct argp_state *state) {
  char names[128] = "";
  for (unsigned i = 0; i < NUM_BENCHES; i++) {
    strcat(strcat(names, i ? ", " : ""), benches[i].name);
    if (strcmp(benches[i].name, name) != 0) continue;
    options->wanted[i] = options->any = true;
    return 0;
  }
  return cli_usage(state, "no benchmark '%s'; there are %s%s", name, names, names_nearest("benchmarks", name));
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *options = state->input;
  switch (key) {
  case 'n': return cli_number(state, "--samples", arg, 1, BENCH_SAMPLES, &options->samples);
  case ARGP_KEY_ARG: return choose_benchmark(options, arg, state);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum { RUN_SECONDS = 4 * 3600 }; /* the longest is a build of the tree with an empty cache */

char *bench_output(char *const argv[], const char *program, const char *folder, int errors) {
  const process_t how = {.argv = argv, .program = program, .folder = folder, .err = errors};
  const double limit = process_limit(RUN_SECONDS);
  char *text;
  const int status = process_tool(&how, &text, limit);
  if (status == PROCESS_TIMEOUT)
    cli_error(EXIT_ENV, "bench: %s %s is not at its end after %.0f s; a larger LOCKSTACK_TOOL_SECONDS would be right",
              argv[0], argv[1], limit);
  else if (status && status != PROCESS_STOPPED) cli_error(EXIT_ENV, "bench: `%s %s` failed", argv[0], argv[1]);
  if (status == 0) return text;
  return free(text), NULL;
}

void bench_add(bench_t *bench, const char *name, const char *unit, double *values, unsigned count, bench_goal_t kind,
               double goal) {
  if (bench->count == BENCH_FIGURES) abort();
  qsort(values, count, sizeof *values, compare_doubles);
  double median = (values[count / 2] + values[(count - 1) / 2]) / 2;
  bench->figures[bench->count++] =
      (bench_figure_t){bench->bench, name, unit, median, values[0], values[count - 1], count, kind, goal};
}

bool bench_met(const bench_figure_t *figure) {
  if (figure->goal_kind == GOAL_AT_MOST) return figure->median <= figure->goal;
  return figure->goal_kind == GOAL_NONE || figure->median >= figure->goal;
}

/* 1.183, 42.5 or 1,234,567: as many digits as say something. */
static const char *bench_figure_text(double value, char *buf) {
  if (value >= 1000) return number_text((uint64_t)(value + 0.5), buf);
  snprintf(buf, 28, value >= 10 ? "%.1f" : "%.3f", value);
  return buf;
}

static const char *goal_verdict(const bench_figure_t *f) {
  if (cli_interrupted) return "interrupted";
  return bench_met(f) ? "reached" : "MISSED";
}

/* A line as soon as the figure is there. The range is shown where there are several samples. */
static void print_figure(FILE *out, const bench_figure_t *f) {
  char a[28], b[28], c[28];
  fprintf(out, "%-26s %12s %-18s", f->name, bench_figure_text(f->median, a), f->unit);
  if (f->samples > 1)
    fprintf(out, "  (%u samples, %s to %s)", f->samples, bench_figure_text(f->low, b), bench_figure_text(f->high, c));
  if (f->goal_kind != GOAL_NONE)
    fprintf(out, "  goal: at %s %s, %s", f->goal_kind == GOAL_AT_MOST ? "most" : "least", bench_figure_text(f->goal, b),
            goal_verdict(f));
  fputc('\n', out);
  fflush(out);
}

/* `at_most` or `at_least` is there where the figure has a goal; `met` is true where it has none. */
static json_t *json_figure(const bench_figure_t *f) {
  static const char *const kinds[] = {NULL, "at_most", "at_least"};
  json_t *figure = json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:I, s:b}", "bench", f->bench, "name", f->name, "unit",
                             f->unit, "median", f->median, "low", f->low, "high", f->high, "samples",
                             (json_int_t)f->samples, "met", bench_met(f));
  if (f->goal_kind != GOAL_NONE) json_object_set_new(figure, kinds[f->goal_kind], json_real(f->goal));
  return figure;
}

/* Runs the benchmarks and prints each one's figures as soon as they are known. */
static int run_benches(bench_t *bench, const options_t *options) {
  int code = 0;
  for (unsigned i = 0; i < NUM_BENCHES && !code && !cli_interrupted; i++) {
    unsigned first = bench->count;
    if (options->any ? !options->wanted[i] : benches[i].only_named) continue;
    bench->bench = benches[i].name;
    code = benches[i].run(bench);
    for (unsigned k = first; k < bench->count; k++) print_figure(bench->out, &bench->figures[k]);
  }
  return code;
}

static const struct argp argp = {
    argp_options,
    parse,
    "[BENCHMARK...]",
    "Measures this machine's speed and compares it with the figures Lockstack wants to "
    "reach; exit status 1 says that one was missed. Benchmarks: lockstep, model, vault, network, run, "
    "regress, and build, which takes minutes and must be named.\v"
    "Example:\n  lockstack bench lockstep --samples 3\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t options = {.samples = 7};
  int code = cli_parse(cli, &argp, argc, argv, &options);
  if (code) return code;

  judged_unknown(); /* a machine's speed is of more than files */
  bench_t bench = {.samples = (unsigned)options.samples, .out = cli->out};
  code = run_benches(&bench, &options);
  if (code > EXIT_BROKEN) return code;
  if (cli_interrupted) code = cli_error(EXIT_ENV, "interrupted");
  json_t *root = cli_json("bench", 1), *figures = json_array();
  for (unsigned i = 0; i < bench.count; i++) {
    json_array_append_new(figures, json_figure(&bench.figures[i]));
    if (!code && !bench_met(&bench.figures[i])) code = EXIT_BROKEN;
  }
  json_object_set_new(root, "processors", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
  json_object_set_new(root, "figures", figures);
  return cli_finish(cli, root, (cli_exit_t)code);
}

const verb_t verb_bench = {"bench", "how fast Lockstack is on this machine", run, &argp};
