/* SPDX-License-Identifier: Apache-2.0
 *
 * What was measured beside something else: a block's budget (the ratchet), the papers' figures.
 */
#ifndef AREA_JUDGE_H
#define AREA_JUDGE_H

#include "json_sure.h"
#include <stdio.h>

#include "area_report.h"
#include "budget.h"
#include "papers.h"

typedef struct {
  budget_t budget;
  const char *path, *reason; /* reason: of lines that are written; NULL: only those may be that shrank */
  bool update;
  unsigned held, smaller, grown, none, changed;
} ratchet_t;

/* 0, or the exit code after a line. */
int ratchet_open(ratchet_t *ratchet, const char *path, const char *reason, bool update);
int ratchet_close(ratchet_t *ratchet, FILE *out); /* writes what was updated; says what held */

/* period: the shortest one; 0 or less: it is not known, and the line keeps its own. The row's
 * verdict is put into its JSON (`budget`), and printed unless it held. */
void ratchet_row(ratchet_t *ratchet, FILE *out, const area_job_t *job, const area_t *area, double period, json_t *row);
bool ratchet_failed(const ratchet_t *ratchet);

/* The papers' figures of this block (NULL: those of none) with default parameters, as JSON; and as
 * a table of such lists. */
json_t *papers_json(const char *block, const area_t *area, const area_rules_t *rules);
void papers_print(FILE *out, const json_t *list);

#endif
