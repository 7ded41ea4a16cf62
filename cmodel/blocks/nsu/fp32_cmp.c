/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of fp32_cmp around nsu_alu_cmp, which states the rule.
 */
#include "fp32_cmp.h"

void fp32_cmp_reset(fp32_cmp_t *s) {
  s->none = 0;
}

void fp32_cmp_eval(const fp32_cmp_t *s, const fp32_cmp_in_t *in, fp32_cmp_out_t *out) {
  (void)s;
  out->y = nsu_alu_cmp((unsigned)in->op, (uint32_t)in->a, (uint32_t)in->b);
}

void fp32_cmp_step(fp32_cmp_t *s, const fp32_cmp_in_t *in) {
  (void)s;
  (void)in;
}
