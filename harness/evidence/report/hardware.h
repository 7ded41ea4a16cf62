/* SPDX-License-Identifier: Apache-2.0
 *
 * What blocks cost in hardware. Each result of `area` and `power` in the database becomes a flat
 * object with the members below, and a line of a CSV file (docs/json.md, `blocks[].hardware`).
 * README.md explains the members.
 */
#ifndef HARDWARE_H
#define HARDWARE_H

#include "json_sure.h"
#include <stdio.h>

#include "facts.h"

struct sqlite3;

/* MEMBER(name), in the order of the CSV file's columns. */
/* clang-format off */
#define HARDWARE_MEMBERS(MEMBER) \
  MEMBER(block) MEMBER(verb) MEMBER(library) MEMBER(params) MEMBER(run) MEMBER(commit) \
    MEMBER(changed) MEMBER(started) MEMBER(of_now) MEMBER(command) \
  MEMBER(cells) MEMBER(flipflops) MEMBER(area) MEMBER(area_unit) MEMBER(path) MEMBER(path_unit) \
    MEMBER(method) \
  MEMBER(shortest_period) MEMBER(period_unit) MEMBER(fmax_mhz) MEMBER(period) MEMBER(sdc) \
  MEMBER(setup_slack) MEMBER(setup_violated) MEMBER(hold_slack) MEMBER(hold_violated) \
  MEMBER(profile) MEMBER(seed) MEMBER(cycles) MEMBER(counted_cycles) MEMBER(toggles_per_cycle) \
    MEMBER(switched_loads) \
  MEMBER(joules_per_cycle) MEMBER(watts) MEMBER(clock_ns)
/* clang-format on */

/* Returns {block: [result, ...]}, the oldest first. A member that a result lacks is null. NULL:
 * the database could not be read. facts_stale must have run. */
json_t *hardware_gather(struct sqlite3 *db, const facts_sources_t *sources);

/* Writes a line of names, then a line for each result of the facts' blocks. Numbers read back
 * the same; null is an empty field, true is 1. */
void hardware_csv(FILE *out, const json_t *facts);

#endif
