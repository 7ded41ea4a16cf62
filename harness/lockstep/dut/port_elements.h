/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of n elements (IN_N, OUT_N, PROBE_N of a port file): element k is bits k * width and up,
 * and has a meaning while bit k of its qualifying port is 1.
 */
#ifndef PORT_ELEMENTS_H
#define PORT_ELEMENTS_H

#include <stdint.h>

/* Zeroes the elements whose bit of `valid` is 0; n is 1 to 64. */
static inline void port_clear_elements(uint32_t *words, unsigned n, unsigned width, uint64_t valid) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned bit = k * width, end = bit + width; bit < end && !(valid >> k & 1);) {
      const unsigned low = bit % 32, count = end - bit < 32 - low ? end - bit : 32 - low;
      words[bit / 32] &= ~(uint32_t)((((uint64_t)1 << count) - 1) << low);
      bit += count;
    }
}

#endif
