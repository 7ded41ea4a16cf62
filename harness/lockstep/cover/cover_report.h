/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints coverage, and writes it as JSON and HTML, for `lockstack cover`.
 */
#ifndef COVER_REPORT_H
#define COVER_REPORT_H

#include "cover.h"
#include "trouble.h"

#include "json_sure.h"

enum { COVER_MOST_WAIVED = 3 }; /* per cent of all points */

/* Neighbouring points of one state as one row: bits of a signal that never rise, for example. */
typedef struct {
  const cover_point_t *first;
  unsigned points;
  int msb, lsb; /* bit range; -1: no bits */
} cover_row_t;

/* Rows of the points in a state, in table order; the caller frees them. NULL: out of memory. */
cover_row_t *cover_rows(const cover_table_t *table, cover_state_t state, unsigned *count);
const char *cover_row_name(const cover_row_t *row, char *buf, size_t size); /* "addr_q[31:28]" */

/* Points hit, in % of those that are not waived; kind -1: all kinds. */
double cover_percent(const cover_result_t *result, int kind);
/* True if the run passed, at least `least` % of the points are hit, few enough are waived, and no
 * waiver is stale. */
bool cover_held(const cover_result_t *result, double least);
/* Report and JSON (docs/json.md: cover). A run that did not pass has one line that says why. */
void cover_print(FILE *out, const char *block, const cover_result_t *result, double least);
void cover_json(json_t *root, const cover_result_t *result);

/* Writes FOLDER/cover.info, and HTML pages made from it by genhtml. False: trouble says why;
 * cover.info stays if genhtml is not installed. */
bool cover_html(const char *folder, const char *block, const cover_result_t *result, trouble_t *trouble);

#endif
