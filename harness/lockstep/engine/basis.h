/* SPDX-License-Identifier: Apache-2.0
 *
 * On how much a share rests. Below these numbers it says little of the block, and whoever shows it
 * marks it as `few`: of 100 mutants, a score that is shown as 1.000 can be 0.97 (95 % confidence);
 * the quick stimulus of a block is 100,000 cycles.
 */
#ifndef BASIS_H
#define BASIS_H

enum { BASIS_MUTANTS = 100, BASIS_CYCLES = 100000 };

#endif
