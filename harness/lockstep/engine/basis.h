/* SPDX-License-Identifier: Apache-2.0
 *
 * The least basis of a percentage. A report marks a share as `few` if it rests on less: of 100
 * mutants, a score shown as 1.000 can be 0.97 (95 % confidence). The quick stimulus of a block is
 * 100,000 cycles.
 */
#ifndef BASIS_H
#define BASIS_H

enum { BASIS_MUTANTS = 100, BASIS_CYCLES = 100000 };

#endif
