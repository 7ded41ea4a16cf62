/* SPDX-License-Identifier: Apache-2.0
 *
 * The standard's constants are the first 32 bits of the fractions of primes' cube roots (rounds) and square roots (start); they
 * are computed, so that there is no table to mistype.
 */
#include "sha256.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

/* The greatest r with r^power <= n 2^(32 power), modulo 2^32; it has at most 35 bits. */
static uint32_t root_fraction(unsigned n, unsigned power) {
  const unsigned __int128 limit = (unsigned __int128)n << 32 * power;
  uint64_t root = 0;
  for (int bit = 34; bit >= 0; bit--) {
    uint64_t r = root | 1ull << bit;
    if ((unsigned __int128)r * r <= (power == 3 ? limit / r : limit)) root = r;
  }
  return (uint32_t)root;
}

static bool prime(unsigned n) {
  for (unsigned d = 2; d * d <= n; d++)
    if (n % d == 0) return false;
  return true;
}

void sha256_start(sha256_t *sha) {
  unsigned count = 0;
  *sha = (sha256_t){0};
  for (unsigned n = 2; count < 64; n++) {
    if (!prime(n)) continue;
    if (count < 8) sha->state[count] = root_fraction(n, 2);
    sha->constants[count++] = root_fraction(n, 3);
  }
}

static void compress(sha256_t *sha) {
  uint32_t w[64], s[8];
  memcpy(s, sha->state, sizeof s);
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)sha->block[4 * i] << 24 | (uint32_t)sha->block[4 * i + 1] << 16 | (uint32_t)sha->block[4 * i + 2] << 8 |
           sha->block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  for (int i = 0; i < 64; i++) {
    uint32_t sum1 = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25), choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t sum0 = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
    uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    uint32_t t = s[7] + sum1 + choice + sha->constants[i] + w[i];
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t;
    s[0] = t + sum0 + majority;
  }
  for (int i = 0; i < 8; i++) sha->state[i] += s[i];
}

void sha256_add(sha256_t *sha, const void *data, size_t size) {
  const uint8_t *from = data;
  for (size_t i = 0; i < size; i++) {
    sha->block[sha->bytes++ % 64] = from[i];
    if (sha->bytes % 64 == 0) compress(sha);
  }
}

void sha256_end(sha256_t *sha, char text[SHA256_TEXT]) {
  uint64_t bits = sha->bytes * 8;
  uint8_t length[8];
  for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  sha256_add(sha, "\x80", 1);
  while (sha->bytes % 64 != 56) sha256_add(sha, "", 1);
  sha256_add(sha, length, 8);
  for (int i = 0; i < 8; i++) snprintf(text + 8 * i, 9, "%08x", sha->state[i]);
}
