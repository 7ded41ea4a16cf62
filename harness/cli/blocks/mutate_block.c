/* SPDX-License-Identifier: Apache-2.0
 *
 * One block's mutants, from the options to the JSON.
 *
 *   block_find --> make_work, cli_generated --> mutate_run --> mutate_to_json
 *                                               draw, run, prove    mutants, counts, control, times
 */
#include "block_content.h"
#include "file.h"
#include "generated.h"
#include "lockstep_verbs.h"
#include "mutate_block.h"
#include "basis.h"
#include "process.h"
#include "proof.h"
#include "stim_default.h"
#include "work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over BUILD_PATH fail when they are opened */

/* A block of FULL_LINES lines of RTL or more gets FULL_COUNT mutants. */
enum { FULL_LINES = 100, FULL_COUNT = 500 };

static bool stop_mutate(void *context) {
  (void)context;
  return cli_interrupted;
}

/* Lines of a file; 0 if it cannot be read. */
static unsigned count_lines(const char *path) {
  FILE *file = fopen(path, "r");
  unsigned lines = 0;
  for (int c; file && (c = getc(file)) != EOF;) lines += c == '\n';
  if (file) fclose(file);
  return lines;
}

/* Lines of the block's RTL. Outside the tree these are all files that X.yaml names; files that are
 * found in its library folders do not count. */
static unsigned count_block_lines(const block_t *b) {
  char path[BUILD_PATH];
  unsigned lines = 0;
  for (const char *at = b->read.files; rtl_next(&at, path, sizeof path);) lines += count_lines(path);
  return *b->folder ? lines : count_lines(b->rtl);
}

/* --- JSON */

static json_t *text_or_null(const char *text) {
  return *text ? json_string(text) : json_null();
}

/* By mutant_status_t. */
static const char *const statuses[] = {"open", "killed", "equivalent", "survived", "undecided"};

/* What saw a failure: a port (output or probe), or an assertion of the RTL (port below 0). */
static void add_seen(json_t *json, const mutate_result_t *r, int port, uint64_t cycle, unsigned profile) {
  const dut_port_t *p = port >= 0 ? &r->dut->ports[port] : NULL;
  json_object_set_new(json, "outcome", json_string(outcome_name(p ? OUTCOME_DIVERGED : OUTCOME_DUT_ASSERT)));
  json_object_set_new(json, "by", p ? json_string(p->name) : json_null());
  json_object_set_new(json, "by_probe", json_boolean(p && p->dir == DUT_PROBE));
  json_object_set_new(json, "cycle", json_integer((json_int_t)cycle));
  json_object_set_new(json, "profile", json_string(stim_of(r->dut)->profiles[profile].name));
}

/* A mutant: what was changed and where, and how it ended. */
static json_t *mutant_json(const mutate_result_t *r, unsigned i) {
  const mutant_t *m = &r->drawn.mutants[i];
  json_t *json = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "id", (int)m->place + 1, "status",
                           statuses[m->status], "mode", m->mode, "module", m->module, "cell", m->cell, "port", m->port,
                           "bit", m->bit, "source", text_or_null(m->source));
  if (m->status == MUTANT_KILLED) add_seen(json, r, m->port_seen, m->cycle, m->profile);
  else json_object_set_new(json, "method", text_or_null(m->method));
  if (m->status == MUTANT_UNDECIDED) json_object_set_new(json, "reason", text_or_null(m->reason ? m->reason : ""));
  if (m->status == MUTANT_SURVIVED) json_object_set_new(json, "counterexample", json_integer(m->counterexample));
  return json;
}

static unsigned count_status(const mutate_result_t *r, mutant_status_t status) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->drawn.count; i++) n += r->drawn.mutants[i].status == status;
  return n;
}

/* The control, lane 0 without a fault: its outcome, and what it failed of. */
static json_t *control_json(const mutate_result_t *r) {
  json_t *control = json_pack("{s:s, s:I}", "outcome",
                              outcome_name(r->stopped && r->outcome == OUTCOME_PASS ? OUTCOME_INTERRUPTED : r->outcome),
                              "cycles", (json_int_t)r->control_cycles);
  if (r->control_failed) add_seen(control, r, r->control.port, r->control.cycle, r->control_profile);
  if (outcome_of_model(r->outcome) || r->outcome == OUTCOME_NOT_COMPARED) {
    json_object_set_new(control, "by", json_string(r->model_text));
    json_object_set_new(control, "profile", json_string(stim_of(r->dut)->profiles[r->control_profile].name));
  }
  return control;
}

/* Killed mutants that also went through the proof, as a check of the proofs. A "proved" one would
 * be a wrong proof. */
static json_t *proof_controls(const mutate_result_t *r) {
  int refuted = 0, undecided = 0, proved = 0;
  for (unsigned i = 0; i < r->drawn.count; i++) {
    const mutant_t *m = &r->drawn.mutants[i];
    refuted += m->control && m->proved == MUTANT_SURVIVED;
    undecided += m->control && m->proved == MUTANT_UNDECIDED;
    proved += m->control && m->proved == MUTANT_EQUIVALENT;
  }
  return json_pack("{s:i, s:i, s:i}", "refuted", refuted, "undecided", undecided, "proved", proved);
}

/* An array of the words of a text, which may be NULL. */
static json_t *words_json(char *text) {
  json_t *words = json_array();
  char *rest = NULL;
  for (char *word = text ? strtok_r(text, " ", &rest) : NULL; word; word = strtok_r(NULL, " ", &rest))
    json_array_append_new(words, json_string(word));
  return words;
}

/* Processor time of each phase, and of all. */
static json_t *cpu_json(const mutate_result_t *r) {
  static const char *const names[MUTATE_PHASES] = {"draw", "stimulus", "within", "proofs", "longer"};
  json_t *cpu = json_object();
  double all = 0;
  for (unsigned i = 0; i < MUTATE_PHASES; i++) {
    json_object_set_new(cpu, names[i], json_real(r->cpu[i]));
    all += r->cpu[i];
  }
  json_object_set_new(cpu, "all", json_real(all));
  return cpu;
}

/* How many probes saw this mutant. */
static unsigned probes_of(const mutate_result_t *r, unsigned mutant) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->dut->num_ports; i++)
    n += r->dut->ports[i].dir == DUT_PROBE && r->probe_seen[(size_t)mutant * r->dut->num_ports + i];
  return n;
}

/* What a probe is worth: mutants that it alone saw, that it saw first, that it saw before the
 * outputs, and by how many cycles. */
static json_t *probe_json(const mutate_result_t *r, unsigned port) {
  unsigned only = 0, first = 0, earlier = 0;
  double gain = 0;
  for (unsigned i = 0; i < r->drawn.count; i++) {
    const mutant_t *m = &r->drawn.mutants[i];
    size_t at = (size_t)i * r->dut->num_ports + port;
    if (m->status != MUTANT_KILLED || !r->probe_seen[at]) continue;
    only += !m->out_killed && m->port_seen >= 0 && probes_of(r, i) == 1;
    first += m->port_seen == (int)port;
    if (r->probe_seen[at] == 2) earlier++, gain += r->probe_gain[at];
  }
  return json_pack("{s:s, s:i, s:i, s:i, s:o}", "name", r->dut->ports[port].name, "only", (int)only, "first",
                   (int)first, "shared", (int)earlier, "mean_cycles_earlier",
                   earlier ? json_real(gain / earlier) : json_null());
}

/* One object a probe of the block. Without --by-probe there is none. */
static json_t *probes_json(const mutate_result_t *r) {
  json_t *probes = json_array();
  for (unsigned i = 0; r->probe_seen && r->probe_gain && i < r->dut->num_ports; i++)
    if (r->dut->ports[i].dir == DUT_PROBE) json_array_append_new(probes, probe_json(r, i));
  return probes;
}

/* The result of a block. The score is killed mutants over those that count: all but the equivalent
 * and the open ones; null when none counts. */
static json_t *mutate_to_json(const mutate_options_t *o, const char *name, const mutate_result_t *r, unsigned lines) {
  json_t *mutants = json_array();
  bool ran = r->outcome == OUTCOME_PASS;
  /* without a control that passes no mutant has been judged */
  unsigned killed = ran ? count_status(r, MUTANT_KILLED) : 0, survived = ran ? count_status(r, MUTANT_SURVIVED) : 0,
           undecided = ran ? count_status(r, MUTANT_UNDECIDED) : 0,
           equivalent = ran ? count_status(r, MUTANT_EQUIVALENT) : 0, open = ran ? count_status(r, MUTANT_OPEN) : 0;
  unsigned all = ran ? r->drawn.count - equivalent - open : 0;
  for (unsigned i = 0; ran && i < r->drawn.count; i++) json_array_append_new(mutants, mutant_json(r, i));
  json_t *json = json_pack(
      "{s:s, s:s, s:I, s:I, s:i, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:o, s:b, s:o, s:f, s:f, s:f}", "block",
      name, "params", o->params, "seed", (json_int_t)o->seed, "cycles", (json_int_t)o->cycles, "lines", (int)lines,
      "control", control_json(r), "mutants", mutants, "killed", (int)killed, "survived", (int)survived, "undecided",
      (int)undecided, "equivalent", (int)equivalent, "open", (int)open, "counted", (int)all, "few", all < BASIS_MUTANTS,
      "score", all ? json_real(killed / (double)all) : json_null(), "interrupted", r->stopped, "proof_controls",
      proof_controls(r), "draw_seconds", r->draw_seconds, "run_seconds", r->run_seconds, "seconds", r->seconds);
  json_object_set_new(json, "cpu_seconds", cpu_json(r));
  json_object_set_new(json, "environment", words_json(r->drawn.assumptions));
  if (o->by_probe) json_object_set_new(json, "probes", probes_json(r));
  return json;
}

/* The inputs that show a mutant, a line a cycle, as replay_print writes them; null: there are
 * none. */
static json_t *inputs_json(const char *work, unsigned id) {
  char path[PROOF_PATH + 32];
  snprintf(path, sizeof path, "%s/m%u.inputs", work, id);
  char *text = file_read(path), *rest = NULL;
  json_t *lines = text && *text ? json_array() : json_null();
  for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
    json_array_append_new(lines, json_string(line));
  free(text);
  return lines;
}

/* --show: the inputs of the one mutant. A killed one needs none, because its stimulus is known. */
static void add_inputs(json_t *json, const mutate_result_t *r, const char *work) {
  const mutant_t *m = r->drawn.mutants;
  bool any = m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED;
  json_object_set_new(json_array_get(json_object_get(json, "mutants"), 0), "inputs",
                      any ? inputs_json(work, m->place + 1) : json_null());
}

/* --- the run */

/* The block's assumptions, tests/formal/X.env.sv; outside the tree the file is beside the RTL.
 * NULL: there are none. */
static const char *environment_of(const block_t *b, char *path) {
  if (*b->folder) snprintf(path, PROOF_PATH, "%s/%s.env.sv", b->folder, b->name);
  else snprintf(path, PROOF_PATH, "%s/tests/formal/%s.env.sv", cli_source(), b->name);
  return access(path, R_OK) == 0 ? path : NULL;
}

/* The working folder and the generated packages. 0, or an exit code after a line. */
static int make_work(const mutate_options_t *o, const block_t *b, work_t *work, char *gen) {
  char folder[PROOF_PATH];
  trouble_t trouble;
  snprintf(folder, sizeof folder, "%.4000s/mutate", o->folder);
  if (!work_open(work, folder, b->name, &trouble)) return cli_trouble(&trouble);
  return cli_generated(gen, work->path, &trouble) ? 0 : cli_trouble(&trouble);
}

/* How many mutants to draw: --count, else FULL_COUNT from FULL_LINES lines on, fewer in
 * proportion below that. */
static uint64_t mutants_to_draw(uint64_t asked, unsigned lines) {
  if (asked) return asked;
  return lines >= FULL_LINES ? FULL_COUNT : (uint64_t)lines * FULL_COUNT / FULL_LINES + 1;
}

json_t *mutate_block(const mutate_options_t *given, const char *name, int *code) {
  mutate_options_t options = *given, *o = &options;
  if (!o->cycles) o->cycles = verbs_cycles(name, 20000);
  if (!*o->params) snprintf(o->params, sizeof o->params, "%s", verbs_measured(name));
  block_t block;
  trouble_t trouble;
  char gen[PROOF_PATH], environment[PROOF_PATH];
  work_t work = {.path = ""};
  mutate_t mutate = {.places = verbs_places(),
                     .seed = o->seed,
                     .cycles = o->cycles,
                     .longer = o->longer,
                     .only = (unsigned)o->show,
                     .by_probe = o->by_probe,
                     .proofs = !o->no_proofs,
                     .proof_seconds = (double)o->proof_seconds,
                     .blind = o->blind,
                     .jobs = (unsigned)o->jobs,
                     .stop = stop_mutate};
  mutate_result_t result;
  if (!block_find(&block, &mutate.places, name, o->params, &trouble)) return *code = cli_trouble(&trouble), NULL;
  block_judged(&block, &mutate.places, "mutate", name);
  verbs_sources_first(name, FINGERPRINT_MUTATE);
  if (!process_there("yosys"))
    return *code = cli_error(EXIT_ENV, "yosys is not installed: packages.txt has what mutants need"), NULL;
  if ((*code = make_work(o, &block, &work, gen))) return work_close(&work, false), NULL;
  unsigned lines = count_block_lines(&block);
  uint64_t count = mutants_to_draw(o->count, lines);
  mutate.draw = (draw_t){.block = &block,
                         .source = cli_source(),
                         .gen = gen,
                         .work = work.path,
                         .count = count,
                         .seed = o->seed,
                         .environment = environment_of(&block, environment),
                         .stop = stop_mutate};
  mutate_run(&mutate, &result);
  json_t *json = NULL;
  if (result.outcome == OUTCOME_BAD_INPUT || result.outcome == OUTCOME_INFRA)
    *code = cli_error(verbs_exit(result.outcome), "%s", result.trouble.text);
  else if (!(json = mutate_to_json(o, block_subject(&block), &result, lines)))
    *code = cli_error(EXIT_ENV, "out of memory");
  else {
    if (o->show) add_inputs(json, &result, work.path);
    verbs_sources(json, name, FINGERPRINT_MUTATE);
    json_object_set_new(json, "params", json_string(given->params));
    json_object_set_new(json, "with", json_string(o->params));
  }
  work_close(&work, !json); /* the error names a log in it */
  mutate_free(&result);
  return json;
}
