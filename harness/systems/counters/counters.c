/* SPDX-License-Identifier: Apache-2.0
 *
 * Works on counts as arrays of uint64_t: `at` of a counter is its index.
 */
#include "counters.h"

#include <string.h>

const counter_t *counters_find(const counter_t *list, const char *name) {
  for (; list->name; list++)
    if (!strcmp(list->name, name)) return list;
  return NULL;
}

void counters_add(const counter_t *list, uint64_t *sum, const uint64_t *counts) {
  for (; list->name; list++)
    for (unsigned i = 0; i < list->number; i++) sum[list->at + i] += counts[list->at + i];
}

/* Only counters of kind WORK: the others also move while nothing happens. */
uint64_t counters_work(const counter_t *list, const uint64_t *counts) {
  uint64_t sum = 0;
  for (; list->name; list++)
    for (unsigned i = 0; list->work && i < list->number; i++) sum += counts[list->at + i];
  return sum;
}

/* Values labelled "?" do not exist and are left out. */
static json_t *counts_by_label(const counter_t *c, const uint64_t *counts) {
  json_t *object = json_object();
  for (unsigned i = 0; i < c->number; i++)
    if (strcmp(c->label(i), "?")) json_object_set_new(object, c->label(i), json_integer((json_int_t)counts[c->at + i]));
  return object;
}

json_t *counters_json(const counter_t *list, const uint64_t *counts) {
  json_t *object = json_object();
  for (; list->name; list++)
    json_object_set_new(object, list->name,
                        list->label ? counts_by_label(list, counts) : json_integer((json_int_t)counts[list->at]));
  return object;
}
