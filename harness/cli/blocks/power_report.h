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

/* A wish for a report: which netlist, which cells, what to tell beyond the sums. */
typedef struct {
  double period;      /* clock period in ns; 0: not given */
  bool clock_asked;   /* --clock or the like was given: an error for cells of no process */
  const char *per;    /* --per: a net; energy is told for each clock edge that finds it at 1; NULL: none */
  const char *folder; /* --draw; NULL: no pictures */
  bool (*stop)(void *context);
  const char *block, *title;  /* the netlist's module; the title of pictures */
  const char *cells, *object; /* a choice of cells as in block_t; the object that counted */
  const char *work;           /* a folder; OpenSTA's files are below it while it runs */
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
