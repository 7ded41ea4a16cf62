/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit fields in little-endian arrays of 32-bit words, the form in which wide ports carry vectors.
 *
 * Bit k of a vector is bit k % 32 of word k / 32. A field must lie inside its array; nothing checks
 * that. The width is 1 .. 64 bits where a value is passed as uint64_t.
 */
#ifndef BITS_H
#define BITS_H

#include <stdint.h>

/* A mask of the `width` lowest bits; from width 64 on all ones. */
static inline uint64_t bits_ones(unsigned width) {
  return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

/* words[lsb +: width], zero-extended. */
static inline uint64_t bits_get(const uint32_t *words, unsigned lsb, unsigned width) {
  unsigned word = lsb / 32, shift = lsb % 32;
  uint64_t value = words[word] >> shift;
  if (shift + width > 32) value |= (uint64_t)words[word + 1] << (32 - shift);
  if (shift + width > 64) value |= (uint64_t)words[word + 2] << (64 - shift);
  return value & bits_ones(width);
}

/* Replaces the bits of *word that mask names by those of value; the others stay. */
static inline void bits_put_word(uint32_t *word, uint32_t mask, uint64_t value) {
  *word = (*word & ~mask) | ((uint32_t)value & mask);
}

/* words[lsb +: width] = value. Higher bits of value are ignored; other bits of words stay. */
static inline void bits_put(uint32_t *words, unsigned lsb, unsigned width, uint64_t value) {
  unsigned word = lsb / 32, shift = lsb % 32;
  uint64_t ones = bits_ones(width);
  bits_put_word(&words[word], (uint32_t)(ones << shift), value << shift);
  if (shift + width > 32) bits_put_word(&words[word + 1], (uint32_t)(ones >> (32 - shift)), value >> (32 - shift));
  if (shift + width > 64) bits_put_word(&words[word + 2], (uint32_t)(ones >> (64 - shift)), value >> (64 - shift));
}

/* dst[dst_lsb +: width] = src[src_lsb +: width], for any width; 0 copies nothing. The fields
 * must not overlap. */
static inline void bits_copy(uint32_t *dst, unsigned dst_lsb, const uint32_t *src, unsigned src_lsb, unsigned width) {
  for (unsigned done = 0; done < width; done += 32) {
    unsigned n = width - done < 32 ? width - done : 32;
    bits_put(dst, dst_lsb + done, n, bits_get(src, src_lsb + done, n));
  }
}

#endif
