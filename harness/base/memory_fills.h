/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes loops that fill memories out of `initial`, for questions to Yosys about drivers, loops,
 * clocks and resets, which no content of a memory changes:
 *
 *   initial for (i = 0; i < 16384; i = i + 1) mem[i] = 0;
 *
 * Yosys unrolls such a loop in a time that grows with the square of its steps: 16,384 words take it
 * two minutes, and a hundredth of a second without the loop.
 *
 * What is taken out assigns nothing but words of memories that the text declares, and that it also
 * writes outside of `initial`: a memory that nothing else writes would have no driver.
 */
#ifndef MEMORY_FILLS_H
#define MEMORY_FILLS_H

#include <stdbool.h>

/* Blanks the loops in place; length and lines of the text stay. True: there were some. */
bool memory_fills_drop(char *text);

#endif
