/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of a part: a list in a .def file beside it makes the struct that the model counts in,
 * and a table of them (counter_list.h), of which are made the JSON, the printed table, the
 * watchdog's activity, and the names that energy and figures can use (quantity.h).
 *
 *   COUNTER(name, unit, text)                   a sum; two of the same list add up
 *   WORK(name, unit, text)                      one that moves only when something has moved
 *   WORK_BY(name, number, label, unit, text)    an array of such, each with a label: const char
 *                                               *label(unsigned i), "?": there is none
 *   COUNTER_BY(name, number, label, unit, text) an array of sums
 *
 * The struct has nothing but uint64_t of the list from its beginning on.
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
  size_t at; /* which value of the struct is its first */
  unsigned number;
  const char *(*label)(unsigned i); /* NULL: one value, which has none */
} counter_t;

/* Lists end with a counter without a name. */
const counter_t *counters_find(const counter_t *list, const char *name); /* NULL: not there */
void counters_add(const counter_t *list, uint64_t *sum, const uint64_t *counts);
uint64_t counters_work(const counter_t *list, const uint64_t *counts); /* differs when anything has moved */
json_t *counters_json(const counter_t *list, const uint64_t *counts);  /* {name: value, or {label: value}} */

#endif
