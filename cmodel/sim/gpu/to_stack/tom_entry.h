/* SPDX-License-Identifier: Apache-2.0
 *
 * A candidate as the hardware has it: its entry of the metadata table (rtl/tom/tom_meta.def), and
 * which register each number in it is.
 *
 * The words of what it sends are numbered from 0 on, then those of what it returns alone and of
 * what its condition names: a candidate's own numbers, as the model's registers have their places
 * by live range (ours; the paper has 64 registers a thread). A predicate is a word for the whole
 * warp.
 */
#ifndef TOM_ENTRY_H
#define TOM_ENTRY_H

#include "simt.h"
#include "tom_compiler.h"
#include "tom_meta.h"

typedef struct {
  uint64_t in, out; /* numbers, a bit each */
  uint32_t bits[(TOM_META_BITS + 63) / 64 * 2];
  tom_reg_t reg[TOM_MAX_REGS];
  uint8_t word[TOM_MAX_REGS]; /* of the register: 1, the upper one of 64 bits */
} tom_entry_t;

bool tom_entry_make(tom_entry_t *entry, const tom_block_t *block); /* false: more words than there are numbers */

/* The numbers of those registers of a list of which `which` has a bit. */
uint64_t tom_entry_numbers(const tom_entry_t *entry, const tom_reg_t *regs, unsigned count, uint64_t which);

/* The row of a number in a warp's registers; written: lanes
 * of `mask`. One that nothing of the kernel reads is 0. */
void tom_row_read(const tom_entry_t *entry, unsigned number, const simt_kernel_t *k, const simt_warp_t *w,
                  uint32_t row[TOM_WARP]);
void tom_row_write(const tom_entry_t *entry, unsigned number, const simt_kernel_t *k, simt_warp_t *w,
                   const uint32_t row[TOM_WARP], uint32_t mask);

#endif
