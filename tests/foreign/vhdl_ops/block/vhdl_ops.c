/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of VHDL: `mod` has the sign of the divisor, `rem` that of the dividend.
 */
#include "vhdl_ops.h"

#include <string.h>

static int sign_extend(uint64_t value, unsigned bits) {
  const int half = 1 << (bits - 1);
  return (int)(value & (2U * (unsigned)half - 1)) - ((int)value & half ? 2 * half : 0);
}

static int modulo(int a, int b) {
  const int rest = a % b;
  return rest && (rest < 0) != (b < 0) ? rest + b : rest;
}

void vhdl_ops_reset(vhdl_ops_t *o) {
  memset(o->kept, 0x33, sizeof o->kept), memset(o->moved, 0, sizeof o->moved);
  o->kept[0] = 0x11, o->kept[1] = 0x22, o->row = 0x3c, o->stored = 0, o->passed = 0;
}

static uint64_t byte(int value) {
  return (uint8_t)value;
}

static void arithmetic(const vhdl_ops_in_t *in, vhdl_ops_out_t *out) {
  const int a = sign_extend(in->a, 8), b = sign_extend(in->b, 8), u = (int)in->u, v = (int)in->v, s = (int)in->s;
  out->asr = byte(a >> s), out->div = byte(b ? a / b : a);
  out->modulo = byte(b ? modulo(a, b) : a), out->remainder = byte(b ? a % b : a);
  out->magnitude = byte(a < 0 ? -a : a), out->negative = byte(-a), out->product = (uint16_t)(a * b);
  out->udiv = byte(v ? u / v : u), out->umod = byte(v ? u % v : u);
  out->rol_by = byte(u << s | u >> (8 - s)), out->lsl = byte(u << s);
  out->imod = byte(modulo(sign_extend(in->i, 4), 3));
  out->greatest = byte(u > v ? u : v), out->least = byte(a < b ? a : b);
  out->flags = byte(__builtin_parity((unsigned)u) | (u != 0) << 1 | (u == 0xff) << 2 | (a < b) << 3 | (u >= v) << 4 |
                    ((u & 0x99) == 0x90) << 5);
}

void vhdl_ops_eval(const vhdl_ops_t *o, const vhdl_ops_in_t *in, vhdl_ops_out_t *out) {
  static const uint8_t some[] = {0xde, 0xad, 0xbe, 0xef, 0x12, 0x34, 0x56, 0x78};
  const uint64_t chosen[] = {1, in->u, in->u, 0xee, 0xee, 0xee, 0xee, in->v};
  arithmetic(in, out);
  out->wide = in->en ? 0x8000000100000002 : 0x123456789abcdef0;
  out->chosen = chosen[in->s], out->table_at = some[in->s], out->reg = (in->u ^ in->v) & 1;
  out->bits = o->row, out->stored = o->stored, out->passed = o->passed;
}

void vhdl_ops_step(vhdl_ops_t *o, const vhdl_ops_in_t *in) {
  o->stored = o->kept[in->s];
  o->row = (uint8_t)(o->row << 1 | in->en);
  if (in->en) o->kept[in->u & 7] = o->moved[in->u & 7] = (uint8_t)in->v;
  o->passed = o->moved[in->s];
}
