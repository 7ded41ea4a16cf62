/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_ccache, the NSU's constant cache: a ro_cache with 32-bit words, 4 ways and 2
 * outstanding misses (NSU paper, section 4.1.2, Table 2; rtl/nsu/nsu_ccache.ports).
 *
 * The rule is in ro_cache_core.h. Call nsu_ccache_eval for the outputs of a cycle, then
 * nsu_ccache_step with the same inputs for its clock edge. All outputs are state (Moore).
 */
#ifndef NSU_CCACHE
#define NSU_CCACHE

#include "ro_cache_core.h"
#include "nsu_ccache_ports.h"

typedef struct {
  ro_core_t core;
  uint8_t pointer[(Bytes) / RO_LINE_BYTES]; /* by set: the way that is replaced next */
  ro_line_t line[(Bytes) / RO_LINE_BYTES];  /* lines of set s: 4 s to 4 s + 3 */
} nsu_ccache_t;

void nsu_ccache_reset(nsu_ccache_t *c);
void nsu_ccache_eval(const nsu_ccache_t *c, const nsu_ccache_in_t *in, nsu_ccache_out_t *out);
void nsu_ccache_step(nsu_ccache_t *c, const nsu_ccache_in_t *in);
/* True: while req and fill_valid are 0, step changes nothing. */
bool nsu_ccache_idle(const nsu_ccache_t *c);

#endif
