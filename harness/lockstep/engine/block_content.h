/* SPDX-License-Identifier: Apache-2.0
 *
 * The content of all inputs of a verdict about a block (harness/base/content.h).
 */
#ifndef BLOCK_CONTENT_H
#define BLOCK_CONTENT_H

#include "build.h"
#include "content.h"

/* Lists all files of a block for a device ("rtl", "netlist+wave") or a measurement ("cover",
 * "mutate", "prove", "area"). The list has the RTL with its includes and modules, port file, lists,
 * model, stimulus, X.yaml, and the parts of the tree that make the device. A file that would take
 * the place of one of these counts as absent. False: `trouble` says which file cannot be read. */
bool block_content(const block_t *block, const places_t *places, const char *kind, content_t *into, trouble_t *trouble);

/* Reports these files and the tools to judged.h for a block that this process is about to judge.
 * `given`: the name or folder on the command line; NULL: none. Reports no errors: the code that
 * reads a file does. */
void block_judged(const block_t *block, const places_t *places, const char *kind, const char *given);

#endif
