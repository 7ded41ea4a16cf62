/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes HTML and SVG. Every string is escaped, unless it is a literal of this program.
 */
#ifndef HTML_H
#define HTML_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

/* Escaped for content, and for attributes in double quotes. NULL writes nothing. */
void html_text(FILE *out, const char *text);

/* Like fprintf, but what %s writes is escaped. Conversions: %s %d %u %zu %lld %f %g, with flags,
 * width and precision. */
void html(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An id that is unique for a kind and a name: letters and digits stay, each other byte becomes _
 * and two hex digits. */
void html_id(FILE *out, const char *kind, const char *name);
void html_link(FILE *out, const char *kind, const char *name, const char *text); /* <a href="#id">text</a> */

void html_time(FILE *out, const char *time); /* ISO 8601 as "2026-01-31 12:00 UTC"; other text unchanged */

/* Reads JSON of any shape. A missing key or another type gives NULL, NAN, false or 0. */
const char *fact_text(const json_t *object, const char *key);
double fact_number(const json_t *object, const char *key);
bool fact_true(const json_t *object, const char *key);
size_t fact_count(const json_t *object, const char *key); /* elements of an array */
json_t *fact_list(const json_t *object, const char *key); /* NULL: no array */
double fact_share(double part, double whole);             /* 0..1; NAN: whole is 0 or unknown */

/* Opens a table in a box that scrolls when it is too wide, up to its first row. Columns end with
 * NULL; a leading # makes a column of numbers ("#Cycles"). */
void html_table(FILE *out, const char *label, const char *const *columns);
void html_table_end(FILE *out);

/* Cells of a table: right-aligned, an en dash for NAN. A count that is shortened has its exact
 * number as title. */
void html_cell_count(FILE *out, double value);
void html_cell_percent(FILE *out, double share);
void html_cell_short(FILE *out, double value, const char *unit);
void html_percent(FILE *out, double share); /* "99.7 %"; never 100 when something is missing */

#endif
