/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins the events of energy.def with the counters of a run's result. A line of energy.def has a
 * kind of part, "stack" or "stack/v100"; behind the slash stands the name of a set of energies
 * (system.energy).
 */
#include "energy.h"

#include <string.h>

#include "quantity.h"

const energy_event_t energy_events[] = {
#define LEFT_OUT(...)
#define ENERGY(...) {__LINE__, __VA_ARGS__},
#include "energy.def"
};
const unsigned energy_count = sizeof energy_events / sizeof *energy_events;

static const struct {
  const char *kind, *text;
} left_out[] = {
#define LEFT_OUT(kind, text) {kind, text},
#define ENERGY(...)
#include "energy.def"
};

/* Does the result have a part of this kind? The name ends at the slash. */
static bool has_kind(const json_t *result, const char *kind) {
  const size_t length = strcspn(kind, "/");
  const char *name, *of;
  json_t *part;
  json_object_foreach(json_object_get(result, "parts"), name,
                      part) if ((of = json_string_value(json_object_get(part, "part"))) && strlen(of) == length &&
                                !strncmp(of, kind, length)) return true;
  return false;
}

/* The set of energies that the run asked for. */
static const char *energies_name(const json_t *result) {
  const char *name =
      json_string_value(json_object_get(json_object_get(json_object_get(result, "settings"), "system"), "energy"));
  return name ? name : "";
}

/* Is `kind` the first `length` characters of `name`, with a set of energies behind them? */
static bool kind_is_of(const char *kind, size_t length, const char *name) {
  return !strncmp(kind, name, length) && kind[length] == '/';
}

/* Do lines of this kind count for this run? Lines of the asked-for set do; lines without a set do
 * where the kind has none of that set. */
static bool kind_counts(const json_t *result, const char *kind) {
  const size_t length = strcspn(kind, "/");
  const char *own = energies_name(result);
  if (!has_kind(result, kind)) return false;
  if (kind[length]) return !strcmp(kind + length + 1, own);
  for (unsigned i = 0; i < energy_count; i++)
    if (kind_is_of(energy_events[i].kind, length, kind) && !strcmp(energy_events[i].kind + length + 1, own))
      return false;
  return true;
}

/* How often the event happened, times the line's factor. False: the result lacks the counter. */
static bool event_count(const energy_event_t *e, const json_t *result, double *count, trouble_t *trouble) {
  char missing[QUANTITY_NAME];
  const bool good = quantity(e->count, result, count, missing);
  if (!good)
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "harness/systems/energy/energy.def:%d: a run of %s has no counter '%s'",
                e->line, e->kind, missing);
  *count *= e->factor;
  return good;
}

bool energy_check_events(const energy_event_t *events, unsigned count, const json_t *result, trouble_t *trouble) {
  double number = 0;
  for (const energy_event_t *e = events; e < events + count; e++) {
    if (!has_kind(result, e->kind))
      return trouble_set(trouble, TROUBLE_ENVIRONMENT,
                         "harness/systems/energy/energy.def:%d: there is no kind of part '%s'", e->line, e->kind);
    if (!event_count(e, result, &number, trouble)) return false;
  }
  return true;
}

bool energy_check(const json_t *result, trouble_t *trouble) {
  return energy_check_events(energy_events, energy_count, result, trouble);
}

/* ---- the table */

/* Makes it with 0 nJ if there is none. */
static json_t *find_component(json_t *all, const char *name) {
  json_t *one = json_object_get(all, name);
  if (!one) json_object_set_new(all, name, one = json_pack("{s:f}", "nj", 0.0));
  return one;
}

static const char *const known[] = {
    [PUBLISHED] = "published", [MEASURED] = "measured", [DERIVED] = "derived", [ASSUMED] = "assumed"};

/* Adds the event to its component and to the list. Returns its energy in nJ. */
static double add_event(json_t *list, json_t *components, const energy_event_t *e, double count) {
  double nj = count * e->pj / 1000;
  json_t *one = find_component(components, e->component);
  json_object_set_new(one, "nj", json_real(json_number_value(json_object_get(one, "nj")) + nj));
  json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f, s:f, s:s, s:s}", "component", e->component, "event",
                                        e->event, "count", count, "pj", e->pj, "nj", nj, "known", known[e->known],
                                        "source", e->source));
  return nj;
}

static json_t *text_left_out(const json_t *result) {
  char text[512] = "";
  for (unsigned i = 0; i < sizeof left_out / sizeof *left_out; i++)
    if (kind_counts(result, left_out[i].kind))
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? "; " : "", left_out[i].text);
  return json_string(text);
}

static bool add_events(json_t *list, json_t *components, double *total, const json_t *result, trouble_t *trouble) {
  double count;
  for (const energy_event_t *e = energy_events; e < energy_events + energy_count; e++) {
    if (!kind_counts(result, e->kind)) continue;
    if (!event_count(e, result, &count, trouble)) return false;
    *total += add_event(list, components, e, count);
  }
  return true;
}

json_t *energy_of(const json_t *result, trouble_t *trouble) {
  json_t *list = json_array(), *components = json_object(), *value;
  const char *key;
  double total = 0;
  const bool counted = add_events(list, components, &total, result, trouble);
  json_object_foreach(components, key, value) json_object_set_new(
      value, "share", json_real(total > 0 ? json_number_value(json_object_get(value, "nj")) / total : 0));
  if (counted && json_array_size(list))
    return json_pack("{s:f, s:o, s:o, s:o}", "total_nj", total, "components", components, "events", list, "left_out",
                     text_left_out(result));
  json_decref(list), json_decref(components);
  return counted ? json_null() : NULL;
}

void energy_print(FILE *out, const json_t *energy) {
  const char *key;
  const json_t *value;
  if (!json_is_object(energy)) return;
  fprintf(out, "Energy, without %s\n", json_string_value(json_object_get(energy, "left_out")));
  json_object_foreach((json_t *)json_object_get(energy, "components"), key, value)
      fprintf(out, "  %-26s %16.3f uJ, %.1f%%\n", key, json_number_value(json_object_get(value, "nj")) / 1000,
              100 * json_number_value(json_object_get(value, "share")));
  fprintf(out, "  %-26s %16.3f uJ\n", "all", json_number_value(json_object_get(energy, "total_nj")) / 1000);
}
