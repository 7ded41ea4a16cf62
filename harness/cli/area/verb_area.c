/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack area: blocks on standard cells or an FPGA: cells, flip-flops, um2, memory macros, the
 * longest path.
 *
 *   options --> find_own, open_cells --> prepare_area_session: tasks = blocks x sweeps
 *      --> measure_all: for each task  area_measure (Yosys) [, time_netlist (OpenSTA), ratchet_row]
 *      --> finish_area: rules, papers, budget, curve, JSON
 */
#include "area_judge.h"
#include "area_tasks.h"
#include "area_timing.h"
#include "cli.h"
#include "draw.h"
#include "file.h"
#include "generated.h"
#include "judged.h"
#include "lockstep_verbs.h"
#include "names.h"
#include "plain.h"
#include "process.h"
#include "progress.h"
#include "work.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BLOCKS = 128, MOST_OWN = 16 };

static const area_block_t blocks[] = {
#define BLOCK(name, family, rtl, ports, ...) {name, family, ports, NULL},
#define SYSTEM(...)
#define WORKLOAD(...)
#include "lists.def"
    {0},
};

/* What the command line asks for. A NULL string or a zero was not given. `choice` is a name of
 * --cells, or, as `lefs` and `corners`, a list of rtl.h with whole paths. `blocks` points into the
 * table above, or into `own` for a folder's block, which is filled by find_own. */
typedef struct {
  const area_block_t *blocks[MOST_BLOCKS];
  const char *folders[MOST_OWN]; /* of blocks outside the tree */
  area_block_t own[MOST_OWN];
  block_t found[MOST_OWN];
  unsigned num_blocks, num_sets, num_own;
  const char *sets[PROOF_MOST], *folder;
  const area_target_t *target; /* NULL until all options are known: standard cells */
  area_target_t library;
  cells_t cells;
  char choice[RTL_LIST], lefs[RTL_LIST], corners[RTL_LIST]; /* corners: NAME=FILE */
  area_method_t method;
  uint64_t seconds;
  area_sweep_t sweep[AREA_SWEEPS];
  unsigned num_sweeps;
  const char *pictures, *budget, *reason;
  bool all, ratchet, update;
  area_clock_t clock;
} options_t;

enum {
  KEY_SET = 0x100,
  KEY_CELLS,
  KEY_LIBERTY,
  KEY_LEF,
  KEY_CORNER,
  KEY_TARGET,
  KEY_OUT,
  KEY_FLAT,
  KEY_PARTS,
  KEY_TIMEOUT,
  KEY_SWEEP,
  KEY_DRAW,
  KEY_RATCHET,
  KEY_BUDGET,
  KEY_UPDATE,
  KEY_REASON,
  KEY_TIMING,
  KEY_CLOCK,
  KEY_SDC
};

static const struct argp_option argp_options[] = {
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST, "A parameter of the blocks; may be repeated", 0},
    {"sweep", KEY_SWEEP, "PARAM=V,V,...", CLI_LIST, "One measurement for each value; given again, for each combination",
     0},
    {"draw", KEY_DRAW, "FOLDER", 0, "Draw the area over the first sweep's values: area.svg, area.png, area.csv", 0},
    {"cells", KEY_CELLS, "NAME", 0, VERBS_CELLS_HELP, 0},
    {"liberty", KEY_LIBERTY, "FILE", CLI_LIST, VERBS_LIBERTY_HELP, 0},
    {"lef", KEY_LEF, "FILE", CLI_LIST,
     "With --liberty: areas are the SIZE of each MACRO of this LEF file, plain or .gz; may be repeated", 0},
    {"corner", KEY_CORNER, "NAME=FILE", CLI_LIST,
     "With --liberty: the same cells in another corner, for timing; again for further files, and corners", 0},
    {"target", KEY_TARGET, "NAME", 0, "An FPGA instead: ice40, ecp5 or xilinx", 0},
    {"flat", KEY_FLAT, NULL, 0, "Large blocks whole too, instead of the sum of their parts", 0},
    {"parts", KEY_PARTS, NULL, 0, "Every block as the sum of its parts, each synthesised once", 0},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0,
     "The longest that the synthesis of a block, or of a part, may take (default: 3600)", 0},
    {"ratchet", KEY_RATCHET, NULL, 0,
     "Fail where a block is more than 5 % larger or slower than its budget's line, or has none", 0},
    {"budget", KEY_BUDGET, "FILE", 0, "The budget (default: synth/budget.csv)", 0},
    {"update", KEY_UPDATE, NULL, 0,
     "With --ratchet: write the lines of blocks that shrank, with --reason of the others too", 0},
    {"reason", KEY_REASON, "TEXT", 0, "Why they are what they are now", 0},
    {"timing", KEY_TIMING, NULL, 0,
     "Static timing of the netlist by OpenSTA: the shortest clock period, slack, the worst paths", 0},
    {"clock", KEY_CLOCK, "PERIOD", 0,
     "With --timing: slack at this period, in ns, of ge in FO4 (default: the shortest)", 0},
    {"sdc", KEY_SDC, "FILE", 0,
     "With --timing: these constraints instead of one clock with inputs and outputs at its edges", 0},
    {"out", KEY_OUT, "FOLDER", 0,
     "Where scripts, logs and kept results go (default: the build folder, installed lockstack-out/area)", 0},
    {0},
};

/* Memories are macros: no cells, so they have no area of their own here. */
static bool is_macro(const area_block_t *block) {
  return strncmp(block->name, "sram_", 5) == 0;
}

/* Notes a block outside the tree. find_own reads it when all options are known. */
static error_t add_folder(options_t *o, const char *name, const struct argp_state *state) {
  if (o->num_own == MOST_OWN || o->num_blocks == MOST_BLOCKS) return cli_usage(state, "more than %d folders", MOST_OWN);
  o->folders[o->num_own] = name;
  o->blocks[o->num_blocks++] = &o->own[o->num_own++];
  return 0;
}

/* A name of the tree, or the folder of a block outside it. */
static error_t add_block(options_t *o, const char *name, const struct argp_state *state) {
  const area_block_t *b = blocks;
  while (b->name && strcmp(b->name, name) != 0) b++;
  if (!b->name && verbs_is_folder(name)) return add_folder(o, name, state);
  if (!b->name)
    return cli_usage(state, "no block '%s'; `lockstack list blocks` shows them, or name a folder%s", name,
                     names_nearest("blocks", name));
  if (is_macro(b))
    return cli_usage(state, "%s is a macro, not cells; its area is printed with the blocks that have it", name);
  if (o->num_blocks == MOST_BLOCKS) return cli_usage(state, "more than %d blocks", MOST_BLOCKS);
  o->blocks[o->num_blocks++] = b;
  return 0;
}

/* --target: an FPGA. The name of a library of cells has a line of its own, which says --cells. */
static error_t add_target(options_t *o, const char *name, const struct argp_state *state) {
  char path[PLAIN_PATH];
  trouble_t trouble;
  o->target = area_fpga(name);
  if (cells_find(cli_data("."), name, path, &trouble))
    return cli_usage(state, "--target: %s is a library of cells: --cells %s", name, name);
  return o->target ? 0 : cli_usage(state, "--target: '%s' should be ice40, ecp5 or xilinx", name);
}

/* No block on the line means every block that is made of cells. */
static error_t all_blocks(options_t *o, const struct argp_state *state) {
  for (const area_block_t *b = blocks; b->name; b++)
    if (!is_macro(b) && add_block(o, b->name, state)) return EINVAL;
  return 0;
}

/* --sweep PARAM=V,V,... The measurements are the product of all sweeps' values. */
static error_t add_sweep(options_t *o, const char *arg, const struct argp_state *state) {
  if (o->num_sweeps == AREA_SWEEPS) return cli_usage(state, "--sweep: more than %d parameters", AREA_SWEEPS);
  if (area_parse_sweep(&o->sweep[o->num_sweeps], arg)) return o->num_sweeps++, 0;
  return cli_usage(state, "--sweep: '%s' should be PARAM=VALUE,VALUE,... with at most %d values", arg, AREA_VALUES);
}

/* --lef FILE, by its whole path; the same file twice is refused. */
static error_t add_lef(options_t *o, const char *file, const struct argp_state *state) {
  char path[PATH_MAX];
  if (verbs_file(state, "--lef", file, path)) return EINVAL;
  if (rtl_has(o->lefs, path)) return cli_usage(state, "--lef: %s: is given twice", file);
  return rtl_add(o->lefs, path) ? 0 : cli_usage(state, "--lef: %s: too many files, or too long a name", file);
}

/* --corner NAME=FILE. The list holds "NAME=/whole/path" words. */
static error_t add_corner(options_t *o, const char *arg, const struct argp_state *state) {
  char path[PATH_MAX], word[RTL_LIST];
  const char *equals = strchr(arg, '=');
  if (!equals || equals == arg || !equals[1]) return cli_usage(state, "--corner: '%s' should be NAME=FILE", arg);
  if (verbs_file(state, "--corner", equals + 1, path)) return EINVAL;
  snprintf(word, sizeof word, "%.*s=%s", (int)(equals - arg), arg, path);
  return rtl_add(o->corners, word) ? 0 : cli_usage(state, "--corner: %s: too many files, or too long a name", arg);
}

/* Which options go together. No block on the line means all of the tree. */
static error_t check_options(options_t *o, const struct argp_state *state) {
  if (o->pictures && !o->num_sweeps) return cli_usage(state, "--draw: nothing to draw without --sweep");
  if ((o->update || o->reason) && !o->ratchet) return cli_usage(state, "--update and --reason go with --ratchet");
  if (o->reason && (!*o->reason || strpbrk(o->reason, "\r\n")))
    return cli_usage(state, "--reason: should be one line of text");
  if (o->num_own && o->method == AREA_BY_PARTS)
    return cli_usage(state, "--parts: parts are blocks of the tree; a folder is synthesised whole");
  if (o->num_own && o->ratchet && !o->budget)
    return cli_usage(
        state, "--ratchet: the tree's budget has no blocks of folders; give yours a file of its own by --budget FILE");
  if (o->ratchet && o->target) return cli_usage(state, "--ratchet: budgets are of standard cells, without --target");
  if ((o->clock.period > 0 || o->clock.sdc) && !o->clock.wanted)
    return cli_usage(state, "--clock and --sdc are for --timing");
  if (o->clock.period > 0 && o->clock.sdc)
    return cli_usage(state, "--clock: the clock is that of --sdc %s", o->clock.sdc);
  if (o->clock.sdc && o->ratchet) return cli_usage(state, "--ratchet: the shortest period is of a clock without --sdc");
  if (o->clock.wanted && o->target)
    return cli_usage(state, "--timing: of an FPGA there is no timing data; without --target");
  if (o->target && *o->choice)
    return cli_usage(state, "--target: an FPGA has no standard cells; without --cells and --liberty");
  if ((*o->lefs || *o->corners) && *o->choice != '/')
    return cli_usage(state, "--lef and --corner go with --liberty; a library of --cells has its own");
  o->all = !o->num_blocks;
  return o->num_blocks ? 0 : all_blocks(o, state);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_SET:
    if (o->num_sets == PROOF_MOST) return cli_usage(state, "--set: too many parameters");
    if (cli_set_once(state, arg, o->sets, o->num_sets)) return EINVAL;
    o->sets[o->num_sets++] = arg;
    return 0;
  case KEY_CELLS: return verbs_cells(state, arg, o->choice);
  case KEY_LIBERTY: return verbs_liberty(state, arg, o->choice);
  case KEY_LEF: return add_lef(o, arg, state);
  case KEY_CORNER: return add_corner(o, arg, state);
  case KEY_TARGET: return add_target(o, arg, state);
  case KEY_OUT: o->folder = arg; return 0;
  case KEY_FLAT: o->method = AREA_FLAT; return 0;
  case KEY_PARTS: o->method = AREA_BY_PARTS; return 0;
  case KEY_TIMEOUT: return cli_number(state, "--timeout", arg, 1, 1000000, &o->seconds);
  case ARGP_KEY_ARG: return add_block(o, arg, state);
  case KEY_SWEEP: return add_sweep(o, arg, state);
  case KEY_DRAW: o->pictures = arg; return 0;
  case KEY_RATCHET: o->ratchet = true; return 0;
  case KEY_BUDGET: o->budget = arg; return 0;
  case KEY_UPDATE: o->update = true; return 0;
  case KEY_REASON: o->reason = arg; return 0;
  case KEY_TIMING: o->clock.wanted = true; return 0;
  case KEY_CLOCK: return verbs_clock(state, "--clock", arg, &o->clock.period);
  case KEY_SDC: o->clock.sdc = arg; return 0;
  case ARGP_KEY_END: return check_options(o, state);
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- the run */

/* One run of the verb. `done` is the index of the task at work; tasks that failed are in it. `rows`
 * gets one object a task, in the tasks' order, and `area` is the result of the last task. */
typedef struct {
  cli_t *cli;
  const options_t *options;
  area_rules_t rules;
  area_tasks_t tasks;
  ratchet_t ratchet;
  progress_t progress;
  json_t *rows, *papers;
  work_t packages; /* where they are generated, if they are not there */
  char cache[PROOF_PATH], gen[PROOF_PATH], label[PROOF_NAME + 8];
  unsigned done, failed;
  int code; /* the worst so far */
  area_t area;
} session_t;

/* While a tool runs: progress, and whether to stop. */
static bool on_wait(void *context) {
  session_t *s = context;
  progress_update(&s->progress, s->done);
  return cli_interrupted;
}

/* Finds the folder of kept results and the generated packages. Paths are absolute, because Yosys'
 * scripts name files in them. */
static int find_folders(session_t *s) {
  char wanted[PROOF_PATH];
  const char *folder = s->options->folder;
  snprintf(wanted, sizeof wanted, "%s/../gen/nsu_pkg.sv", cli_objects());
  bool built = access(wanted, R_OK) == 0;
  if (folder || !built) snprintf(wanted, sizeof wanted, "%s", folder ? folder : "lockstack-out/area");
  else snprintf(wanted, sizeof wanted, "%s/../area", cli_objects());
  char own[PROOF_PATH];
  trouble_t trouble;
  if (!file_folder(wanted) || !realpath(wanted, own) || access(own, W_OK))
    return cli_error(EXIT_ENV, "%s: cannot make files in this folder", wanted);
  if (!plain_folder(own, NULL, s->cache, sizeof s->cache, &trouble)) return cli_trouble(&trouble);
  if (!work_open(&s->packages, s->cache, "packages", &trouble)) return cli_trouble(&trouble);
  return cli_generated(s->gen, s->packages.path, &trouble) ? 0 : cli_trouble(&trouble);
}

/* The session ends with the worst code that was raised. */
static void raise_exit_code(session_t *s, int code) {
  s->code = code > s->code ? code : s->code;
}

/* Records that one block failed; the others go on. With several blocks, bad input of one counts as
 * something that did not hold (EXIT_BROKEN); a block alone ends the run with its own code. */
static void record_failed_block(session_t *s, const area_job_t *job, const char *status, int code, const char *why) {
  const bool alone = s->tasks.count == 1;
  raise_exit_code(s, code == EXIT_BAD && !alone ? EXIT_BROKEN : code);
  s->failed++;
  area_print_failure(s->cli->out, job, status, why);
  json_array_append_new(s->rows, area_failure_json(job, status, why));
  cli_error((cli_exit_t)(code == EXIT_BAD && !alone ? EXIT_BROKEN : code), "%s%s%s", alone ? "" : job->block,
            alone ? "" : ": ", why);
}

/* The same for an answer of area_measure that is not ANSWER_HOLDS. */
static void record_bad_answer(session_t *s, const area_job_t *job, answer_t answer, const char *why) {
  static const char *const status[] = {
      [ANSWER_UNKNOWN] = "timeout", [ANSWER_BAD] = "failed", [ANSWER_INFRA] = "environment"};
  record_failed_block(s, job, status[answer], answer != ANSWER_BAD ? EXIT_ENV : EXIT_BAD, why);
}

/* Adds the papers' figures to a row. They are of default parameters on standard cells, so other
 * rows get none. */
static void add_papers(session_t *s, const area_job_t *job, json_t *row) {
  if (job->own || *job->params || area_is_fpga(job->target)) return;
  json_t *list = papers_json(job->block, &s->area, &s->rules);
  if (json_array_size(list)) json_object_set(row, "paper", list);
  json_array_extend(s->papers, list);
  json_decref(list);
}

/* --timing of one block; *period becomes the shortest period, or -1. */
static bool time_netlist(session_t *s, const area_job_t *job, const block_t *own, json_t *row, double *period,
                         trouble_t *trouble) {
  const options_t *o = s->options;
  const bool good =
      area_timing_row(&o->clock, s->cli->out, job, own, o->choice, s->tasks.count == 1, row, period, trouble);
  progress_end(&s->progress);
  return good;
}

/* Measures one block and adds its row. False: there is no use in going on, because the user stopped
 * or a tool is missing. */
static bool measure_block(session_t *s, const area_job_t *asked, const block_t *own) {
  trouble_t trouble = {0};
  rtl_t text;
  area_job_t own_job = *asked;
  const area_job_t *job = &own_job;
  double period = -1;
  const places_t places = verbs_places();
  const bool read = !own || block_text(own, &places, job->params, NULL, &text, &trouble);
  if (own) own_job.own = &text;
  answer_t answer = trouble.kind == TROUBLE_INPUT ? ANSWER_BAD : ANSWER_INFRA;
  if (read) answer = area_measure(job, &s->area, &trouble);
  progress_end(&s->progress);
  if (answer == ANSWER_STOPPED) return raise_exit_code(s, EXIT_ENV), false;
  if (answer != ANSWER_HOLDS) return record_bad_answer(s, job, answer, trouble.text), process_there("yosys");
  json_t *row = area_row_json(job, &s->area, &s->rules);
  verbs_sources(row, job->own ? job->subject : job->block, FINGERPRINT_HARDWARE);
  area_print_row(s->cli->out, job, &s->area, &s->rules, s->tasks.count == 1);
  add_papers(s, job, row);
  if (s->options->clock.wanted && !time_netlist(s, job, own, row, &period, &trouble)) {
    const bool environment = trouble.kind == TROUBLE_ENVIRONMENT;
    record_failed_block(s, job, environment ? "environment" : "failed", (int)trouble.kind, trouble.text);
    json_decref(row);
    return !environment || process_there("sta");
  }
  if (s->options->ratchet) ratchet_row(&s->ratchet, s->cli->out, job, &s->area, period, row);
  json_array_append_new(s->rows, row);
  return true;
}

/* A sweep has its rows in `sweep`, several blocks in `blocks`; a block alone is the document
 * itself. */
static json_t *area_results_json(session_t *s) {
  json_t *root = cli_json("area", 1);
  if (s->options->num_sweeps) json_object_set(root, "sweep", s->rows);
  else if (s->tasks.count == 1) json_object_update(root, json_array_get(s->rows, 0));
  else json_object_set(root, "blocks", s->rows);
  if (s->options->all) json_object_set(root, "papers", s->papers);
  return root;
}

/* Everything below the table of rows, then the JSON document. The exit code is the worst of the
 * blocks, of the ratchet and of the pictures; an interrupt wins over all of them. */
static int finish_area(session_t *s) {
  const options_t *o = s->options;
  FILE *out = s->cli->out;
  json_t *others = o->all && !area_is_fpga(o->target) ? papers_json(NULL, NULL, &s->rules) : json_array();
  json_array_extend(s->papers, others), json_decref(others);
  area_print_rules(out, &s->rules);
  if (o->cells.num_corners && !o->clock.wanted) fprintf(out, "Corners are for --timing: no figure here is of them.\n");
  papers_print(out, s->papers);
  if (o->ratchet)
    raise_exit_code(s, ratchet_failed(&s->ratchet) ? EXIT_BROKEN : 0),
        raise_exit_code(s, ratchet_close(&s->ratchet, out));
  if (o->pictures) raise_exit_code(s, area_draw(o->pictures, &o->sweep[0], s->rows));
  int code = cli_finish(s->cli, area_results_json(s), (cli_exit_t)s->code);
  if (cli_interrupted) return cli_error(EXIT_ENV, "interrupted after %u of %u blocks", s->done, s->tasks.count);
  if (s->failed && s->tasks.count > 1)
    cli_error((cli_exit_t)code, "%u of %u blocks could not be measured", s->failed, s->tasks.count);
  return code;
}

/* All tasks, one after the other. done counts those that are over. */
static int measure_all(session_t *s) {
  const options_t *o = s->options;
  area_print_head(s->cli->out, o->target);
  progress_start(&s->progress, s->label, "blocks", s->tasks.count);
  for (bool go_on = true; go_on && s->done < s->tasks.count; s->done += go_on) {
    const area_task_t *task = &s->tasks.task[s->done];
    const block_t *own = task->block->own;
    snprintf(s->label, sizeof s->label, "area, %s", task->block->name);
    verbs_judged(own ? own->folder : task->block->name, NULL, o->clock.wanted ? "timing" : "area");
    verbs_sources_first(own ? own->folder : task->block->name, FINGERPRINT_HARDWARE);
    area_job_t job = {.target = o->target,
                      .source = cli_source(),
                      .gen = s->gen,
                      .family = task->block->family,
                      .dram_die = !own && names_tagged(task->block->name, "dram_die"),
                      .block = task->block->name,
                      .own = own ? &own->read : NULL,
                      .subject = own ? block_subject(own) : NULL,
                      .ports = own ? own->ports : NULL,
                      .params = task->params,
                      .cache = s->cache,
                      .method = o->method,
                      .seconds = (double)o->seconds,
                      .stop = on_wait,
                      .context = s};
    go_on = measure_block(s, &job, own);
  }
  progress_end(&s->progress);
  return finish_area(s);
}

/* Reads the blocks outside the tree, now that the options are known. 0, or an exit code after a
 * line. */
static int find_own(options_t *o) {
  const places_t places = verbs_places();
  trouble_t trouble;
  for (unsigned i = 0; i < o->num_own; i++) {
    block_t *b = &o->found[i];
    if (!block_find(b, &places, o->folders[i], NULL, &trouble)) return cli_trouble(&trouble);
    if (access(b->rtl, R_OK))
      return cli_error(EXIT_BAD, "%s: is missing: a block has RTL, port file, model and its header", b->rtl);
    o->own[i] = (area_block_t){b->name, "", b->ports, b};
  }
  return 0;
}

/* Tells judged.h each file that the figures depend on: Liberty, LEF, corners. */
static void judge_cells(const cells_t *cells) {
  char path[RTL_LIST];
  const char *lists[2 + CELLS_CORNERS] = {cells->files, cells->lefs};
  for (unsigned i = 0; i < cells->num_corners; i++) lists[2 + i] = cells->corners[i].files;
  for (unsigned i = 0; i < 2 + cells->num_corners; i++)
    for (const char *at = lists[i]; rtl_next(&at, path, sizeof path);) judged_option(path);
}

/* Opens what logic is mapped onto: an FPGA needs nothing, a library is read now. */
static int open_cells(options_t *o) {
  char path[RTL_LIST];
  trouble_t trouble;
  if (o->target) return 0;
  if (!cells_choose(&o->cells, cli_data("."), o->choice, &trouble)) return cli_trouble(&trouble);
  if (o->clock.sdc) judged_option(o->clock.sdc);
  for (const char *at = o->lefs; rtl_next(&at, path, sizeof path);)
    if (!cells_add_lef(&o->cells, path, &trouble)) return cli_trouble(&trouble);
  for (const char *at = o->corners; rtl_next(&at, path, sizeof path);) {
    char *equals = strchr(path, '=');
    *equals = 0;
    if (!cells_add_corner(&o->cells, path, equals + 1, &trouble)) return cli_trouble(&trouble);
  }
  judge_cells(&o->cells);
  if (!cells_open(&o->cells, NULL, NULL, &trouble) || !cells_check_corners(&o->cells, &trouble))
    return cli_trouble(&trouble);
  o->library = (area_target_t){.name = o->cells.name, .cells = &o->cells};
  o->target = &o->library;
  return 0;
}

/* Everything that can be refused is refused here, before the first synthesis. */
static int prepare_area_session(session_t *s) {
  const options_t *o = s->options;
  trouble_t trouble;
  int code = area_rules(&s->rules, o->target, cli_data("."), &trouble) ? 0 : cli_trouble(&trouble);
  for (unsigned i = 0; i < o->num_blocks && !code; i++)
    code = area_add_tasks(&s->tasks, o->blocks[i], o->sets, o->num_sets, o->sweep, o->num_sweeps);
  if (!code && o->pictures && !draw_check(o->pictures, &trouble)) code = cli_trouble(&trouble);
  if (!code && o->ratchet)
    code = ratchet_open(&s->ratchet, o->budget ? o->budget : cli_data("synth/budget.csv"), o->reason, o->update);
  return code ? code : find_folders(s);
}

static const struct argp argp = {
    argp_options,
    parse,
    "[BLOCK|FOLDER...]",
    "Synthesises blocks (all, when none is named) by Yosys onto standard cells, or an FPGA's: cells, flip-flops, area "
    "of the cells, "
    "the longest path through logic. Cells are our own (--cells ge: area in gate equivalents, GE, and paths in FO4, "
    "of no "
    "process; um2 at the papers' nodes by the NAND gates of published libraries), or a library's (um2, ns; of one "
    "with a node, as osu018, scaled to "
    "the papers' nodes). Cells that the RTL of a folder has by name are counted as they are. Probes are dropped; "
    "memories "
    "(rtl/lib/sram_*) are macros, in bits, of a library with a node in um2 by a fit to CACTI's figures that is "
    "printed; on an FPGA they are "
    "block RAM. The large blocks are the sum of their parts. A block that fails is a line that says why; the others "
    "go on. A "
    "result is kept, and synthesis done again when the RTL, the script, the tool, the cells or the parameters change. "
    "The papers' "
    "areas and storage stand beside ours, of all when no block is named.\v"
    "Examples:\n  lockstack area arb_rr\n  lockstack area fifo --set Depth=7 --set Width=100 --json fifo.json\n"
    "  lockstack area nsu_cmdbuf --target ice40\n  lockstack area nsu_lanes --sweep Lanes=1,2,4,8 --draw pictures\n"
    "  lockstack area fifo --ratchet\n  lockstack area fifo --liberty stdcells.lib.gz --lef stdcells.lef\n"
    "  lockstack area fifo --liberty stdcells.lib.gz --timing --clock 2\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t *o = calloc(1, sizeof *o);
  session_t *s = calloc(1, sizeof *s);
  if (!o || !s) return free(o), free(s), cli_error(EXIT_ENV, "out of memory");
  o->seconds = YOSYS_SECONDS;
  *s = (session_t){.cli = cli, .options = o, .rows = json_array(), .papers = json_array()};
  int code = cli_parse(cli, &argp, argc, argv, o);
  if (!code) code = find_own(o);
  if (!code) code = open_cells(o);
  if (!code) code = prepare_area_session(s);
  if (!code) code = measure_all(s);
  work_close(&s->packages, false);
  json_decref(s->rows), json_decref(s->papers);
  cells_close(&o->cells);
  free(s->tasks.task), free(o), free(s);
  return code;
}

const verb_t verb_area = {"area", "blocks on standard cells or an FPGA: area, flip-flops, memories, longest path", run,
                          &argp};
