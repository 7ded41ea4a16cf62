/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc_wavefront -- golden model of the wavefront allocator; contract:
 * rtl/router/alloc_wavefront.ports.
 */
#ifndef ALLOC_WAVEFRONT_H
#define ALLOC_WAVEFRONT_H

#include "alloc_wavefront_ports.h"

enum { WAVEFRONT_DIAGONALS = NumIn > NumOut ? NumIn : NumOut };

typedef struct {
  unsigned diagonal; /* the priority diagonal, 0 .. WAVEFRONT_DIAGONALS - 1 */
} alloc_wavefront_t;

void alloc_wavefront_reset(alloc_wavefront_t *s);
void alloc_wavefront_eval(const alloc_wavefront_t *s, const alloc_wavefront_in_t *in, alloc_wavefront_out_t *out);
void alloc_wavefront_step(alloc_wavefront_t *s, const alloc_wavefront_in_t *in);

#endif
