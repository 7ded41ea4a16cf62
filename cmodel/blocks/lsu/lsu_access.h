/* SPDX-License-Identifier: Apache-2.0
 *
 * Offloaded accesses: which bytes of which thread are in which transfer (rtl/lsu/README.md,
 * "Words"). Small helpers for rings and turns are here, too.
 *
 * An access has LSU_LANES * 2^size consecutive bytes from addr on. Transfer k holds LSU_XFER_BYTES
 * of them, aligned. Addresses are byte addresses of LSU_ADDR_BITS bits; `size` is 0 .. 3.
 */
#ifndef LSU_ACCESS_H
#define LSU_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "lsu_msg.h"

/* The place of addr in its transfer, 0 .. 31. */
static inline unsigned lsu_access_off(uint64_t addr) {
  return (unsigned)(addr % LSU_XFER_BYTES);
}

/* Transfers of an access that begins `off` bytes into the first: 1 .. LSU_MAX_XFERS. */
static inline unsigned lsu_access_transfers(unsigned off, unsigned size) {
  return (off + (LSU_LANES << size) + LSU_XFER_BYTES - 1) / LSU_XFER_BYTES;
}

/* The number of the access byte at place i of transfer k. Outside of the
 * access it is negative or too large. */
static inline int lsu_access_byte(unsigned off, unsigned k, unsigned i) {
  return (int)(LSU_XFER_BYTES * k + i) - (int)off;
}

/* True if the access has a byte of this number. */
static inline bool lsu_access_has(int byte, unsigned size) {
  return byte >= 0 && byte < LSU_LANES << size;
}

/* The address of transfer k, modulo the address space. */
static inline uint64_t lsu_access_addr(uint64_t addr, unsigned k) {
  return (addr - lsu_access_off(addr) + LSU_XFER_BYTES * k) % (UINT64_C(1) << LSU_ADDR_BITS);
}

/* A value of 2^size bytes as a register holds it. Higher bits of value are
 * ignored; of 8 bytes the word stays. */
static inline uint32_t lsu_extend(uint32_t value, unsigned size, bool sign) {
  if (size >= 2) return value;
  unsigned bits = 8u << size;
  value &= (1u << bits) - 1;
  return sign && value >> (bits - 1) ? value | ~0u << bits : value;
}

/* Byte i of a row of words, lowest byte first. */
static inline unsigned lsu_get_byte(const uint32_t *words, unsigned i) {
  return words[i / 4] >> i % 4 * 8 & 255;
}

/* The four bytes from byte i on. The array must have one word beyond the one with byte i. */
static inline uint32_t lsu_get_word(const uint32_t *words, unsigned i) {
  return (uint32_t)((words[i / 4] | (uint64_t)words[i / 4 + 1] << 32) >> i % 4 * 8);
}

/* Sets byte i, which must be zero. */
static inline void lsu_set_byte(uint32_t *words, unsigned i, unsigned byte) {
  words[i / 4] |= (uint32_t)byte << i % 4 * 8;
}

/* Place i of a ring of `depth` with its oldest element at `first`; i is less than depth. */
static inline unsigned lsu_ring(unsigned first, unsigned i, unsigned depth) {
  return first + i < depth ? first + i : first + i - depth;
}

/* The new place of the oldest when one is taken and `left` remain. An empty ring begins at
 * the front again, to touch little memory. */
static inline unsigned lsu_ring_next(unsigned first, unsigned left, unsigned depth) {
  return left ? lsu_ring(first, 1, depth) : 0;
}

/* The lowest zero of the n lowest bits, n 1 .. 64; -1 if there is none. */
static inline int lsu_lowest_free(uint64_t used, unsigned n) {
  uint64_t free = ~used & ~UINT64_C(0) >> (64 - n);
  return free ? __builtin_ctzll(free) : -1;
}

/* The first of n requesters from `first` upwards, cyclically; -1 without a request. */
static inline int lsu_turn(unsigned first, unsigned n, unsigned req) {
  for (unsigned i = 0; i < n; i++)
    if (req >> (first + i) % n & 1) return (int)((first + i) % n);
  return -1;
}

#endif
