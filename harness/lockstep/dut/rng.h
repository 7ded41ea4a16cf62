/* SPDX-License-Identifier: Apache-2.0
 *
 * A small random generator for stimulus (splitmix64): same seed, same numbers, on every machine.
 *
 * While a tape is set, it answers instead of the generator: it notes every draw of a stimulus, or
 * plays noted ones again (tape.h).
 */
#ifndef RNG_H
#define RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t state;
} rng_t;

/* NEXT: 64 bits; BELOW: 0 .. n-1; BITS: 0 .. n (all ones); CHANCE: 1 num times of n, else 0. */
typedef enum { RNG_NEXT, RNG_BELOW, RNG_BITS, RNG_CHANCE } rng_kind_t;

/* Answers a draw; rng may be moved on. */
typedef struct rng_tape {
  uint64_t (*draw)(struct rng_tape *tape, rng_t *rng, rng_kind_t kind, uint64_t n, uint64_t num);
} rng_tape_t;

/* Of this object (or program) alone; NULL: none. */
__attribute__((weak, visibility("hidden"))) rng_tape_t *rng_tape;

static inline uint64_t rng_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static inline void rng_init(rng_t *rng, uint64_t seed) {
  rng->state = rng_mix(seed + 0x9e3779b97f4a7c15ull);
}

/* What the generator itself says. */
static inline uint64_t rng_generate(rng_t *rng, rng_kind_t kind, uint64_t n, uint64_t num) {
  const uint64_t value = rng_mix(rng->state += 0x9e3779b97f4a7c15ull);
  if (kind == RNG_NEXT) return value;
  if (kind == RNG_BITS) return value >> __builtin_clzll(n);
  const uint64_t below = (uint64_t)((unsigned __int128)value * n >> 64);
  return kind == RNG_BELOW ? below : below < num;
}

static inline uint64_t rng_draw(rng_t *rng, rng_kind_t kind, uint64_t n, uint64_t num) {
  if (__builtin_expect(rng_tape != NULL, 0)) return rng_tape->draw(rng_tape, rng, kind, n, num);
  return rng_generate(rng, kind, n, num);
}

static inline uint64_t rng_next(rng_t *rng) {
  return rng_draw(rng, RNG_NEXT, 0, 0);
}

/* 0 .. n-1; n = 0 gives 0. */
static inline uint64_t rng_below(rng_t *rng, uint64_t n) {
  return rng_draw(rng, RNG_BELOW, n, 0);
}

/* least .. most, both included. */
static inline uint64_t rng_range(rng_t *rng, uint64_t least, uint64_t most) {
  return least + rng_below(rng, most - least + 1);
}

/* True num times of den. */
static inline bool rng_chance(rng_t *rng, uint64_t num, uint64_t den) {
  return rng_draw(rng, RNG_CHANCE, den, num);
}

/* The low `bits` bits are random (0 .. 64). */
static inline uint64_t rng_bits(rng_t *rng, unsigned bits) {
  return bits ? rng_draw(rng, RNG_BITS, ~0ull >> (64 - bits), 0) : 0;
}

/* A field of `width` bits in a port's words; bits above it are zero. */
static inline void rng_fill(rng_t *rng, uint32_t *words, unsigned width) {
  for (unsigned done = 0; done < width; done += 32)
    words[done / 32] = (uint32_t)rng_bits(rng, width - done < 32 ? width - done : 32);
}

#endif
