/* SPDX-License-Identifier: Apache-2.0
 *
 * What was measured, beside something else: a block's line in the budget (the ratchet) and the
 * papers' figures.
 *
 *   ratchet_open --> ratchet_row for each block --> ratchet_failed, ratchet_close
 *   reads the file   compares, perhaps updates      the verdict; writes the file
 */
#ifndef AREA_JUDGE_H
#define AREA_JUDGE_H

#include "json_sure.h"
#include <stdio.h>

#include "area_report.h"
#include "budget.h"
#include "papers.h"

/* A budget file during one run. The counts are of blocks by verdict; changed counts lines that were
 * updated, whose blocks are in no other count. */
typedef struct {
  budget_t budget;
  const char *path, *reason; /* reason: of lines that are written; NULL: only those may be that shrank */
  bool update;
  unsigned held, smaller, grown, none, changed;
} ratchet_t;

/* Reads the budget at `path`, which must live as long as the ratchet. update: lines may be written.
 * reason: why, for blocks that grew or are new; NULL: only blocks that shrank, and lines that get
 * their first period, are updated. 0, or the exit code after a line. */
int ratchet_open(ratchet_t *ratchet, const char *path, const char *reason, bool update);
int ratchet_close(ratchet_t *ratchet, FILE *out); /* prints the sums; writes the file if a line changed; 0 or a code */

/* Compares one block with its line. period: the shortest clock period in the library's unit; 0 or
 * less: not known, and the line keeps its own. The verdict goes into the row's JSON (`budget`), and
 * to `out` unless the block held. */
void ratchet_row(ratchet_t *ratchet, FILE *out, const area_job_t *job, const area_t *area, double period, json_t *row);
/* A block grew, or has no line. */
bool ratchet_failed(const ratchet_t *ratchet);

/* The papers' figures of this block with default parameters, as a list; NULL: the figures of parts
 * that have no RTL here. `ours` is null where it cannot be computed. */
json_t *papers_json(const char *block, const area_t *area, const area_rules_t *rules);
/* Such a list as a table; an empty list prints nothing. */
void papers_print(FILE *out, const json_t *list);

#endif
