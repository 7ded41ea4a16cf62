/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of a part. A list in a .def file beside the part makes the struct that the model counts
 * in and a table of counter_t (counter_list.h). The table makes the JSON, the printed table, the
 * watchdog's activity, and the names that energy and figures can use (quantity.h).
 *
 *   COUNTER(name, unit, text)                    a sum; two of the same list add up
 *   WORK(name, unit, text)                       a sum that moves only when something has moved
 *   WORK_BY(name, number, label, unit, text)     an array of WORK; label: const char *label(
 *                                                unsigned i), "?" for a value that does not exist
 *   COUNTER_BY(name, number, label, unit, text)  an array of COUNTER
 *
 * The struct begins with the list's uint64_t values and has nothing else before their end.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "json_sure.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name, *unit, *text;
  bool work;
  size_t at; /* index of its first value in the struct */
  unsigned number;
  const char *(*label)(unsigned i); /* NULL: one value without a label */
} counter_t;

/* Lists end with a counter whose name is NULL. Arrays of counts are the structs of such a list. */
const counter_t *counters_find(const counter_t *list, const char *name);         /* NULL: not there */
void counters_add(const counter_t *list, uint64_t *sum, const uint64_t *counts); /* sum += counts */
uint64_t counters_work(const counter_t *list, const uint64_t *counts);           /* changes when anything has moved */
json_t *counters_json(const counter_t *list, const uint64_t *counts);            /* {name: value, or {label: value}} */

#endif
