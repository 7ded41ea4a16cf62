/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run counted, part by part: in its JSON, in the keys that are made of counters
 * (run_keys.def), and as a table.
 */
#ifndef RUN_COUNTS_H
#define RUN_COUNTS_H

#include "json_sure.h"
#include <stdio.h>

#include "counters.h"
#include "system.h"
#include "trouble.h"

/* What all lists of keys and of energy name is there; else false. */
bool run_counts_check(trouble_t *trouble);

/* The first part's table of this name, and what its rows
 * are (columns may be NULL); NULL: there is none. */
const system_table_t *run_counts_table(const composition_t *composition, const system_stats_t *stats, const char *name,
                                       const counter_t **columns);

/* {name: {part, count, counters}} of a system's parts. */
json_t *run_counts_parts(const composition_t *composition, const system_stats_t *stats);

/* Adds the keys to a result that has parts and the
 * run's first keys. False: a counter is missing. */
bool run_counts_keys(json_t *root, trouble_t *trouble);

/* A table for each part, of what is not 0, and the shares. */
void run_counts_print(const composition_t *composition, const system_stats_t *stats, const json_t *root, FILE *out);

#endif
