/* SPDX-License-Identifier: Apache-2.0
 *
 * $random, $urandom and $urandom_range of the RTL, the same numbers in Verilator and in Icarus
 * Verilog: one sequence for each device, which begins anew when the device is created (dut.h:
 * seed). `$random(variable)` follows its variable alone, as IEEE 1364 writes it down.
 */
#ifndef DUT_RANDOM_H
#define DUT_RANDOM_H

#include <stdint.h>
#include <string.h>

#include "rng.h"

enum { RANDOM_SEED = 1 }; /* of a device for which nobody said one */

static inline uint64_t random_start(uint64_t seed) {
  return rng_mix(seed ^ 0x5eed0fa11d17ull);
}

static inline uint64_t random_next(uint64_t *state) {
  return rng_mix(*state += 0x9e3779b97f4a7c15ull);
}

/* Both ends included, whichever is the greater. */
static inline uint32_t random_range(uint64_t *state, uint32_t a, uint32_t b) {
  const uint32_t least = a < b ? a : b;
  const uint64_t count = (uint64_t)(a < b ? b : a) - least + 1;
  return (uint32_t)(random_next(state) % count) + least;
}

/* IEEE 1364-2005, 17.9.3: rtl_dist_uniform over all of an integer. */
static inline int32_t random_of_variable(int32_t *variable) {
  uint32_t seed = *variable ? (uint32_t)*variable : 259341593u;
  float fraction;
  seed = 69069u * seed + 1;
  const uint32_t bits = seed >> 9 | 0x3f800000u;
  memcpy(&fraction, &bits, sizeof fraction);
  *variable = (int32_t)seed;
  const double wide = fraction, share = wide + wide * 0.00000011920928955078125 - 1.0;
  const double uniform = 4294967295.0 * share - 2147483648.0;
  const double value = (uniform + 2147483648.0) / 4294967295.0 * 4294967296.0 - 2147483648.0;
  return value >= 0 ? (int32_t)value : (int32_t)(value - 1);
}

#endif
