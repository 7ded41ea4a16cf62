/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of alloc_islip, the iSLIP allocator: outputs grant, inputs accept, Iters times
 * (NUPIM paper, Table I; rtl/router/alloc_islip.ports).
 *
 * The rule is in islip.h. Call alloc_islip_eval for the grants of a cycle, then alloc_islip_step
 * with the same inputs for its clock edge. gnt depends on req and level of the same cycle (Mealy).
 * Pointers move only with update.
 */
#ifndef ALLOC_ISLIP_H
#define ALLOC_ISLIP_H

#include "alloc_islip_ports.h"

_Static_assert(NumIn *NumOut *LevelBits <= 8192, "NumIn * NumOut * LevelBits: at most 8192");

typedef struct {
  uint8_t in_first[NumIn];   /* pointer of an input: the output it prefers among equals */
  uint8_t out_first[NumOut]; /* pointer of an output: the input it prefers among equals */
} alloc_islip_t;

void alloc_islip_reset(alloc_islip_t *s);
void alloc_islip_eval(const alloc_islip_t *s, const alloc_islip_in_t *in, alloc_islip_out_t *out);
void alloc_islip_step(alloc_islip_t *s, const alloc_islip_in_t *in);

#endif
