/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_icache, the NSU's instruction cache: a ro_cache with 64-bit words, 4 ways and
 * 2 outstanding misses (NSU paper, section 4.1.2, Table 2; rtl/nsu/nsu_icache.ports).
 *
 * The rule is in ro_cache_core.h. Call nsu_icache_eval for the outputs of a cycle, then
 * nsu_icache_step with the same inputs for its clock edge. All outputs are state (Moore).
 */
#ifndef NSU_ICACHE
#define NSU_ICACHE

#include "ro_cache_core.h"
#include "nsu_icache_ports.h"

typedef struct {
  ro_core_t core;
  uint8_t pointer[(Bytes) / RO_LINE_BYTES]; /* by set: the way that is replaced next */
  ro_line_t line[(Bytes) / RO_LINE_BYTES];  /* lines of set s: 4 s to 4 s + 3 */
} nsu_icache_t;

void nsu_icache_reset(nsu_icache_t *c);
void nsu_icache_eval(const nsu_icache_t *c, const nsu_icache_in_t *in, nsu_icache_out_t *out);
void nsu_icache_step(nsu_icache_t *c, const nsu_icache_in_t *in);
/* True: while req and fill_valid are 0, step changes nothing. */
bool nsu_icache_idle(const nsu_icache_t *c);

#endif
