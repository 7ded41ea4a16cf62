/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack power: power of a block's gates, from how often each net toggles while the netlist runs
 * in lockstep with the model.
 *
 *   check_run on netlist+toggles --on_window--> toggles_t
 *      | held: activity --> power_report (power_report.c)
 *      | failed: the plain netlist runs again, and that failure is reported as `check` does it
 */
#include "block_content.h"
#include "draw.h"
#include "lockstep_verbs.h"
#include "object.h"
#include "power_report.h"
#include "progress.h"
#include "switched_off.h"
#include "toggles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* `nets` is a file for every net's toggles, `netlist` one for the gates. cycles 0: as many as the
 * block needs. */
typedef struct {
  const char *block, *profile, *nets, *netlist, *rtl, *folder;
  uint64_t seed, cycles, windows;
  char params[1024], cells[RTL_LIST];
  power_wish_t wish;
} options_t;

enum {
  KEY_CYCLES = 0x100,
  KEY_PROFILE,
  KEY_SET,
  KEY_CELLS,
  KEY_LIBERTY,
  KEY_NETS,
  KEY_NETLIST,
  KEY_WINDOWS,
  KEY_RTL,
  KEY_OUT,
  KEY_CLOCK,
  KEY_PER,
  KEY_DRAW
};
enum { MOST_WINDOWS = 10000 };

static const struct argp_option argp_options[] = {
    {"seed", 's', "N", 0, "Seed of the stimulus (default 1)", 0},
    {"cycles", KEY_CYCLES, "N", 0,
     "Cycles in all, shared by the profiles (default 100000, or more of a block that needs them)", 0},
    {"profile", KEY_PROFILE, "P", 0, "This profile of the stimulus alone (default: all, one after the other)", 0},
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST, "A parameter of the block; may be repeated", 0},
    {"cells", KEY_CELLS, "NAME", 0, VERBS_CELLS_HELP, 0},
    {"liberty", KEY_LIBERTY, "FILE", CLI_LIST, VERBS_LIBERTY_HELP, 0},
    {"windows", KEY_WINDOWS, "N", 0, "Parts of equal length that the run is looked at in (default 50)", 0},
    {"nets", KEY_NETS, "FILE.csv", CLI_MADE,
     "Also write all nets: name, rises, falls, share of time at 1, edges of the clock that found it at 1", 0},
    {"netlist", KEY_NETLIST, "FILE.v", CLI_MADE, "Also write the netlist that ran, for other tools", 0},
    {"clock", KEY_CLOCK, "NS", 0,
     "The clock's period (default 1 ns): of it is power, not the energy of a cycle; not of ge", 0},
    {"per", KEY_PER, "NET", 0, "Also the energy for each rising edge of the clock that finds this net at 1", 0},
    {"draw", KEY_DRAW, "FOLDER", 0, "Draw power over time and by parts: power.svg, power_parts.svg, .png and .csv", 0},
    {"rtl", KEY_RTL, "FOLDER", 0, "Take RTL files of this folder before the block's own: try a change, keep the tree",
     0},
    {"out", KEY_OUT, "FOLDER", 0, "Where the replay file of a failure goes (default lockstack-out)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 's': return cli_number(state, "--seed", arg, 0, INT64_MAX, &o->seed);
  case KEY_CYCLES: return cli_number(state, "--cycles", arg, 1, INT64_MAX, &o->cycles);
  case KEY_PROFILE: o->profile = arg; return 0;
  case KEY_SET: return verbs_param(state, arg, o->params, sizeof o->params);
  case KEY_CELLS: return verbs_cells(state, arg, o->cells);
  case KEY_LIBERTY: return verbs_liberty(state, arg, o->cells);
  case KEY_WINDOWS: return cli_number(state, "--windows", arg, 1, MOST_WINDOWS, &o->windows);
  case KEY_NETS: o->nets = arg; return 0;
  case KEY_NETLIST: o->netlist = arg; return 0;
  case KEY_RTL: o->rtl = arg; return 0;
  case KEY_CLOCK: o->wish.clock_asked = true; return verbs_clock(state, "--clock", arg, &o->wish.period);
  case KEY_PER: o->wish.per = arg; return 0;
  case KEY_DRAW: o->wish.folder = arg; return 0;
  case KEY_OUT: o->folder = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->block) return ARGP_ERR_UNKNOWN;
    o->block = arg;
    return 0;
  case ARGP_KEY_END:
    return o->block ? 0 : cli_usage(state, "a BLOCK or a folder is missing; `lockstack list blocks` names blocks");
  default: return ARGP_ERR_UNKNOWN;
  }
}

typedef struct {
  progress_t progress;
  const char *block;
  uint64_t total;
  bool started; /* the clock starts with the first cycles, not while the object is built */
  toggles_t *toggles;
} meter_t;

/* Progress; false stops the run. */
static bool on_cycles(void *context, uint64_t done) {
  meter_t *meter = context;
  if (!meter->started) progress_start(&meter->progress, meter->block, "cycles", meter->total);
  meter->started = true;
  progress_update(&meter->progress, done);
  return !cli_interrupted;
}

/* Takes the counters at the end of a window. False: out of memory. */
static bool on_window(void *context, const dut_t *dut, void *dev, unsigned window) {
  return toggles_take(((meter_t *)context)->toggles, dut, dev, window);
}

/* The block with the options' parameters, cells and RTL. 0, or an exit code after a line. */
static int find_power_block(block_t *block, const options_t *o) {
  trouble_t trouble;
  const places_t places = verbs_places();
  if (!block_find(block, &places, o->block, o->params, &trouble)) return cli_trouble(&trouble);
  snprintf(block->cells, sizeof block->cells, "%s", o->cells);
  if (o->rtl && !block_instead(block, o->rtl, &trouble)) return cli_trouble(&trouble);
  block_judged(block, &places, "power", o->block);
  return EXIT_HELD;
}

/* ---- what was counted */

/* --nets: all nets as CSV. 0, or a code after a line; without the option 0. */
static int write_nets(const char *path, const toggles_t *t) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = path ? open_memstream(&text, &size) : NULL;
  if (!path) return EXIT_HELD;
  if (!to) return cli_error(EXIT_ENV, "out of memory");
  toggles_csv(t, to);
  const int code = fclose(to) ? cli_error(EXIT_ENV, "out of memory") : cli_write_text(path, text, size);
  free(text);
  return code;
}

/* --netlist: the netlist that ran, which is beside its object. */
static int write_netlist(const char *file, const check_t *check) {
  char path[BUILD_PATH];
  trouble_t trouble;
  if (!file) return EXIT_HELD;
  if (!block_object(check->block, &check->places, check->kind, path, &trouble)) return cli_trouble(&trouble);
  char *text = object_side(path, "whole.v");
  const int code = text ? cli_write_text(file, text, strlen(text)) : cli_error(EXIT_ENV, "%s: it has no netlist", path);
  free(text);
  return code;
}

/* ---- the run */

/* What check_run leaves to its caller to free. */
static void release_check_result(check_result_t *r) {
  inside_free(&r->inside);
  slice_free(&r->slice);
  window_free(&r->window);
  tally_close(&r->tally);
  warnings_free(&r->warnings);
}

/* Handles a run that failed while toggles were counted: the plain netlist runs again and reports
 * it. True: there was no failure, or it came again. False: it does not come without counters, so
 * the counters are wrong. */
static bool report_failure(check_t *check, check_result_t *r) {
  const outcome_t counted = r->outcome;
  if (counted == OUTCOME_PASS || counted >= OUTCOME_NOT_COMPARED || !r->num_profiles) return true;
  release_check_result(r);
  check->kind = "netlist", check->on_window = NULL;
  check_run(check, r);
  return r->outcome == counted || r->outcome >= OUTCOME_BAD_INPUT;
}

/* The result of the run. The device is called netlist: the counters change nothing. */
static json_t *power_run_to_json(const options_t *o, const check_t *check, const check_result_t *r) {
  check_t plain = *check;
  json_t *root = cli_json("power", 1);
  plain.kind = "netlist";
  verbs_json(root, &plain, r);
  json_object_update_new(
      root, json_pack("{s:s, s:I}", "profile", r->profile ? r->profile : "all", "seed", (json_int_t)check->seed));
  verbs_other_rtl(root, o->rtl);
  if (!o->rtl) verbs_sources(root, o->block, FINGERPRINT_CHECK);
  return root;
}

/* Computes and reports power. 0, or an exit code after a line. */
static int sum_power(cli_t *cli, const options_t *o, const check_t *check, const toggles_t *t, json_t *root) {
  char path[BUILD_PATH];
  trouble_t trouble = {0};
  if (!power_check(&o->wish, t, &trouble)) return cli_trouble(&trouble);
  if (!block_object(check->block, &check->places, check->kind, path, &trouble)) return cli_trouble(&trouble);
  power_wish_t wish = o->wish;
  wish.block = wish.title = check->block->name, wish.cells = check->block->cells, wish.work = check->folder,
  wish.object = path;
  return power_report(&wish, cli->out, t, root, &trouble) ? EXIT_HELD : cli_trouble(&trouble);
}

/* The end of the command. An interrupted run that counted something is reported, but never as
 * held. */
static int finish_power(cli_t *cli, const options_t *o, const check_t *check, const check_result_t *r,
                        const toggles_t *t) {
  const bool counted = r->outcome == OUTCOME_PASS || (r->outcome == OUTCOME_INTERRUPTED && t->cycles);
  json_t *root = power_run_to_json(o, check, r);
  if (counted) {
    power_activity_print(cli->out, t);
    json_object_set_new(root, "activity", power_activity_json(t));
    int code = write_nets(o->nets, t);
    if (!code) code = write_netlist(o->netlist, check);
    if (!code) code = sum_power(cli, o, check, t, root);
    if (code) return json_decref(root), code;
  }
  verbs_summary(cli->out, check, r);
  if (r->unwritten.kind) return cli_finish(cli, root, EXIT_ENV), cli_trouble(&r->unwritten);
  if (!r->stopped) return cli_finish(cli, root, verbs_exit(r->outcome));
  const int end = cli_finish(cli, root, EXIT_ENV);
  cli_error(EXIT_ENV, "interrupted after %" PRIu64 " of %" PRIu64 " cycles", r->cycles, check->cycles);
  return end;
}

static const struct argp argp = {
    argp_options,
    parse,
    "BLOCK|FOLDER",
    "Runs a block's gates (the netlist of `area` and of `check --dut netlist`) in lockstep with its golden model and "
    "counts how often each net "
    "rises and falls, and for how long it is 1; with OpenSTA's loads and the library's energies that is power (of ge, "
    "cells of no process: loads). "
    "A cycle counts twice: with its inputs settled, and after the clock's rising edge. Delays are zero, so "
    "that glitches are not counted; cycles in reset are not counted. The activity counts only when the gates did what "
    "the model does: otherwise "
    "the failure is reported as `check` does it, with its exit status.\v"
    "Examples:\n  lockstack power fifo --profile full --nets fifo.csv\n"
    "  lockstack power fifo --liberty stdcells.lib.gz --clock 2 --per push_i --draw pictures\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {.seed = 1, .windows = 50, .folder = "lockstack-out"};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;

  trouble_t trouble;
  if (o.wish.folder && !draw_check(o.wish.folder, &trouble)) return cli_trouble(&trouble);
  block_t block;
  check_result_t result;
  toggles_t toggles;
  char commit[64];
  code = find_power_block(&block, &o);
  if (code) return code;
  if (!toggles_open(&toggles, (unsigned)o.windows)) return cli_error(EXIT_ENV, "out of memory");
  if (!o.rtl) verbs_sources_first(o.block, FINGERPRINT_CHECK);
  meter_t meter = {.block = block.name, .toggles = &toggles};
  check_t check = {.block = &block,
                   .places = verbs_places(),
                   .kind = "netlist+toggles",
                   .seed = o.seed,
                   .profile = o.profile,
                   .no_wave = true,
                   .folder = o.folder,
                   .shrink_seconds = 10,
                   .commit = verbs_commit(commit, sizeof commit),
                   .out = cli->out,
                   .on_cycles = on_cycles,
                   .on_window = on_window,
                   .windows = (unsigned)o.windows,
                   .context = &meter};
  check.full_cycles = verbs_cycles(verbs_listed(&block), VERBS_CYCLES);
  meter.total = check.cycles = o.cycles ? o.cycles : check.full_cycles;
  check_run(&check, &result);
  const outcome_t counted = result.outcome;
  const bool same = report_failure(&check, &result);
  if (meter.started) progress_end(&meter.progress);
  if (same) switched_off_judge(&check, &result, cli->out);
  if (!same)
    code = cli_error(EXIT_ENV, "%s fails with counters of toggles (%s) and not without", block.name,
                     outcome_name(counted));
  else if (!verbs_result(result.outcome)) code = cli_trouble(&result.trouble);
  else code = finish_power(cli, &o, &check, &result, &toggles);
  release_check_result(&result);
  toggles_close(&toggles);
  return code;
}

const verb_t verb_power = {"power", "power of a block's gates by the toggles of every net, in lockstep with its model",
                           run, &argp};
