/* SPDX-License-Identifier: Apache-2.0 */
#include "atomic.h"

#include "ptx.h"
#include "simt_lanes.h"

static uint64_t add(unsigned type, uint64_t a, uint64_t b) {
  if (type == PTX_F32) return canon(as_f32((uint32_t)a) + as_f32((uint32_t)b));
  if (type == PTX_F64) return bits_f64(as_f64(a) + as_f64(b));
  return a + b;
}

static int below(unsigned type, uint64_t a, uint64_t b) {
  if (type == PTX_S32) return (int32_t)a < (int32_t)b;
  if (type == PTX_S64) return (int64_t)a < (int64_t)b;
  return a < b;
}

uint64_t atomic_apply(unsigned op, unsigned type, uint64_t old, uint64_t b, uint64_t c) {
  switch (op) {
  case PTX_MOD_add: return add(type, old, b);
  case PTX_MOD_and: return old & b;
  case PTX_MOD_or: return old | b;
  case PTX_MOD_xor: return old ^ b;
  case PTX_MOD_min: return below(type, b, old) ? b : old;
  case PTX_MOD_max: return below(type, old, b) ? b : old;
  case PTX_MOD_inc: return old >= b ? 0 : old + 1;
  case PTX_MOD_dec: return old == 0 || old > b ? b : old - 1;
  case PTX_MOD_cas: return old == b ? c : old;
  default: return b; /* exch */
  }
}
