/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing HTML and SVG: every string is escaped, unless it is a literal of this program.
 */
#ifndef HTML_H
#define HTML_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

/* escaped, for content and for attributes in double quotes; NULL: nothing */
void html_text(FILE *out, const char *text);

/* As fprintf, and what %s brings is escaped. Conversions: %s
 * %d %u %zu %lld %f %g, with flags, width and precision. */
void html(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An id that no other kind and name has: letters, digits,
 * and _ with two hexadecimal digits for any other byte. */
void html_id(FILE *out, const char *kind, const char *name);
void html_link(FILE *out, const char *kind, const char *name, const char *text); /* <a href="#id">text</a> */

void html_time(FILE *out, const char *time); /* "2026-01-31 12:00 UTC" of an ISO 8601 one; other text as it is */

/* JSON of any shape: missing keys and other types give NULL, NAN, false or 0. */
const char *fact_text(const json_t *object, const char *key);
double fact_number(const json_t *object, const char *key);
bool fact_true(const json_t *object, const char *key);
size_t fact_count(const json_t *object, const char *key); /* elements of an array */
json_t *fact_list(const json_t *object, const char *key); /* NULL: it is none */
double fact_share(double part, double whole);             /* 0..1; NAN: of nothing */

/* A table in a box that scrolls when it is too wide, up to its
 * first row. Columns end with NULL; "#Cycles": one of numbers. */
void html_table(FILE *out, const char *label, const char *const *columns);
void html_table_end(FILE *out);

/* Cells of a table: right-aligned numbers, "–" for NAN. */
void html_cell_count(FILE *out, double value); /* with the exact number as title where it is shortened */
void html_cell_percent(FILE *out, double share);
void html_cell_short(FILE *out, double value, const char *unit);
void html_percent(FILE *out, double share); /* "99.7 %"; never 100 when something is missing */

#endif
