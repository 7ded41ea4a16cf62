/* SPDX-License-Identifier: Apache-2.0
 *
 * Power from counted toggles (`power`, `run --power`): the run through OpenSTA, the report, JSON
 * and pictures; and the activity alone, which needs no library.
 */
#ifndef POWER_REPORT_H
#define POWER_REPORT_H

#include "json_sure.h"

#include "toggles.h"
#include "trouble.h"

/* What is to be reported, and of which netlist. */
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

/* Is the net of --per among these? False: trouble says no. True without --per. */
bool power_check(const power_wish_t *wish, const toggles_t *toggles, trouble_t *trouble);

/* Computes power, prints it, adds `power` to root and draws. False: trouble says why; then root may
 * have it or not. */
bool power_report(const power_wish_t *wish, FILE *out, const toggles_t *toggles, json_t *root, trouble_t *trouble);

/* The busiest nets and the mean of all, in toggles per cycle; as text and as JSON. */
void power_activity_print(FILE *out, const toggles_t *toggles);
json_t *power_activity_json(const toggles_t *toggles);

const char *power_scaled(double value, char text[32]); /* 0.00123 -> "1.230 m" */

#endif
