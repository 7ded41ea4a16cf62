/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc_islip -- golden model of the iSLIP allocator; contract: rtl/router/alloc_islip.ports, rule:
 * islip.h.
 */
#ifndef ALLOC_ISLIP_H
#define ALLOC_ISLIP_H

#include "alloc_islip_ports.h"

_Static_assert(NumIn *NumOut *LevelBits <= 8192, "NumIn * NumOut * LevelBits: at most 8192");

typedef struct {
  uint8_t in_first[NumIn];   /* an input's pointer: the output it likes best among equals */
  uint8_t out_first[NumOut]; /* an output's */
} alloc_islip_t;

void alloc_islip_reset(alloc_islip_t *s);
void alloc_islip_eval(const alloc_islip_t *s, const alloc_islip_in_t *in, alloc_islip_out_t *out);
void alloc_islip_step(alloc_islip_t *s, const alloc_islip_in_t *in);

#endif
