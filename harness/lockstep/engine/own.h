/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads which RTL sources a block outside of the tree has: X.sv or X.v in its folder, or the list
 * in X.yaml.
 */
#ifndef OWN_H
#define OWN_H

#include "build.h"

/* Fills in block->rtl, block->map and block->read; folder, name and ports are set. INPUT: for
 * X.yaml the line has file, line and column. */
bool own_read(block_t *block, const places_t *places, trouble_t *trouble);

/* Puts packages before the files that name them: those that no file declares and that a library has
 * in a file of their name. False: too long a list. */
bool own_packages(rtl_t *rtl);

/* What `defines` and `verilator` of X.yaml take. `lockstack new` takes the same. INPUT: the line
 * has no place. */
bool own_define(const char *text, trouble_t *trouble);
bool own_flag(const char *text, trouble_t *trouble);

#endif
