/* SPDX-License-Identifier: Apache-2.0
 *
 * The energy of a run: events that were counted times energy per event (energy.def), by component;
 * static power is an event a nanosecond. What is left out, since nothing here counts or knows it,
 * energy.def says of each kind of part.
 */
#ifndef ENERGY_H
#define ENERGY_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

#include "trouble.h"

/* How a figure of energy is known: it stands in what `source` names; is measured on this RTL, or by
 * a tool, as `source` says; follows from such figures by what `source` says; or is ours. */
typedef enum { PUBLISHED, MEASURED, DERIVED, ASSUMED } energy_known_t;

typedef struct {
  int line; /* of energy.def */
  const char *kind, *component, *event, *count;
  double factor, pj;
  energy_known_t known;
  const char *source;
} energy_event_t;

extern const energy_event_t energy_events[];
extern const unsigned energy_count;

/* Does a result that has all kinds of parts have all that
 * these events count? Before anything is simulated. */
bool energy_check_events(const energy_event_t *events, unsigned count, const json_t *result, trouble_t *trouble);
bool energy_check(const json_t *result, trouble_t *trouble); /* of energy.def */

/* {total_nj, components: {name: {nj, share}}, events: [{component, event, count, pj, nj, known,
 * source}], left_out} of a run's result, as docs/json.md has it; JSON null without a part that has
 * energies. NULL: the result lacks a counter that energy.def names. */
json_t *energy_of(const json_t *result, trouble_t *trouble);

void energy_print(FILE *out, const json_t *energy); /* nothing of null */

#endif
