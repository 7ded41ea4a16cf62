/* SPDX-License-Identifier: Apache-2.0
 *
 * Power of toggles that were counted (`power`, `run --power`): the run through OpenSTA, the report,
 * JSON, pictures; and what was counted.
 */
#ifndef POWER_REPORT_H
#define POWER_REPORT_H

#include "json_sure.h"

#include "toggles.h"
#include "trouble.h"

typedef struct {
  double period;      /* of the clock, ns; 0: none is said */
  bool clock_asked;   /* by an option, which cells of no process have no use for */
  const char *per;    /* --per: a net whose cycles at 1 are what energy is told of; NULL: none */
  const char *folder; /* --draw; NULL: no pictures */
  bool (*stop)(void *context);
  const char *block, *title;  /* the netlist's module; whose power it is, in pictures */
  const char *cells, *object; /* block_t's choice; the object that counted */
  const char *work;           /* a folder, of which a part is OpenSTA's while it runs */
} power_wish_t;

/* Is the net of --per among these? */
bool power_check(const power_wish_t *wish, const toggles_t *toggles, trouble_t *trouble);

/* The JSON gets `power`. */
bool power_report(const power_wish_t *wish, FILE *out, const toggles_t *toggles, json_t *root, trouble_t *trouble);

/* The busiest nets, the mean of all. */
void power_activity_print(FILE *out, const toggles_t *toggles);
json_t *power_activity_json(const toggles_t *toggles);

const char *power_scaled(double value, char text[32]); /* 0.00123 -> "1.230 m" */

#endif
