/* SPDX-License-Identifier: Apache-2.0
 *
 * Text as a field of a CSV file (RFC 4180): in quotes if it has commas, quotes or ends of lines,
 * and each of its quotes twice.
 */
#ifndef CSV_H
#define CSV_H

#include <stdio.h>

void csv_text(FILE *out, const char *text);

/* The last field of a line as text, in its place; NULL: it is in
 * quotes that do not end, or something stands behind them. */
char *csv_last(char *field);

#endif
