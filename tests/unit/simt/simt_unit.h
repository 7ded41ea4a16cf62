/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel of one or a few PTX instructions on the 32 lanes of a warp. It has registers %p
 * %rs %r %rd %f %fd, 0 to 7 each. Its parameters are the bytes 1 to 7 and 0x88.
 *
 * Usage: executed_unit(text), set_operands() for each lane, then call kernel->ops[0].fn,
 * then get_lane() of result_of(), at last unit_free().
 */
#ifndef SIMT_UNIT_H
#define SIMT_UNIT_H

#include "simt.h"

/* What %clock and %globaltimer give. */
#define UNIT_CLOCK 0x1122334455667788ull
#define UNIT_NANOSECONDS 0x99aabbccddeeff01ull

enum { UNIT_CLASSES = 6 };

typedef struct {
  ptx_module_t *module;
  simt_kernel_t *kernel;
  simt_warp_t warp;
  uint8_t *regs, *konsts;
  const simt_reg_t *operand[UNIT_CLASSES][4]; /* registers 1 to 4 of a class that have a place; else NULL */
} unit_t;

/* fails the test if it cannot be read; kernel NULL: err says why it is not executed */
unit_t unit_new(const char *instr, trouble_t *err);
unit_t executed_unit(const char *instr); /* fails the test if it is not executed */
void unit_free(unit_t *u);

const simt_reg_t *reg_of(const unit_t *u, const char *name);
const simt_reg_t *result_of(const unit_t *u); /* register 0 of the class that has one */
/* Lane 0 to 31. A predicate takes bit 0, a register of 16 bits (narrow) the low 16. */
void set_lane(unit_t *u, const simt_reg_t *r, unsigned lane, uint64_t value, bool narrow);
uint64_t get_lane(const unit_t *u, const simt_reg_t *r, unsigned lane);
void set_operands(unit_t *u, unsigned lane, const uint64_t *v); /* registers 1 to 4 of every class get v[0] to v[3] */

#endif
