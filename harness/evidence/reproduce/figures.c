/* SPDX-License-Identifier: Apache-2.0
 *
 * From results to figures:
 *
 *   figure_quantity   two numbers of two results      figure_value    one value for a workload
 *   compute_means     mean and geometric mean         compare_with_paper, figure_misses
 */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quantity.h"

const figure_system_t *const figure_systems[] = {&figures_nsu,   &figures_mpu,  &figures_tom,
                                                 &figures_nupim, &figures_near, NULL};
const double figure_gain_tolerance = 0.05;

const figure_system_t *figure_system(const char *name) {
  for (const figure_system_t *const *s = figure_systems; *s; s++)
    if (!strcmp((*s)->name, name)) return *s;
  return NULL;
}

int figure_index(const figure_system_t *system, const char *id) {
  for (unsigned i = 0; i < system->num_figures; i++)
    if (system->figures[i].id && !strcmp(system->figures[i].id, id)) return (int)i;
  return -1;
}

int figure_workload(const figure_system_t *system, const char *name) {
  for (unsigned i = 0; i < system->num_workloads; i++)
    if (!strcmp(system->workloads[i], name)) return (int)i;
  return -1;
}

/* Is `word` a word of `text`? Blanks separate words. */
static bool has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *p = text; (p = strstr(p, word)); p += length)
    if ((p == text || p[-1] == ' ') && (!p[length] || p[length] == ' ')) return true;
  return false;
}

/* "-kmn bfs": all but these. */
bool figure_has(const figure_t *figure, const char *workload) {
  const char *list = figure->workloads;
  return !list || (*list == '-' ? !has_word(list + 1, workload) : has_word(list, workload));
}

bool figure_in_class(const figure_class_t *of, const char *workload, figure_scale_t scale) {
  return (of->scale == FIGURE_ANY_SCALE || of->scale == scale) && has_word(of->workloads, workload);
}

/* Configurations, or pairs, that one value is chosen from. */
static unsigned count_choices(const figure_t *figure) {
  return figure->several ? figure->several : 1;
}

/* Is it one of the configurations of the numerator? Unsigned wrap-around makes smaller numbers
 * too large. */
static bool is_over_in(const figure_t *figure, unsigned configuration) {
  return configuration - figure->over_in < (figure->which == FIGURE_BEST ? 1 : count_choices(figure));
}

static bool is_under_in(const figure_t *figure, unsigned configuration) {
  return configuration - figure->under_in < (figure->which == FIGURE_BEST_RIVAL ? 1 : count_choices(figure));
}

bool figure_needs(const figure_t *figure, unsigned configuration) {
  return is_over_in(figure, configuration) || is_under_in(figure, configuration);
}

bool figure_reads(const figure_t *figure, unsigned configuration, unsigned quantity) {
  return (figure->over == quantity && is_over_in(figure, configuration)) ||
         (figure->under == quantity && is_under_in(figure, configuration));
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* A result that is a row has numbers by expression; a whole one is asked by quantity.h. An empty
 * expression is the number 1, for figures that divide by nothing. */
double figure_quantity(const figure_quantity_t *of, const json_t *result) {
  char missing[QUANTITY_NAME];
  double value;
  const json_t *row = json_object_get(result, FIGURE_ROW);
  if (row && *of->expression) {
    const json_t *known = json_object_get(row, of->expression);
    return known ? json_number_value(known) : NAN;
  }
  return result && quantity(of->expression, result, &value, missing) ? value : NAN;
}

/* A figure from its quotient, and to_quotient back. The geometric mean of gains is taken of
 * their quotients. */
static double of_quotient(const figure_t *figure, double quotient) {
  switch (figure->kind) {
  case FIGURE_GAIN: return 100 * (quotient - 1);
  case FIGURE_DROP: return 100 * (1 - quotient);
  case FIGURE_ADDED: return 100 * quotient / (1 - quotient);
  default: return quotient;
  }
}

/* The inverse of of_quotient. */
static double to_quotient(const figure_t *figure, double value) {
  switch (figure->kind) {
  case FIGURE_GAIN: return 1 + value / 100;
  case FIGURE_DROP: return 1 - value / 100;
  case FIGURE_ADDED: return value / (100 + value);
  default: return value;
  }
}

/* The value of one pair of configurations. NAN: a result is missing, or the divisor is 0. */
static double value_in(const figure_system_t *system, const figure_t *figure, json_t *const result[], unsigned over_at,
                       unsigned under_at) {
  const figure_quantity_t *q = system->quantities;
  const double over = figure_quantity(&q[figure->over], result[over_at]),
               under = figure_quantity(&q[figure->under], result[under_at]);
  if (under == 0 || isnan(under) || isnan(over)) return NAN;
  return of_quotient(figure, (figure->kind == FIGURE_QUOTIENT ? figure->factor : 1) * over / under);
}

/* Combines the next of several values with so_far, which is NAN before the first one. */
static double combine_value(const figure_t *figure, double so_far, double value) {
  switch (figure->which) {
  case FIGURE_SEEDS: return isnan(so_far) ? value : so_far + value;
  case FIGURE_BEST_RIVAL:
  case FIGURE_SEEDS_SMALLEST: return fmin(so_far, value);
  default: return fmax(so_far, value);
  }
}

double figure_value(const figure_system_t *system, const figure_t *figure, json_t *const result[]) {
  double all = NAN;
  for (unsigned i = 0; i < count_choices(figure); i++) {
    const unsigned over_at = figure->over_in + (figure->which == FIGURE_BEST ? 0 : i);
    const unsigned under_at = figure->under_in + (figure->which == FIGURE_BEST_RIVAL ? 0 : i);
    const double value = value_in(system, figure, result, over_at, under_at);
    if (isnan(value)) return NAN; /* the missing one might be the best */
    all = combine_value(figure, all, value);
  }
  return figure->which == FIGURE_SEEDS ? all / count_choices(figure) : all;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static void add_to_list(double value, void *context) {
  char *list = context;
  const size_t n = strlen(list);
  snprintf(list + n, FIGURES_LIST - n, "%s%.10g", n ? " " : "", value);
}

/* The numbers of a FIGURE_LIST, with blanks between. */
static void fill_list(const figure_system_t *system, const figure_t *figure, unsigned workload, json_t *const result[],
                      char list[FIGURES_LIST]) {
  if (figure->kind != FIGURE_LIST || !figure_has(figure, system->workloads[workload])) return;
  const json_t *of = result[workload * system->num_configurations + figure->over_in];
  if (of) quantity_each(system->quantities[figure->over].expression, of, add_to_list, list);
}

/* Over the workloads with a value. A quotient that is not positive makes the geometric mean NAN. */
static void compute_means(figure_result_t *r, unsigned workloads) {
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

/* Of two values, the one that is compared with the paper's. */
static double pick_compared(figure_compared_t compared, double one, double other) {
  if (compared == FIGURE_LARGEST) return fmax(one, other);
  if (compared == FIGURE_SMALLEST || isnan(one)) return fmin(one, other);
  return fabs(other) > fabs(one) ? other : one;
}

/* Sets what is compared, and its ratio to the paper's value. Gains in % compare as quotients: 1
 * % against 2 % is not half. */
static void compare_with_paper(figure_result_t *r, const figure_system_t *system) {
  const bool gain = r->figure->kind == FIGURE_GAIN;
  r->ours = r->figure->compared == FIGURE_MEAN ? r->mean : NAN;
  for (unsigned w = 0; w < system->num_workloads && r->figure->compared != FIGURE_MEAN; w++)
    if (!isnan(r->value[w])) r->ours = pick_compared(r->figure->compared, r->ours, r->value[w]);
  r->tolerance = r->figure->kind == FIGURE_EXACT ? 0 : system->tolerance;
  if (gain) r->tolerance = figure_gain_tolerance;
  r->ratio = NAN;
  if (!r->paper) return;
  const double theirs = strtod(r->paper->value, NULL);
  r->ratio = gain ? to_quotient(r->figure, r->ours) / to_quotient(r->figure, theirs) : r->ours / theirs;
}

/* The smallest or largest of the values whose mean the figure is. NAN: the figure is not over
 * seeds. */
static double over_seeds(const figure_system_t *system, const figure_t *f, figure_which_t which,
                         json_t *const result[]) {
  figure_t other = *f;
  other.which = which;
  return f->which == FIGURE_SEEDS && f->several > 1 ? figure_value(system, &other, result) : NAN;
}

/* result has one entry for each workload and configuration; r.value keeps each workload's own
 * value for the table, and the means are over those that are known. */
figure_result_t figure_compute(const figure_system_t *system, unsigned figure, json_t *const result[]) {
  const figure_t *f = &system->figures[figure];
  figure_result_t r = {.figure = f, .paper = f->id ? published_find(f->id) : NULL};
  for (unsigned w = 0; w < system->num_workloads; w++) {
    const bool has = figure_has(f, system->workloads[w]) && f->kind != FIGURE_LIST;
    r.value[w] = has ? figure_value(system, f, result + w * system->num_configurations) : NAN;
    r.least[w] = has ? over_seeds(system, f, FIGURE_SEEDS_SMALLEST, result + w * system->num_configurations) : NAN;
    r.most[w] = has ? over_seeds(system, f, FIGURE_SEEDS_LARGEST, result + w * system->num_configurations) : NAN;
    fill_list(system, f, w, result, r.list);
  }
  compute_means(&r, system->num_workloads);
  if (*r.list) r.known = 1;
  compare_with_paper(&r, system);
  return r;
}

/* Comparisons are written so that NAN misses: a value that is not known must not pass as
 * published. */
bool figure_misses(const figure_result_t *r) {
  if (!r->paper || !r->known) return false;
  if (r->figure->kind == FIGURE_LIST) return strcmp(r->list, r->paper->value) != 0;
  const double theirs = strtod(r->paper->value, NULL);
  if (!strcmp(r->paper->relation, "<")) return !(r->ours < theirs);
  if (!strcmp(r->paper->relation, ">")) return !(r->ours > theirs);
  if (!strcmp(r->paper->relation, "<=")) return !(r->ours <= theirs);
  return !(fabs(r->ratio - 1) <= r->tolerance);
}

/* Stable, so that equal values keep the order of the list. */
static void sort_falling(const double *value, unsigned *order, unsigned count) {
  for (unsigned i = 1; i < count; i++)
    for (unsigned k = i; k && value[order[k - 1]] < value[order[k]]; k--) {
      const unsigned swap = order[k];
      order[k] = order[k - 1], order[k - 1] = swap;
    }
}

/* Spearman's correlation by differences of places: 1 - 6 sum(d^2) / (n (n^2 - 1)). Ties are not
 * averaged; sort_falling gives them the order of the list. */
unsigned figure_orders(const figure_result_t *one, const figure_result_t *other, unsigned workloads,
                       unsigned order[2][FIGURES_WORKLOADS], double *correlation) {
  unsigned count = 0, place[FIGURES_WORKLOADS] = {0};
  double squares = 0;
  for (unsigned w = 0; w < workloads; w++)
    if (!isnan(one->value[w]) && !isnan(other->value[w])) order[0][count] = order[1][count] = w, count++;
  sort_falling(one->value, order[0], count);
  sort_falling(other->value, order[1], count);
  for (unsigned i = 0; i < count; i++) place[order[0][i]] = i;
  for (unsigned i = 0; i < count; i++) {
    const double apart = (double)place[order[1][i]] - i;
    squares += apart * apart;
  }
  *correlation = count < 2 ? NAN : 1 - 6 * squares / ((double)count * ((double)count * count - 1));
  return count;
}
