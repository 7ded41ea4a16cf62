/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_icache -- golden model of the NSU's instruction cache: a ro_cache with 64-bit words, 4 ways
 * and 2 outstanding misses (NSU paper, Table 2). Contract: rtl/nsu/nsu_icache.ports, rule:
 * ro_cache_core.h.
 */
#ifndef NSU_ICACHE
#define NSU_ICACHE

#include "ro_cache_core.h"
#include "nsu_icache_ports.h"

typedef struct {
  ro_core_t core;
  uint8_t pointer[(Bytes) / RO_LINE_BYTES];
  ro_line_t line[(Bytes) / RO_LINE_BYTES];
} nsu_icache_t;

void nsu_icache_reset(nsu_icache_t *c);
void nsu_icache_eval(const nsu_icache_t *c, const nsu_icache_in_t *in, nsu_icache_out_t *out);
void nsu_icache_step(nsu_icache_t *c, const nsu_icache_in_t *in);
bool nsu_icache_idle(const nsu_icache_t *c); /* while req and fill_valid are 0 */

#endif
