/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of rv_decode around the list of rv_isa.h.
 */
#include "rv_decode.h"

void rv_decode_reset(rv_decode_t *s) {
  s->none = 0;
}

void rv_decode_eval(const rv_decode_t *s, const rv_decode_in_t *in, rv_decode_out_t *out) {
  const uint32_t instr = (uint32_t)in->instr;
  const rv_op_t *op = rv_op(instr);
  (void)s;
  *out = (rv_decode_out_t){.legal = op != 0};
  if (!op) return;
  out->kind = op->kind;
  out->sub = op->sub;
  out->imm = rv_imm(op->form, instr);
  out->writes = rv_has_rd(op->form) && rv_rd(instr);
}

void rv_decode_step(rv_decode_t *s, const rv_decode_in_t *in) {
  (void)s;
  (void)in;
}
