/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of lsu_done around the rule of lsu_done_core.h.
 */
#include "lsu_done.h"

void lsu_done_reset(lsu_done_t *s) {
  *s = (lsu_done_t){0};
}

void lsu_done_eval(const lsu_done_t *s, const lsu_done_in_t *in, lsu_done_out_t *out) {
  (void)in;
  out->valid = s->core.count > 0;
  out->id = lsu_done_core_oldest(&s->core);
  out->err = s->core.err;
  out->probe_level = s->core.count;
}

void lsu_done_step(lsu_done_t *s, const lsu_done_in_t *in) {
  lsu_done_core_step(&s->core, Depth, in->in_valid, in->in_id, in->take && s->core.count);
}

extern inline bool lsu_done_idle(const lsu_done_t *s);
