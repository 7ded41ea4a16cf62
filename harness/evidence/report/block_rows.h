/* SPDX-License-Identifier: Apache-2.0
 *
 * What was measured of each block, kept in the tree: docs/blocks.csv. docs/blocks.md and the
 * README's sums are made from this file. Each figure has the checksum of its sources beside it
 * (fingerprint.h), so that a stale figure can be found.
 */
#ifndef BLOCK_ROWS_H
#define BLOCK_ROWS_H

#include "json_sure.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "trouble.h"

/* The columns, in order: COLUMN(name, text or number). An unknown number is an empty field.
 * `proved` counts those waived points that are proved unreachable. */
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

/* Returns {block: {column: value}}. A file that does not exist is empty. NULL: trouble says
 * which line is wrong. */
json_t *block_rows_read(const char *path, trouble_t *trouble);

/* Takes newer figures from the report's facts (lockstack.report/1), for default parameters only.
 * Cycles are those in lockstep without a divergence, of any parameters; they replace a smaller
 * figure of the same sources. */
void block_rows_update(json_t *rows, const json_t *facts);

/* Writes blocks in the order of the list. A block that the list lacks is dropped. */
void block_rows_write(FILE *out, const json_t *rows, const json_t *blocks);

#endif
