/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack report --blocks`: docs/blocks.csv and the README's table of blocks.
 */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include "cli.h"

/* All return a cli_exit_t. list: as `list` has the blocks; facts: the report's. */
int report_blocks_write(cli_t *cli, const json_t *facts, const json_t *list);

/* Adds `blocks` to root, of results that verbs wrote with
 * --json: cover, mutate, area, prove; files ends with NULL. */
int report_blocks_read(json_t *root, char *const *files, const json_t *list);

/* EXIT_BROKEN: the README's table is not what docs/blocks.csv says, or something was measured of
 * other sources than the tree's; adds `stale` to root. */
int report_blocks_check(cli_t *cli, json_t *root, const json_t *list);

/* What a block is made of now, as results of this verb have it in
 * `sources`; NULL: no such block. It lives until the next call. */
const char *report_sources(const char *block, const char *verb);

#endif
