/* SPDX-License-Identifier: Apache-2.0 */
#include "atomic.h"

#include "half.h"
#include "ptx.h"
#include "simt_lanes.h"

/* Adds a half, or both halves of a pair separately. Each sum is rounded once. */
static uint64_t add_halves(unsigned type, uint64_t a, uint64_t b) {
  const half_format_t format = simt_half_format(type);
  uint64_t sums = 0;
  for (unsigned i = 0; i < 16 * simt_halves(type); i += 16)
    sums |= (uint64_t)simt_half_nearest(
                format, half_sum(half_value(format, (uint16_t)(a >> i)), half_value(format, (uint16_t)(b >> i))))
            << i;
  return sums;
}

/* f32 sums have canonical NaNs. Integer sums may exceed the type; the caller keeps the low
 * bytes. */
static uint64_t add_values(unsigned type, uint64_t a, uint64_t b) {
  if (type == PTX_F32) return canon(as_f32((uint32_t)a) + as_f32((uint32_t)b));
  if (simt_halves(type)) return add_halves(type, a, b);
  if (type == PTX_F64) return bits_f64(as_f64(a) + as_f64(b));
  return a + b;
}

/* a < b in this type. Only integers have min and max. */
static int is_less(unsigned type, uint64_t a, uint64_t b) {
  if (type == PTX_S32) return (int32_t)a < (int32_t)b;
  if (type == PTX_S64) return (int64_t)a < (int64_t)b;
  return a < b;
}

uint64_t atomic_apply(unsigned op, unsigned type, uint64_t old, uint64_t b, uint64_t c) {
  switch (op) {
  case PTX_MOD_add: return add_values(type, old, b);
  case PTX_MOD_and: return old & b;
  case PTX_MOD_or: return old | b;
  case PTX_MOD_xor: return old ^ b;
  case PTX_MOD_min: return is_less(type, b, old) ? b : old;
  case PTX_MOD_max: return is_less(type, old, b) ? b : old;
  case PTX_MOD_inc: return old >= b ? 0 : old + 1;
  case PTX_MOD_dec: return old == 0 || old > b ? b : old - 1;
  case PTX_MOD_cas: return old == b ? c : old;
  default: return b; /* exch */
  }
}
