/* SPDX-License-Identifier: Apache-2.0
 *
 * Names come from three places: the list sweep_metrics.def, numbers of the result, and counters
 * of its parts.
 */
#include "sweep_metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "part.h"
#include "quantity.h"

typedef struct {
  const char *schema, *name, *over, *under;
  bool usual;
  const char *unit, *text;
} known_t;

static const known_t known[] = {
#define METRIC(schema, name, over, under, usual, unit, text) {schema, name, over, under, usual, unit, text},
#include "sweep_metrics.def"
};
enum { KNOWN = sizeof known / sizeof *known };

/* Does the schema "lockstack.run/1" of `like` have the verb of the list's entry? */
static bool is_of_verb(const known_t *k, const json_t *like) {
  const char *schema = json_string_value(json_object_get(like, "schema"));
  const size_t n = strlen(k->schema);
  return schema && !strncmp(schema, "lockstack.", 10) && !strncmp(schema + 10, k->schema, n) && schema[10 + n] == '/';
}

/* NULL: the list has no such name for this verb. */
static const known_t *find_metric(const char *name, const json_t *like) {
  for (unsigned i = 0; i < KNOWN; i++)
    if (is_of_verb(&known[i], like) && !strcmp(known[i].name, name)) return &known[i];
  return NULL;
}

const char *sweep_metric_usual(const json_t *like, unsigned i) {
  for (unsigned k = 0; k < KNOWN; k++)
    if (known[k].usual && is_of_verb(&known[k], like) && !i--) return known[k].name;
  return NULL;
}

/* ---- what there is ---- */

typedef void see_t(void *context, const char *name, const char *unit, const char *text);

/* Calls see() for every number of an object; nested objects put a dot into the name. */
static void each_number(const json_t *object, const char *prefix, see_t *see, void *context) {
  const char *key;
  json_t *value;
  char name[QUANTITY_NAME];
  json_object_foreach((json_t *)object, key, value) {
    snprintf(name, sizeof name, "%s%s", prefix, key);
    if (json_is_number(value)) see(context, name, "", "");
    if (json_is_object(value)) each_number(value, strcat(name, "."), see, context);
  }
}

/* NULL: no part of this kind has counters. */
static const counter_t *counters_of(const char *kind) {
  for (const part_kind_t *const *k = part_kinds; *k; k++)
    if (!strcmp((*k)->name, kind)) return (*k)->counters;
  return NULL;
}

/* "stack:row_hits", and "stack:reads.GPU" for a counter with labels. */
static void each_counter(const char *kind, see_t *see, void *context) {
  char name[QUANTITY_NAME];
  for (const counter_t *c = counters_of(kind); c && c->name; c++)
    for (unsigned i = 0; i < c->number; i++) {
      if (c->label && !strcmp(c->label(i), "?")) continue;
      snprintf(name, sizeof name, "%s:%s%s%s", kind, c->name, c->label ? "." : "", c->label ? c->label(i) : "");
      see(context, name, c->unit, c->text);
    }
}

/* A system has many parts of a kind; their counters are listed once. */
static void each_part(const json_t *parts, see_t *see, void *context) {
  const char *name, *other_name;
  json_t *part, *other;
  json_object_foreach((json_t *)parts, name, part) {
    const char *kind = json_string_value(json_object_get(part, "part"));
    bool seen = false;
    json_object_foreach((json_t *)parts, other_name, other) {
      if (other == part) break;
      seen = seen || !strcmp(json_string_value(json_object_get(other, "part")), kind);
    }
    if (!seen) each_counter(kind, see, context);
  }
}

/* Members that say what a run was asked for are no counts. */
static bool is_count(const char *key) {
  static const char *const asked[] = {"provenance", "parameters", "settings", "engines", "parts", "seed", "energy"};
  for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++)
    if (!strcmp(key, asked[i])) return false;
  return true;
}

/* `like` of a verb without `parts` names only the list's metrics: its numbers come with the run. */
void sweep_metric_each(const json_t *like, see_t *see, void *context) {
  const char *key;
  json_t *value, *parts = json_object_get(like, "parts"), *counts = json_object();
  for (unsigned i = 0; i < KNOWN; i++)
    if (is_of_verb(&known[i], like)) see(context, known[i].name, known[i].unit, known[i].text);
  if (!parts) return json_decref(counts);
  json_object_foreach((json_t *)like, key, value) if (is_count(key) && !find_metric(key, like))
      json_object_set(counts, key, value);
  each_number(counts, "", see, context);
  each_part(parts, see, context);
  json_decref(counts);
}

static void try_name(void *context, const char *name, const char *unit, const char *text) {
  (void)unit, (void)text;
  nearest_try(context, name);
}

/* ---- one ---- */

/* Always false. */
static bool report_unknown(const char *missing, const json_t *like, trouble_t *trouble) {
  nearest_t near;
  nearest_start(&near, missing);
  sweep_metric_each(like, try_name, &near);
  return trouble_set(trouble, TROUBLE_INPUT, "no metric '%.100s'; --metrics lists them%s", missing,
                     nearest_text(&near));
}

/* A result without `parts` names nothing before its run, so only the list's metrics are
 * accepted. */
bool sweep_metric_there(const sweep_metric_t *m, const json_t *like, trouble_t *trouble) {
  double value;
  char missing[QUANTITY_NAME];
  if (find_metric(m->name, like)) return true;
  if (!json_object_get(like, "parts")) return report_unknown(m->name, like, trouble);
  if (!quantity(m->over, like, &value, missing) || !quantity(m->under, like, &value, missing))
    return report_unknown(missing, like, trouble);
  return true;
}

/* A counter alone has its unit; a sum or quotient has none. */
static void describe_counter(sweep_metric_t *m) {
  char kind[QUANTITY_NAME], name[QUANTITY_NAME];
  const char *colon = strchr(m->over, ':');
  if (*m->under || strchr(m->over, ' ') || !colon) return;
  snprintf(kind, sizeof kind, "%.*s", (int)(colon - m->over), m->over);
  snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 1, "."), colon + 1);
  const counter_t *list = counters_of(kind), *c = list ? counters_find(list, name) : NULL;
  if (c) m->unit = c->unit, m->text = c->text;
}

/* The list's names come first, so a name cannot change its meaning with a new counter. */
bool sweep_metric(sweep_metric_t *m, const char *text, const json_t *like, trouble_t *trouble) {
  const known_t *k = find_metric(text, like);
  const char *bar = strstr(text, " / ");
  *m = (sweep_metric_t){.name = text, .unit = "", .text = ""};
  m->over = k ? strdup(k->over) : strndup(text, bar ? (size_t)(bar - text) : strlen(text));
  const char *under = bar ? bar + 3 : "";
  m->under = strdup(k ? k->under : under);
  if (!m->over || !m->under) return trouble_memory(trouble);
  if (!*m->over) return trouble_set(trouble, TROUBLE_INPUT, "a metric is missing; --metrics lists them");
  if (k) m->unit = k->unit, m->text = k->text;
  else describe_counter(m);
  return sweep_metric_there(m, like, trouble);
}

void sweep_metric_free(sweep_metric_t *m) {
  free(m->over);
  free(m->under);
  *m = (sweep_metric_t){0};
}

/* A divisor of 0, as of a run without any such event, gives NaN and not infinity. */
double sweep_metric_value(const sweep_metric_t *m, const json_t *result) {
  double over, under;
  char missing[QUANTITY_NAME];
  if (!quantity(m->over, result, &over, missing) || !quantity(m->under, result, &under, missing)) return NAN;
  if (!*m->under) return over;
  return under > 0 ? over / under : NAN;
}
