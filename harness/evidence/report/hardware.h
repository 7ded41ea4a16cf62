/* SPDX-License-Identifier: Apache-2.0
 *
 * What blocks cost in hardware: each result of `area` and of `power` in the database, as a flat
 * object with the members below (docs/json.md, `blocks[].hardware`), and as a line of a CSV file.
 * README.md says what each is.
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

/* {block: [result, ...]}, the oldest first; a member that a result
 * does not have is null. NULL: the database could not be read. */
json_t *hardware_gather(struct sqlite3 *db, const facts_sources_t *sources);

/* All results of the facts' blocks: a line with the members' names, then
 * one a result. Numbers are exact, null is an empty field, true is 1. */
void hardware_csv(FILE *out, const json_t *facts);

#endif
