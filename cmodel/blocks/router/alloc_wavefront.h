/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of alloc_wavefront, the wavefront allocator: a maximal match in one cycle, the
 * yardstick for other allocators (rtl/router/alloc_wavefront.ports).
 *
 * Call alloc_wavefront_eval for the grants of a cycle, then alloc_wavefront_step with the same
 * inputs for its clock edge. gnt depends on req of the same cycle (Mealy). The diagonal moves only
 * with update.
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
