/* SPDX-License-Identifier: Apache-2.0
 *
 * ro_cache -- golden model of the read-only cache; contract: rtl/lib/ro_cache.ports, rule:
 * ro_cache_core.h.
 */
#ifndef RO_CACHE_H
#define RO_CACHE_H

#include "ro_cache_core.h"
#include "ro_cache_ports.h"

typedef struct {
  ro_core_t core;
  uint8_t pointer[(Bytes) / RO_LINE_BYTES];
  ro_line_t line[(Bytes) / RO_LINE_BYTES];
} ro_cache_t;

void ro_cache_reset(ro_cache_t *c);
void ro_cache_eval(const ro_cache_t *c, const ro_cache_in_t *in, ro_cache_out_t *out);
void ro_cache_step(ro_cache_t *c, const ro_cache_in_t *in);

#endif
