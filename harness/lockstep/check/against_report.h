/* SPDX-License-Identifier: Apache-2.0
 *
 * What a check of two devices (against.h) says besides its verdict: how much was known, and which
 * assertions failed.
 */
#ifndef AGAINST_REPORT_H
#define AGAINST_REPORT_H

#include "against.h"
#include "json_sure.h"

#include <stdio.h>

enum { AGAINST_SUM = 96 };

/* Lists ports with X and failed assertions. counts NULL: nothing. */
void against_print(FILE *out, const against_t *counts);
/* For the last line: ", 97.5 % of output bits known"; "" where counts is NULL. */
const char *against_sum(const against_t *counts, char text[AGAINST_SUM]);

/* Members `known` and `assertions` of a result. */
void against_json(json_t *root, const against_t *counts);

#endif
