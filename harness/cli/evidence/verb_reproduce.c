/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack reproduce: the papers' published figures, ours beside theirs.
 *
 *   [ID|SYSTEM] --> choose_runs: figures, workloads --> figure_runs_plan: runs
 *      --> make_runs (queue, stored results, rows of a CSV) --> report_reproduction
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "figures_draw.h"
#include "names.h"
#include "number.h"
#include "process.h"
#include "progress.h"
#include "reproduce_report.h"

enum { MAX_SETTINGS = 16, MAX_NAMES = 32 };

/* What the runs' callbacks need. */
typedef struct {
  const char *what, *folder, *rows, *pictures, *engine;
  char *figures, *workloads;
  const char *set[MAX_SETTINGS];
  unsigned sets;
  bool small, resume, dry, no_runs;
  uint64_t jobs;
} options_t;

enum {
  KEY_SCALE = 1,
  KEY_WORKLOADS,
  KEY_FIGURES,
  KEY_RESUME,
  KEY_ROWS,
  KEY_OUT,
  KEY_DRAW,
  KEY_DRY,
  KEY_NO_RUNS,
  KEY_ENGINE
};

static const struct argp_option argp_options[] = {
    {"scale", KEY_SCALE, "full|small", 0,
     "Sizes that fill the paper's machine (default), or each workload's small ones (MPU: also a machine of four cores)",
     0},
    {"jobs", 'j', "N", 0, "Runs at a time (default: one a processor; slurm: as many as it likes)", 0},
    {"engine", KEY_ENGINE, "E", 0, "Where runs are made: local (default), or slurm: job arrays on a Slurm cluster", 0},
    {"workloads", KEY_WORKLOADS, "W,...", 0, "Only these workloads", 0},
    {"figures", KEY_FIGURES, "ID,...", 0,
     "Only these figures or tables of the system; tables have names as their pictures do (speed)", 0},
    {"resume", KEY_RESUME, NULL, 0,
     "Take results that are stored already, if they are of this very program and configuration", 0},
    {"rows", KEY_ROWS, "FILE", 0,
     "Results as rows of a CSV file: those that are there are taken, whatever program made them, and those that are "
     "made go into it, from several processes, "
     "too",
     0},
    {"out", KEY_OUT, "FOLDER", 0, "Where results are stored, a file a run (default: lockstack-out/reproduce)", 0},
    {"draw", KEY_DRAW, "FOLDER", 0, "Draw the figures as bar charts: SVG, PNG and PDF, and their numbers as CSV", 0},
    {"set", 's', "KEY=VALUE", CLI_LIST, "In every run, after the figure's own settings: to see what one value does", 0},
    {"no-runs", KEY_NO_RUNS, NULL, 0,
     "Simulate nothing: take what has a row (--rows) or is stored (--resume), and leave the rest empty", 0},
    {"dry-run", KEY_DRY, NULL, 0, "Print the commands of the runs, and run nothing", 0},
    {0},
};

static error_t parse_scale(options_t *o, const char *arg, const struct argp_state *state) {
  o->small = !strcmp(arg, "small");
  return o->small || !strcmp(arg, "full") ? 0 : cli_usage(state, "--scale: '%s' should be full or small", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_SCALE: return parse_scale(o, arg, state);
  case 'j': return cli_number(state, "--jobs", arg, 1, 256, &o->jobs);
  case KEY_ENGINE:
    o->engine = arg;
    return !strcmp(arg, "local") || !strcmp(arg, "slurm")
               ? 0
               : cli_usage(state, "--engine: '%s' should be local or slurm", arg);
  case KEY_WORKLOADS: o->workloads = arg; return 0;
  case KEY_FIGURES: o->figures = arg; return 0;
  case KEY_RESUME: o->resume = true; return 0;
  case KEY_ROWS: o->rows = arg; return 0;
  case KEY_OUT: o->folder = arg; return 0;
  case KEY_DRAW: o->pictures = arg; return 0;
  case KEY_DRY: o->dry = true; return 0;
  case KEY_NO_RUNS: o->no_runs = true; return 0;
  case 's':
    if (!strchr(arg, '=')) return cli_usage(state, "--set: '%s' should be KEY=VALUE, such as tsv.duplex=true", arg);
    if (o->sets == MAX_SETTINGS) return cli_usage(state, "--set: given more than %d times", MAX_SETTINGS);
    if (cli_set_once(state, arg, o->set, o->sets)) return EINVAL;
    o->set[o->sets++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (o->what) return ARGP_ERR_UNKNOWN;
    o->what = arg;
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    argp_options,
    parse,
    "[ID|SYSTEM]",
    "Runs what the papers measured, checks every result, and prints our figures beside theirs. Without SYSTEM or ID "
    "it lists the "
    "published figures and says which can be run. A stopped or failed run costs its own workload alone; --resume goes "
    "on."
    "\vExamples:\n"
    "  lockstack reproduce mpu --draw pictures\n"
    "  lockstack reproduce mpu-04 --workloads axpy,pr\n"
    "  lockstack reproduce mpu --figures mpu-22,mpu-23\n"
    "  lockstack reproduce near --figures longer,longer-narrow\n"
    "  lockstack reproduce nupim --rows docs/figures/nupim.csv --no-runs\n"
    "  lockstack reproduce mpu --scale small --jobs 2 --json a.json\n",
    NULL,
    NULL,
    NULL};

/* ---- What was asked for ---------------------------------------------------------------------- */

/* With a figure whose group compares two columns, chooses the columns of the group that nothing is
 * published of: the comparison needs them. */
static void choose_columns(figure_runs_t *runs, unsigned group) {
  const figure_system_t *s = runs->system;
  if (!s->orders.along || s->orders.group != group) return;
  for (unsigned f = 0; f < s->num_figures; f++)
    if (s->figures[f].group == group && !s->figures[f].id) runs->figure[f] = true;
}

/* Chooses all figures of a table; false: the system has no table of this name. */
static bool choose_table(figure_runs_t *runs, const char *name) {
  const figure_system_t *s = runs->system;
  bool any = false;
  for (unsigned f = 0; s && f < s->num_figures; f++)
    if (!strcmp(s->groups[s->figures[f].group].name, name)) any = runs->figure[f] = true;
  return any;
}

/* Appends a name to a text of `room` characters. */
static void add_name(char *names, size_t room, const char *before, const char *name) {
  const size_t used = strlen(names);
  snprintf(names + used, room - used, "%s%s", before, name);
}

/* The line of a figure that does not exist, with the nearest one and the system's tables. */
static int no_figure(const figure_system_t *of, const char *id) {
  char tables[512] = "";
  for (unsigned g = 0; of && g < of->num_groups; g++)
    add_name(tables, sizeof tables, g ? ", " : "; its tables: ", of->groups[g].name);
  return cli_error(EXIT_BAD, "no figure '%s'; `lockstack reproduce` lists them%s%s", id, names_nearest("figures", id),
                   tables);
}

/* Chooses a table or a published figure. A figure also chooses its system, if none is chosen. 0, or
 * EXIT_BAD after a line. */
static int choose_figure(figure_runs_t *runs, const char *id) {
  if (choose_table(runs, id)) return 0;
  const published_t *p = published_find(id);
  if (!p) return no_figure(runs->system, id);
  if (reproduce_why_not(p)) return cli_error(EXIT_BAD, "%s cannot be run: %s", id, reproduce_why_not(p));
  if (runs->system && strcmp(runs->system->name, p->system))
    return cli_error(EXIT_BAD, "--figures: %s is not a figure of %s", id, runs->system->name);
  runs->system = figure_system(p->system);
  const int chosen = figure_index(runs->system, id);
  runs->figure[chosen] = true;
  choose_columns(runs, runs->system->figures[chosen].group);
  return 0;
}

/* A system has all its figures, unless --figures picks some; another word is a figure's id. */
static int choose_system(figure_runs_t *runs, const options_t *o) {
  if (!figure_system(o->what)) {
    if (o->figures) return cli_error(EXIT_BAD, "--figures goes with a SYSTEM, not with '%s'", o->what);
    if (!strchr(o->what, '-'))
      return cli_error(EXIT_BAD, "no system or figure '%s'; `lockstack reproduce` lists them%s", o->what,
                       names_nearest("systems", o->what));
    return choose_figure(runs, o->what);
  }
  runs->system = figure_system(o->what);
  for (unsigned f = 0; !o->figures && f < runs->system->num_figures; f++) runs->figure[f] = true;
  return 0;
}

/* Calls choose with each name between commas. Cuts the text. */
static int choose_each(figure_runs_t *runs, char *names, int (*choose)(figure_runs_t *runs, const char *name)) {
  int code = 0;
  for (char *name; !code && (name = strsep(&names, ","));) code = choose(runs, name);
  return code;
}

/* 0, or EXIT_BAD after a line that names the system's workloads. */
static int choose_workload(figure_runs_t *runs, const char *name) {
  int w = figure_workload(runs->system, name);
  if (w >= 0) {
    runs->workload[w] = true;
    return 0;
  }
  char names[512] = "";
  for (unsigned i = 0; i < runs->system->num_workloads; i++)
    add_name(names, sizeof names, i ? ", " : "", runs->system->workloads[i]);
  return cli_error(EXIT_BAD, "--workloads: no '%s' among %s's: %s%s", name, runs->system->name, names,
                   names_nearest("workloads", name));
}

/* What the command line asks for, as flags of figures and workloads. */
static int choose_runs(figure_runs_t *runs, const options_t *o) {
  int code = choose_system(runs, o);
  if (!code && o->figures) {
    memset(runs->figure, 0, sizeof runs->figure);
    code = choose_each(runs, o->figures, choose_figure);
  }
  if (code) return code;
  for (unsigned w = 0; !o->workloads && w < runs->system->num_workloads; w++) runs->workload[w] = true;
  return o->workloads ? choose_each(runs, o->workloads, choose_workload) : 0;
}

/* ---- The runs -------------------------------------------------------------------------------- */

/* Progress. `kept` lets the estimate of the time left count the runs that took time alone. */
typedef struct {
  progress_t progress;
  double start;
  unsigned kept; /* runs that took no time */
} watch_t;

/* A run ended. Prints a line for a run that failed; and for every run that was made, where no
 * progress line rewrites itself. The time left is an estimate from the runs that took time. */
static void on_ended(const figure_runs_t *runs, const figure_run_t *run) {
  watch_t *watch = runs->context;
  char cycles[28];
  watch->kept += run->state == RUN_KEPT;
  if (run->state == RUN_FAILED) progress_end(&watch->progress);
  else if (watch->progress.terminal || run->state != RUN_MADE) return;
  const json_t *result = runs->result[run->workload * runs->system->num_configurations + run->configuration];
  const json_t *count = json_object_get(result, "cycles");
  fprintf(stderr, "reproduce: %u of %u: %s %s", runs->done, runs->count, runs->system->workloads[run->workload],
          runs->system->configurations[run->configuration].name);
  if (run->state == RUN_FAILED) fprintf(stderr, " FAILED: %s", run->error ? run->error : "out of memory");
  if (count) fprintf(stderr, ", %s cycles", number_text((uint64_t)json_integer_value(count), cycles));
  double left = (clock_seconds() - watch->start) / (runs->done - watch->kept) * (runs->count - runs->done);
  fprintf(stderr, "; %.1f s, %.0f s left\n", run->seconds, left);
}

static void on_tick(const figure_runs_t *runs) {
  watch_t *watch = runs->context;
  if (watch->progress.terminal) progress_update(&watch->progress, runs->done);
}

/* 0, or an exit code after a line. Failed runs are no error here: the report has them. */
static int make_runs(figure_runs_t *runs) {
  watch_t watch = {.start = clock_seconds()};
  runs->ended = on_ended;
  runs->tick = on_tick;
  runs->context = &watch;
  progress_start(&watch.progress, "reproduce", "runs", runs->count);
  figure_runs_make(runs);
  progress_end(&watch.progress);
  if (runs->others)
    fprintf(stderr,
            "reproduce: %u stored results are of another program, configuration or arguments, and were made again\n",
            runs->others);
  return runs->trouble.kind ? cli_trouble(&runs->trouble) : 0;
}

/* --dry-run: the commands of the runs. */
static int dry_run(cli_t *cli, const figure_runs_t *runs) {
  json_t *root = cli_json("reproduce", 1), *commands = json_array();
  for (unsigned i = 0; i < runs->count; i++) {
    char *command = figure_run_command(&runs->run[i]);
    if (!command) return cli_error(EXIT_ENV, "out of memory");
    fprintf(cli->out, "%s\n", command);
    json_array_append_new(commands, json_string(command));
    free(command);
  }
  json_object_set_new(root, "commands", commands);
  return cli_finish(cli, root, EXIT_HELD);
}

/* The report, the pictures and the JSON; `code` is what the runs ended with. */
static int report_reproduction(cli_t *cli, const figure_runs_t *runs, const options_t *o, double start, int code) {
  trouble_t trouble;
  reproduce_report_t r = reproduce_report(runs);
  r.seconds = clock_seconds() - start;
  reproduce_report_print(&r, cli->out);
  for (unsigned i = 0; !code && i < runs->count; i++)
    if (runs->run[i].state == RUN_FAILED) code = EXIT_BROKEN;
  if (o->pictures) {
    unsigned drawings;
    if (!figures_draw(o->pictures, runs->system, r.result, r.count, runs->workload, &drawings, &trouble))
      code = cli_trouble(&trouble);
    else if (!drawings) fprintf(cli->out, "pictures: none, as nothing is known of any table\n");
    else fprintf(cli->out, "pictures: %s/%s-*: .svg, .png, .pdf, .csv\n", o->pictures, runs->system->name);
  }
  if (cli_interrupted)
    code = cli_error(EXIT_ENV, "interrupted; what is known until then was reported, and --resume goes on");
  return cli_finish(cli, reproduce_report_json(&r, cli_json("reproduce", 1)), (cli_exit_t)code);
}

/* --jobs. By default one run for each processor here, and on Slurm 0: as many as it likes. */
static unsigned runs_at_a_time(const options_t *o) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (o->jobs || !strcmp(o->engine, "slurm")) return (unsigned)o->jobs;
  return processors > 0 ? (unsigned)processors : 1;
}

/* Everything before the first run. 0, or an exit code after a line. */
static int set_up_reproduction(figure_runs_t *runs, run_rows_t *rows, const options_t *o) {
  trouble_t trouble;
  int code = choose_runs(runs, o);
  if (code) return code;
  runs->small = o->small;
  runs->set = o->set;
  runs->sets = o->sets;
  runs->engine = o->engine;
  runs->jobs = runs_at_a_time(o);
  runs->program = process_self();
  runs->place = cli_data;
  runs->folder = o->folder;
  runs->resume = o->resume;
  runs->no_runs = o->no_runs;
  runs->interrupted = &cli_interrupted;
  if (!figure_runs_plan(runs)) return cli_error(EXIT_ENV, "out of memory");
  if (o->rows && !run_rows_read(rows, runs->system, o->rows, &trouble)) return cli_trouble(&trouble);
  runs->rows = o->rows ? rows : NULL;
  if (o->pictures && !figures_draw_check(o->pictures, &trouble)) return cli_trouble(&trouble);
  return 0;
}

static int run(cli_t *cli, int argc, char **argv) {
  static figure_runs_t runs;
  run_rows_t rows = {0};
  options_t o = {.folder = "lockstack-out/reproduce", .engine = "local"};
  double start = clock_seconds();
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  if (!o.what) {
    if (o.figures || o.workloads || o.dry || o.no_runs || o.pictures || o.resume || o.rows || o.small || o.sets)
      return cli_error(EXIT_BAD, "a SYSTEM or ID is missing; `lockstack reproduce` lists them");
    reproduce_list_print(cli->out);
    return cli_finish(cli, reproduce_list_json(cli_json("reproduce", 1)), EXIT_HELD);
  }
  if (o.no_runs && !o.rows && !o.resume)
    return cli_error(EXIT_BAD, "--no-runs takes what is there: --rows FILE or --resume would say where");
  code = set_up_reproduction(&runs, &rows, &o);
  if (!code && o.dry) code = dry_run(cli, &runs);
  else if (!code) {
    runs.identity = figure_identity(cli_provenance(), runs.program, runs.system, cli_data);
    code = report_reproduction(cli, &runs, &o, start, make_runs(&runs));
  }
  figure_runs_free(&runs);
  run_rows_free(&rows);
  return code;
}

const verb_t verb_reproduce = {"reproduce", "the papers' figures, ours beside theirs", run, &argp};
