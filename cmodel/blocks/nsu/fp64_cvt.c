/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of fp64_cvt around nsu_fp64_cvt, which states the rule.
 */
#include "fp64_cvt.h"

void fp64_cvt_reset(fp64_cvt_t *s) {
  s->none = 0;
}

void fp64_cvt_eval(const fp64_cvt_t *s, const fp64_cvt_in_t *in, fp64_cvt_out_t *out) {
  (void)s;
  out->y = nsu_fp64_cvt((unsigned)in->op, in->b);
}

void fp64_cvt_step(fp64_cvt_t *s, const fp64_cvt_in_t *in) {
  (void)s;
  (void)in;
}
