/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `lockstack sweep VERB ...`. The swept verb's table of options is a child of
 * ours: argp checks the words, and they are kept for the command of every run.
 *
 *   --over, --seeds, --metric ... --> sweep_arguments_t     own options
 *   --topology tree, vadd ...     --> sweep.options, sweep.arguments     the verb's, kept as words
 */
#include "sweep_arguments.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"
#include "regress_catalog.h"
#include "sweep_plot.h"

enum {
  KEY_OVER = 0x100,
  KEY_SEEDS,
  KEY_METRIC,
  KEY_METRICS,
  KEY_CSV,
  KEY_PLOT,
  KEY_DB,
  KEY_QUEUE,
  KEY_RESUME,
  KEY_DRY
};

static const struct argp_option argp_options[] = {
    {0, 0, 0, 0, "The sweep:", 1},
    {"over", KEY_OVER, "KEY=VALUES", CLI_LIST,
     "A setting and its values: 16,32,64 or 1..16, .1..1/.1 (step) or 1..64*2 (factor). KEY is an argument (system, "
     "workload), an option of the verb, or "
     "what its option set takes. May be repeated: the cross product",
     1},
    {"seeds", KEY_SEEDS, "N", 0, "Every point with N seeds, from --seed (default 1) on", 1},
    {"metric", KEY_METRIC, "NAME,...", CLI_LIST,
     "What is read of each result: a name that --metrics lists, sums and products of them, or one over another: 'A / "
     "B'",
     1},
    {"metrics", KEY_METRICS, NULL, 0, "List what a --metric can be, and run nothing", 1},
    {"jobs", 'j', "N", 0, "Runs at a time (default: one a processor; slurm: as many as it likes)", 1},
    {"queue", KEY_QUEUE, "Q", 0, "Where runs are made: local (default), or slurm: job arrays on a Slurm cluster", 1},
    {"resume", KEY_RESUME, NULL, 0,
     "Take results that the database has of the same command and program; run what is missing or failed", 1},
    {"db", KEY_DB, "FILE", 0, "Database of the runs (default lockstack-out/sweep.db)", 1},
    {"csv", KEY_CSV, "FILE", CLI_MADE, "Also write a row a run", 1},
    {"plot", KEY_PLOT, "FILE", CLI_MADE, "Also draw it: FILE.svg, .pdf or .png", 1},
    {"dry-run", KEY_DRY, NULL, 0, "Check all, print the commands of the runs, and run nothing", 1},
    {0},
};

/* ---- the sweep's own ---- */

/* Adds the names between commas. Cuts the text. */
static error_t add_metrics(sweep_arguments_t *a, char *text, const struct argp_state *state) {
  for (char *name; (name = strsep(&text, ","));) {
    name += strspn(name, " ");
    if (a->metrics == SWEEP_METRICS) return cli_usage(state, "--metric: more than %d", SWEEP_METRICS);
    a->metric[a->metrics++] = name;
  }
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  sweep_arguments_t *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    if (a->verb) state->child_inputs[0] = a;
    return 0;
  case KEY_OVER:
    if (a->overs == SWEEP_AXES) return cli_usage(state, "--over: more than %d", SWEEP_AXES);
    a->over[a->overs++] = arg;
    return 0;
  case KEY_SEEDS: return cli_number(state, "--seeds", arg, 1, SWEEP_RUNS, &a->seeds);
  case KEY_METRIC: return add_metrics(a, arg, state);
  case KEY_METRICS: a->list_metrics = true; return 0;
  case 'j': return cli_number(state, "--jobs", arg, 1, 1024, &a->jobs);
  case KEY_QUEUE:
    a->queue = arg;
    return !strcmp(arg, "local") || !strcmp(arg, "slurm")
               ? 0
               : cli_usage(state, "--queue: '%s' should be local or slurm", arg);
  case KEY_RESUME: a->resume = true; return 0;
  case KEY_DB: a->database = arg; return *arg ? 0 : cli_usage(state, "--db: a file name is missing");
  case KEY_CSV: a->csv = arg; return *arg ? 0 : cli_usage(state, "--csv: a file name is missing");
  case KEY_PLOT:
    a->plot = arg;
    return sweep_plot_named(arg) ? 0 : cli_usage(state, "--plot: '%s' should end in .svg, .pdf or .png", arg);
  case KEY_DRY: a->dry = true; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const char args_doc[] = "run|network|memory [ARGUMENT...]";
static const char doc[] =
    "Runs a command of `run`, `network` or `memory` over the cross product of settings, each with several seeds: as "
    "jobs of the queue that `regress` "
    "has, here or on a cluster. All is checked before the first run. A table has the mean, least and most over seeds; "
    "results stay in a database, so "
    "that a sweep that was killed, or gets more values, goes on with --resume. ARGUMENTs and options are the verb's "
    "own. Exit status 1: a run failed.\v"
    "Examples:\n"
    "  lockstack sweep run nsu vadd --over offload.ratio=0..1/.2 --over nsu.lanes=4,8,16 --plot ratio.svg\n"
    "  lockstack sweep run --over workload=vadd,saxpy --over system=nsu,baseline --seeds 3 --csv a.csv\n"
    "  lockstack sweep network --topology hypercube:3 --over rate=.05..0.7/.05 --over policy=base,crit --seeds 5\n"
    "  lockstack sweep memory --pattern random --over outstanding=1..64*2 --seeds 3 --plot memory.pdf\n";

const struct argp sweep_argp = {argp_options, parse, args_doc, doc, NULL, NULL, NULL};

/* ---- the swept verb's ---- */

/* The verb's option with this key; NULL: none. */
static const struct argp_option *option_of(const verb_t *verb, int key) {
  for (const struct argp_option *o = verb->argp->options; o->name || o->key || o->doc; o++)
    if (o->name && o->key == key) return o;
  return NULL;
}

static void add_word(json_t *words, const char *word) {
  json_array_append_new(words, json_string(word));
}

/* The word with a whole path, if it is a file that exists, alone or behind "KEY=": runs are made in
 * folders of their own. To be freed; NULL: out of memory. */
static char *whole_path(const char *word) {
  const char *equals = strchr(word, '='), *path = equals ? equals + 1 : word;
  struct stat info;
  char *real = *path && *path != '/' && !stat(path, &info) && S_ISREG(info.st_mode) ? realpath(path, NULL) : NULL,
       *whole = NULL;
  if (!real || asprintf(&whole, "%.*s%s", (int)(path - word), word, real) < 0) whole = strdup(word);
  free(real);
  return whole;
}

/* Does the run write this file? Then its path stays relative, to the run's own folder. */
static bool is_written(const char *option) {
  return !strcmp(option, "out") || !strcmp(option, "heat") || !strcmp(option, "profile");
}

/* An option's value as every run can read it; to be freed. NULL: a folder of --rtl that is not
 * there, or no memory. */
static char *option_word(const char *option, const char *arg) {
  if (is_written(option)) return strdup(arg);
  return !strcmp(option, "rtl") ? realpath(arg, NULL) : whole_path(arg);
}

/* Keeps an option of the swept verb. --seed is the sweep's own. */
static error_t keep_option(sweep_arguments_t *a, const struct argp_option *o, const char *arg,
                           const struct argp_state *state) {
  char name[64];
  if (!strcmp(o->name, "print-config")) return cli_usage(state, "--print-config: it runs nothing");
  if (!strcmp(o->name, "seed")) return cli_number(state, "--seed", arg, 0, UINT32_MAX, &a->seed);
  snprintf(name, sizeof name, "--%s", o->name);
  add_word(a->sweep.options, name);
  if (!arg) return 0;
  char *word = option_word(o->name, arg);
  add_word(a->sweep.options, word ? word : arg);
  free(word);
  return 0;
}

/* The swept verb's parser, in place of its own: keeps options and arguments. */
static error_t keep_argument(int key, char *arg, struct argp_state *state) {
  sweep_arguments_t *a = state->input;
  const struct argp_option *o = key == ARGP_KEY_ARG ? NULL : option_of(a->verb, key);
  if (o) return keep_option(a, o, arg, state);
  if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
  char *word = whole_path(arg);
  add_word(a->sweep.arguments, word ? word : arg);
  free(word);
  return 0;
}

/* Only verbs whose results sweep.h can read are swept. EXIT_BAD. */
static int no_verb(const char *word) {
  return cli_error(EXIT_BAD, "no sweep of '%s'; run, network or memory would be right%s", word,
                   names_nearest("swept", word));
}

/* found[0] is the verb asked for; found[1] becomes it if it is in the list of swept verbs. */
static void match_swept_verb(void *context, const char *name) {
  const verb_t **found = context;
  if (*found && !strcmp((*found)->name, name)) found[1] = *found;
}

/* The verb of this name; NULL: there is none, or it cannot be swept. */
static const verb_t *find_verb(const char *word) {
  const verb_t *const *verb = cli_verbs;
  while (*verb && strcmp((*verb)->name, word)) verb++;
  const verb_t *found[2] = {*verb, NULL};
  names_each("swept", match_swept_verb, found);
  return found[1];
}

/* ---- all ---- */

/* An --over with whole paths of the files among its values. To be freed; NULL: out of memory. */
static char *whole_values(const char *over) {
  char *copy = strdup(over), *text = NULL, *rest = copy;
  size_t size;
  FILE *out = copy ? open_memstream(&text, &size) : NULL;
  if (!out) return copy;
  for (char *word; (word = strsep(&rest, ","));) {
    char *whole = whole_path(word);
    fprintf(out, "%s%s", whole ? whole : word, rest ? "," : "");
    free(whole);
  }
  fclose(out);
  free(copy);
  return text;
}

/* Makes the sweep's runs. 0, or an exit code after a line. */
static int plan(sweep_arguments_t *a) {
  sweep_t *s = &a->sweep;
  bool good = true;
  s->seeds = (unsigned)a->seeds;
  if (a->list_metrics && !a->overs && !s->seeds) s->seeds = 1;
  s->seed = a->seed;
  for (unsigned i = 0; i < a->overs && good; i++) {
    char *over = whole_values(a->over[i]);
    good = sweep_over(s, over ? over : a->over[i]);
    free(over);
  }
  for (unsigned i = 0; i < s->axes && good; i++)
    if (!strcmp(s->axis[i].name, "seed") && a->seeds)
      return cli_error(EXIT_BAD, "--over seed: --seeds has them; leave one out");
  return good && sweep_plan(s) ? 0 : cli_trouble(&s->trouble);
}

/* A --seed without --seeds is an option like others; with --seeds it is the first seed. UINT64_MAX:
 * it was not given. */
static void keep_seed(sweep_arguments_t *a) {
  char text[32];
  if (a->seed == UINT64_MAX) a->seed = 1;
  else if (!a->seeds) {
    snprintf(text, sizeof text, "%llu", (unsigned long long)a->seed);
    add_word(a->sweep.options, "--seed");
    add_word(a->sweep.options, text);
  }
}

int sweep_arguments(cli_t *cli, int argc, char **argv, sweep_arguments_t *a) {
  static struct argp kept;
  static struct argp_child children[2];
  static struct argp all;
  *a = (sweep_arguments_t){.database = "lockstack-out/sweep.db", .queue = "local", .seed = UINT64_MAX};
  if (argc < 2 || argv[1][0] == '-') {
    const int code = cli_parse(cli, &sweep_argp, argc, argv, a);
    return code ? code : cli_error(EXIT_BAD, "what to sweep is missing: run, network or memory");
  }
  if (!(a->verb = find_verb(argv[1]))) return no_verb(argv[1]);
  a->sweep = (sweep_t){.verb = a->verb->name,
                       .grammar = {.arguments = a->verb->argp->args_doc, .option = regress_catalog()->option},
                       .arguments = json_array(),
                       .options = json_array()};
  kept = (struct argp){.options = a->verb->argp->options, .parser = keep_argument};
  children[0] = (struct argp_child){&kept, 0, "Of the verb that is swept:", 2};
  all = sweep_argp;
  all.children = children;
  argv[1] = argv[0];
  int code = cli_parse(cli, &all, argc - 1, argv + 1, a);
  if (code) return code;
  if (!a->jobs && !strcmp(a->queue, "local")) a->jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
  keep_seed(a);
  return plan(a);
}
