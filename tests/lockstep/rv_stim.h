/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stimuli of the controller's blocks share: instructions, control registers, operands that
 * are hard for arithmetic units.
 */
#ifndef RV_STIM_H
#define RV_STIM_H

#include <string.h>

#include "rng.h"
#include "rv_isa.h"
#include "stim.h"

/* clang-format off */
#define RV_STIM_DEFINE(block, ...)                          \
  const stim_t block##_stim = {                             \
    .profiles = profiles,                                   \
    .num_profiles = sizeof profiles / sizeof *profiles,     \
    .state_size = sizeof(state_t),                          \
    .init = init,                                           \
    .next = next,                                           \
    __VA_ARGS__                                             \
  };
/* clang-format on */

/* 0, the least and the greatest numbers, one bit, a few low bits, or anything; of `bits` bits. */
static inline uint64_t rv_stim_number(rng_t *rng, unsigned bits) {
  const uint64_t all = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1, top = UINT64_C(1) << (bits - 1);
  switch (rng_below(rng, 8)) {
  case 0: return rng_bits(rng, 1) ? all : 0;
  case 1: return rng_bits(rng, 1) ? top : top - 1;
  case 2: return UINT64_C(1) << rng_below(rng, bits);
  case 3: return rng_below(rng, 20) & all;
  case 4: return (0 - rng_below(rng, 20)) & all;
  case 5: return rng_bits(rng, bits) >> rng_below(rng, bits);
  default: return rng_bits(rng, bits);
  }
}

/* A control register: one with bits of its own, one
 * that is 0, the first or last of such, or any. */
static inline unsigned rv_stim_csr(rng_t *rng) {
  static const uint16_t own[] = {
#define RV_CSR(name, address, text) address,
#include "rv_isa.def"
  };
  static const uint16_t zero[] = {
#define RV_CSR_ZERO(name, first, last) first, last, first - 1, last + 1,
#include "rv_isa.def"
  };
  switch (rng_below(rng, 16)) {
  case 0: return (unsigned)rng_bits(rng, 12);
  case 1: return zero[rng_below(rng, sizeof zero / sizeof *zero)];
  case 2: return own[rng_below(rng, sizeof own / sizeof *own)] ^ 1u << rng_below(rng, 12);
  default: return own[rng_below(rng, sizeof own / sizeof *own)];
  }
}

/* Few registers, so that one is often read after it was written; now and then any. */
static inline unsigned rv_stim_reg(rng_t *rng) {
  return (unsigned)(rng_below(rng, 4) ? rng_bits(rng, 2) : rng_bits(rng, 5));
}

static inline uint32_t rv_stim_instr(rng_t *rng, const rv_op_t *op) {
  return rv_make(op, rv_stim_reg(rng), rv_stim_reg(rng), rv_stim_reg(rng), (uint32_t)rv_stim_number(rng, 32),
                 rv_stim_csr(rng));
}

/* One of this kind. */
static inline const rv_op_t *rv_stim_op(rng_t *rng, rv_kind_t kind) {
  unsigned number = 0;
  for (unsigned i = 0; i < RV_NUM_OPS; i++) number += rv_ops[i].kind == kind;
  number = (unsigned)rng_below(rng, number);
  for (unsigned i = 0;; i++)
    if (rv_ops[i].kind == kind && number-- == 0) return &rv_ops[i];
}

#endif
