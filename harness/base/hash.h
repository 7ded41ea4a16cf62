/* SPDX-License-Identifier: Apache-2.0
 *
 * FNV-1a, 64 bits: hash keys for stored results. Not safe against deliberate collisions. Put a byte
 * between two texts, so that "a", "bc" and "ab", "c" get different keys:
 *
 *   key = hash_byte(hash_text(HASH_EMPTY, a), 0), key = hash_text(key, b)
 */
#ifndef HASH_H
#define HASH_H

#include <stdint.h>

#define HASH_EMPTY 0xcbf29ce484222325ull

static inline uint64_t hash_byte(uint64_t hash, unsigned char byte) {
  return (hash ^ byte) * 0x100000001b3ull;
}

static inline uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text; text++) hash = hash_byte(hash, (unsigned char)*text);
  return hash;
}

#endif
