/* SPDX-License-Identifier: Apache-2.0
 *
 * Text fields of CSV files (RFC 4180). A field with commas, quotes or line ends stands in quotes,
 * and each quote in it is doubled.
 */
#ifndef CSV_H
#define CSV_H

#include <stdio.h>

void csv_text(FILE *out, const char *text); /* writes one field */

/* Decodes the last field of a line in place and returns it. NULL: the quotes do not end, or
 * something follows them. */
char *csv_last(char *field);

#endif
