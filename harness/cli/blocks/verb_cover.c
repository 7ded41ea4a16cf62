/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack cover: which lines, bits and functional points of a block does its stimulus reach?
 *
 *   cover_run (all profiles x seeds x variants) [--> cover_prove] --> report_cover
 *   --compare: cover_compare (guided against unguided) --> compare_stimuli
 */
#include "block_content.h"
#include "cover_compare.h"
#include "cover_prove.h"
#include "cover_report.h"
#include "lockstep_verbs.h"
#include "progress.h"
#include "vhdl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `runs` is the number of seeds of each profile, `least` a percentage of points. `subject` is the
 * block's name as results have it. cycles 0: as many as the block needs. */
typedef struct {
  const char *block, *subject, *profile, *html, *waivers;
  uint64_t seed, cycles, runs, least, proof_seconds;
  char params[1024], with[1024]; /* as given, and those that it runs with */
  bool variants, compare, prove;
} options_t;

enum {
  KEY_CYCLES = 0x100,
  KEY_RUNS,
  KEY_PROFILE,
  KEY_SET,
  KEY_HTML,
  KEY_WAIVERS,
  KEY_LEAST,
  KEY_VARIANTS,
  KEY_COMPARE,
  KEY_PROVE,
  KEY_PROOF_SECONDS
};
enum { MOST_VARIANTS = 64 };

static const struct argp_option argp_options[] = {
    {"seed", 's', "N", 0, "First seed of the stimulus (default 1)", 0},
    {"runs", KEY_RUNS, "N", 0, "Seeds of each profile (default 3)", 0},
    {"cycles", KEY_CYCLES, "N", 0, "Cycles of each run (default 20000, or more of a block that needs them)", 0},
    {"profile", KEY_PROFILE, "P", 0, "This profile alone", 0},
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST, "A parameter of the block; may be repeated", 0},
    {"variants", KEY_VARIANTS, NULL, 0, "Also the variants that blocks.cmake names for it, merged", 0},
    {"waivers", KEY_WAIVERS, "FILE", 0, "Points that need not be hit (default tests/cover/BLOCK.waive, if it is there)",
     0},
    {"least", KEY_LEAST, "PERCENT", 0, "Enough, of the points that are not waived (default 100)", 0},
    {"prove", KEY_PROVE, NULL, 0,
     "Look for proofs that missed bits cannot rise and fall whatever the inputs: those are waived", 0},
    {"proof-seconds", KEY_PROOF_SECONDS, "N", 0, "Processor time for the proofs of a set of parameters (default 120)",
     0},
    {"compare", KEY_COMPARE, NULL, 0,
     "Guided against unguided stimulus: points hit over cycles, --runs seeds of --cycles cycles in all", 0},
    {"html", KEY_HTML, "FOLDER", 0, "Pages of the sources with what was hit, by genhtml", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 's': return cli_number(state, "--seed", arg, 0, INT64_MAX, &o->seed);
  case KEY_RUNS: return cli_number(state, "--runs", arg, 1, 100000, &o->runs);
  case KEY_CYCLES: return cli_number(state, "--cycles", arg, 1, INT64_MAX, &o->cycles);
  case KEY_PROFILE: o->profile = arg; return 0;
  case KEY_SET: return verbs_param(state, arg, o->params, sizeof o->params);
  case KEY_VARIANTS: o->variants = true; return 0;
  case KEY_PROVE: o->prove = true; return 0;
  case KEY_PROOF_SECONDS: return cli_number(state, "--proof-seconds", arg, 1, 86400, &o->proof_seconds);
  case KEY_COMPARE: o->compare = true; return 0;
  case KEY_WAIVERS:
    if (access(arg, R_OK)) return cli_usage(state, "--waivers: %s: %s", arg, strerror(errno));
    o->waivers = arg;
    return 0;
  case KEY_LEAST: return cli_number(state, "--least", arg, 0, 100, &o->least);
  case KEY_HTML: o->html = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->block) return ARGP_ERR_UNKNOWN;
    o->block = arg;
    return 0;
  case ARGP_KEY_END:
    return o->block ? 0 : cli_usage(state, "a BLOCK or a folder is missing; `lockstack list blocks` names blocks");
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* Sets of parameters that blocks.cmake names for coverage ("Depth=2 Ports=3"), with commas instead
 * of blanks. The list ends with NULL. */
static const char *const *variants_of(const char *block) {
  static const struct {
    const char *block, *name, *params, *covered;
  } all[] = {
#define VARIANT(...) {__VA_ARGS__},
#include "lists.def"
      {0},
  };
  static char text[MOST_VARIANTS][1024];
  static const char *found[MOST_VARIANTS + 1];
  unsigned n = 0;
  for (unsigned i = 0; all[i].block && n < MOST_VARIANTS; i++) {
    if (strcmp(all[i].block, block) || !*all[i].covered) continue;
    snprintf(text[n], sizeof text[n], "%s", all[i].params);
    for (char *blank; (blank = strchr(text[n], ' '));) *blank = ',';
    found[n] = text[n];
    n++;
  }
  return found;
}

typedef struct {
  progress_t progress;
  const char *block;
  bool started;
} meter_t;

/* Progress; `all` may grow while runs are added. False stops the run. */
static bool on_cycles(void *context, uint64_t done, uint64_t all) {
  meter_t *meter = context;
  if (!meter->started) progress_start(&meter->progress, meter->block, "cycles", all);
  meter->started = true;
  meter->progress.total = all;
  progress_update(&meter->progress, done);
  return !cli_interrupted;
}

/* The report, the HTML pages and the JSON of a run. */
static int report_cover(cli_t *cli, const options_t *o, const cover_result_t *r) {
  if (r->outcome >= OUTCOME_BAD_INPUT) return cli_error(verbs_exit(r->outcome), "%s", r->trouble.text);
  cover_print(cli->out, o->block, r, (double)o->least);
  if (o->html && r->outcome == OUTCOME_PASS) {
    trouble_t trouble;
    if (!cover_html(o->html, o->block, r, &trouble)) return cli_trouble(&trouble);
    fprintf(cli->out, "  pages      %s/index.html\n", o->html);
  }
  json_t *root = cli_json("cover", 1);
  json_object_update_new(root,
                         json_pack("{s:s, s:s, s:s, s:I, s:b}", "block", o->subject, "params", o->params, "with",
                                   o->with, "seed", (json_int_t)o->seed, "held", cover_held(r, (double)o->least)));
  verbs_sources(root, o->block, FINGERPRINT_COVER);
  cover_json(root, r);
  if (!r->stopped) return cli_finish(cli, root, cover_held(r, (double)o->least) ? EXIT_HELD : EXIT_BROKEN);
  cli_finish(cli, root, EXIT_ENV);
  return cli_error(EXIT_ENV, "interrupted after %u runs", r->num_runs);
}

/* --- --compare */

/* `curve` has the mean number of points over the seeds, `seeds` the points of each one at the
 * end. */
static json_t *compare_to_json(const options_t *o, const compare_result_t *r, bool better) {
  json_t *root = cli_json("cover", 1), *curve = json_array(), *seeds = json_array();
  for (unsigned i = 0; i < r->num_samples; i++)
    json_array_append_new(curve, json_pack("{s:I, s:f, s:f}", "cycles", (json_int_t)r->curve[i].cycles, "guided",
                                           r->curve[i].guided, "unguided", r->curve[i].unguided));
  for (unsigned k = 0; k < r->seeds; k++)
    json_array_append_new(seeds, json_pack("{s:I, s:i, s:i}", "seed", (json_int_t)(o->seed + k), "guided",
                                           (int)r->guided[k], "unguided", (int)r->unguided[k]));
  json_object_update_new(root,
                         json_pack("{s:s, s:s, s:s, s:I, s:b, s:s, s:i, s:I, s:o, s:o, s:f}", "block", o->subject,
                                   "params", o->params, "with", o->with, "seed", (json_int_t)o->seed, "held", better,
                                   "outcome", outcome_name(r->outcome), "points", (int)r->points, "cycles",
                                   (json_int_t)r->cycles, "curve", curve, "seeds", seeds, "seconds", r->seconds));
  return root;
}

/* A run that failed has its outcome's name instead of a verdict. */
static const char *comparison_verdict(const compare_result_t *r, bool better) {
  if (r->outcome != OUTCOME_PASS) return outcome_name(r->outcome);
  return better ? "BETTER" : "NOT BETTER";
}

/* --compare: runs both kinds of stimulus and prints the points hit over cycles. Guided is better if
 * it hits at least as many points at the end, and more on balance over the curve. */
static int compare_stimuli(cli_t *cli, const options_t *o, const cover_t *cover) {
  compare_result_t r;
  double guided = 0, unguided = 0;
  cover_compare(cover, &r);
  if (r.outcome >= OUTCOME_BAD_INPUT) return cli_error(verbs_exit(r.outcome), "%s", r.trouble.text);
  for (unsigned k = 0; k < r.seeds; k++) guided += r.guided[k], unguided += r.unguided[k];
  fprintf(cli->out, "  %12s %10s %10s\n", "cycles", "guided", "unguided");
  for (unsigned i = 0; i < r.num_samples; i += i + 1 < 8 ? 1 : 8)
    fprintf(cli->out, "  %12" PRIu64 " %10.1f %10.1f\n", r.curve[i].cycles, r.curve[i].guided, r.curve[i].unguided);
  double ahead = guided - unguided;
  for (unsigned i = 0; i < r.num_samples; i++) ahead += r.curve[i].guided - r.curve[i].unguided;
  if (r.stopped && r.outcome == OUTCOME_PASS) r.outcome = OUTCOME_INTERRUPTED;
  const bool better = r.outcome == OUTCOME_PASS && guided >= unguided && ahead > 0;
  fprintf(cli->out,
          "%s %s: of %u points guided hits %.1f, unguided %.1f, mean of %u seeds, %" PRIu64 " cycles each, %.1f s\n",
          comparison_verdict(&r, better), o->block, r.points, guided / r.seeds, unguided / r.seeds, r.seeds, r.cycles,
          r.seconds);
  cli_exit_t code = better ? EXIT_HELD : EXIT_BROKEN;
  if (r.stopped) code = EXIT_ENV;
  const int end = cli_finish(cli, compare_to_json(o, &r, better), code);
  return r.stopped ? cli_error(EXIT_ENV, "interrupted") : end;
}

/* The file of waivers: --waivers, or BLOCK.waive of the tree or of the block's own folder. The
 * default file need not exist. */
static const char *waivers_of(const options_t *o, const block_t *block, char *path) {
  if (o->waivers) return o->waivers;
  if (*block->folder) snprintf(path, BUILD_PATH, "%.3800s/%s.waive", block->folder, block->name);
  else snprintf(path, BUILD_PATH, "%.3800s/tests/cover/%s.waive", verbs_places().source, block->name);
  return path;
}

static const struct argp argp = {
    argp_options,
    parse,
    "BLOCK|FOLDER",
    "Runs every profile of a block with several seeds in lockstep and counts what was reached: lines and branches of "
    "the RTL, bits of "
    "its signals that rose and fell, and the functional points of its port file (docs/coverage.md). What is missed is "
    "listed with "
    "its line. Parts that are blocks of their own and memories (sram_*) are left out. Exit status 1: a point is "
    "missed and not waived, "
    "more than 3 % are waived, a waiver is stale, or RTL and model diverged.\v"
    "Example:\n  lockstack cover arb_rr --runs 5 --set NumReq=5 --html arb_rr-cover\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {.seed = 1, .runs = 3, .least = 100, .proof_seconds = 120};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;

  snprintf(o.with, sizeof o.with, "%s", *o.params ? o.params : verbs_measured(o.block));
  block_t block;
  char path[BUILD_PATH];
  trouble_t trouble;
  cover_t cover = {.block = &block,
                   .places = verbs_places(),
                   .seed = o.seed,
                   .runs = (unsigned)o.runs,
                   .profile = o.profile,
                   .on_cycles = on_cycles};
  if (!block_find(&block, &cover.places, o.block, o.with, &trouble)) return cli_trouble(&trouble);
  o.subject = block_subject(&block);
  block_judged(&block, &cover.places, "cover", o.block);
  verbs_sources_first(o.block, FINGERPRINT_COVER);
  cover.cycles = o.cycles ? o.cycles : verbs_cycles(verbs_listed(&block), 20000);
  cover.waivers = waivers_of(&o, &block, path);
  if (o.variants) cover.variants = variants_of(block.name);
  meter_t meter = {.block = block.name};
  cover.context = &meter;
  if (o.compare) {
    code = compare_stimuli(cli, &o, &cover);
    if (meter.started) progress_end(&meter.progress);
    return code;
  }
  cover_result_t result;
  cover_run(&cover, &result);
  if (meter.started) progress_end(&meter.progress);
  if (o.prove && result.outcome == OUTCOME_PASS && !result.stopped)
    cover_prove(&cover, (double)o.proof_seconds, &result);
  result.stopped = result.stopped || (cli_interrupted && result.outcome == OUTCOME_PASS);
  if (vhdl_is(&block.read) && result.outcome == OUTCOME_PASS)
    fputs("  lines of VHDL are not measured: ghdl makes logic of them, whose bits are\n", cli->out);
  code = report_cover(cli, &o, &result);
  cover_free(&result);
  return code;
}

const verb_t verb_cover = {"cover", "lines, bits and functional points of a block that its stimulus reaches", run,
                           &argp};
