/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt to and from pairs of 8-bit numbers: e4m3, which has no infinity and one NaN (0x7f, with
 * either sign), and e5m2, the upper half of an f16.
 *
 * A result is the nearest number, ties to even. A value that is too large becomes the largest
 * finite number, and NaN becomes 0x7f. All values are exact in double.
 */
#include <math.h>

#include "simt_lanes.h"

enum { NAN_CODE = 0x7f, SIGN8 = 0x80, MAGNITUDE8 = 0x7f };

typedef struct {
  int bias, fraction; /* bits of fraction */
  unsigned most;      /* code of the largest finite number */
} fp8_t;

static const fp8_t formats[] = {{7, 3, 0x7e}, {15, 2, 0x7b}}; /* e4m3, e5m2: simt_op_t.sub */

/* Code of a number. A subnormal has no leading one in `units`, and a carry moves to the
 * exponent. */
static unsigned encode_fp8(const fp8_t *f, double x) {
  const double magnitude = fabs(x);
  if (isnan(x)) return NAN_CODE;
  const unsigned sign = signbit(x) ? SIGN8 : 0;
  if (isinf(x)) return sign | f->most;
  const int least = 1 - f->bias, exponent = magnitude < ldexp(1, least) ? least : ilogb(magnitude);
  const double units = nearbyint(ldexp(magnitude, f->fraction - exponent));
  const double code = ldexp(exponent + f->bias - 1, f->fraction) + units;
  return sign | (code < f->most ? (unsigned)code : f->most);
}

/* Value of a code. */
static double decode_fp8(const fp8_t *f, unsigned code) {
  const unsigned magnitude = code & MAGNITUDE8, exponent = magnitude >> f->fraction,
                 fraction = magnitude & ((1u << f->fraction) - 1);
  double x = ldexp(exponent ? fraction + (1u << f->fraction) : fraction,
                   (int)(exponent ? exponent : 1) - f->bias - f->fraction);
  if (magnitude > f->most) x = f->fraction == 2 && !fraction ? INFINITY : NAN;
  return code & SIGN8 ? -x : x;
}

/* .relu: a negative number becomes 0. */
static unsigned without_sign(const simt_op_t *op, unsigned code) {
  return op->imm & SIMT_RELU && code & SIGN8 ? 0 : code;
}

/* cvt.rn.satfinite.e4m3x2.f32 d, a, b: a becomes the upper number. */
static void x_fp8_of_floats(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);
  const fp8_t *f = &formats[op->sub];
  uint32_t r[32];
  FOR_LANES r[i] = without_sign(op, encode_fp8(f, as_f32(a[i]))) << 8 | without_sign(op, encode_fp8(f, as_f32(b[i])));
  commit32(w, op->d, r, mask);
}

static void x_fp8_of_halves(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  const fp8_t *f = &formats[op->sub];
  uint32_t r[32];
  FOR_LANES r[i] = without_sign(op, encode_fp8(f, half_value(HALF_F16, (uint16_t)(a[i] >> 16)))) << 8 |
                   without_sign(op, encode_fp8(f, half_value(HALF_F16, (uint16_t)a[i])));
  commit32(w, op->d, r, mask);
}

static void x_halves_of_fp8(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  const fp8_t *f = &formats[op->sub];
  uint32_t r[32];
  FOR_LANES {
    const unsigned high = simt_half_nearest(HALF_F16, decode_fp8(f, a[i] >> 8 & 255)),
                   low = simt_half_nearest(HALF_F16, decode_fp8(f, a[i] & 255));
    r[i] = simt_half_finish(op, HALF_F16, high) << 16 | simt_half_finish(op, HALF_F16, low);
  }
  commit32(w, op->d, r, mask);
}

bool simt_is_fp8(unsigned type) {
  return type == PTX_E4M3X2 || type == PTX_E5M2X2;
}

/* True if the operand is no register, or a register of so many bytes. */
static bool has_bytes(const ptx_operand_t *o, unsigned bytes) {
  return o->kind != PTX_OPND_REG || ptx_type_bytes((ptx_type_t)o->type) == bytes;
}

bool simt_fp8_bind(simt_op_t *op, const ptx_instr_t *in) {
  const bool to = simt_is_fp8(in->type[0]), relu = ptx_has(in, PTX_MOD_relu), floats = in->type[1] == PTX_F32;
  const unsigned other = to ? in->type[1] : in->type[0];
  op->sub = (to ? in->type[0] : in->type[1]) == PTX_E5M2X2;
  op->imm = relu ? SIMT_RELU : 0;
  op->bytes = to ? 2 : 4;
  op->src_bytes = to ? 4 : 2;
  op->fn = x_halves_of_fp8;
  if (to) op->fn = floats ? x_fp8_of_floats : x_fp8_of_halves;
  if (!ptx_has(in, PTX_MOD_rn) || ptx_has(in, PTX_MOD_satfinite) != to || in->num_mods != 1u + to + relu) return false;
  if (other != PTX_F16X2 && !(to && floats)) return false;
  if (in->num_operands != (to && floats ? 3 : 2) || !has_bytes(&in->operand[0], op->bytes)) return false;
  for (unsigned k = 1; k < in->num_operands; k++)
    if (!has_bytes(&in->operand[k], op->src_bytes)) return false;
  return true;
}
