/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of ro_cache: a read-only set-associative cache (rtl/lib/ro_cache.ports).
 *
 * The rule is in ro_cache_core.h. Call ro_cache_eval for the outputs of a cycle, then ro_cache_step
 * with the same inputs for its clock edge. All outputs are state (Moore).
 */
#ifndef RO_CACHE_H
#define RO_CACHE_H

#include "ro_cache_core.h"
#include "ro_cache_ports.h"

typedef struct {
  ro_core_t core;                           /* registers, outstanding misses among them */
  uint8_t pointer[(Bytes) / RO_LINE_BYTES]; /* by set: the way that is replaced next; one element a line is enough */
  ro_line_t line[(Bytes) / RO_LINE_BYTES];  /* lines of set s: from s * Ways on */
} ro_cache_t;

void ro_cache_reset(ro_cache_t *c);
void ro_cache_eval(const ro_cache_t *c, const ro_cache_in_t *in, ro_cache_out_t *out);
void ro_cache_step(ro_cache_t *c, const ro_cache_in_t *in);

#endif
