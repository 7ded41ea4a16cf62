/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts a design open where faults are to be. Each port of a cell with a fault is cut in two, and
 * both ends become ports of the design:
 *
 *   driver --> lm_i_N (an output)     lm_o_N (an input) --> the rest of the design
 *
 * netlist.h puts a point between the two ends. Yosys' own way is a selector in the design and a
 * command for each mutant; that takes minutes for some hundred mutants of a large block.
 */
#ifndef CUT_H
#define CUT_H

#include "mutant.h"
#include "trouble.h"

/* Draws `wanted` mutants from Yosys' whole list, spread over the lines of the source. Faults of
 * clocks are left out. root: the tree's path, which sources lose. *count: how many there are.
 * NULL: the list cannot be read; trouble says why. The caller frees the array. */
mutant_t *cut_list(const char *path, const char *root, unsigned wanted, uint64_t seed, unsigned *count,
                   trouble_t *trouble);

/* Reads the RTLIL of one module and writes it with these mutants' ports cut. Sets each mutant's
 * cut and sorts the mutants by it. A mutant of a port of unknown width is dropped, and *count
 * falls. False: trouble. */
bool cut_design(const char *from, const char *to, mutant_t *mutants, unsigned *count, trouble_t *trouble);

#endif
