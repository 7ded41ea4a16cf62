/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs are numbered like digits: point = (digit of axis 0, ..., digit of the last axis), and the
 * seeds of a point follow each other.
 */
#include "sweep.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_values.h"

/* ---- what a setting is ---- */

/* Is `argument`, of `length` characters, called `name`? "WORKLOAD|FILE.yaml" has two names; case
 * does not matter. */
static bool is_called(const char *argument, size_t length, const char *name) {
  const size_t n = strlen(name);
  for (const char *p = argument; p < argument + length;) {
    const size_t one = strcspn(p, "| ");
    if (one == n && !strncasecmp(p, name, n)) return true;
    p += one + 1;
  }
  return false;
}

/* The place of the argument `name` in "SYSTEM WORKLOAD|FILE.yaml"; -1: there is none. */
static int argument_called(const char *arguments, const char *name) {
  int place = 0;
  for (const char *p = arguments; *p; place++) {
    const size_t length = strcspn(p, " ");
    if (is_called(p, length, name)) return place;
    p += length + strspn(p + length, " ");
  }
  return -1;
}

/* How many arguments the verb has. */
static unsigned arguments_of(const char *arguments) {
  unsigned count = 0;
  for (const char *p = arguments; *p; count++) {
    p += strcspn(p, " ");
    p += strspn(p, " ");
  }
  return count;
}

/* Do the options of all runs have this option, or this key of --set, already? */
static bool is_given(const sweep_t *s, const sweep_axis_t *axis) {
  const size_t n = strlen(axis->name);
  for (size_t i = 0; i < json_array_size(s->options); i++) {
    const char *word = json_string_value(json_array_get(s->options, i)),
               *before = i ? json_string_value(json_array_get(s->options, i - 1)) : "";
    if (axis->kind == SWEEP_SET ? !strcmp(before, "--set") && !strncmp(word, axis->name, n) && word[n] == '='
                                : !strncmp(word, "--", 2) && !strcmp(word + 2, axis->name))
      return true;
  }
  return false;
}

/* An argument of that name comes first, then an option of the verb, else the name is a key of
 * --set. */
static bool find_kind(sweep_t *s, sweep_axis_t *axis) {
  const int place = argument_called(s->grammar.arguments, axis->name);
  const suite_option_t option = s->grammar.option(s->verb, axis->name);
  axis->place = place < 0 ? 0 : (unsigned)place;
  axis->kind = SWEEP_SET;
  if (place >= 0) axis->kind = SWEEP_ARGUMENT;
  else if (option >= SUITE_VALUE) axis->kind = SWEEP_OPTION;
  else if (option == SUITE_FLAG) axis->kind = SWEEP_FLAG;
  if (!strcmp(axis->name, "set"))
    return trouble_set(&s->trouble, TROUBLE_INPUT,
                       "--over set: the setting's own key would be right, as in --over gpu.sms=16,32");
  if (!strcmp(axis->name, "json"))
    return trouble_set(&s->trouble, TROUBLE_INPUT, "--over json: each run's result is the sweep's");
  if (axis->kind != SWEEP_ARGUMENT && is_given(s, axis))
    return trouble_set(&s->trouble, TROUBLE_INPUT, "--over %s: it is given as an option, too; leave one out",
                       axis->name);
  return true;
}

static bool is_truth(const char *value) {
  return !strcmp(value, "true") || !strcmp(value, "false");
}

static bool check_values(sweep_t *s, const sweep_axis_t *axis) {
  for (unsigned i = 0; i < axis->values; i++)
    if (axis->kind == SWEEP_FLAG && !is_truth(axis->value[i]))
      return trouble_set(&s->trouble, TROUBLE_INPUT, "--over %s: '%.60s' should be true or false", axis->name,
                         axis->value[i]);
  return true;
}

/* Checks all that is known before a run starts. A mistake in the last axis must not cost hours. */
bool sweep_over(sweep_t *s, const char *text) {
  const char *equals = strchr(text, '=');
  trouble_t trouble = {0};
  if (!equals || equals == text)
    return trouble_set(&s->trouble, TROUBLE_INPUT,
                       "--over: '%.60s' should be KEY=VALUES, as in gpu.sms=16,32 or rate=.1..1/.1", text);
  if (s->axes == SWEEP_AXES) return trouble_set(&s->trouble, TROUBLE_INPUT, "--over: more than %d", SWEEP_AXES);
  sweep_axis_t *axis = &s->axis[s->axes++];
  if (!(axis->name = strndup(text, (size_t)(equals - text)))) return trouble_memory(&s->trouble);
  for (unsigned i = 0; i + 1 < s->axes; i++)
    if (!strcmp(s->axis[i].name, axis->name))
      return trouble_set(&s->trouble, TROUBLE_INPUT, "--over %s: given twice; one list would be right", axis->name);
  if (!find_kind(s, axis)) return false;
  if (!sweep_values(equals + 1, SWEEP_RUNS, &axis->value, &axis->values, &trouble))
    return trouble_set(&s->trouble, trouble.kind, "--over %s: %s", axis->name, trouble.text);
  return check_values(s, axis);
}

/* ---- runs ---- */

/* Which value the axis has at this point; the last axis counts fastest. */
static unsigned axis_digit(const sweep_t *s, unsigned point, unsigned axis) {
  for (unsigned a = s->axes; --a > axis;) point /= s->axis[a].values;
  return point % s->axis[axis].values;
}

const char *sweep_value(const sweep_t *s, unsigned point, unsigned axis) {
  return s->axis[axis].value[axis_digit(s, point, axis)];
}

static void add_word(json_t *words, const char *word) {
  json_array_append_new(words, json_string(word));
}

/* Axes fill their places; given words fill the other places in order. False: a given word is
 * left. */
static bool add_arguments(const sweep_t *s, unsigned point, json_t *words) {
  const unsigned count = arguments_of(s->grammar.arguments);
  size_t next = 0;
  for (unsigned place = 0; place < count; place++) {
    const char *word = NULL;
    for (unsigned a = 0; a < s->axes; a++)
      if (s->axis[a].kind == SWEEP_ARGUMENT && s->axis[a].place == place) word = sweep_value(s, point, a);
    if (!word) word = json_string_value(json_array_get(s->arguments, next++));
    if (word) add_word(words, word);
  }
  return next >= json_array_size(s->arguments);
}

/* Adds the words of one axis; none for an argument, or for a flag that is false. */
static void add_setting(const sweep_t *s, unsigned point, unsigned a, json_t *words) {
  const sweep_axis_t *axis = &s->axis[a];
  const char *value = sweep_value(s, point, a);
  char *text = NULL;
  if (axis->kind == SWEEP_ARGUMENT || (axis->kind == SWEEP_FLAG && strcmp(value, "true"))) return;
  if (asprintf(&text, "--%s", axis->kind == SWEEP_SET ? "set" : axis->name) < 0) return;
  add_word(words, text);
  free(text);
  if (axis->kind == SWEEP_OPTION) add_word(words, value);
  if (axis->kind != SWEEP_SET || asprintf(&text, "%s=%s", axis->name, value) < 0) return;
  add_word(words, text);
  free(text);
}

/* The command line of a run, and its text as a shell takes it. */
static bool make_run(sweep_t *s, sweep_run_t *run) {
  char seed[32];
  run->args = json_pack("[s]", s->verb);
  if (!add_arguments(s, run->point, run->args))
    return trouble_set(&s->trouble, TROUBLE_INPUT,
                       "'%.60s' is an argument too many: %s has %s, and --over fills their places, too",
                       json_string_value(json_array_get(s->arguments, json_array_size(s->arguments) - 1)), s->verb,
                       *s->grammar.arguments ? s->grammar.arguments : "none");
  json_array_extend(run->args, s->options);
  for (unsigned a = 0; a < s->axes; a++) add_setting(s, run->point, a, run->args);
  snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
  if (s->seeds) add_word(run->args, "--seed"), add_word(run->args, seed);
  run->key = suite_command(run->args);
  for (unsigned m = 0; m < SWEEP_METRICS; m++) run->value[m] = NAN;
  return run->key || trouble_memory(&s->trouble);
}

bool sweep_plan(sweep_t *s) {
  const unsigned seeds = s->seeds ? s->seeds : 1;
  double runs = seeds;
  if (!s->axes && !s->seeds)
    return trouble_set(&s->trouble, TROUBLE_INPUT,
                       "nothing is swept over; --over KEY=VALUES or --seeds N would be right");
  for (unsigned a = 0; a < s->axes; a++) runs *= s->axis[a].values;
  if (runs > SWEEP_RUNS)
    return trouble_set(&s->trouble, TROUBLE_INPUT, "%.0f runs are too many; at most %d", runs, SWEEP_RUNS);
  s->runs = (unsigned)runs;
  s->points = s->runs / seeds;
  if (!(s->run = calloc(s->runs, sizeof *s->run))) return trouble_memory(&s->trouble);
  for (unsigned i = 0; i < s->runs; i++) {
    s->run[i] = (sweep_run_t){.point = i / seeds, .seed = s->seed + i % seeds};
    if (!make_run(s, &s->run[i])) return false;
  }
  return true;
}

/* ---- results ---- */

void sweep_take(const sweep_t *s, sweep_run_t *run, sweep_state_t state, const json_t *result) {
  run->state = state;
  if (!result || state == SWEEP_FAILED) return;
  for (unsigned m = 0; m < s->metrics; m++) run->value[m] = sweep_metric_value(&s->metric[m], result);
  run->unstable = json_is_false(json_object_get(result, "stable"));
}

/* The deviation is that of a sample (n - 1). */
sweep_spread_t sweep_spread(const sweep_t *s, unsigned point, unsigned metric) {
  const unsigned seeds = s->seeds ? s->seeds : 1;
  sweep_spread_t spread = {.mean = NAN, .least = NAN, .most = NAN};
  double sum = 0, squares = 0;
  for (unsigned i = point * seeds; i < (point + 1) * seeds; i++) {
    const double value = s->run[i].value[metric];
    if (isnan(value)) continue;
    sum += value;
    spread.least = spread.count ? fmin(spread.least, value) : value;
    spread.most = spread.count ? fmax(spread.most, value) : value;
    spread.unstable += s->run[i].unstable;
    spread.count++;
  }
  if (!spread.count) return spread;
  spread.mean = sum / spread.count;
  for (unsigned i = point * seeds; i < (point + 1) * seeds; i++)
    if (!isnan(s->run[i].value[metric])) squares += pow(s->run[i].value[metric] - spread.mean, 2);
  if (spread.count > 1) spread.deviation = sqrt(squares / (spread.count - 1));
  return spread;
}

unsigned sweep_count(const sweep_t *s, sweep_state_t state) {
  unsigned count = 0;
  for (unsigned i = 0; i < s->runs; i++) count += s->run[i].state == state;
  return count;
}

bool sweep_numbers(const sweep_axis_t *axis, double *number, const char **unit) {
  *unit = "";
  for (unsigned i = 0; i < axis->values; i++) {
    char *end;
    const double value = strtod(axis->value[i], &end);
    const bool good = end != axis->value[i] && isfinite(value) && (!*end || *end == '%' || *end == ' ');
    if (!good || (i && strcmp(*unit, end))) return false;
    *unit = end;
    if (number) number[i] = value;
  }
  return axis->values > 0;
}

/* Leaves an empty sweep, which may be freed again. */
void sweep_free(sweep_t *s) {
  for (unsigned a = 0; a < s->axes; a++) free(s->axis[a].name), sweep_values_free(s->axis[a].value, s->axis[a].values);
  for (unsigned m = 0; m < s->metrics; m++) sweep_metric_free(&s->metric[m]);
  for (unsigned i = 0; s->run && i < s->runs; i++) {
    json_decref(s->run[i].args);
    free(s->run[i].key);
    free(s->run[i].error);
  }
  free(s->run);
  json_decref(s->arguments);
  json_decref(s->options);
  *s = (sweep_t){0};
}
