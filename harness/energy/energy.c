/* SPDX-License-Identifier: Apache-2.0 */
#include "energy.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
  int line; /* of energy.def */
  const char *machine, *component, *event, *members;
  double factor, pj;
  const char *source;
} event_t;

static const event_t events[] = {
#define ENERGY(...) {__LINE__, __VA_ARGS__},
#include "energy.def"
};

enum { EVENTS = sizeof events / sizeof *events };

/* ---- counts */

static double sum_of(const json_t *object) {
  const char *key;
  const json_t *value;
  double sum = 0;
  json_object_foreach((json_t *)object, key, value) sum += json_number_value(value);
  return sum;
}

/* One term, "tsv.beats" or "tsv.down.*". NULL: the result has no such number, or object of numbers. */
static const json_t *find(const json_t *value, const char *path, size_t length) {
  while (length && *path != '*') {
    char key[64];
    size_t name = strcspn(path, ". +");
    if (name > length) name = length;
    snprintf(key, sizeof key, "%.*s", (int)name, path);
    value = json_object_get(value, key);
    path += name, length -= name;
    if (length) path++, length--; /* the dot */
  }
  return length ? (json_is_object(value) ? value : NULL) : (json_is_number(value) ? value : NULL);
}

/* False: a counter that the result does not have; error is one line. */
static bool count_of(const event_t *e, const json_t *result, double *count, char *error, size_t size) {
  *count = 0;
  for (const char *p = e->members; *p;) {
    size_t length = strcspn(p, " ");
    const json_t *value = find(result, p, length);
    if (!value) {
      snprintf(error, size, "harness/energy/energy.def:%d: a run of %s has no counter '%.*s'", e->line, e->machine, (int)length, p);
      return false;
    }
    *count += json_is_object(value) ? sum_of(value) : json_number_value(value);
    p += length;
    p += strspn(p, " +");
  }
  *count *= e->factor;
  return true;
}

/* ---- the table */

static json_t *component(json_t *all, const char *name) {
  json_t *one = json_object_get(all, name);
  if (!one) json_object_set_new(all, name, one = json_pack("{s:f}", "nj", 0.0));
  return one;
}

static double add_event(json_t *list, json_t *components, const event_t *e, double count) {
  double nj = count * e->pj / 1000;
  json_t *one = component(components, e->component);
  json_object_set_new(one, "nj", json_real(json_number_value(json_object_get(one, "nj")) + nj));
  json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f, s:f, s:s}", "component", e->component, "event", e->event,
                                        "count", count, "pj", e->pj, "nj", nj, "source", e->source));
  return nj;
}

static const char *left_out(const char *machine) {
  return strcmp(machine, "mpu") == 0 ? "leakage, clocks, instruction fetch and decode"
                                    : "leakage, clocks, SMs, caches and NSUs: links and DRAM alone";
}

json_t *energy_of(const json_t *result, char *error, size_t size) {
  const char *machine = json_string_value(json_object_get(result, "machine")), *key;
  json_t *list = json_array(), *components = json_object(), *value;
  double total = 0, count;
  bool counted = true;
  for (unsigned i = 0; counted && machine && i < EVENTS; i++) {
    if (strcmp(events[i].machine, machine) != 0) continue;
    counted = count_of(&events[i], result, &count, error, size);
    if (counted) total += add_event(list, components, &events[i], count);
  }
  if (!counted) {
    json_decref(list), json_decref(components);
    return NULL;
  }
  json_object_foreach(components, key, value) json_object_set_new(
      value, "share", json_real(total > 0 ? json_number_value(json_object_get(value, "nj")) / total : 0));
  if (json_array_size(list))
    return json_pack("{s:f, s:o, s:o, s:s}", "total_nj", total, "components", components, "events", list, "left_out",
                     left_out(machine));
  json_decref(list), json_decref(components);
  return json_null();
}

void energy_print(FILE *out, const json_t *energy) {
  const char *key;
  const json_t *value;
  if (!json_is_object(energy)) return;
  fprintf(out, "Energy, dynamic, without %s\n", json_string_value(json_object_get(energy, "left_out")));
  json_object_foreach((json_t *)json_object_get(energy, "components"), key, value)
      fprintf(out, "  %-26s %16.3f uJ, %.1f%%\n", key, json_number_value(json_object_get(value, "nj")) / 1000,
              100 * json_number_value(json_object_get(value, "share")));
  fprintf(out, "  %-26s %16.3f uJ\n", "all", json_number_value(json_object_get(energy, "total_nj")) / 1000);
}
