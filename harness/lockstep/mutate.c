/* SPDX-License-Identifier: Apache-2.0
 *
 * Every mutant starts from power-up, with the same stimulus as every other: the fault is in it during the first reset too.
 */
#include "mutate.h"

#include "stim_default.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what was drawn */

/* "/tree/rtl/lib/x.sv:25.3-27.9" as "rtl/lib/x.sv:25". */
static void source_line(const char *word, const char *root, char *source) {
  size_t n = strlen(root);
  if (strncmp(word, root, n) == 0 && word[n] == '/') word += n + 1;
  size_t name = strcspn(word, "|"); /* several, when cells were merged: the first */
  const char *colon = memrchr(word, ':', name);
  if (colon) name = (size_t)(colon - word) + 1 + strspn(colon + 1, "0123456789");
  snprintf(source, MUTANT_TEXT, "%.*s", (int)(name < MUTANT_TEXT ? name : MUTANT_TEXT - 1), word);
}

static void option(mutant_t *m, const char *name, const char *value, const char *root) {
  if (strcmp(name, "-mode") == 0) snprintf(m->mode, sizeof m->mode, "%.15s", value);
  else if (strcmp(name, "-module") == 0) snprintf(m->module, MUTANT_TEXT, "%s", value);
  else if (strcmp(name, "-cell") == 0) snprintf(m->cell, MUTANT_TEXT, "%s", value);
  else if (strcmp(name, "-port") == 0) snprintf(m->port, sizeof m->port, "%.63s", value);
  else if (strcmp(name, "-portbit") == 0) m->bit = (int)strtol(value, NULL, 10);
  else if (strcmp(name, "-src") == 0) source_line(value, root, m->source); /* the wire's first, the cell's last */
}

/* mutate -ctrl NAME WIDTH NUMBER -mode inv -module X -cell Y -port A -portbit 0 [-wire W -wirebit 0] -src FILE:LINE ... */
static void read_mutant(mutant_t *m, char *line, const char *root) {
  char *rest, *name, *value;
  memset(m, 0, sizeof *m);
  for (name = strtok_r(line, " \n", &rest); name; name = strtok_r(NULL, " \n", &rest)) {
    if (*name != '-') continue;
    if (!(value = strtok_r(NULL, " \n", &rest))) break;
    option(m, name, value, root);
  }
}

static outcome_t read_mutants(const mutate_t *mutate, const char *object, mutate_result_t *r) {
  char path[BUILD_PATH + 16], *line = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%.*s/mutants.txt", (int)(strrchr(object, '/') - object), object);
  FILE *file = fopen(path, "r");
  r->mutants = calloc(MUTANTS_MOST, sizeof *r->mutants);
  if (!file || !r->mutants) snprintf(r->error, sizeof r->error, "%.3000s: %s", path, strerror(errno));
  while (file && r->mutants && r->count < MUTANTS_MOST && getline(&line, &size, file) > 0)
    read_mutant(&r->mutants[r->count++], line, mutate->places.source);
  free(line);
  if (file) fclose(file);
  return file && r->mutants ? OUTCOME_PASS : OUTCOME_INFRA;
}

/* --- runs */

typedef struct {
  const mutate_t *mutate;
  mutate_result_t *result;
  lockstep_t ls;
} work_t;

static bool going_on(void *context, uint64_t done) {
  work_t *w = context;
  (void)done;
  const mutate_t *mutate = w->mutate;
  if (mutate->on_mutant && !mutate->on_mutant(mutate->context, w->result->done, w->result->count)) w->result->stopped = true;
  return !w->result->stopped;
}

/* One profile of one mutant, from power-up. INFRA: out of memory. */
static outcome_t run_profile(work_t *w, unsigned profile, uint64_t cycles) {
  driver_t driver;
  if (!lockstep_power_up(&w->ls)) return w->ls.outcome;
  outcome_t outcome = OUTCOME_INFRA;
  if (driver_open(&driver, w->result->dut, w->mutate->seed, profile))
    outcome = run_stimulus(&w->ls, &driver, cycles, going_on, w);
  driver_close(&driver);
  return outcome;
}

static outcome_t run_mutant(work_t *w, unsigned number, mutant_t *m, uint64_t *cycles) {
  const stim_t *stim = stim_of(w->result->dut);
  uint64_t all = w->mutate->cycles, n = stim->num_profiles;
  outcome_t outcome = OUTCOME_PASS;
  w->result->dut->set_mutant(number);
  for (unsigned p = 0; p < n && outcome == OUTCOME_PASS && !w->result->stopped; p++) {
    uint64_t share = all / n + (p < all % n);
    if (share) outcome = run_profile(w, p, share);
    if (share) *cycles += w->ls.cycle;
    m->profile = stim->profiles[p].name;
  }
  m->killed = outcome != OUTCOME_PASS;
  failure_of(&w->ls, &m->failure);
  return outcome;
}

static void run_all(work_t *w) {
  mutate_result_t *r = w->result;
  uint64_t cycles = 0;
  double start = run_clock();
  r->outcome = run_mutant(w, 0, &r->control, &r->control_cycles);
  if (r->outcome == OUTCOME_PASS) {
    for (; r->done < r->count && !r->stopped; r->done++) {
      mutant_t *m = &r->mutants[r->done];
      r->outcome = run_mutant(w, r->done + 1, m, &cycles);
      if (r->stopped || r->outcome == OUTCOME_INFRA) break;
      r->killed += m->killed;
      r->outcome = OUTCOME_PASS;
    }
  }
  if (r->outcome == OUTCOME_INFRA) snprintf(r->error, sizeof r->error, "out of memory");
  r->seconds = run_clock() - start;
}

void mutate_run(const mutate_t *mutate, mutate_result_t *r) {
  char path[BUILD_PATH];
  work_t w = {.mutate = mutate, .result = r};
  memset(r, 0, sizeof *r);
  r->outcome = block_object(mutate->block, &mutate->places, "mutants", path, r->error, sizeof r->error);
  if (r->outcome == OUTCOME_PASS) r->outcome = read_mutants(mutate, path, r);
  if (r->outcome == OUTCOME_PASS && !dut_load(path, &r->dut, r->error, sizeof r->error)) r->outcome = OUTCOME_INFRA;
  if (r->outcome != OUTCOME_PASS) return;
  r->dut->set_mutant(0);
  if (lockstep_open(&w.ls, r->dut)) {
    run_all(&w);
  } else {
    r->outcome = w.ls.outcome == OUTCOME_INFRA ? OUTCOME_INFRA : OUTCOME_BAD_INPUT;
    snprintf(r->error, sizeof r->error, "%s", w.ls.text);
  }
  lockstep_close(&w.ls);
}

void mutate_free(mutate_result_t *result) {
  free(result->mutants);
  result->mutants = NULL;
}
