/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stimuli of the LSU-Extension's blocks share: headers, and rows of accesses.
 */
#ifndef LSU_STIM_H
#define LSU_STIM_H

#include "block_stim.h"
#include "lsu_access.h"

/* A header of this type with everything else random; the address
 * and the register at an end of their ranges now and then. */
static inline uint64_t stim_lsu_hdr(rng_t *rng, unsigned type) {
  uint64_t hdr = LSU_PUT(rng_next(rng), type, type), addr = rng_bits(rng, LSU_ADDR_BITS);
  if (chance8(rng, 1)) addr |= LSU_MASK(addr) & ~UINT64_C(1023); /* wraps around */
  if (chance8(rng, 2)) addr &= ~UINT64_C(31);
  if (chance8(rng, 1)) addr = (addr & ~UINT64_C(31)) + 32 - (1u << LSU_GET(hdr, size));
  if (type == LSU_LDO || type == LSU_STO) addr &= ~((UINT64_C(1) << LSU_GET(hdr, size)) - 1);
  /* the low bits are to be ignored */
  if ((type == LSU_RD || type == LSU_WR) && !chance8(rng, 1)) addr &= ~UINT64_C(31);
  if (chance8(rng, 1)) hdr = LSU_PUT(hdr, reg, 255);
  return LSU_PUT(hdr, addr, addr);
}

/* Rows in which bytes at the ends of their ranges are frequent. */
static inline void stim_lsu_row(rng_t *rng, uint32_t *row, unsigned width) {
  rng_fill(rng, row, width);
  for (unsigned i = 0; i < width / 32; i++)
    if (chance8(rng, 1)) row[i] ^= rng_bits(rng, 1) ? 0x80808080 : row[i] ^ 0x00ff8000;
}

#endif
