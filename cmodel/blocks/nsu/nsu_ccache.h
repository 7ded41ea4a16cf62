/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_ccache -- golden model of the NSU's constant cache: a ro_cache with 32-bit words, 4 ways and
 * 2 outstanding misses (NSU paper, Table 2). Contract: rtl/nsu/nsu_ccache.ports, rule:
 *   ro_cache_core.h.
 */
#ifndef NSU_CCACHE
#define NSU_CCACHE

#include "ro_cache_core.h"
#include "nsu_ccache_ports.h"

typedef struct {
  ro_core_t core;
  uint8_t pointer[(Bytes) / RO_LINE_BYTES];
  ro_line_t line[(Bytes) / RO_LINE_BYTES];
} nsu_ccache_t;

void nsu_ccache_reset(nsu_ccache_t *c);
void nsu_ccache_eval(const nsu_ccache_t *c, const nsu_ccache_in_t *in, nsu_ccache_out_t *out);
void nsu_ccache_step(nsu_ccache_t *c, const nsu_ccache_in_t *in);
bool nsu_ccache_idle(const nsu_ccache_t *c); /* while req and fill_valid are 0 */

#endif
