/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters as JSON and text. A key of run_keys.def is a number, an object by label, a share or a
 * rate; it belongs to a kind of part, and is made only for systems that have one.
 */
#include "run_counts.h"

#include <string.h>

#include "energy.h"
#include "part.h"
#include "number.h"
#include "quantity.h"

typedef enum { IS_NUMBER, IS_OBJECT, IS_SHARE, IS_RATE } key_form_t;

/* A line of run_keys.def. over and under are quantities (quantity.h); text is NULL where the report
 * does not show the key. */
typedef struct {
  int line; /* of run_keys.def */
  key_form_t form;
  const char *kind, *key, *over, *under, *text;
} run_key_t;

static const run_key_t keys[] = {
#define KEY(kind, key, quantity) {__LINE__, IS_NUMBER, kind, key, quantity, "", NULL},
#define KEY_BY(kind, key, counter) {__LINE__, IS_OBJECT, kind, key, kind ":" counter ".*", "", NULL},
#define SHARE(kind, key, over, under, text) {__LINE__, IS_SHARE, kind, key, over, under, text},
#define RATE(kind, key, over, under, text) {__LINE__, IS_RATE, kind, key, over, under, text},
#include "run_keys.def"
};

enum { KEYS = sizeof keys / sizeof *keys };

/* The next key, from k on, whose kind of part the result has; NULL: none. for (const run_key_t *k =
 * next_key(root, keys); k; k = next_key(root, k + 1)) */
static const run_key_t *next_key(const json_t *root, const run_key_t *k) {
  const char *name;
  json_t *part;
  for (; k < keys + KEYS; k++)
    json_object_foreach(json_object_get(root, "parts"), name,
                        part) if (!strcmp(json_string_value(json_object_get(part, "part")), k->kind)) return k;
  return NULL;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_part(const char *kind, unsigned count, json_t *counters) {
  return json_pack("{s:s, s:I, s:o}", "part", kind, "count", (json_int_t)count, "counters", counters);
}

/* {name: [{column: value}]} of a part's tables; NULL: the part has none. */
static json_t *json_tables(const composition_t *c, const system_stats_t *stats, unsigned part) {
  json_t *tables = NULL;
  for (unsigned t = 0; t < stats->tables; t++) {
    const system_table_t *table = &stats->table[t];
    if (table->part != part) continue;
    const part_table_t *of = &c->part[part].kind->tables[table->table];
    json_t *rows = json_array();
    for (unsigned r = 0; r < table->rows; r++)
      json_array_append_new(rows, counters_json(of->columns, table->value + (size_t)r * table->values));
    if (!tables) tables = json_object();
    json_object_set_new(tables, of->name, rows);
  }
  return tables;
}

const system_table_t *run_counts_table(const composition_t *c, const system_stats_t *stats, const char *name,
                                       const counter_t **columns) {
  for (unsigned t = 0; t < stats->tables; t++) {
    const part_table_t *of = &c->part[stats->table[t].part].kind->tables[stats->table[t].table];
    if (strcmp(of->name, name) != 0) continue;
    if (columns) *columns = of->columns;
    return &stats->table[t];
  }
  return NULL;
}

json_t *run_counts_parts(const composition_t *c, const system_stats_t *stats) {
  json_t *parts = json_object();
  for (unsigned i = 0; i < c->parts; i++) {
    json_t *part =
        json_part(c->part[i].kind->name, c->part[i].count, counters_json(c->part[i].kind->counters, stats->counts[i]));
    json_t *tables = json_tables(c, stats, i);
    if (tables) json_object_set_new(part, "tables", tables);
    json_object_set_new(parts, c->part[i].name, part);
  }
  return parts;
}

/* The object that has the last name of a key "a.b.c", made if it is missing; *key moves on to
 * "c". */
static json_t *json_parent_of(json_t *root, const char **key) {
  json_t *place = root, *object;
  for (const char *dot; (dot = strchr(*key, '.')); *key = dot + 1, place = object) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(dot - *key), *key);
    if (!(object = json_object_get(place, name))) json_object_set_new(place, name, object = json_object());
  }
  return place;
}

/* A counter with labels, summed over all parts of the kind: {label: count}, without those that are
 * 0. */
static json_t *by_label(const json_t *root, const run_key_t *k) {
  json_t *sum = json_object(), *part, *value;
  const char *counter = strchr(k->over, ':') + 1, *name, *label;
  char of[64];
  snprintf(of, sizeof of, "%.*s", (int)strcspn(counter, "."), counter);
  json_object_foreach(json_object_get(root, "parts"), name, part) {
    if (strcmp(json_string_value(json_object_get(part, "part")), k->kind)) continue;
    json_object_foreach(json_object_get(json_object_get(part, "counters"), of), label, value) {
      const json_int_t all = json_integer_value(json_object_get(sum, label)) + json_integer_value(value);
      if (all) json_object_set_new(sum, label, json_integer(all));
    }
  }
  return sum;
}

/* A key's value. NULL: a counter is missing, whose name is in `missing`. A share of nothing is
 * 0. */
static json_t *compute_run_key(const json_t *root, const run_key_t *k, char missing[QUANTITY_NAME]) {
  double over, under;
  if (!quantity(k->over, root, &over, missing) || !quantity(k->under, root, &under, missing)) return NULL;
  if (k->form == IS_OBJECT) return by_label(root, k);
  return k->form == IS_NUMBER ? json_integer((json_int_t)over) : json_real(under > 0 ? over / under : 0);
}

bool run_counts_keys(json_t *root, trouble_t *trouble) {
  char missing[QUANTITY_NAME];
  for (const run_key_t *k = next_key(root, keys); k; k = next_key(root, k + 1)) {
    json_t *value = compute_run_key(root, k, missing), *place;
    const char *key = k->key;
    if (value && (place = json_parent_of(root, &key))) json_object_set_new(place, key, value);
    if (!value)
      return trouble_set(trouble, TROUBLE_ENVIRONMENT, "harness/cli/run/run_keys.def:%d: no counter '%s'", k->line,
                         missing);
  }
  return true;
}

/* Adds every key of a kind with value 0: "gpu.sms" is sms of the object gpu. */
static void add_settings(json_t *settings, const config_key_t *keys_of) {
  for (const config_key_t *k = keys_of; k && k->key; k++) {
    const char *key = k->key;
    json_t *section = json_parent_of(settings, &key);
    json_object_set_new(section, key, json_integer(0));
  }
}

/* A result in which every kind of part is there and has counted nothing: what all lists of keys are
 * checked against. */
static json_t *make_empty_result(void) {
  static const uint64_t zero[SYSTEM_COUNTS];
  json_t *root = json_pack("{s:i, s:i, s:i, s:i, s:i}", "cycles", 0, "time_ns", 0, "cores", 0, "warp_instructions", 0,
                           "cpu_seconds", 0),
         *parts = json_object(), *settings = json_object();
  for (const part_kind_t *const *k = part_kinds; *k; k++) add_settings(settings, (*k)->keys);
  for (const part_kind_t *const *k = part_kinds; *k; k++)
    json_object_set_new(parts, (*k)->name, json_part((*k)->name, 1, counters_json((*k)->counters, zero)));
  json_object_set_new(root, "parts", parts);
  json_object_set_new(root, "settings", settings);
  return root;
}

bool run_counts_check(trouble_t *trouble) {
  json_t *root = make_empty_result();
  const bool good = energy_check(root, trouble) && run_counts_keys(root, trouble);
  json_decref(root);
  return good;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* What stands between a counter's unit and its text. */
static const char *between_unit_and_text(const counter_t *c) {
  if (!*c->text) return "";
  return *c->unit ? ", " : " ";
}

/* A counter, a line for each label: "sent bytes READ 1,234 bytes, over the links to memory". Counts
 * of 0 have no line. */
static void print_counter(const counter_t *c, const uint64_t *counts, FILE *out) {
  char words[96], number[32];
  for (unsigned i = 0; i < c->number; i++) {
    if (!counts[c->at + i]) continue;
    snprintf(words, sizeof words, "%s", c->name);
    for (char *p = words; *p; p++) *p = *p == '_' ? ' ' : *p;
    if (c->label) snprintf(words + strlen(words), sizeof words - strlen(words), " %s", c->label(i));
    fprintf(out, "  %-26s %16s", words, number_text(counts[c->at + i], number));
    fprintf(out, "%s%s%s%s\n", *c->unit ? " " : "", c->unit, between_unit_and_text(c), c->text);
  }
}

/* The value of a key in the result. */
static double real_of(const json_t *root, const char *key) {
  const json_t *place = json_parent_of((json_t *)root, &key);
  return json_number_value(json_object_get(place, key));
}

void run_counts_print(const composition_t *c, const system_stats_t *stats, const json_t *root, FILE *out) {
  for (unsigned i = 0; i < c->parts; i++) {
    fprintf(out, "%s (%u): %s\n", c->part[i].name, c->part[i].count, c->part[i].kind->text);
    for (const counter_t *n = c->part[i].kind->counters; n->name; n++) print_counter(n, stats->counts[i], out);
  }
  fprintf(out, "Shares and rates\n");
  for (const run_key_t *k = next_key(root, keys); k; k = next_key(root, k + 1)) {
    if (!k->text) continue;
    if (k->form == IS_SHARE) fprintf(out, "  %-26s %15.1f%% %s\n", "", 100 * real_of(root, k->key), k->text);
    if (k->form == IS_RATE) fprintf(out, "  %-26s %16.3f %s\n", "", real_of(root, k->key), k->text);
  }
}
