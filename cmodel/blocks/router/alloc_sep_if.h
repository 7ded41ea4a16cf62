/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc_sep_if -- golden model of the separable input-first allocator; contract:
 * rtl/router/alloc_sep_if.ports.
 */
#ifndef ALLOC_SEP_IF_H
#define ALLOC_SEP_IF_H

#include "alloc_sep_if_ports.h"

typedef struct {
  uint8_t in_first[NumIn];   /* an input's pointer: the output it likes best */
  uint8_t out_first[NumOut]; /* an output's */
} alloc_sep_if_t;

void alloc_sep_if_reset(alloc_sep_if_t *s);
void alloc_sep_if_eval(const alloc_sep_if_t *s, const alloc_sep_if_in_t *in, alloc_sep_if_out_t *out);
void alloc_sep_if_step(alloc_sep_if_t *s, const alloc_sep_if_in_t *in);

#endif
