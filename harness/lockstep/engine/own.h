/* SPDX-License-Identifier: Apache-2.0
 *
 * What the RTL of a block outside of the tree is read from: X.sv or X.v of its folder, or what
 * X.yaml there says.
 */
#ifndef OWN_H
#define OWN_H

#include "build.h"

/* Fills block->rtl, block->map and block->read; folder, name and ports
 * are known. INPUT: of X.yaml the line has its place. */
bool own_read(block_t *block, const places_t *places, trouble_t *trouble);

#endif
