/* SPDX-License-Identifier: Apache-2.0
 *
 * The energy of a run by component: counted events times energy per event (energy.def). Static
 * power is an event a nanosecond. For each kind of part energy.def also says what is left out,
 * because nothing here counts or knows it.
 */
#ifndef ENERGY_H
#define ENERGY_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

#include "trouble.h"

/* How an energy is known. PUBLISHED: it stands in what `source` names. MEASURED: on this RTL or by
 * a tool, as `source` says. DERIVED: from such figures, by what `source` says. ASSUMED: ours. */
typedef enum { PUBLISHED, MEASURED, DERIVED, ASSUMED } energy_known_t;

/* One line of energy.def. count: an expression (quantity.h); factor: events for each of it; pj: an
 * event's energy in pJ. */
typedef struct {
  int line; /* of energy.def */
  const char *kind, *component, *event, *count;
  double factor, pj;
  energy_known_t known;
  const char *source;
} energy_event_t;

extern const energy_event_t energy_events[];
extern const unsigned energy_count;

/* Checks before a simulation that a result with all kinds of parts has each counter that the events
 * name. False: trouble names the line of energy.def. */
bool energy_check_events(const energy_event_t *events, unsigned count, const json_t *result, trouble_t *trouble);
bool energy_check(const json_t *result, trouble_t *trouble); /* of energy.def */

/* The energy of a run's result, as docs/json.md has it: {total_nj, components: {name: {nj, share}},
 * events: [{component, event, count, pj, nj, known, source}], left_out}. JSON null: no part has
 * energies. NULL: the result lacks a counter that energy.def names; trouble says which. */
json_t *energy_of(const json_t *result, trouble_t *trouble);

void energy_print(FILE *out, const json_t *energy); /* a table; nothing for JSON null */

#endif
