/* SPDX-License-Identifier: Apache-2.0
 *
 * What was measured of the blocks, as Markdown between two marks of a page: a line a block
 * (docs/blocks.md), or their sums (README.md).
 */
#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include "json_sure.h"
#include <stddef.h>

typedef enum { BLOCK_TABLE, BLOCK_SUMS } block_table_t;

/* The text with that in the place of what is between the marks, to be freed; NULL: it has no marks,
 * or no memory. blocks: as `list` has them; rows: block_rows.h. Links of the table are from
 * docs/. */
char *block_table_in(const char *text, block_table_t what, const json_t *blocks, const json_t *rows);

#endif
