/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

bool figure_needs(const figure_t *figure, unsigned configuration) {
  return figure->over_in == configuration || figure->under_in == configuration;
}

/* ---- Arithmetic ------------------------------------------------------------------------------------------------------ */

/* "a.b" of an object. */
static double member(const json_t *value, const char *path, size_t length) {
  while (value && length) {
    char key[64];
    size_t n = 0;
    while (n < length && path[n] != '.') n++;
    if (n >= sizeof key) return NAN;
    memcpy(key, path, n);
    key[n] = 0;
    value = json_object_get(value, key);
    path += n;
    length -= n;
    if (length) path++, length--;
  }
  return json_is_number(value) ? json_number_value(value) : NAN;
}

double figure_quantity(const figure_quantity_t *quantity, const json_t *result) {
  const char *path = quantity->paths;
  double sum = *path ? 0 : 1;
  while (*path) {
    size_t n = strcspn(path, " +");
    sum += member(result, path, n);
    path += n;
    path += strspn(path, " +");
  }
  return result ? sum : NAN;
}

double figure_value(const figure_system_t *system, const figure_t *figure, json_t *const result[]) {
  double over = figure_quantity(&system->quantities[figure->over], result[figure->over_in]);
  double under = figure_quantity(&system->quantities[figure->under], result[figure->under_in]);
  return under == 0 ? NAN : figure->factor * over / under;
}

static void means(figure_result_t *r, unsigned workloads) {
  double sum = 0, logarithms = 0;
  for (unsigned w = 0; w < workloads; w++) {
    if (isnan(r->value[w])) continue;
    r->known++;
    sum += r->value[w];
    logarithms += r->value[w] > 0 ? log(r->value[w]) : NAN;
  }
  r->mean = r->known ? sum / r->known : NAN;
  r->geometric = r->known ? exp(logarithms / r->known) : NAN;
}

figure_result_t figure_compute(const figure_system_t *system, unsigned figure, json_t *const result[]) {
  figure_result_t r = {.figure = &system->figures[figure], .paper = published_find(system->figures[figure].id)};
  for (unsigned w = 0; w < system->num_workloads; w++)
    r.value[w] = figure_value(system, r.figure, result + w * system->num_configurations);
  means(&r, system->num_workloads);
  r.ratio = r.mean / strtod(r.paper->value, NULL);
  return r;
}

bool figure_misses(const figure_result_t *result) {
  return fabs(result->ratio - 1) > figure_tolerance;
}
