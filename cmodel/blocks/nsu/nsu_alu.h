/* SPDX-License-Identifier: Apache-2.0
 *
 * What the NSU's arithmetic instructions compute: one thread's result from its operands' bits.
 *
 * nsu_alu(op, a, b, c): op is an opcode of nsu_isa.def of kind ALU; any other op gives 0. The four
 * parts take the same opcodes and give 0 for those of another part. Floating point is the host's
 * IEEE 754 arithmetic (compile with -ffp-contract=off, rounding mode to nearest, subnormals on);
 * PTX's rules for NaN, minimum, maximum, signed zeros and conversions are written out, as is .ftz.
 * Sources: PTX ISA 8.x (fma, min, max, setp, cvt),
 * rtl/nsu/{fp_fma,fp32_cmp,fp32_cvt,int_alu}.ports.
 */
#ifndef NSU_ALU_H
#define NSU_ALU_H

#include <stdint.h>

enum { NSU_NAN = 0x7fffffff }; /* the canonical NaN: the only one that arithmetic gives */

uint32_t nsu_alu(unsigned op, uint32_t a, uint32_t b, uint32_t c);

uint32_t nsu_alu_fma(unsigned op, uint32_t a, uint32_t b, uint32_t c); /* FADD FSUB FMUL FFMA */
uint32_t nsu_alu_cmp(unsigned op, uint32_t a, uint32_t b);             /* FSET_*, FMIN FMAX FABS FNEG */
uint32_t nsu_alu_cvt(unsigned op, uint32_t b);                         /* CVT from and to f32 */
uint32_t nsu_alu_int(unsigned op, uint32_t a, uint32_t b, uint32_t c); /* integers, logic, SELP, CVT of integers */

#endif
