/* SPDX-License-Identifier: Apache-2.0
 *
 * The request and grant matrices of the allocators: row-major ports, bit in * NumOut + out, and
 * their rows as sets of outputs. An includer needs NumIn and NumOut (a port file's header).
 */
#ifndef ALLOC_ROWS_H
#define ALLOC_ROWS_H

#include <string.h>

#include "bits.h"
#include "request_set.h"

enum { NOBODY = 255 }; /* partner of an input without a grant */

/* The outputs that input `in` asks for. */
static inline set_t alloc_row(const uint32_t *req, unsigned in) {
  return bits_get(req, in * NumOut, NumOut);
}

/* The grant matrix from each input's partner: its output, or NOBODY. */
static inline void alloc_show(const uint8_t partner[NumIn], uint32_t gnt[PORT_WORDS(NumIn * NumOut)]) {
  memset(gnt, 0, PORT_WORDS(NumIn * NumOut) * sizeof *gnt);
  for (unsigned in = 0; in < NumIn; in++) {
    unsigned bit = in * NumOut + partner[in];
    if (partner[in] != NOBODY) gnt[bit / 32] |= UINT32_C(1) << bit % 32;
  }
}

#endif
