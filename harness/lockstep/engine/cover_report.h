/* SPDX-License-Identifier: Apache-2.0
 *
 * What `lockstack cover` prints and writes.
 */
#ifndef COVER_REPORT_H
#define COVER_REPORT_H

#include "cover.h"
#include "trouble.h"

#include "json_sure.h"

enum { COVER_MOST_WAIVED = 3 }; /* per cent of all points */

/* Points that are missed one beside the other (bits
 * of a signal, all rising never, say) as one row. */
typedef struct {
  const cover_point_t *first;
  unsigned points;
  int msb, lsb; /* -1: no bits */
} cover_row_t;

/* Rows of points of a state, table order; NULL: out of memory. To be freed. */
cover_row_t *cover_rows(const cover_table_t *table, cover_state_t state, unsigned *count);
const char *cover_row_name(const cover_row_t *row, char *buf, size_t size); /* "addr_q[31:28]" */

double cover_percent(const cover_result_t *result, int kind); /* hit of what is not waived; kind -1: all */
bool cover_held(const cover_result_t *result, double least);  /* enough hit, few enough waived, no waiver stale */
void cover_print(FILE *out, const char *block, const cover_result_t *result, double least);
void cover_json(json_t *root, const cover_result_t *result);

/* FOLDER/cover.info, and pages of it by genhtml. */
bool cover_html(const char *folder, const char *block, const cover_result_t *result, trouble_t *trouble);

#endif
