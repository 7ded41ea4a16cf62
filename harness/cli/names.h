/* SPDX-License-Identifier: Apache-2.0
 *
 * The names that the command's arguments can be, by kind: for suggestions, for completion
 * (`lockstack --names KIND`). Kinds: verbs, blocks, systems, workloads, suites, regressions,
 * benchmarks, figures, targets, topologies, patterns, policies, devices, cells, kinds (these
 * words), and parameters:BLOCK.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>

/* Calls see for each name of the kind, in the order of its list. The name is valid during the
 * call only. Returns false when there is no such kind. */
bool names_each(const char *kind, void (*see)(void *context, const char *name), void *context);

/* Does blocks.cmake put this tag (top, dram_die) on the block? */
bool names_tagged(const char *block, const char *tag);

/* The end of a line that refuses `word`: "; did you mean fifo?" of this kind's names, or "" when
 * none is near. Lives until the next call. */
const char *names_nearest(const char *kind, const char *word);

#endif
