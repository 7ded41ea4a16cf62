/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens a design where faults are to be: each port of a cell that has one is cut in two and both
 * ends become ports of the design.
 *
 * Cut N has ports lm_i_N, what would have gone on, and lm_o_N, what goes on instead. (Yosys' own
 * way, a selector in the design and a command for each mutant, takes it minutes for some hundred
 * mutants of a large block.)
 */
#ifndef CUT_H
#define CUT_H

#include "mutant.h"
#include "trouble.h"

/* `wanted` of the mutants of Yosys' whole list, spread over the lines of the source; those of
 * clocks are left out. count: how many. NULL: it cannot be read. */
mutant_t *cut_list(const char *path, const char *root, unsigned wanted, uint64_t seed, unsigned *count,
                   trouble_t *trouble);

/* The RTLIL of one module with these mutants' ports cut; sets each mutant's cut. Sorts the mutants
 * by it. Mutants of ports whose width is not known are dropped. False: trouble. */
bool cut_design(const char *from, const char *to, mutant_t *mutants, unsigned *count, trouble_t *trouble);

#endif
