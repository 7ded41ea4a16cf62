/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of int_alu around nsu_alu_int, which states the rule.
 */
#include "int_alu.h"

void int_alu_reset(int_alu_t *s) {
  s->none = 0;
}

void int_alu_eval(const int_alu_t *s, const int_alu_in_t *in, int_alu_out_t *out) {
  (void)s;
  out->y = nsu_alu_int((unsigned)in->op, (uint32_t)in->a, (uint32_t)in->b, (uint32_t)in->c);
}

void int_alu_step(int_alu_t *s, const int_alu_in_t *in) {
  (void)s;
  (void)in;
}
