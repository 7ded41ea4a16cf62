/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler and disassembler of the NSU's instructions (rtl/nsu/nsu_isa.def; NSU paper, Fig. 3 for
 * the look).
 *
 *   // saxpy: F0 comes with the command
 *   ofld.beg F0
 *   ld.b32 F1
 *   ldc.b32 F2, [16]
 *   fma.rn.f32 F3, F2, F0, F1      // operand b may be a number: 5, -1, 0x1f, 0f3F800000 (a float)
 *   @!F4 mov.b32 F3, 0             // only threads whose F4 is zero
 *   st F3
 *   ofld.end
 *   .word 0x0                      // any 64-bit word
 *
 * One instruction a line; `//` and `;` begin a comment; letters' case does not matter. Assembling
 * what the disassembler prints gives the same word back, for all 2^64 of them: words that no text
 * would give are printed as .word.
 */
#ifndef NSU_ASM_H
#define NSU_ASM_H

#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

enum { NSU_DISASM_SIZE = 96 }; /* enough for any instruction's text */

/* Assembles one line without its newline. Returns 1: *word is set; 0: the line has no instruction;
 * -1: trouble holds the reason, as "COLUMN: what is wrong; what would be right". */
int nsu_asm_line(const char *line, uint64_t *word, trouble_t *trouble);

/* Assembles a whole text. Returns the number of instructions, of which the first `max` are in
 * words; -1: trouble holds "NAME:LINE:COLUMN: what is wrong; what would be right". */
long nsu_asm(const char *name, const char *text, uint64_t *words, size_t max, trouble_t *trouble);

/* Writes the instruction's text, at most NSU_DISASM_SIZE bytes with the final zero. */
void nsu_disasm(uint64_t word, char text[NSU_DISASM_SIZE]);

#endif
