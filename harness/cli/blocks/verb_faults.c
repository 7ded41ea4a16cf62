/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack faults: what happens to a bit of a block's state that is flipped during a run?
 *
 *   control run, without a flip --> each flip in a run of its own --> class of what became of it:
 *   masked      every register became as in the control
 *   own         an error output or an assertion of the block saw it
 *   lockstep    only an output or probe differed from the model's
 *   silent      a register stayed different, and nothing was seen
 */
#include "block_content.h"
#include "cli.h"
#include "faults.h"
#include "lockstep_verbs.h"
#include "progress.h"
#include "stim_default.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `count` is the number of flips, `states` the pattern of --register. jobs 0: one a processor. */
typedef struct {
  const char *block, *subject, *profile, *states;
  uint64_t count, seed, cycles, jobs;
  char params[1024];
} options_t;

enum { KEY_COUNT = 0x100, KEY_CYCLES, KEY_SET, KEY_JOBS, KEY_REGISTER };

static const struct argp_option argp_options[] = {
    {"count", KEY_COUNT, "N", 0, "Bits to flip, one at a time (default 1000)", 0},
    {"cycles", KEY_CYCLES, "N", 0, "Cycles of the run, shared by the profiles (default 20000)", 0},
    {"seed", 's', "N", 0, "Seed of the draw and of the stimulus (default 1)", 0},
    {"profile", 'p', "NAME", 0, "This profile of the stimulus alone", 0},
    {"register", KEY_REGISTER, "PATTERN", 0, "Flip bits of registers whose name matches, as the shell has it: '*.mem'",
     0},
    {"jobs", KEY_JOBS, "N", 0, "Processes (default: as many as the machine has processors)", 0},
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST, "A parameter of the block; may be repeated", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_COUNT: return cli_number(state, "--count", arg, 1, FAULTS_MOST, &o->count);
  case KEY_CYCLES: return cli_number(state, "--cycles", arg, 1, UINT32_MAX, &o->cycles);
  case 's': return cli_number(state, "--seed", arg, 0, UINT64_MAX, &o->seed);
  case 'p': o->profile = arg; return 0;
  case KEY_REGISTER: o->states = arg; return 0;
  case KEY_JOBS: return cli_number(state, "--jobs", arg, 1, 1024, &o->jobs);
  case KEY_SET: return verbs_param(state, arg, o->params, sizeof o->params);
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
  bool started; /* the clock starts with the first run, not while the object is built */
} meter_t;

/* Progress; false stops the run. */
static bool on_faults(void *context, unsigned done, unsigned all) {
  meter_t *meter = context;
  if (!meter->started) progress_start(&meter->progress, meter->block, "flips", all);
  meter->started = true;
  progress_update(&meter->progress, done);
  return !cli_interrupted;
}

/* --- figures */

/* Flips by their class. `seen` are those that own checks or lockstep found; `latency` is the sum of
 * their cycles from flip to finding. `later` are found by lockstep, and by own checks after it. */
typedef struct {
  uint64_t flips, of[FAULT_CLASSES], seen, latency, later;
} sums_t;

/* Latency is summed over the flips that were seen. */
static void add_fault_to_sums(sums_t *s, const fault_t *f) {
  if (!f->done) return;
  s->flips++;
  s->of[f->class]++;
  s->later += f->own_later;
  if (f->class == FAULT_OWN || f->class == FAULT_LOCKSTEP) s->seen++, s->latency += f->latency;
}

/* The sums of one register; state -1: of all. */
static sums_t sum_faults(const faults_result_t *r, int state) {
  sums_t s = {0};
  for (unsigned i = 0; i < r->count; i++)
    if (state < 0 || r->faults[i].state == (unsigned)state) add_fault_to_sums(&s, &r->faults[i]);
  return s;
}

/* Wilson's interval of a share, 95 % confidence: `all` is above 0. The ends are exactly 0 and 1
 * where no or every flip hit. */
static void wilson_interval(uint64_t hits, uint64_t all, double *low, double *high) {
  const double z = 1.959964, n = (double)all, p = (double)hits / n;
  const double middle = p + z * z / (2 * n), half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)),
               scale = 1 + z * z / n;
  *low = hits ? (middle - half) / scale : 0;
  *high = hits < all ? (middle + half) / scale : 1;
}

/* --- for people */

/* A register's line; latency is the mean in cycles. */
static void print_fault_row(FILE *out, const char *name, uint64_t bits, const sums_t *s) {
  fprintf(out, "  %-40s %9" PRIu64 " %6" PRIu64 " %7" PRIu64 " %6" PRIu64 " %9" PRIu64 " %6" PRIu64 " %7" PRIu64, name,
          bits, s->flips, s->of[FAULT_MASKED], s->of[FAULT_OWN], s->of[FAULT_LOCKSTEP], s->later, s->of[FAULT_SILENT]);
  if (s->seen) fprintf(out, " %9.1f\n", (double)s->latency / (double)s->seen);
  else fprintf(out, " %9s\n", "-");
}

/* The registers that --register chose; those without a flip are only counted. */
static void print_registers(FILE *out, const options_t *o, const faults_result_t *r) {
  faults_t pattern = {.states = o->states};
  unsigned untouched = 0;
  fprintf(out, "  %-40s %9s %6s %7s %6s %9s %6s %7s %9s\n", "register", "bits", "flips", "masked", "own", "lockstep",
          "later", "silent", "latency");
  for (unsigned i = 0; i < r->dut->num_states; i++) {
    const dut_state_t *d = &r->dut->states[i];
    char name[200];
    sums_t s = sum_faults(r, (int)i);
    if (!faults_drawn(&pattern, d)) continue;
    untouched += !s.flips;
    if (d->elements > 1) snprintf(name, sizeof name, "%s (%" PRIu32 " x %" PRIu32 ")", d->name, d->elements, d->width);
    else snprintf(name, sizeof name, "%s", d->name);
    if (s.flips) print_fault_row(out, name, (uint64_t)d->elements * d->width, &s);
  }
  sums_t all = sum_faults(r, -1);
  print_fault_row(out, "all", r->bits, &all);
  if (untouched) fprintf(out, "  %u registers were not drawn\n", untouched);
}

/* The report. A failed control and a block without registers have a line instead of a table. */
static void print_all(const cli_t *cli, const options_t *o, const faults_result_t *r) {
  static const char *const meaning[] = {
      "every register is again as without the flip", "an error output or an assertion of the block's own",
      "an output or probe differs from the model's", "a register is different to the end, nothing was seen"};
  if (r->failed_profile) {
    fprintf(cli->out, "%s: the control, without a flip, fails in profile %s: %s; no bit is flipped\n", o->block,
            r->failed_profile, r->trouble.text);
    return;
  }
  if (!r->bits && !r->stopped) {
    fprintf(cli->out, "%s has no register: there is no bit to flip; the control passed\n", o->block);
    return;
  }
  print_registers(cli->out, o, r);
  sums_t all = sum_faults(r, -1);
  for (int c = 0; c < FAULT_CLASSES && all.flips; c++) {
    double low, high;
    wilson_interval(all.of[c], all.flips, &low, &high);
    fprintf(cli->out, "  %-8s %5.1f %% (%.1f to %.1f %%): %s\n", fault_class_name(c),
            100.0 * (double)all.of[c] / (double)all.flips, 100 * low, 100 * high, meaning[c]);
  }
  if (all.later)
    fprintf(cli->out,
            "  later: of those that lockstep saw, %" PRIu64 " were also seen by the block itself within %d cycles\n",
            all.later, FAULTS_WATCH);
  if (r->stopped) fprintf(cli->out, "INTERRUPTED ");
  fprintf(cli->out, "%s: %" PRIu64 " flips in %" PRIu64 " bits, %" PRIu64 " cycles, seed %" PRIu64 ", %.1f s\n",
          o->block, all.flips, r->bits, o->cycles, o->seed, r->seconds);
}

/* --- for programs */

/* The sums. `mean_latency` is in cycles, null where no flip was seen. */
static json_t *sums_json(const sums_t *s) {
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "flips", (json_int_t)s->flips, "masked",
                   (json_int_t)s->of[FAULT_MASKED], "own", (json_int_t)s->of[FAULT_OWN], "lockstep",
                   (json_int_t)s->of[FAULT_LOCKSTEP], "silent", (json_int_t)s->of[FAULT_SILENT], "own_later",
                   (json_int_t)s->later, "mean_latency",
                   s->seen ? json_real((double)s->latency / (double)s->seen) : json_null());
}

/* The sums of each register that could be drawn. */
static json_t *registers_json(const options_t *o, const faults_result_t *r) {
  json_t *list = json_array();
  faults_t pattern = {.states = o->states};
  for (unsigned i = 0; r->dut && i < r->dut->num_states; i++) {
    const dut_state_t *d = &r->dut->states[i];
    if (!faults_drawn(&pattern, d)) continue;
    json_t *json = json_pack("{s:s, s:I, s:I}", "name", d->name, "width", (json_int_t)d->width, "elements",
                             (json_int_t)d->elements);
    sums_t s = sum_faults(r, (int)i);
    json_object_update_new(json, sums_json(&s));
    json_array_append_new(list, json);
  }
  return list;
}

/* One flip. `by` is the port or assertion that saw it; latencies are null where nothing did. */
static json_t *flip_json(const faults_result_t *r, const fault_t *f) {
  bool seen = f->class == FAULT_OWN || f->class == FAULT_LOCKSTEP;
  const char *by = *f->text ? f->text : NULL;
  if (f->port >= 0) by = r->dut->ports[f->port].name;
  json_t *json = json_pack("{s:s, s:I, s:I, s:s, s:I, s:s, s:o}", "register", r->dut->states[f->state].name, "element",
                           (json_int_t)f->element, "bit", (json_int_t)f->bit, "profile",
                           stim_of(r->dut)->profiles[f->profile].name, "cycle", (json_int_t)f->cycle, "class",
                           fault_class_name(f->class), "by", by ? json_string(by) : json_null());
  json_object_set_new(json, "latency", seen ? json_integer((json_int_t)f->latency) : json_null());
  json_object_set_new(json, "own_latency", f->own_later ? json_integer((json_int_t)f->own_latency) : json_null());
  return json;
}

/* The sums of all flips, and the share of each class with its interval. */
static json_t *totals_json(const faults_result_t *r) {
  sums_t s = sum_faults(r, -1);
  json_t *json = sums_json(&s), *shares = json_object();
  for (int c = 0; c < FAULT_CLASSES && s.flips; c++) {
    double low, high;
    wilson_interval(s.of[c], s.flips, &low, &high);
    json_object_set_new(
        shares, fault_class_name(c),
        json_pack("{s:f, s:f, s:f}", "share", (double)s.of[c] / (double)s.flips, "low", low, "high", high));
  }
  json_object_set_new(json, "bits", json_integer((json_int_t)r->bits));
  json_object_set_new(json, "shares", shares);
  return json;
}

/* The result. A run that was stopped while all held is INTERRUPTED, never PASS. */
static json_t *faults_to_json(const options_t *o, const faults_result_t *r) {
  json_t *root = cli_json("faults", 1), *flips = json_array();
  json_t *control = json_pack("{s:s, s:o, s:o}", "outcome",
                              outcome_name(r->stopped && r->outcome == OUTCOME_PASS ? OUTCOME_INTERRUPTED : r->outcome),
                              "profile", r->failed_profile ? json_string(r->failed_profile) : json_null(), "text",
                              r->failed_profile ? json_string(r->trouble.text) : json_null());
  for (unsigned i = 0; i < r->count; i++)
    if (r->faults[i].done) json_array_append_new(flips, flip_json(r, &r->faults[i]));
  json_object_update_new(root, json_pack("{s:s, s:s, s:I, s:I, s:s, s:o, s:o, s:o, s:o, s:f}", "block", o->subject,
                                         "params", o->params, "seed", (json_int_t)o->seed, "cycles",
                                         (json_int_t)o->cycles, "profile", o->profile ? o->profile : "all", "control",
                                         control, "registers", registers_json(o, r), "total", totals_json(r), "flips",
                                         flips, "seconds", r->seconds));
  return root;
}

/* The end of the command. What the flips did is no success or failure: only the control decides. */
static int report_faults(cli_t *cli, const options_t *o, const faults_result_t *r) {
  if (r->outcome == OUTCOME_BAD_INPUT || r->outcome == OUTCOME_INFRA)
    return cli_error(verbs_exit(r->outcome), "%s", r->trouble.text);
  print_all(cli, o, r);
  json_t *root = faults_to_json(o, r);
  verbs_sources(root, o->block, FINGERPRINT_CHECK);
  cli_exit_t code = r->outcome == OUTCOME_PASS ? EXIT_HELD : EXIT_BROKEN;
  if (r->stopped) code = EXIT_ENV;
  const int end = cli_finish(cli, root, code);
  return r->stopped ? cli_error(EXIT_ENV, "interrupted after %u of %u flips", r->done, r->count) : end;
}

static const struct argp argp = {
    argp_options,
    parse,
    "BLOCK|FOLDER",
    "Flips one bit of a block's registers and memories, at a cycle of a run in lockstep, and looks what becomes of "
    "it: masked (every "
    "register becomes as it would have been), seen by an error output of the block or an assertion, seen by lockstep "
    "alone, or silent (a "
    "register is different to the end, though nothing was seen). Bits are drawn evenly from all of them, cycles from "
    "all profiles, each "
    "flip in a run of its own. Latency is in cycles from the flip, 0 in the very cycle. "
    "Exit status 1: the control, the run without a flip, failed; what the flips do is no success or failure.\v"
    "Example:\n  lockstack faults lsu_rx --count 500 --register 'i_*.mem' --json faults.json\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  options_t o = {.count = 1000, .seed = 1, .cycles = 20000, .jobs = processors > 0 ? (uint64_t)processors : 1};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;

  block_t block;
  trouble_t trouble;
  faults_t faults = {.block = &block,
                     .places = verbs_places(),
                     .seed = o.seed,
                     .cycles = o.cycles,
                     .profile = o.profile,
                     .states = o.states,
                     .count = (unsigned)o.count,
                     .jobs = (unsigned)o.jobs,
                     .on_faults = on_faults};
  if (!block_find(&block, &faults.places, o.block, o.params, &trouble)) return cli_trouble(&trouble);
  o.subject = block_subject(&block);
  block_judged(&block, &faults.places, "rtl", o.block);
  verbs_sources_first(o.block, FINGERPRINT_CHECK);
  meter_t meter = {.block = block.name};
  faults.context = &meter;
  faults_result_t result;
  faults_run(&faults, &result);
  if (meter.started) progress_end(&meter.progress);
  code = report_faults(cli, &o, &result);
  faults_free(&result);
  return code;
}

const verb_t verb_faults = {"faults", "bits of a block's state flipped: masked, seen, or silent?", run, &argp};
