/* SPDX-License-Identifier: Apache-2.0
 *
 * What was measured of each block, kept in the tree: docs/blocks.csv, from which docs/blocks.md and
 * the README's sums are made. A row says of which sources it is (fingerprint.h), so that one that
 * has gone stale can be told.
 */
#ifndef BLOCK_ROWS_H
#define BLOCK_ROWS_H

#include "json_sure.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "trouble.h"

/* The columns, in order: COLUMN(name, text or number). A number that is not known is an empty
 * field. Of the points that are waived, `proved` are proved unreachable. */
/* clang-format off */
#define BLOCK_COLUMNS(COLUMN) \
  COLUMN(block, text) COLUMN(cover_sources, text) COLUMN(points, number) COLUMN(hit, number) \
    COLUMN(waived, number) COLUMN(proved, number) \
  COLUMN(mutate_sources, text) COLUMN(mutants, number) COLUMN(killed, number) \
    COLUMN(equivalent, number) COLUMN(undecided, number) \
  COLUMN(area_sources, text) COLUMN(cells, number) COLUMN(ge, number) \
  COLUMN(prove_sources, text) COLUMN(properties, number) COLUMN(check_sources, text) \
    COLUMN(cycles, number)
/* clang-format on */

/* {block: {column: value}}; NULL with what went wrong. A file that is not there is empty. */
json_t *block_rows_read(const char *path, trouble_t *trouble);

/* What the report's facts (lockstack.report/1) know better: of the default parameters, latest
 * first. Cycles: in lockstep without a divergence, of any parameters; more replace fewer of the
 * same sources. */
void block_rows_update(json_t *rows, const json_t *facts);

/* Blocks in the order of the list; those that it does not have are dropped. */
void block_rows_write(FILE *out, const json_t *rows, const json_t *blocks);

#endif
