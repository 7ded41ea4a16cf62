/* SPDX-License-Identifier: Apache-2.0
 *
 * Is one register alive before an instruction? The next thing that the basic block does
 * to the register answers: a read says yes, an overwrite says no. Without either, the
 * block's live_out answers.
 *
 * Many ranges are tried. So the reads and sure overwrites of each register are listed once, in
 * order. A question is then a bisection, not a walk back from the block's end:
 *
 *    touches:  | r0: 3R 7W 9R | r1: 2W | r2: ... |     first_touch[r] .. first_touch[r + 1] - 1
 */
#include <stdlib.h>

#include "offload_internal.h"

enum { IS_READ = 1 }; /* lowest bit of a touch; the instruction is above it */

/* Lists the registers that an instruction reads, then those that it surely overwrites and does not
 * read; the latter start at *reads. A guarded write is no sure overwrite. Returns the total. */
static unsigned list_touched(const ptx_func_t *f, const ptx_instr_t *in, int32_t regs[2 * PTX_MAX_INSTR_REGS],
                             unsigned *reads) {
  unsigned n = ptx_uses(f, in, regs, PTX_MAX_INSTR_REGS);
  *reads = n = n < PTX_MAX_INSTR_REGS ? n : PTX_MAX_INSTR_REGS;
  int32_t defs[PTX_MAX_INSTR_REGS];
  unsigned num_defs = in->guarded ? 0 : ptx_defs(f, in, defs, PTX_MAX_INSTR_REGS);
  for (unsigned d = 0; d < num_defs && d < PTX_MAX_INSTR_REGS; d++) {
    bool read = false;
    for (unsigned u = 0; u < *reads; u++) read |= regs[u] == defs[d];
    if (!read) regs[n++] = defs[d];
  }
  return n;
}

/* A counting sort by register: count, sum up, place. */
bool live_make(kernel_t *k) {
  const ptx_func_t *f = k->func;
  int32_t regs[2 * PTX_MAX_INSTR_REGS];
  unsigned reads;
  uint32_t *first = k->first_touch = calloc((size_t)f->num_regs + 2, sizeof *k->first_touch);
  if (!first) return false;
  for (uint32_t i = 0; i < f->num_instrs; i++)
    for (unsigned n = list_touched(f, &f->instrs[i], regs, &reads); n-- > 0;) first[regs[n] + 2]++;
  for (uint32_t r = 1; r <= f->num_regs + 1; r++) first[r] += first[r - 1];
  k->touches = malloc(((size_t)first[f->num_regs + 1] + 1) * sizeof *k->touches);
  if (!k->touches) return false;
  /* first[r + 1] is where r's next touch goes; at the end it is where r's touches end */
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    unsigned n = list_touched(f, &f->instrs[i], regs, &reads);
    for (unsigned t = 0; t < n; t++) k->touches[first[regs[t] + 1]++] = (uint64_t)i << 1 | (t < reads ? IS_READ : 0);
  }
  return true;
}

/* The first touch at or behind i decides, if it is in the block. */
bool live_before(const kernel_t *k, uint32_t block, uint32_t i, int32_t reg) {
  const ptx_block_t *b = &k->func->blocks[block];
  uint32_t low = k->first_touch[reg], end = k->first_touch[reg + 1], high = end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (k->touches[middle] >> 1 < i) low = middle + 1;
    else high = middle;
  }
  if (low < end && k->touches[low] >> 1 <= b->last) return k->touches[low] & IS_READ;
  return b->live_out[reg / 64] >> (reg % 64) & 1;
}
