/* SPDX-License-Identifier: Apache-2.0
 *
 * A candidate as the hardware sees it: its entry of the metadata table (rtl/tom/tom_meta.def), and
 * the register behind each number in the entry.
 *
 * A candidate numbers its own words, from 0: first the words that it sends, then those that it only
 * returns, then those that its condition names. The model's registers have places by live range, so
 * the numbers are the candidate's own (ours; the paper has 64 registers a thread). A predicate is
 * one word for the whole warp.
 */
#ifndef TOM_ENTRY_H
#define TOM_ENTRY_H

#include "simt.h"
#include "tom_compiler.h"
#include "tom_meta.h"

/* A candidate's entry. Arrays are indexed by number. */
typedef struct {
  uint64_t in, out;                             /* numbers of live-ins and live-outs, one bit each */
  uint32_t bits[(TOM_META_BITS + 63) / 64 * 2]; /* the entry of the metadata table */
  tom_reg_t reg[TOM_MAX_REGS];
  uint8_t word[TOM_MAX_REGS]; /* 1: the upper word of a 64-bit register */
} tom_entry_t;

/* Fills an entry. false: the block has more words than there are numbers. */
bool tom_entry_make(tom_entry_t *entry, const tom_block_t *block);

/* Numbers of those registers of a list that have their bit in `which`, one bit each. */
uint64_t tom_entry_numbers(const tom_entry_t *entry, const tom_reg_t *regs, unsigned count, uint64_t which);

/* Copy the row of a number from a warp's registers, or to the lanes of `mask`. A register that
 * the kernel never reads gives a row of zeros. */
void tom_row_read(const tom_entry_t *entry, unsigned number, const simt_kernel_t *k, const simt_warp_t *w,
                  uint32_t row[TOM_WARP]);
void tom_row_write(const tom_entry_t *entry, unsigned number, const simt_kernel_t *k, simt_warp_t *w,
                   const uint32_t row[TOM_WARP], uint32_t mask);

#endif
