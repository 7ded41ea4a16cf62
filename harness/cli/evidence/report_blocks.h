/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack report --blocks`: what was measured of each block, in docs/blocks.csv, docs/blocks.md
 * and the README. Every figure is kept with the checksum of the sources that it was measured of, so
 * that a stale figure is found.
 */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include "cli.h"

/* Brings the CSV file and both pages up to date. list: the blocks, as `list` has them; facts: the
 * report's. Like the two below, returns a cli_exit_t after a line if it is not EXIT_HELD. */
int report_blocks_write(cli_t *cli, const json_t *facts, const json_t *list);

/* Adds `blocks` to root, from results that cover, mutate, area and prove wrote with --json. `files`
 * ends with NULL. */
int report_blocks_read(json_t *root, char *const *files, const json_t *list);

/* EXIT_BROKEN: a page's table is not what docs/blocks.csv says, or a figure was measured of other
 * sources than the tree's. Adds `stale` to root, an entry for each. */
int report_blocks_check(cli_t *cli, json_t *root, const json_t *list);

/* The checksum of a block's sources now, as results of this verb have it in `sources`. NULL: no
 * such block. Lives until the next call. */
const char *report_sources(const char *block, const char *verb);

#endif
