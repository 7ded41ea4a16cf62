/* SPDX-License-Identifier: Apache-2.0
 *
 * Results and branches by funct3, the low three bits of sub. Bit 3 chooses subtraction and the
 * signed shift.
 */
#include "rv_alu.h"

uint32_t rv_alu_result(unsigned sub, uint32_t a, uint32_t b) {
  switch (sub & 7) {
  case 1: return a << (b & 31);
  case 2: return (int32_t)a < (int32_t)b;
  case 3: return a < b;
  case 4: return a ^ b;
  case 5: return sub & 8 ? (uint32_t)((int64_t)(int32_t)a >> (b & 31)) : a >> (b & 31);
  case 6: return a | b;
  case 7: return a & b;
  default: return sub & 8 ? a - b : a + b;
  }
}

bool rv_alu_taken(unsigned sub, uint32_t a, uint32_t b) {
  switch (sub & 7) {
  case 4: return (int32_t)a < (int32_t)b;
  case 5: return (int32_t)a >= (int32_t)b;
  case 6: return a < b;
  case 7: return a >= b;
  default: return sub & 1 ? a != b : a == b;
  }
}

void rv_alu_reset(rv_alu_t *s) {
  s->none = 0;
}

void rv_alu_eval(const rv_alu_t *s, const rv_alu_in_t *in, rv_alu_out_t *out) {
  (void)s;
  out->y = rv_alu_result((unsigned)in->sub, (uint32_t)in->a, (uint32_t)in->b);
  out->taken = rv_alu_taken((unsigned)in->sub, (uint32_t)in->a, (uint32_t)in->b);
}

void rv_alu_step(rv_alu_t *s, const rv_alu_in_t *in) {
  (void)s;
  (void)in;
}
