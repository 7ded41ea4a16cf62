/* SPDX-License-Identifier: Apache-2.0
 *
 * The content that a verdict about a block is of, in bytes (harness/base/content.h).
 */
#ifndef BLOCK_CONTENT_H
#define BLOCK_CONTENT_H

#include "build.h"
#include "content.h"

/* All files that a block is made of for a device ("rtl", "netlist+wave", ..) or for a measurement
 * ("cover", "mutate", "prove", "area"): RTL with all that it includes and loads, port file, lists,
 * model, stimulus, X.yaml; what would be read instead of one of them counts as not there. And what
 * this command makes a device with. False: trouble says which cannot be read. */
bool block_content(const block_t *block, const places_t *places, const char *kind, content_t *into, trouble_t *trouble);

/* Says so of a block that this process is about to judge (judged.h), with the tools that have a say
 * in it; `given`: the name or folder that it was asked for by (NULL: none). What cannot be read is
 * said by who reads it. */
void block_judged(const block_t *block, const places_t *places, const char *kind, const char *given);

#endif
