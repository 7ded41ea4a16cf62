/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run counted, part by part: in its JSON, in the keys that are made of counters
 * (run_keys.def), and as a table.
 *
 *   counters of parts --> run_counts_parts: "parts" --> run_counts_keys: "caches.l1.hits" ...
 */
#ifndef RUN_COUNTS_H
#define RUN_COUNTS_H

#include "json_sure.h"
#include <stdio.h>

#include "counters.h"
#include "system.h"
#include "trouble.h"

/* Checks that every counter exists which run_keys.def and the energy lists name. False: trouble
 * names the line. Call it before a long run. */
bool run_counts_check(trouble_t *trouble);

/* The first part's table of this name, and the columns of its rows (columns may be NULL). NULL: no
 * part has one. */
const system_table_t *run_counts_table(const composition_t *composition, const system_stats_t *stats, const char *name,
                                       const counter_t **columns);

/* {name: {part, count, counters}} of a system's parts. */
json_t *run_counts_parts(const composition_t *composition, const system_stats_t *stats);

/* Adds the keys of run_keys.def to a result that has `parts` and the run's first keys (cycles,
 * time_ns ...). False: a counter is missing, as trouble says. */
bool run_counts_keys(json_t *root, trouble_t *trouble);

/* A table for each part, with the counters that are not 0, and the shares and rates. */
void run_counts_print(const composition_t *composition, const system_stats_t *stats, const json_t *root, FILE *out);

#endif
