/* SPDX-License-Identifier: Apache-2.0
 *
 * A number read from the JSON of a run, by an expression: a sum of products.
 *
 *   "cycles * cores"                                  members of the result
 *   "tsv.down.* + tsv.up.*"                           members of members; *: the sum over all that
 *                                                     are there
 *   "kernels.*.blocks.*.sent.#"                       elements of arrays, too; #: how many members
 *                                                     or elements
 *   "kernels.0.blocks.0.sent.1"                       one element, counted from 0
 *   "stack:row_misses + 2 * stack:row_conflicts"      counters, of all parts of a kind: KIND:NAME,
 *                                                     NAME a path, too
 *   "nsu:#"                                           how many instances there are of all parts of
 *                                                     a kind
 *   ""                                                1
 *
 * Energy, figures and the run's own report use it; what an expression names and the result does not
 * have is never 0.
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include "json_sure.h"
#include <stdbool.h>

enum { QUANTITY_NAME = 128 };

/* False: the result lacks a name of the expression, or the expression is malformed; missing is the
 * word. */
bool quantity(const char *expression, const json_t *result, double *value, char missing[QUANTITY_NAME]);

/* Calls each with the numbers that quantity would add up for one name, in their order. False: the
 * result does not have the name. */
bool quantity_each(const char *name, const json_t *result, void (*each)(double value, void *context), void *context);

#endif
