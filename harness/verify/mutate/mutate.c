/* SPDX-License-Identifier: Apache-2.0
 *
 * A campaign gets more expensive from step to step, and each step leaves fewer mutants:
 *
 *   draw --> short rounds            most mutants are seen
 *        --> proofs within a cycle   most equivalents
 *        --> long round              all cycles of the stimulus
 *        --> proofs over time        for what is left
 *        --> longer runs             for what is not equivalent
 *
 * Each round runs all profiles, the most successful first. Every run starts at power-up, so that
 * a mutant's result does not depend on the mutants beside it.
 */
#include "mutate.h"

#include "clock.h"
#include "clocking.h"
#include "compared.h"
#include "guard.h"
#include "prove_mutants.h"
#include "stim_default.h"
#include "workers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 16 }; /* a round has so many times the cycles of the one before */

typedef struct {
  const mutate_t *mutate;
  mutate_result_t *r;
  unsigned *left, count; /* mutants */
  unsigned *order;       /* of the profiles, */
  double *worth;         /* by what each has killed in a cycle */
  uint64_t *control;     /* cycles of each that the block without a fault has passed in one run */
} work_t;

/* Sets the outcome, and trouble unless it has an error already. text "" keeps the existing line. */
static void fail_campaign(mutate_result_t *r, outcome_t outcome, const char *text) {
  trouble_kind_t kind = TROUBLE_BROKEN;
  if (outcome == OUTCOME_INFRA) kind = TROUBLE_ENVIRONMENT;
  else if (outcome == OUTCOME_BAD_INPUT) kind = TROUBLE_INPUT;
  r->outcome = outcome;
  trouble_fail(&r->trouble, kind, "%s", text);
}

/* What a lane showed first becomes its mutant's. */
static void record_lane(const bed_lane_t *lane, mutant_t *m, unsigned profile) {
  if (lane->seen && m->status != MUTANT_KILLED) {
    m->status = MUTANT_KILLED;
    m->profile = profile;
    m->cycle = lane->cycle;
    m->port_seen = lane->port;
  }
  if (lane->out_seen && !m->out_killed) {
    m->out_killed = true;
    m->out_cycle = lane->out_cycle;
    m->out_profile = profile;
  }
}

/* Records which ports saw the mutant. In a run in which the outputs see it, too: how many cycles
 * earlier. */
static void take_probes(work_t *w, const bed_lane_t *lane, const uint64_t *first, unsigned mutant) {
  const dut_t *dut = w->r->dut;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    size_t at = (size_t)mutant * dut->num_ports + i;
    if (!first[i] || w->r->probe_seen[at] == 2) continue;
    bool gains = lane->out_seen && first[i] - 1 <= lane->out_cycle;
    w->r->probe_seen[at] = gains ? 2 : 1;
    if (gains) w->r->probe_gain[at] = (uint32_t)(lane->out_cycle - (first[i] - 1));
  }
}

static void control_failed(mutate_result_t *r, const bed_run_t *run) {
  r->control_failed = true;
  r->control = run->lanes[0];
  r->control_profile = run->profile;
  r->outcome = OUTCOME_DIVERGED;
}

static void model_failed(mutate_result_t *r, outcome_t outcome, const bed_run_t *run, const char *text) {
  r->outcome = outcome;
  r->control = run->lanes[0];
  r->control_profile = run->profile;
  snprintf(r->model_text, sizeof r->model_text, "%s", text);
}

/* True after a run that ended well. Else sets the outcome, or `stopped`. */
static bool may_go_on(work_t *w, bed_end_t end, const bed_run_t *run, const char *text) {
  mutate_result_t *r = w->r;
  char line[1024];
  const char *profile = stim_of(r->dut)->profiles[run->profile].name;
  if (run->lanes[0].seen) control_failed(r, run);
  else if (end == BED_STOPPED || (end == BED_CRASH && strcmp(text, GUARD_INTERRUPTED) == 0)) r->stopped = true;
  else if (end == BED_CRASH) model_failed(r, OUTCOME_MODEL_CRASH, run, text);
  else if (end == BED_MEMORY) fail_campaign(r, OUTCOME_INFRA, "out of memory");
  else if (end == BED_MODEL) model_failed(r, OUTCOME_MODEL_ASSERT, run, text);
  else if (end == BED_KIND) {
    snprintf(line, sizeof line, "%.400s: %s", w->mutate->draw.block->ports, text);
    fail_campaign(r, OUTCOME_BAD_INPUT, line);
  } else if (end == BED_ENVIRONMENT) {
    snprintf(line, sizeof line, "%s: profile %s does what %s says cannot be", r->dut->block, profile,
             w->mutate->draw.environment);
    fail_campaign(r, OUTCOME_BAD_INPUT, line);
  } else return true;
  return false;
}

/* Runs one batch, up to 511 mutants, through one profile. False: the campaign ends here. */
static bool run_batch(work_t *w, const unsigned *batch, unsigned num, unsigned profile, uint64_t cycles) {
  const mutate_t *mutate = w->mutate;
  static _Thread_local bed_lane_t lanes[LANES_MANY * 64];
  const fault_t *faults[LANES_MANY * 64];
  char text[512] = "";
  unsigned ports = w->r->dut->num_ports;
  uint64_t *first = mutate->by_probe ? calloc((size_t)(num + 1) * ports, sizeof *first) : NULL;
  unsigned char *diverged[LANES_MANY * 64];
  for (unsigned i = 0; i < num; i++) {
    faults[i] = &w->r->drawn.mutants[batch[i]].fault;
    diverged[i] = w->r->diverged + (size_t)batch[i] * w->r->drawn.netlist.num_latches;
  }
  bed_run_t run = {.seed = mutate->seed,
                   .cycles = cycles,
                   .profile = profile,
                   .outputs_only = mutate->by_probe,
                   .faults = faults,
                   .num_faults = num,
                   .lanes = lanes,
                   .diverged = diverged,
                   .probe_cycles = first,
                   .stop = mutate->stop,
                   .context = mutate->context};
  bed_end_t end = bed_run(&w->r->bed, &run, text, sizeof text);
  w->r->compared += run.compared;
  w->r->out_of_reset += run.out_of_reset;
  if (!lanes[0].seen && run.reached > w->control[profile]) w->control[profile] = run.reached;
  for (unsigned i = 0; i < num && !lanes[0].seen; i++) {
    record_lane(&lanes[i + 1], &w->r->drawn.mutants[batch[i]], profile);
    if (first) take_probes(w, &lanes[i + 1], first + (size_t)(i + 1) * ports, batch[i]);
  }
  free(first);
  return may_go_on(w, end, &run, text);
}

/* Keeps those mutants that need more cycles. */
static void keep_open(work_t *w) {
  unsigned kept = 0;
  for (unsigned i = 0; i < w->count; i++) {
    const mutant_t *m = &w->r->drawn.mutants[w->left[i]];
    bool done = w->mutate->by_probe ? m->out_killed : m->status == MUTANT_KILLED;
    if (!done && m->status != MUTANT_EQUIVALENT) w->left[kept++] = w->left[i];
  }
  w->count = kept;
}

/* Runs all open mutants through one profile, in batches, and rates the profile by its kills in a
 * cycle. */
static bool run_profile(work_t *w, unsigned profile, uint64_t cycles) {
  unsigned most = LANES_MANY * 64 - 1, at = 0, before = w->count;
  bool ok = true;
  do {
    unsigned num = w->count - at < most ? w->count - at : most;
    ok = run_batch(w, w->left + at, num, profile, cycles);
    at += num;
  } while (ok && at < w->count);
  keep_open(w);
  w->worth[profile] = (before - w->count) / (double)cycles;
  return ok;
}

/* Profiles that kill most come first: the others then have fewer lanes to run. */
static void put_in_order(work_t *w, unsigned n) {
  for (unsigned i = 1; i < n; i++)
    for (unsigned k = i; k && w->worth[w->order[k]] > w->worth[w->order[k - 1]]; k--) {
      unsigned swap = w->order[k];
      w->order[k] = w->order[k - 1];
      w->order[k - 1] = swap;
    }
}

/* Cycles are shared equally. The first profiles get one more each where they do not divide. */
static uint64_t share_of(const work_t *w, unsigned profile, uint64_t cycles) {
  const unsigned n = stim_of(w->r->dut)->num_profiles;
  return cycles / n + (profile < cycles % n);
}

static bool run_round(work_t *w, uint64_t cycles) {
  unsigned n = stim_of(w->r->dut)->num_profiles;
  put_in_order(w, n);
  for (unsigned i = 0; i < n && w->count; i++) {
    unsigned p = w->order[i];
    uint64_t share = share_of(w, p, cycles);
    if (share && !run_profile(w, p, share)) return false;
  }
  return true;
}

/* Did the block without a fault pass all cycles of each profile? */
static bool control_passed(const work_t *w, uint64_t cycles) {
  bool all = true;
  for (unsigned p = 0; p < stim_of(w->r->dut)->num_profiles; p++) all &= w->control[p] >= share_of(w, p, cycles);
  return all;
}

/* A run ends with its last kill. The block without a fault runs on alone: one that fails later
 * has no score. */
static void run_control(work_t *w) {
  bool ok = true;
  for (unsigned p = 0; ok && p < stim_of(w->r->dut)->num_profiles; p++) {
    const uint64_t share = share_of(w, p, w->mutate->cycles);
    if (w->control[p] < share) ok = run_batch(w, NULL, 0, p, share);
  }
}

static bool open_probes(mutate_result_t *r) {
  size_t size = (size_t)r->drawn.count * r->dut->num_ports;
  r->probe_seen = calloc(size, sizeof *r->probe_seen);
  r->probe_gain = calloc(size, sizeof *r->probe_gain);
  return r->probe_seen && r->probe_gain;
}

/* False: out of memory; the outcome says so. */
static bool open_work(work_t *w) {
  unsigned n = stim_of(w->r->dut)->num_profiles;
  w->left = calloc(w->r->drawn.count + 1, sizeof *w->left);
  w->order = calloc(n + 1, sizeof *w->order);
  w->worth = calloc(n + 1, sizeof *w->worth);
  w->control = calloc(n + 1, sizeof *w->control);
  if (!w->r->diverged) w->r->diverged = calloc((size_t)w->r->drawn.count * w->r->drawn.netlist.num_latches + 1, 1);
  bool ok = w->left && w->order && w->worth && w->control && w->r->diverged;
  for (unsigned i = 0; ok && i < n; i++) w->order[i] = i;
  if (!ok) fail_campaign(w->r, OUTCOME_INFRA, "out of memory");
  return ok;
}

static void close_work(work_t *w) {
  free(w->left);
  free(w->order);
  free(w->worth);
  free(w->control);
}

static void prove_within_cycle(const mutate_t *mutate, mutate_result_t *r);

/* Proofs within a cycle come before the long round, which has the most cycles: proved mutants
 * need none. */
static void run_rounds(work_t *w) {
  const mutate_t *mutate = w->mutate;
  uint64_t some[] = {mutate->cycles / SHORT / SHORT, mutate->cycles / SHORT};
  for (int i = 0; i < 2; i++)
    if (some[i] && !run_round(w, some[i])) return;
  if (mutate->proofs) {
    prove_within_cycle(mutate, w->r);
    keep_open(w);
  }
  if (w->r->outcome == OUTCOME_PASS && !w->r->stopped) run_round(w, mutate->cycles);
}

/* Mutants that survive a stimulus that compares nothing say nothing about it. */
static void nothing_compared(mutate_result_t *r, const char *why) {
  fail_campaign(r, OUTCOME_NOT_COMPARED, why);
  snprintf(r->model_text, sizeof r->model_text, "%.500s", r->trouble.text);
}

static void run_all(const mutate_t *mutate, mutate_result_t *r) {
  work_t w = {.mutate = mutate, .r = r};
  if (mutate->by_probe && !open_probes(r)) return fail_campaign(r, OUTCOME_INFRA, "out of memory");
  if (open_work(&w)) {
    for (; w.count < r->drawn.count; w.count++) w.left[w.count] = w.count;
    run_rounds(&w);
    if (r->outcome == OUTCOME_PASS && !r->stopped) run_control(&w);
    if (r->outcome == OUTCOME_PASS && !r->stopped && r->drawn.count && !r->compared)
      nothing_compared(r, r->out_of_reset ? COMPARED_NO_OUTPUT : COMPARED_NOTHING);
  }
  r->control_cycles = mutate->cycles;
  close_work(&w);
}

/* --- proofs */

/* Moves the mutants into memory that the processes of the proofs share. False: out of memory. */
static bool share_mutants(mutate_result_t *r) {
  drawn_t *drawn = &r->drawn;
  mutant_t *mutants = workers_memory((drawn->count + 1) * sizeof *mutants);
  if (!mutants) return false;
  memcpy(mutants, drawn->mutants, drawn->count * sizeof *mutants);
  free(drawn->mutants);
  drawn->mutants = mutants;
  return r->shared = true;
}

static prove_mutants_t proofs_of(const mutate_t *mutate, const mutate_result_t *r) {
  return (prove_mutants_t){
      .equivalent = {&r->bed, mutate->draw.work, mutate->proof_seconds, mutate->blind, mutate->stop, mutate->context},
      .mutants = r->drawn.mutants,
      .diverged = r->diverged,
      .count = r->drawn.count,
      .jobs = mutate->jobs};
}

/* Turns a failed process or a dead abc into the campaign's outcome. */
static void proofs_ended(const mutate_t *mutate, mutate_result_t *r, bool ok) {
  char text[128];
  for (unsigned i = 0; i < r->drawn.count; i++) {
    if (!r->drawn.mutants[i].lost) continue;
    snprintf(text, sizeof text, "proofs of mutants: yosys-abc ended with status %d and no answer",
             r->drawn.mutants[i].lost - 1);
    return fail_campaign(r, OUTCOME_INFRA, text);
  }
  if (!ok) fail_campaign(r, OUTCOME_INFRA, "a process of the proofs failed");
  r->stopped |= mutate->stop && mutate->stop(mutate->context);
}

static void prove_within_cycle(const mutate_t *mutate, mutate_result_t *r) {
  double since = clock_cpu();
  prove_mutants_t p = proofs_of(mutate, r);
  proofs_ended(mutate, r, prove_within(&p));
  r->cpu[PHASE_WITHIN] = clock_cpu() - since;
}

/* Proofs over time. A control that is proved equivalent makes every proof worthless. */
static void prove_rest(const mutate_t *mutate, mutate_result_t *r) {
  prove_mutants_t p = proofs_of(mutate, r);
  proofs_ended(mutate, r, prove_mutants(&p));
  for (unsigned i = 0; i < p.count; i++)
    r->proof_control_failed |= p.mutants[i].control && p.mutants[i].proved == MUTANT_EQUIVALENT;
  for (unsigned i = 0; i < p.count && r->proof_control_failed; i++)
    if (p.mutants[i].status == MUTANT_EQUIVALENT) p.mutants[i].status = MUTANT_UNDECIDED;
}

/* Without overflow. */
static uint64_t longer_cycles(const mutate_t *mutate) {
  return mutate->cycles > INT64_MAX / mutate->longer ? INT64_MAX : mutate->cycles * mutate->longer;
}

/* Mutants that inputs can show, or that are undecided, are worth more cycles of the stimulus. */
static void run_longer(const mutate_t *mutate, mutate_result_t *r) {
  work_t w = {.mutate = mutate, .r = r};
  bool ok = open_work(&w);
  for (unsigned i = 0; ok && i < r->drawn.count; i++) {
    mutant_status_t status = r->drawn.mutants[i].status;
    if (status == MUTANT_SURVIVED || status == MUTANT_UNDECIDED) w.left[w.count++] = i;
  }
  if (w.count && mutate->longer > 1) {
    run_round(&w, longer_cycles(mutate));
    if (control_passed(&w, longer_cycles(mutate))) r->control_cycles = longer_cycles(mutate);
  }
  close_work(&w);
}

/* Without proofs, whatever the stimulus left is undecided. */
static void give_up(mutate_result_t *r) {
  for (unsigned i = 0; i < r->drawn.count; i++)
    if (r->drawn.mutants[i].status == MUTANT_OPEN) r->drawn.mutants[i].status = MUTANT_UNDECIDED;
}

/* --- the netlist */

/* Leaves the mutant with this id alone. False: it was not drawn. */
static bool keep_one(drawn_t *drawn, unsigned id) {
  for (unsigned i = 0; i < drawn->count; i++) {
    if (drawn->mutants[i].place + 1 != id) continue;
    drawn->mutants[0] = drawn->mutants[i];
    drawn->count = 1;
    return true;
  }
  return false;
}

/* The port file's resets by their names in the RTL. */
static void add_resets(const block_t *block, bed_t *bed) {
  clocking_t clocking;
  char name[512];
  clocking_of_file(block->ports, &clocking);
  for (const clocking_reset_t *c = clocking.resets; c < clocking.resets + clocking.num_resets; c++) {
    memcpy(name, c->name, sizeof c->name);
    if (*block->folder) rtl_named_clock(&block->read, c->name, name, sizeof name);
    bed_add_reset(bed, name, !c->low);
  }
}

/* Builds and loads what the campaign needs, and draws the mutants. False: the outcome or
 * `stopped` says why. */
static bool prepare_block(const mutate_t *mutate, mutate_result_t *r) {
  char path[BUILD_PATH];
  const block_t *b = mutate->draw.block;
  const places_t *places = &mutate->places;
  rtl_t read;
  draw_t draw = mutate->draw;
  draw.read = &read;
  /* rtl: built for its check of the ports alone; the tree's own blocks have been */
  if (((*b->folder || *b->instead) && !block_object(b, places, "rtl", path, &r->trouble)) ||
      (*b->folder && !block_text(b, places, b->params, "mutants do", &read, &r->trouble)) ||
      !block_object(b, places, "model", path, &r->trouble) || !dut_load(path, &r->dut, &r->trouble))
    return r->outcome = outcome_of(&r->trouble), false;
  if (!compared_could_be(r->dut)) return nothing_compared(r, COMPARED_NO_OUTPUT), false;
  answer_t answer = draw_mutants(&draw, &r->drawn, &r->trouble);
  if (answer == ANSWER_STOPPED) r->stopped = true;
  else if (answer != ANSWER_HOLDS) fail_campaign(r, answer == ANSWER_BAD ? OUTCOME_BAD_INPUT : OUTCOME_INFRA, "");
  if (answer != ANSWER_HOLDS) return false;
  if (!r->drawn.count) {
    fail_campaign(r, OUTCOME_BAD_INPUT, "no logic or output of its own to mutate (memories are left alone)");
    return false;
  }
  if (mutate->only && !keep_one(&r->drawn, mutate->only)) {
    trouble_set(&r->trouble, TROUBLE_INPUT, "no mutant %u among the %u drawn with this seed and count", mutate->only,
                r->drawn.count);
    fail_campaign(r, OUTCOME_BAD_INPUT, "");
    return false;
  }
  if (bed_open(&r->bed, r->dut, &r->drawn.netlist, &r->trouble)) return add_resets(b, &r->bed), true;
  fail_campaign(r, OUTCOME_BAD_INPUT, "");
  return false;
}

static void end_phase(mutate_result_t *r, mutate_phase_t phase, double *since) {
  double now = clock_cpu();
  r->cpu[phase] = now - *since;
  *since = now;
}

void mutate_run(const mutate_t *mutate, mutate_result_t *r) {
  memset(r, 0, sizeof *r);
  double start = clock_seconds(), since = clock_cpu();
  bool ready = prepare_block(mutate, r);
  r->draw_seconds = clock_seconds() - start;
  end_phase(r, PHASE_DRAW, &since);
  if (ready && !share_mutants(r)) fail_campaign(r, OUTCOME_INFRA, "out of memory"), ready = false;
  if (ready) run_all(mutate, r);
  r->run_seconds = clock_seconds() - start - r->draw_seconds;
  end_phase(r, PHASE_STIMULUS, &since);
  r->cpu[PHASE_STIMULUS] -= r->cpu[PHASE_WITHIN];
  if (ready && r->outcome == OUTCOME_PASS && !r->stopped) {
    if (mutate->proofs) prove_rest(mutate, r);
    else give_up(r);
    end_phase(r, PHASE_PROOFS, &since);
    if (mutate->proofs && !r->stopped) run_longer(mutate, r);
    end_phase(r, PHASE_LONGER, &since);
  }
  r->seconds = clock_seconds() - start;
}

void mutate_free(mutate_result_t *r) {
  bed_close(&r->bed);
  free(r->diverged);
  free(r->probe_seen);
  free(r->probe_gain);
  if (r->shared)
    workers_memory_free(r->drawn.mutants, (r->drawn.count + 1) * sizeof *r->drawn.mutants), r->drawn.mutants = NULL;
  draw_free(&r->drawn);
}
