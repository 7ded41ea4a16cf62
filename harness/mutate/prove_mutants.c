/* SPDX-License-Identifier: Apache-2.0 */
#include "prove_mutants.h"

#include "workers.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const prove_mutants_t *prove;
  unsigned *todo;
} work_t;

static bool job(void *context, unsigned i) {
  const work_t *w = context;
  mutant_t *m = &w->prove->mutants[w->todo[i]];
  verdict_t v = equivalent_check(&w->prove->equivalent, &m->fault, m->place + 1);
  if (v.status == MUTANT_OPEN) return true;
  if (m->control) {
    m->proved = v.status;
    return true;
  }
  memcpy(m->method, v.method, sizeof m->method);
  m->reason = v.reason;
  m->counterexample = v.cycles;
  m->status = v.status;
  return true;
}

static bool on_done(void *context, unsigned done) {
  const equivalent_t *e = context;
  (void)done;
  return !e->stop || !e->stop(e->context);
}

/* Some killed ones, spread over all of them. */
static void choose_controls(const prove_mutants_t *p) {
  unsigned killed = 0, at = 0, next = 0;
  for (unsigned i = 0; i < p->count; i++) killed += p->mutants[i].status == MUTANT_KILLED;
  for (unsigned i = 0; i < p->count; i++) {
    if (p->mutants[i].status != MUTANT_KILLED || at++ * CONTROLS < next * killed || next == CONTROLS) continue;
    p->mutants[i].control = true;
    next++;
  }
}

bool prove_mutants(const prove_mutants_t *p) {
  work_t w = {p, calloc(p->count + 1, sizeof(unsigned))};
  unsigned num = 0;
  if (!w.todo) return false;
  choose_controls(p);
  for (unsigned i = 0; i < p->count; i++)
    if (p->mutants[i].control || p->mutants[i].status == MUTANT_OPEN) w.todo[num++] = i;
  workers_t workers = {.job = job, .context = &w, .end = num, .jobs = p->jobs ? p->jobs : 1, .on_done = on_done,
                       .done_context = (void *)&p->equivalent};
  bool ok = workers_run(&workers) != WORKERS_FAILED;
  free(w.todo);
  return ok;
}
