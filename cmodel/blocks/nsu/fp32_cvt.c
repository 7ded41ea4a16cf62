/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of fp32_cvt around nsu_alu_cvt, which states the rule.
 */
#include "fp32_cvt.h"

void fp32_cvt_reset(fp32_cvt_t *s) {
  s->none = 0;
}

void fp32_cvt_eval(const fp32_cvt_t *s, const fp32_cvt_in_t *in, fp32_cvt_out_t *out) {
  (void)s;
  out->y = nsu_alu_cvt((unsigned)in->op, (uint32_t)in->b);
}

void fp32_cvt_step(fp32_cvt_t *s, const fp32_cvt_in_t *in) {
  (void)s;
  (void)in;
}
