/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel of one or a few PTX instructions on 32 lanes, with registers %p %rs %r %rd %f %fd, 0 to
 * 7 each. Its parameters are the bytes 1 to 7 and 0x88.
 */
#ifndef SIMT_UNIT_H
#define SIMT_UNIT_H

#include "simt.h"

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
void set_lane(unit_t *u, const simt_reg_t *r, unsigned lane, uint64_t value, bool narrow);
uint64_t get_lane(const unit_t *u, const simt_reg_t *r, unsigned lane);
void set_operands(unit_t *u, unsigned lane, const uint64_t *v); /* registers 1 to 4 of every class get v[0] to v[3] */

#endif
