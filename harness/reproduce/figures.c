/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "quantity.h"

const figure_system_t *const figure_systems[] = {&figures_mpu, NULL};
const double figure_tolerance = 0.25;

const figure_system_t *figure_system(const char *name) {
  for (const figure_system_t *const *s = figure_systems; *s; s++)
    if (!strcmp((*s)->name, name)) return *s;
  return NULL;
}

int figure_index(const figure_system_t *system, const char *id) {
  for (unsigned i = 0; i < system->num_figures; i++)
    if (!strcmp(system->figures[i].id, id)) return (int)i;
  return -1;
}

int figure_workload(const figure_system_t *system, const char *name) {
  for (unsigned i = 0; i < system->num_workloads; i++)
    if (!strcmp(system->workloads[i], name)) return (int)i;
  return -1;
}

/* Is `word` one of the words of `text`? */
static bool among(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *p = text; (p = strstr(p, word)); p += length)
    if ((p == text || p[-1] == ' ') && (!p[length] || p[length] == ' ')) return true;
  return false;
}

bool figure_has(const figure_t *figure, const char *workload) {
  const char *list = figure->workloads;
  return !list || (*list == '-' ? !among(list + 1, workload) : among(list, workload));
}

static unsigned choices(const figure_t *figure) {
  return figure->best_of ? figure->best_of : 1;
}

bool figure_needs(const figure_t *figure, unsigned configuration) {
  return figure->over_in == configuration || configuration - figure->under_in < choices(figure);
}

/* ---- Arithmetic ------------------------------------------------------------------------------------------------------ */

double figure_quantity(const figure_quantity_t *of, const json_t *result) {
  char missing[QUANTITY_NAME];
  double value;
  return result && quantity(of->expression, result, &value, missing) ? value : NAN;
}

/* A figure by its quotient, and back; the geometric mean of gains is that of the quotients. */
static double of_quotient(const figure_t *figure, double quotient) {
  if (figure->kind == FIGURE_QUOTIENT) return quotient;
  return figure->kind == FIGURE_GAIN ? 100 * (quotient - 1) : 100 * (1 - quotient);
}

static double to_quotient(const figure_t *figure, double value) {
  if (figure->kind == FIGURE_QUOTIENT) return value;
  return figure->kind == FIGURE_GAIN ? 1 + value / 100 : 1 - value / 100;
}

double figure_value(const figure_system_t *system, const figure_t *figure, json_t *const result[]) {
  const figure_quantity_t *q = system->quantities;
  double best = NAN;
  for (unsigned i = 0; i < choices(figure); i++) {
    const double over = figure_quantity(&q[figure->over], result[figure->over_in]);
    const double under = figure_quantity(&q[figure->under], result[figure->under_in + i]);
    if (under == 0 || isnan(under)) return NAN; /* one that failed might have been the best */
    best = fmax(best, of_quotient(figure, (figure->kind == FIGURE_QUOTIENT ? figure->factor : 1) * over / under));
  }
  return best;
}

static void means(figure_result_t *r, unsigned workloads) {
  double sum = 0, logarithms = 0;
  for (unsigned w = 0; w < workloads; w++) {
    if (isnan(r->value[w])) continue;
    r->known++;
    sum += r->value[w];
    const double quotient = to_quotient(r->figure, r->value[w]);
    logarithms += quotient > 0 ? log(quotient) : NAN;
  }
  r->mean = r->known ? sum / r->known : NAN;
  r->geometric = r->known ? of_quotient(r->figure, exp(logarithms / r->known)) : NAN;
}

figure_result_t figure_compute(const figure_system_t *system, unsigned figure, json_t *const result[]) {
  figure_result_t r = {.figure = &system->figures[figure], .paper = published_find(system->figures[figure].id)};
  for (unsigned w = 0; w < system->num_workloads; w++)
    r.value[w] = figure_has(r.figure, system->workloads[w]) ? figure_value(system, r.figure, result + w * system->num_configurations) : NAN;
  means(&r, system->num_workloads);
  r.ratio = r.mean / strtod(r.paper->value, NULL);
  return r;
}

bool figure_misses(const figure_result_t *result) {
  return fabs(result->ratio - 1) > figure_tolerance;
}
