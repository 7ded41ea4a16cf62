/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs run in processes (workers.h) that share the mutants' memory. A job has many questions
 * about one cycle, or one question over time.
 */
#include "prove_mutants.h"

#include "workers.h"

#include <stdlib.h>
#include <string.h>

enum {
  TOGETHER = 32, /* questions to a process */
  CONTROL_SECONDS = 2
}; /* a control that is not decided costs no more */

typedef struct {
  const prove_mutants_t *prove;
  unsigned *todo, count, together;
} work_t;

static asked_t asked_of(const work_t *w, unsigned i) {
  const prove_mutants_t *p = w->prove;
  unsigned mutant = w->todo[i];
  return (asked_t){.fault = &p->mutants[mutant].fault,
                   .number = p->mutants[mutant].place + 1,
                   .diverged = p->diverged + (size_t)mutant * p->equivalent.bed->netlist->num_latches};
}

/* A control keeps its status, and only `proved` says what the proof found. */
static void record_verdict(mutant_t *m, const verdict_t *v) {
  if (v->status == MUTANT_OPEN) return;
  if (m->control) {
    m->proved = v->status;
    return;
  }
  memcpy(m->method, v->method, sizeof m->method);
  m->reason = v->reason;
  m->counterexample = v->cycles;
  m->status = v->status;
}

/* An abc that does nothing (status 0, no answer) or dies on a control is broken, because
 * controls are easy. It may die on a hard question: that mutant is undecided. */
static bool is_lost(mutant_t *m, const verdict_t *v) {
  if (v->lost && (m->control || v->lost == 1)) m->lost = v->lost;
  return m->lost;
}

static bool check_within(void *context, unsigned i) {
  const work_t *w = context;
  asked_t asked[TOGETHER];
  unsigned first = i * w->together, num = w->count - first < w->together ? w->count - first : w->together;
  bool ok = true;
  for (unsigned k = 0; k < num; k++) asked[k] = asked_of(w, first + k);
  equivalent_within(&w->prove->equivalent, asked, num);
  for (unsigned k = 0; k < num; k++) {
    mutant_t *m = &w->prove->mutants[w->todo[first + k]];
    m->asked = true;
    record_verdict(m, &asked[k].verdict);
    ok &= !is_lost(m, &asked[k].verdict);
  }
  return ok;
}

/* Job: one question over time. */
static bool over_time(void *context, unsigned i) {
  const work_t *w = context;
  asked_t asked = asked_of(w, i);
  equivalent_t e = w->prove->equivalent;
  if (w->prove->mutants[w->todo[i]].control && e.seconds > CONTROL_SECONDS) e.seconds = CONTROL_SECONDS;
  equivalent_check(&e, &asked);
  mutant_t *m = &w->prove->mutants[w->todo[i]];
  record_verdict(m, &asked.verdict);
  return !is_lost(m, &asked.verdict);
}

static bool on_done(void *context, unsigned done) {
  const equivalent_t *e = context;
  (void)done;
  return !e->stop || !e->stop(e->context);
}

/* Picks CONTROLS killed mutants, spread over all of them. */
static void choose_controls(const prove_mutants_t *p) {
  unsigned killed = 0, at = 0, next = 0;
  for (unsigned i = 0; i < p->count; i++) killed += p->mutants[i].status == MUTANT_KILLED;
  for (unsigned i = 0; i < p->count; i++) {
    if (p->mutants[i].status != MUTANT_KILLED || at++ * CONTROLS < next * killed || next == CONTROLS) continue;
    p->mutants[i].control = true;
    next++;
  }
}

static bool has_diverged(const prove_mutants_t *p, unsigned i) {
  const unsigned char *diverged = p->diverged + (size_t)i * p->equivalent.bed->netlist->num_latches;
  return memchr(diverged, BED_SEEN, p->equivalent.bed->netlist->num_latches);
}

/* Open mutants and controls. first: only those worth a question about one cycle. */
static void find_todo(work_t *w, bool first) {
  const prove_mutants_t *p = w->prove;
  w->count = 0;
  for (unsigned i = 0; i < p->count; i++) {
    const mutant_t *m = &p->mutants[i];
    if (m->control ? m->proved != MUTANT_OPEN : m->status != MUTANT_OPEN) continue;
    if (!first || m->control || (!m->asked && !has_diverged(p, i))) w->todo[w->count++] = i;
  }
}

/* False: a process failed. Stopped counts as ended. */
static bool run_proofs(work_t *w, bool (*job)(void *context, unsigned i), unsigned jobs) {
  const prove_mutants_t *p = w->prove;
  workers_t workers = {.job = job,
                       .context = w,
                       .end = jobs,
                       .jobs = p->jobs ? p->jobs : 1,
                       .on_done = on_done,
                       .done_context = (void *)&p->equivalent};
  return workers_run(&workers) != WORKERS_FAILED;
}

/* Shares the questions equally among the processes, up to TOGETHER in a job. */
static bool ask_within(work_t *w) {
  unsigned jobs = w->prove->jobs ? w->prove->jobs : 1;
  find_todo(w, true);
  unsigned share = (w->count + jobs - 1) / jobs;
  w->together = share < TOGETHER ? share + !share : TOGETHER;
  return run_proofs(w, check_within, (w->count + w->together - 1) / w->together);
}

bool prove_within(const prove_mutants_t *p) {
  work_t w = {.prove = p, .todo = calloc(p->count + 1, sizeof(unsigned))};
  bool ok = w.todo && ask_within(&w);
  free(w.todo);
  return ok;
}

bool prove_mutants(const prove_mutants_t *p) {
  work_t w = {.prove = p, .todo = calloc(p->count + 1, sizeof(unsigned))};
  choose_controls(p);
  bool ok = w.todo && ask_within(&w); /* the controls, and what long runs have not seen to diverge either */
  if (ok && on_done((void *)&p->equivalent, 0)) {
    find_todo(&w, false);
    ok = run_proofs(&w, over_time, w.count);
  }
  free(w.todo);
  return ok;
}
