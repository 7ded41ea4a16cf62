/* SPDX-License-Identifier: Apache-2.0
 *
 * What the NSU's 32-bit arithmetic instructions compute: one thread's result from its operands'
 * bits.
 *
 * op is an opcode of nsu_isa.def. nsu_alu takes any op of kind ALU without pairs; any other op
 * gives 0. The four parts match the four units of a lane, and give 0 for an op of another unit.
 * Results are bit patterns of 32 bits.
 *
 * Floating point uses the host's IEEE 754 arithmetic. Compile with -ffp-contract=off, rounding to
 * nearest and subnormal numbers on. PTX's rules for NaN, minimum, maximum, signed zeros,
 * conversions and .ftz are written out. Sources: PTX ISA 8.x (fma, min, max, setp, cvt) and
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
