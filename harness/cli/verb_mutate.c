/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack mutate: how many of the faults that Yosys draws in a block does its lockstep see?
 */
#include "cli.h"
#include "lockstep_verbs.h"
#include "mutate.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *block;
  uint64_t count, seed, cycles;
  char params[1024];
} options_t;

enum { KEY_COUNT = 0x100, KEY_CYCLES, KEY_SET };

static const struct argp_option argp_options[] = {
    {"count", KEY_COUNT, "N", 0, "Mutants to draw (default 100); a small block may have fewer", 0},
    {"seed", 's', "N", 0, "Seed of the draw and of the stimulus (default 1)", 0},
    {"cycles", KEY_CYCLES, "N", 0, "Cycles for each mutant at most, shared by the profiles (default 20000)", 0},
    {"set", KEY_SET, "PARAM=VALUE", 0, "A parameter of the block; may be repeated", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_COUNT: return cli_number(state, "--count", arg, 1, MUTANTS_MOST, &o->count);
  case 's': return cli_number(state, "--seed", arg, 0, INT32_MAX, &o->seed);
  case KEY_CYCLES: return cli_number(state, "--cycles", arg, 1, INT64_MAX, &o->cycles);
  case KEY_SET: return verbs_param(state, arg, o->params, sizeof o->params);
  case ARGP_KEY_ARG:
    if (o->block) return ARGP_ERR_UNKNOWN;
    o->block = arg;
    return 0;
  case ARGP_KEY_END: return o->block ? 0 : cli_usage(state, "a BLOCK or a folder is missing; `lockstack list blocks` names blocks");
  default: return ARGP_ERR_UNKNOWN;
  }
}

typedef struct {
  progress_t progress;
  const char *block;
  bool started; /* the clock starts with the first run, not while the object is built */
} meter_t;

static bool on_mutant(void *context, unsigned done, unsigned all) {
  meter_t *meter = context;
  if (!meter->started) progress_start(&meter->progress, meter->block, "mutants", all);
  meter->started = true;
  progress_update(&meter->progress, done);
  return !cli_interrupted;
}

/* --- for people */

/* The text of "file:line", without the blanks at its ends; "" when it cannot be read. */
static void source_text(const char *source, char *text, size_t size) {
  char path[BUILD_PATH], *line = NULL;
  size_t room = 0;
  const char *colon = strrchr(source, ':');
  *text = 0;
  if (!colon) return;
  snprintf(path, sizeof path, "%.*s", (int)(colon - source), source);
  FILE *file = fopen(*path == '/' ? path : cli_data(path), "r");
  ssize_t n = 0;
  for (long i = strtol(colon + 1, NULL, 10); file && i > 0 && n >= 0; i--) n = getline(&line, &room, file);
  if (file && line && n > 0) snprintf(text, size, "%.*s", (int)strcspn(line + strspn(line, " \t"), "\r\n"), line + strspn(line, " \t"));
  free(line);
  if (file) fclose(file);
}

static const char *by(const mutate_result_t *r, const mutant_t *m) {
  return m->failure.port >= 0 ? r->dut->ports[m->failure.port].name : m->failure.text;
}

static void print_survivors(FILE *out, const mutate_result_t *r) {
  char text[161];
  if (r->killed < r->done) fprintf(out, "survived:\n  %6s  %-6s  %-12s  source\n", "mutant", "mode", "cell's port");
  for (unsigned i = 0; i < r->done; i++) {
    const mutant_t *m = &r->mutants[i];
    char port[80];
    if (m->killed) continue;
    source_text(m->source, text, sizeof text);
    snprintf(port, sizeof port, "%s[%d]", m->port, m->bit);
    fprintf(out, "  %6u  %-6s  %-12s  %s%s%s\n", i + 1, m->mode, port, *m->source ? m->source : "-", *text ? "  " : "", text);
  }
}

static void print_all(const cli_t *cli, const options_t *o, const mutate_result_t *r) {
  if (r->outcome != OUTCOME_PASS) {
    fprintf(cli->out, "%s: the control, without a fault, ends with %s: %s, cycle %" PRIu64 " of profile %s; no mutant is run\n",
            o->block, outcome_name(r->outcome), by(r, &r->control), r->control.failure.cycle, r->control.profile);
    return;
  }
  unsigned probes = 0;
  for (unsigned i = 0; i < r->done; i++) {
    const mutant_t *m = &r->mutants[i];
    probes += m->killed && m->failure.port >= 0 && r->dut->ports[m->failure.port].dir == DUT_PROBE;
  }
  print_survivors(cli->out, r);
  fprintf(cli->out, "%s: %u mutants, %u killed (%u of them first seen by a probe), %u survived, score %.3f, %.1f s\n", o->block,
          r->done, r->killed, probes, r->done - r->killed, r->done ? r->killed / (double)r->done : 0, r->seconds);
  if (r->killed < r->done) fprintf(cli->out, "  none of the survivors has been looked at for equivalence: the score is the least it can be\n");
}

/* --- for programs */

static json_t *text_or_null(const char *text) {
  return *text ? json_string(text) : json_null();
}

static void add_failure(json_t *json, const mutate_result_t *r, const mutant_t *m) {
  const failure_t *f = &m->failure;
  bool port = f->port >= 0;
  json_object_set_new(json, "outcome", json_string(outcome_name(f->outcome)));
  json_object_set_new(json, "by", port ? json_string(by(r, m)) : json_null());
  json_object_set_new(json, "by_probe", json_boolean(port && r->dut->ports[f->port].dir == DUT_PROBE));
  if (!port) json_object_set_new(json, "text", json_string(f->text));
  json_object_set_new(json, "cycle", json_integer((json_int_t)f->cycle));
  json_object_set_new(json, "profile", json_string(m->profile));
}

static json_t *mutant_json(const mutate_result_t *r, unsigned i) {
  const mutant_t *m = &r->mutants[i];
  json_t *json = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "id", (int)i + 1, "status",
                           m->killed ? "killed" : "survived", "mode", m->mode, "module", m->module, "cell", m->cell,
                           "port", m->port, "bit", m->bit, "source", text_or_null(m->source));
  if (m->killed) add_failure(json, r, m);
  return json;
}

static json_t *to_json(const options_t *o, const mutate_result_t *r) {
  json_t *root = cli_json("mutate", 1), *mutants = json_array();
  json_t *control = json_pack("{s:s, s:I}", "outcome", outcome_name(r->outcome), "cycles", (json_int_t)r->control_cycles);
  if (r->outcome != OUTCOME_PASS) add_failure(control, r, &r->control);
  for (unsigned i = 0; i < r->done; i++) json_array_append_new(mutants, mutant_json(r, i));
  json_object_update_new(
      root, json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:i, s:i, s:i, s:o, s:f}", "block", o->block, "params", o->params, "seed",
                      (json_int_t)o->seed, "cycles", (json_int_t)o->cycles, "control", control, "mutants", mutants, "killed",
                      (int)r->killed, "survived", (int)(r->done - r->killed), "equivalent", 0, "score",
                      r->done ? json_real(r->killed / (double)r->done) : json_null(), "seconds", r->seconds));
  return root;
}

static int report(cli_t *cli, const options_t *o, const mutate_result_t *r) {
  if (r->outcome == OUTCOME_BAD_INPUT || r->outcome == OUTCOME_INFRA) return cli_error(verbs_exit(r->outcome), "%s", r->error);
  print_all(cli, o, r);
  bool held = r->outcome == OUTCOME_PASS && r->killed == r->done;
  int code = cli_finish(cli, to_json(o, r), r->stopped ? EXIT_ENV : held ? EXIT_HELD : EXIT_BROKEN);
  return r->stopped ? cli_error(EXIT_ENV, "interrupted after %u of %u mutants", r->done, r->count) : code;
}

static int run(cli_t *cli, int argc, char **argv) {
  static const struct argp argp = {
      argp_options, parse, "BLOCK|FOLDER",
      "Draws faults in a block's RTL (Yosys: a bit inverted, constant or dependent on its neighbour) and runs one after the "
      "other in lockstep with the golden model, through all profiles, until a probe or an output differs. What survives is "
      "listed with its line: a hole in stimulus or probes, unless it makes no difference to anything, which is not looked at. "
      "The block without a fault is run first and must pass. Memories (sram_*) are not mutated, assertions are not compiled in. "
      "Exit status 1: a mutant survived, or the control failed.\v"
      "Example:\n  lockstack mutate arb_rr --count 200 --set NumReq=5 --json arb_rr.json\n", NULL, NULL, NULL};
  options_t o = {.count = 100, .seed = 1, .cycles = 20000};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;

  block_t block;
  char error[4096];
  mutate_t mutate = {.block = &block, .places = verbs_places(), .seed = o.seed, .cycles = o.cycles, .on_mutant = on_mutant};
  outcome_t found = block_find(&block, &mutate.places, o.block, o.params, error, sizeof error);
  if (found != OUTCOME_PASS) return cli_error(verbs_exit(found), "%s", error);
  snprintf(block.mutants, sizeof block.mutants, "%" PRIu64 ":%" PRIu64, o.count, o.seed);
  meter_t meter = {.block = block.name};
  mutate.context = &meter;
  mutate_result_t result;
  mutate_run(&mutate, &result);
  if (meter.started) progress_end(&meter.progress);
  code = report(cli, &o, &result);
  mutate_free(&result);
  return code;
}

const verb_t verb_mutate = {"mutate", "faults in a block's RTL: which ones does its lockstep see?", run};
