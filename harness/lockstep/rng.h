/* SPDX-License-Identifier: Apache-2.0
 *
 * A small random generator for stimulus (splitmix64): same seed, same numbers, on every machine.
 */
#ifndef RNG_H
#define RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t state;
} rng_t;

static inline uint64_t rng_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static inline void rng_init(rng_t *rng, uint64_t seed) { rng->state = rng_mix(seed + 0x9e3779b97f4a7c15ull); }

static inline uint64_t rng_next(rng_t *rng) { return rng_mix(rng->state += 0x9e3779b97f4a7c15ull); }

/* 0 .. n-1; n = 0 gives 0. */
static inline uint64_t rng_below(rng_t *rng, uint64_t n) {
  return (uint64_t)((unsigned __int128)rng_next(rng) * n >> 64);
}

/* least .. most, both included. */
static inline uint64_t rng_range(rng_t *rng, uint64_t least, uint64_t most) {
  return least + rng_below(rng, most - least + 1);
}

/* True num times of den. */
static inline bool rng_chance(rng_t *rng, uint64_t num, uint64_t den) { return rng_below(rng, den) < num; }

/* The low `bits` bits are random (0 .. 64). */
static inline uint64_t rng_bits(rng_t *rng, unsigned bits) { return bits ? rng_next(rng) >> (64 - bits) : 0; }

/* A field of `width` bits in a port's words; bits above it are zero. */
static inline void rng_fill(rng_t *rng, uint32_t *words, unsigned width) {
  for (unsigned done = 0; done < width; done += 32)
    words[done / 32] = (uint32_t)rng_bits(rng, width - done < 32 ? width - done : 32);
}

#endif
