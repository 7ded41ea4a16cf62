/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of nsu_ccache around the rule of ro_cache_core.h. Outputs that are not valid are 0.
 */
#include "nsu_ccache.h"

static const ro_geometry_t nsu_ccache_geometry = {
    .word_bits = 32, .sets = Bytes / RO_LINE_BYTES / 4, .ways = 4, .mshrs = 2};

void nsu_ccache_reset(nsu_ccache_t *c) {
  ro_core_reset(&c->core, c->line, c->pointer, sizeof c->line / sizeof *c->line);
}

void nsu_ccache_eval(const nsu_ccache_t *c, const nsu_ccache_in_t *in, nsu_ccache_out_t *out) {
  (void)in;
  int fetch = ro_fetch(nsu_ccache_geometry, &c->core);
  out->rsp_hit = c->core.rsp_hit;
  out->rsp_data = c->core.rsp_hit ? c->core.rsp_data : 0;
  out->wake = c->core.wake;
  out->ft_valid = fetch >= 0;
  out->ft_addr = fetch >= 0 ? c->core.mshr[fetch].addr : 0;
  out->err_noreq = c->core.err_noreq;
  out->probe_miss = c->core.probe_miss;
  out->probe_miss_addr = c->core.probe_miss ? c->core.probe_miss_addr : 0;
}

void nsu_ccache_step(nsu_ccache_t *c, const nsu_ccache_in_t *in) {
  ro_core_in_t core_in = {.req = in->req,
                          .req_addr = in->req_addr,
                          .ft_ready = in->ft_ready,
                          .fill_valid = in->fill_valid,
                          .fill_addr = in->fill_addr,
                          .fill_data = in->fill_data};
  ro_core_step(nsu_ccache_geometry, &c->core, c->line, c->pointer, &core_in);
}

bool nsu_ccache_idle(const nsu_ccache_t *c) {
  return ro_core_idle(nsu_ccache_geometry, &c->core);
}
