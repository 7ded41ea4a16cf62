/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagonals are visited from the priority diagonal on; a request is granted if its row and column
 * are still free.
 */
#include "alloc_wavefront.h"

#include <stdbool.h>

#include "alloc_rows.h"

enum { N = WAVEFRONT_DIAGONALS };

/* asking[d] is the set of inputs with a request on diagonal d. Input
 * and diagonal name the output. */
static void requests(const uint32_t *req, set_t asking[N]) {
  for (unsigned i = 0; i < NumIn; i++)
    for (set_t row = alloc_row(req, i); row; row = set_rest(row)) asking[(i + set_lowest(row)) % N] |= set_of(i);
}

/* partner[i] is the output that input i got, or NOBODY. Cells of a diagonal share no row or
 * column, so their order does not matter. */
static void allocate(const alloc_wavefront_t *s, const uint32_t *req, uint8_t partner[NumIn]) {
  set_t asking[N] = {0}, served = 0, taken = 0; /* served: inputs; taken: outputs */
  requests(req, asking);
  memset(partner, NOBODY, NumIn);
  for (unsigned n = 0; n < N; n++) {
    unsigned d = (s->diagonal + n) % N;
    for (set_t left = asking[d] & ~served; left; left = set_rest(left)) {
      unsigned i = set_lowest(left), o = (N + d - i) % N;
      if (taken & set_of(o)) continue;
      partner[i] = (uint8_t)o;
      served |= set_of(i);
      taken |= set_of(o);
    }
  }
}

void alloc_wavefront_reset(alloc_wavefront_t *s) {
  s->diagonal = 0;
}

void alloc_wavefront_eval(const alloc_wavefront_t *s, const alloc_wavefront_in_t *in, alloc_wavefront_out_t *out) {
  uint8_t partner[NumIn];
  allocate(s, in->req, partner);
  alloc_show(partner, out->gnt);
  out->probe_diagonal = s->diagonal;
}

void alloc_wavefront_step(alloc_wavefront_t *s, const alloc_wavefront_in_t *in) {
  bool any = false;
  for (unsigned i = 0; i < NumIn; i++) any |= alloc_row(in->req, i) != 0;
  if (in->update && any) s->diagonal = (s->diagonal + 1) % N;
}
