/* SPDX-License-Identifier: Apache-2.0
 *
 * ro_cache's ports around the rule of ro_cache_core.h. Outputs that are not valid are 0.
 */
#include "ro_cache.h"

static const ro_geometry_t ro_cache_geometry = {
    .word_bits = WordBits, .sets = Bytes / RO_LINE_BYTES / Ways, .ways = Ways, .mshrs = Mshrs};

void ro_cache_reset(ro_cache_t *c) {
  ro_core_reset(&c->core, c->line, c->pointer, sizeof c->line / sizeof *c->line);
}

void ro_cache_eval(const ro_cache_t *c, const ro_cache_in_t *in, ro_cache_out_t *out) {
  (void)in;
  int fetch = ro_fetch(ro_cache_geometry, &c->core);
  out->rsp_hit = c->core.rsp_hit;
  out->rsp_data = c->core.rsp_hit ? c->core.rsp_data : 0;
  out->wake = c->core.wake;
  out->ft_valid = fetch >= 0;
  out->ft_addr = fetch >= 0 ? c->core.mshr[fetch].addr : 0;
  out->err_noreq = c->core.err_noreq;
  out->probe_miss = c->core.probe_miss;
  out->probe_miss_addr = c->core.probe_miss ? c->core.probe_miss_addr : 0;
}

void ro_cache_step(ro_cache_t *c, const ro_cache_in_t *in) {
  ro_core_in_t core_in = {.req = in->req,
                          .req_addr = in->req_addr,
                          .ft_ready = in->ft_ready,
                          .fill_valid = in->fill_valid,
                          .fill_addr = in->fill_addr,
                          .fill_data = in->fill_data};
  ro_core_step(ro_cache_geometry, &c->core, c->line, c->pointer, &core_in);
}
