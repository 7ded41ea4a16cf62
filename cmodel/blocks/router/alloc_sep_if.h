/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of alloc_sep_if, the separable input-first allocator: inputs pick an output, outputs
 * pick one of those inputs (rtl/router/alloc_sep_if.ports).
 *
 * Call alloc_sep_if_eval for the grants of a cycle, then alloc_sep_if_step with the same inputs for
 * its clock edge. gnt depends on req of the same cycle (Mealy). Pointers move only with update.
 */
#ifndef ALLOC_SEP_IF_H
#define ALLOC_SEP_IF_H

#include "alloc_sep_if_ports.h"

typedef struct {
  uint8_t in_first[NumIn];   /* pointer of an input: the output it prefers */
  uint8_t out_first[NumOut]; /* pointer of an output: the input it prefers */
} alloc_sep_if_t;

void alloc_sep_if_reset(alloc_sep_if_t *s);
void alloc_sep_if_eval(const alloc_sep_if_t *s, const alloc_sep_if_in_t *in, alloc_sep_if_out_t *out);
void alloc_sep_if_step(alloc_sep_if_t *s, const alloc_sep_if_in_t *in);

#endif
