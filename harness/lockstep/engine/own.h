/* SPDX-License-Identifier: Apache-2.0
 *
 * What the RTL of a block outside of the tree is read from: X.sv or X.v of its folder, or what
 * X.yaml there says.
 */
#ifndef OWN_H
#define OWN_H

#include "build.h"

/* Fills block->rtl, block->map and block->read; folder, name and ports
 * are known. BAD_INPUT: error is a line, of X.yaml with its place. */
outcome_t own_read(block_t *block, const places_t *places, char *error, size_t size);

#endif
