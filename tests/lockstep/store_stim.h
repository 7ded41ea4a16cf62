/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of stores, for nsu_wgen and nsu_stu.
 */
#ifndef STORE_STIM_H
#define STORE_STIM_H

#include "nsu_stim.h"

enum { ALIGNED, SHIFTED, STRIDED, DIVERGENT, MIXED };

/* clang-format off */
#define STORE_STIM_PROFILES                                                            \
  [ALIGNED] = {"aligned", "thread i at line + i * bytes: one packet"},                  \
  [SHIFTED] = {"shifted", "consecutive but not from a line's start: one or two lines"}, \
  [STRIDED] = {"strided", "a few lines, order of threads turned, equal addresses"},    \
  [DIVERGENT] = {"divergent", "a line a thread, in stacks far apart or one bit apart"}, \
  [MIXED] = {"mixed", "all of them, some packets refused, empty masks"}
/* clang-format on */

/* Anywhere, near the line, or in a line whose address differs from
 * it in one bit: so a comparison that forgets one is seen. */
static inline uint64_t store_stim_far(rng_t *rng, uint64_t line) {
  switch (rng_below(rng, 3)) {
  case 0: return rng_bits(rng, PKT_ADDR_BITS);
  case 1: return line + rng_bits(rng, 9);
  default: return (line ^ UINT64_C(1) << rng_range(rng, 7, PKT_ADDR_BITS - 1)) + rng_bits(rng, 7);
  }
}

/* addrs: 32 addresses of 40 bits; writes the store's size too. */
static inline void store_stim_addrs(rng_t *rng, unsigned profile, uint32_t *addrs, uint64_t *size) {
  unsigned pattern = profile == MIXED ? (unsigned)rng_below(rng, MIXED) : profile;
  unsigned bytes_log = (unsigned)rng_bits(rng, 2);
  uint64_t line = (rng_below(rng, 8) ? rng_bits(rng, PKT_ADDR_BITS) : bits_ones(PKT_ADDR_BITS)) & ~UINT64_C(127);
  uint64_t start = pattern == SHIFTED ? rng_bits(rng, 7) : 0, stride = 1u << bytes_log;
  if (pattern == STRIDED) stride = rng_below(rng, 64) - 32;
  *size = bytes_log;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) {
    uint64_t addr = line + start + i * stride;
    if (pattern == DIVERGENT) addr = store_stim_far(rng, line);
    bits_put(addrs, i * PKT_ADDR_BITS, PKT_ADDR_BITS, addr & bits_ones(PKT_ADDR_BITS));
  }
}

/* Of 8: how often a packet is accepted. */
static inline unsigned store_stim_ready(unsigned profile) {
  return profile == MIXED ? 3 : profile == STRIDED ? 6 : 8;
}

#endif
