/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack check: a block's RTL against its golden model, every cycle.
 *
 *   find_checked_block --> run_once --> held: run_again for each ALSO --> finish_check
 *   --sample: sampled_draw --> check_set for each set --> finish_sample
 */
#include "block_content.h"
#include "cli.h"
#include "lockstep_verbs.h"
#include "plain.h"
#include "progress.h"
#include "sampled.h"
#include "stim_default.h"
#include "switched_off.h"

#include <inttypes.h>
#include <string.h>

/* cycles 0: as many as the block needs. shrink_seconds 0: a failure is left as it is. */
typedef struct {
  const char *block, *profile, *vectors, *wave, *folder, *rtl, *dut, *against;
  uint64_t seed, cycles, shrink_seconds, sample;
  char params[1024], cells[RTL_LIST];
  bool no_wave, guided, inside, strict, no_resets;
} options_t;

enum {
  KEY_CYCLES = 0x100,
  KEY_PROFILE,
  KEY_SET,
  KEY_DUT,
  KEY_AGAINST,
  KEY_CELLS,
  KEY_LIBERTY,
  KEY_VECTORS,
  KEY_WAVE,
  KEY_SHRINK,
  KEY_OUT,
  KEY_RTL,
  KEY_NO_WAVE,
  KEY_GUIDED,
  KEY_INSIDE,
  KEY_STRICT,
  KEY_SAMPLE,
  KEY_RESETS
};

static const struct argp_option argp_options[] = {
    {"seed", 's', "N", 0, "Seed of the stimulus (default 1)", 0},
    {"cycles", KEY_CYCLES, "N", 0,
     "Cycles in all, shared by the profiles (default 100000, or more of a block that needs them)", 0},
    {"profile", KEY_PROFILE, "P", 0, "This profile of the stimulus alone (default: all, one after the other)", 0},
    {"resets", KEY_RESETS, "WHICH", 0,
     "injected: reset the block at random and where it is busy, on top of the stimulus, which begins anew (default); "
     "none: only where the stimulus resets",
     0},
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST, "A parameter of the block; may be repeated", 0},
    {"sample", KEY_SAMPLE, "N", 0,
     "Instead of the default parameters N " SAMPLED_HELP "; each for --cycles (default: a quarter), and what --set "
     "names stays",
     0},
    {"dut", KEY_DUT, "KIND", 0,
     "What is checked: rtl (default), netlist (gates), cxxrtl, icarus (other simulators; the last one knows X)", 0},
    {"against", KEY_AGAINST, "KIND", 0,
     "What it is compared with, in place of the model, which is not called: rtl, netlist, cxxrtl or icarus", 0},
    {"cells", KEY_CELLS, "NAME", 0, "Of a netlist (--dut, --against): " VERBS_CELLS_HELP, 0},
    {"liberty", KEY_LIBERTY, "FILE", CLI_LIST, "Of a netlist (--dut, --against): " VERBS_LIBERTY_HELP, 0},
    {"vectors", KEY_VECTORS, "FILE", 0,
     "Outside vectors (lines of hexadecimal operands and result) instead of a profile", 0},
    {"guided", KEY_GUIDED, NULL, 0,
     "Stimulus that coverage leads: goes back to states that reached something new, with other numbers and profiles",
     0},
    {"wave", KEY_WAVE, "FILE", CLI_MADE,
     "Waveform of the failure, or of the first 1000 cycles when all held; VCD where it ends with .vcd, else FST", 0},
    {"no-wave", KEY_NO_WAVE, NULL, 0, "No waveform of a failure (it needs a build of its own)", 0},
    {"inside", KEY_INSIDE, NULL, 0,
     "With --no-wave: say all the same which part inside of the RTL is wrong first (the same build)", 0},
    {"strict", KEY_STRICT, NULL, 0,
     "Widths that differ and nets that nothing drives are errors; else they are counted and listed", 0},
    {"shrink-seconds", KEY_SHRINK, "S", 0, "Time to make a failure small (default 10; 0: leave it)", 0},
    {"rtl", KEY_RTL, "FOLDER", 0, "Take RTL files of this folder before the block's own: try a change, keep the tree",
     0},
    {"out", KEY_OUT, "FOLDER", 0, "Where replay files and waveforms go (default lockstack-out)", 0},
    {0},
};

/* What a sample has no answer to: one line, and true. */
static bool is_refused_sample(const struct argp_state *state, const options_t *o) {
  if (o->wave) return cli_usage(state, "--sample: without --wave, which is a file for one run"), true;
  if (o->vectors) return cli_usage(state, "--sample: without --vectors, whose operands are of one width"), true;
  return false;
}

/* What --against has no answer to: one line, and true. */
static bool is_refused_pair(const struct argp_state *state, const options_t *o) {
  if (!strcmp(o->dut, o->against) && !o->rtl)
    return cli_usage(state,
                     "--against %s: the device is %s, too; another --dut, or --rtl with other RTL for it, would be "
                     "right",
                     o->against, o->dut),
           true;
  if (o->guided) return cli_usage(state, "--against: without --guided, which counts coverage of one device"), true;
  if (o->vectors) return cli_usage(state, "--against: without --vectors, whose results judge by themselves"), true;
  if (o->inside) return cli_usage(state, "--against: without --inside, which asks the models of the RTL's parts"), true;
  return false;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 's': return cli_number(state, "--seed", arg, 0, INT64_MAX, &o->seed);
  case KEY_CYCLES: return cli_number(state, "--cycles", arg, 1, INT64_MAX, &o->cycles);
  case KEY_PROFILE: o->profile = arg; return 0;
  case KEY_SET: return verbs_param(state, arg, o->params, sizeof o->params);
  case KEY_DUT: return verbs_dut(state, arg, &o->dut);
  case KEY_AGAINST: return verbs_device(state, "--against", arg, &o->against);
  case KEY_CELLS: return verbs_cells(state, arg, o->cells);
  case KEY_LIBERTY: return verbs_liberty(state, arg, o->cells);
  case KEY_VECTORS: o->vectors = arg; return 0;
  case KEY_WAVE: o->wave = arg; return 0;
  case KEY_RESETS:
    o->no_resets = strcmp(arg, "none") == 0;
    return o->no_resets || strcmp(arg, "injected") == 0 ? 0 : cli_usage(state, "--resets %s: injected or none", arg);
  case KEY_GUIDED: o->guided = true; return 0;
  case KEY_INSIDE: o->inside = true; return 0;
  case KEY_STRICT: o->strict = true; return 0;
  case KEY_SAMPLE: return cli_number(state, "--sample", arg, 1, SAMPLE_MOST, &o->sample);
  case KEY_NO_WAVE: o->no_wave = true; return 0;
  case KEY_SHRINK: return cli_number(state, "--shrink-seconds", arg, 0, 86400, &o->shrink_seconds);
  case KEY_RTL: o->rtl = arg; return 0;
  case KEY_OUT: o->folder = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->block) return ARGP_ERR_UNKNOWN;
    o->block = arg;
    return 0;
  case ARGP_KEY_END:
    if (o->guided && (o->profile || o->vectors))
      return cli_usage(state, "--guided chooses profiles itself: without --profile and --vectors");
    if (o->guided && strcmp(o->dut, "rtl"))
      return cli_usage(state, "--guided: coverage is counted in the RTL; without --dut %s", o->dut);
    if (*o->cells && strcmp(o->dut, "netlist") && (!o->against || strcmp(o->against, "netlist")))
      return cli_usage(state, "--cells and --liberty: gates are those of --dut netlist");
    if (o->against && is_refused_pair(state, o)) return EINVAL;
    if (o->sample && is_refused_sample(state, o)) return EINVAL;
    return o->block ? 0 : cli_usage(state, "a BLOCK or a folder is missing; `lockstack list blocks` names blocks");
  default: return ARGP_ERR_UNKNOWN;
  }
}

typedef struct {
  progress_t progress;
  const char *block;
  uint64_t total;
  bool started; /* the clock starts with the first cycles, not while the object is built */
} meter_t;

/* Progress; false stops the run. */
static bool on_cycles(void *context, uint64_t done) {
  meter_t *meter = context;
  if (!meter->started) progress_start(&meter->progress, meter->block, "cycles", meter->total);
  meter->started = true;
  progress_update(&meter->progress, done);
  return !cli_interrupted;
}

/* Adds to `compared` what `regress` needs to unite several runs of a block: whether the run was
 * full, its profiles, and its parameters. */
static void add_share(json_t *compared, const check_t *check, const check_result_t *r) {
  json_t *profiles = json_array(), *values = json_object();
  const stim_t *stim = stim_of(r->dut);
  for (unsigned i = 0; i < stim->num_profiles; i++)
    json_array_append_new(profiles, json_string(stim->profiles[i].name));
  for (unsigned i = 0; i < r->dut->num_params; i++) {
    const dut_param_t *p = &r->dut->params[i];
    char text[64];
    json_object_set_new(values, p->name,
                        p->values ? json_string(dut_param_text(p, p->value, text))
                                  : json_integer((json_int_t)p->value));
  }
  json_object_update_new(compared,
                         json_pack("{s:b, s:I, s:o, s:o}", "full", r->full, "full_cycles",
                                   (json_int_t)check->full_cycles, "profiles", profiles, "parameters", values));
}

/* The warnings of the build, a string each. */
static json_t *warnings_json(const warnings_t *warnings) {
  json_t *list = json_array();
  for (const char *line = warnings->text; line && *line;) {
    const size_t n = strcspn(line, "\n");
    json_array_append_new(list, json_stringn(line, n));
    line += n + (line[n] != 0);
  }
  return list;
}

/* What the stimulus was: the profile's name, or a word for what took its place. */
static const char *profile_label(const check_t *check, const check_result_t *r) {
  if (r->profile) return r->profile;
  if (check->vectors) return "vectors";
  return check->guided ? "guided" : "all";
}

/* The result of one run. Keys about a failure are only there when there is one. */
static json_t *check_to_json(const check_t *check, const check_result_t *r) {
  json_t *root = cli_json("check", 1);
  verbs_json(root, check, r);
  if (r->tally.dut) add_share(json_object_get(root, "compared"), check, r);
  json_object_set_new(root, "profile", json_string(profile_label(check, r)));
  json_object_set_new(root, "warnings", warnings_json(&r->warnings));
  if (check->guided)
    json_object_update_new(root, json_pack("{s:i, s:i}", "points", (int)r->points, "hit", (int)r->hit));
  json_object_set_new(root, "seed", json_integer((json_int_t)check->seed));
  if (r->outcome == OUTCOME_PASS || !r->dut) return root;
  json_object_set_new(root, "shrunk_cycles", json_integer((json_int_t)r->shrunk_cycles));
  if (r->written) json_object_set_new(root, "repeats", json_boolean(r->repeats));
  if (*r->unsteady) json_object_set_new(root, "unsteady", json_string(r->unsteady));
  if (r->asked_rtl) json_object_set_new(root, "on_rtl", json_string(outcome_name(r->on_rtl)));
  if (r->asked_tree) json_object_set_new(root, "tree", json_string(outcome_name(r->tree)));
  return root;
}

static const struct argp argp = {
    argp_options,
    parse,
    "BLOCK|FOLDER",
    "Runs a block's RTL and its golden model side by side on random stimulus and compares every output and probe "
    "every cycle. A failure is reported, shrunk, and written as a replay file and a waveform. FOLDER is a block of "
    "your own: X.sv, X.ports, X.c, X.h and, if you like, X_stim.c (docs/own-block.md). --dut puts another device in "
    "the RTL's "
    "place, so that a fault of one simulator or of synthesis cannot hide: netlist, Yosys' gates (ports only: "
    "synthesis drops the "
    "probes); cxxrtl, Yosys' simulator; icarus, Icarus Verilog, where an output that is X though it is valid is a "
    "failure. --against compares two devices, for RTL that has no model yet, and for gates: no model is called, a bit "
    "that is X on either side is counted and not compared, and an assertion of the RTL that fails is counted and does not "
    "end the run. The reference is the block's own RTL, also with --rtl. Some blocks "
    "are run again, for a quarter of the cycles, with parameters that blocks.cmake names (ALSO): wide counters that "
    "begin near the values that "
    "no run gets to, parts that the default parameters leave out; not with fewer than 100000 cycles, nor with --set, "
    "--profile, --vectors, "
    "--guided, --dut or --against. --sample checks other parameters, each set an object of its own.\v"
    "Example:\n  lockstack check arb_rr --seed 7 --cycles 1000000 --set NumReq=8\n"
    "  lockstack check fifo --sample 8\n"
    "  lockstack check fifo --dut netlist\n"
    "  lockstack check fifo --against icarus\n",
    NULL,
    NULL,
    NULL};

/* The block with these parameters, with the files of --rtl before its own. 0, or an exit code after
 * a line. */
static int find_checked_block(block_t *block, const options_t *o, const char *params) {
  trouble_t trouble;
  const places_t places = verbs_places();
  if (!block_find(block, &places, o->block, params, &trouble)) return cli_trouble(&trouble);
  snprintf(block->cells, sizeof block->cells, "%s", o->cells);
  if (o->rtl && !block_instead(block, o->rtl, &trouble)) return cli_trouble(&trouble);
  block_judged(block, &places, o->dut, o->block);
  return EXIT_HELD;
}

/* The block of --against: as the one that is checked, but with its own RTL. */
static int find_reference(block_t *block, const options_t *o) {
  options_t own = *o;
  own.rtl = NULL;
  own.dut = o->against;
  return find_checked_block(block, &own, o->params);
}

/* One run and its report. NULL: nothing was checked, *code is what the command ends with, and
 * result->trouble says why, to nobody yet. */
static json_t *run_once(cli_t *cli, check_t *check, check_result_t *result, int *code) {
  meter_t meter = {.block = check->block->name, .total = check->cycles};
  check->context = &meter;
  check_run(check, result);
  if (meter.started) progress_end(&meter.progress);
  switched_off_judge(check, result, cli->out);
  *code = verbs_exit(result->outcome);
  if (!verbs_result(result->outcome)) return NULL;
  verbs_summary(cli->out, check, result);
  json_t *root = check_to_json(check, result);
  inside_free(&result->inside);
  slice_free(&result->slice);
  window_free(&result->window);
  tally_close(&result->tally);
  against_free(result->against);
  warnings_free(&result->warnings);
  return root;
}

/* A run that was not compared has shown nothing, so it did not hold. */
static bool check_held(const check_result_t *r) {
  return r->outcome == OUTCOME_PASS && !r->stopped && !r->unwritten.kind;
}

/* Did the user ask for less than everything that a check does by default? Then there are no further
 * runs. */
static bool is_narrowed_check(const options_t *o, const block_t *block, uint64_t cycles) {
  return cycles < VERBS_ALSO_FROM || *o->params || o->profile || o->vectors || o->guided || *block->folder ||
         strcmp(o->dut, "rtl") || o->against;
}

/* The build of a further run was interrupted: what was found before is kept, as work that has not
 * ended. */
static json_t *interrupted_build(check_result_t *result, json_t *root) {
  *result = (check_result_t){.outcome = OUTCOME_INTERRUPTED, .stopped = true};
  json_object_set_new(root, "outcome", json_string(outcome_name(result->outcome)));
  return json_incref(root);
}

/* A further run with the parameters of `also`, for a quarter of the cycles. Returns the results to
 * keep: `root` while all hold, the further run's if it does not hold. Both have all further runs in
 * `again`. NULL: *code is what the command ends with. */
static json_t *run_again(cli_t *cli, const options_t *o, const also_t *also, check_t *check, check_result_t *result,
                         json_t *root, int *code) {
  block_t block;
  *code = find_checked_block(&block, o, also->params);
  if (*code) return json_decref(root), NULL;
  check->block = &block;
  check->profile = *also->profile ? also->profile : NULL;
  check->wave = NULL; /* the one asked for is of the first run */
  fprintf(cli->out, "again with %s%s%s\n", also->params, check->profile ? ", profile " : "", also->profile);
  fflush(cli->out);
  json_t *own = run_once(cli, check, result, code);
  if (!own && cli_interrupted) own = interrupted_build(result, root);
  if (!own) return cli_trouble(&result->trouble), json_decref(root), NULL;
  json_t *runs = json_object_get(root, "again") ? json_incref(json_object_get(root, "again")) : json_array();
  json_array_append_new(runs, json_pack("{s:s, s:s, s:s, s:I}", "params", also->params, "profile",
                                        check->profile ? check->profile : "all", "outcome",
                                        outcome_name(result->outcome), "cycles", (json_int_t)result->cycles));
  json_t *kept = result->outcome == OUTCOME_PASS ? root : own;
  json_object_set_new(kept, "again", runs);
  json_decref(kept == root ? own : root);
  return kept;
}

/* The end of the command. A replay file or waveform that could not be written is an error of its
 * own. */
static int finish_check(cli_t *cli, const options_t *o, json_t *root, const check_result_t *result, uint64_t cycles) {
  verbs_other_rtl(root, o->rtl);
  if (!o->rtl) verbs_sources(root, o->block, FINGERPRINT_CHECK);
  if (result->unwritten.kind) return cli_finish(cli, root, EXIT_ENV), cli_trouble(&result->unwritten);
  if (!result->stopped) return cli_finish(cli, root, verbs_exit(result->outcome));
  int end = cli_finish(cli, root, EXIT_ENV);
  cli_error(EXIT_ENV, "interrupted after %" PRIu64 " of %" PRIu64 " cycles", result->cycles, cycles);
  return end;
}

/* ---- --sample */

typedef struct {
  const options_t *o;
  sample_t sample;
  json_t *root; /* of the first set that does not hold, else of the first one; NULL: none has a result */
  json_t *sets;
  char name[256]; /* of the block */
  unsigned held;
  bool broken; /* root does not hold */
  int code;    /* the worst */
} sampled_t;

/* What repeats one set. */
static void print_repeat(FILE *out, const options_t *o, const char *set, uint64_t cycles) {
  char word[PLAIN_WORD];
  fprintf(out, "  this set   lockstack check %s", plain_word(o->block, word));
  sampled_options(out, set);
  fprintf(out, " --seed %" PRIu64 " --cycles %" PRIu64, o->seed, cycles);
  if (strcmp(o->dut, "rtl")) fprintf(out, " --dut %s", o->dut);
  if (o->against) fprintf(out, " --against %s", o->against);
  if (o->profile) fprintf(out, " --profile %s", o->profile);
  if (o->guided) fprintf(out, " --guided");
  if (o->rtl) fprintf(out, " --rtl %s", plain_word(o->rtl, word));
  fputc('\n', out);
}

/* Notes how a set ended. root NULL: without a result, for the reason in `trouble`. */
static void note_set(sampled_t *s, const char *set, const check_result_t *r, json_t *root, bool held) {
  json_t *one = json_pack("{s:s, s:s, s:I, s:s?}", "params", set, "outcome", outcome_name(r->outcome), "cycles",
                          (json_int_t)r->cycles, "replay", *r->replay ? r->replay : NULL);
  if (!root) json_object_set_new(one, "text", json_string(r->trouble.text));
  json_array_append_new(s->sets, one);
  s->held += held;
  if (!root || (s->root && (held || s->broken))) return json_decref(root);
  json_decref(s->root);
  s->root = root;
  s->broken = !held;
}

/* One set, as a check of its own. */
static void check_set(cli_t *cli, sampled_t *s, check_t *check, unsigned i) {
  const char *set = s->sample.sets[i];
  options_t own = *s->o;
  block_t block, reference;
  check_result_t result = {.outcome = OUTCOME_BAD_INPUT};
  snprintf(own.params, sizeof own.params, "%s", set);
  fprintf(cli->out, "set %u of %u: %s\n", i + 1, s->sample.count, set);
  fflush(cli->out);
  int code = find_checked_block(&block, &own, set);
  if (!code && own.against) code = find_reference(&reference, &own);
  check->block = &block, check->reference = &reference;
  snprintf(s->name, sizeof s->name, "%s", block.name);
  json_t *root = code ? NULL : run_once(cli, check, &result, &code);
  if (!root && cli_interrupted) result.outcome = OUTCOME_INTERRUPTED;
  else if (!root && result.trouble.kind) code = cli_trouble(&result.trouble);
  const bool held = root && !code && check_held(&result);
  if (!held && !cli_interrupted) print_repeat(cli->out, s->o, set, check->cycles);
  if (result.unwritten.kind) code = cli_trouble(&result.unwritten);
  if (code > s->code) s->code = code;
  note_set(s, set, &result, root, held);
}

/* The sum, and the document of the set that is kept with all sets in `sample`. */
static int finish_sample(cli_t *cli, sampled_t *s) {
  const options_t *o = s->o;
  const unsigned done = (unsigned)json_array_size(s->sets);
  const char *outcome = json_string_value(json_object_get(s->root, "outcome"));
  if (!s->root) return json_decref(s->sets), s->code;
  if (cli_interrupted && !s->broken) outcome = outcome_name(OUTCOME_INTERRUPTED);
  if (s->code == EXIT_BAD && !s->broken) outcome = outcome_name(OUTCOME_NOT_COMPARED); /* a set without a result */
  json_object_set_new(s->root, "outcome", json_string(outcome));
  outcome = json_string_value(json_object_get(s->root, "outcome"));
  json_object_set_new(s->root, "sample", sampled_json(&s->sample, o->sample, s->sets));
  fprintf(cli->out, "%s %s: ", outcome, s->name);
  sampled_sum(cli->out, &s->sample, s->held, o->seed);
  verbs_other_rtl(s->root, o->rtl);
  if (!o->rtl) verbs_sources(s->root, o->block, FINGERPRINT_CHECK);
  const int end = cli_finish(cli, s->root, cli_interrupted ? EXIT_ENV : s->code);
  return cli_interrupted ? cli_error(EXIT_ENV, "interrupted after %u of %u sets", done, s->sample.count) : end;
}

static int run_sample(cli_t *cli, const options_t *o, check_t *check) {
  sampled_t s = {.o = o};
  int code = sampled_draw(&s.sample, o->block, o->params, o->seed, o->sample);
  if (code) return code;
  s.sets = json_array();
  check->cycles = o->cycles ? o->cycles : (check->full_cycles + 3) / 4;
  for (unsigned i = 0; i < s.sample.count && !cli_interrupted && s.code < EXIT_ENV; i++) check_set(cli, &s, check, i);
  code = finish_sample(cli, &s);
  sample_free(&s.sample);
  return code;
}

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {.seed = 1, .shrink_seconds = 10, .dut = "rtl", .folder = "lockstack-out"};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;

  block_t block, reference;
  check_result_t result;
  char commit[64];
  check_t check = {.block = &block,
                   .places = verbs_places(),
                   .kind = o.dut,
                   .against = o.against,
                   .reference = &reference,
                   .seed = o.seed,
                   .profile = o.profile,
                   .vectors = o.vectors,
                   .guided = o.guided,
                   .resets = !o.no_resets,
                   .wave = o.wave,
                   .no_wave = o.no_wave,
                   .inside = o.inside,
                   .strict = o.strict,
                   .folder = o.folder,
                   .shrink_seconds = (double)o.shrink_seconds,
                   .commit = verbs_commit(commit, sizeof commit),
                   .out = cli->out,
                   .on_cycles = on_cycles};
  code = find_checked_block(&block, &o, o.params);
  if (!code && o.against) code = find_reference(&reference, &o);
  if (code) return code;
  if (!o.rtl) verbs_sources_first(o.block, FINGERPRINT_CHECK);
  check.full_cycles = verbs_cycles(verbs_listed(&block), VERBS_CYCLES);
  if (o.sample) return run_sample(cli, &o, &check);
  check.cycles = o.cycles ? o.cycles : check.full_cycles;
  check.defaults = !*o.params;
  json_t *root = run_once(cli, &check, &result, &code);
  if (!root) return cli_trouble(&result.trouble);
  const uint64_t quarter = (check.cycles + 3) / 4;
  const bool further = !is_narrowed_check(&o, &block, check.cycles);
  for (unsigned i = 0; further && root && check_held(&result) && verbs_also(verbs_listed(&block), i); i++) {
    check.cycles = quarter, check.defaults = false;
    root = run_again(cli, &o, verbs_also(verbs_listed(&block), i), &check, &result, root, &code);
  }
  return root ? finish_check(cli, &o, root, &result, check.cycles) : code;
}

const verb_t verb_check = {"check", "a block's RTL against its golden model, cycle by cycle", run, &argp};
