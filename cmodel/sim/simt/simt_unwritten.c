/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_unwritten.h"

#include <string.h>

/* SplitMix64's output function. */
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

void simt_unwritten_fill(uint32_t seed, const simt_run_t *run, uint64_t block, uint8_t *shared) {
  memset(shared, 0, run->shared_bytes);
  if (!seed) return;
  const uint64_t first = mix((uint64_t)seed << 32 ^ run->id) + block * 0x9e3779b97f4a7c15u;
  for (uint32_t at = 0; at < run->own_shared; at += 8) {
    const uint64_t word = mix(first ^ (uint64_t)at << 40);
    memcpy(shared + at, &word, run->own_shared - at < 8 ? run->own_shared - at : 8);
  }
}

void simt_written_begin(uint8_t *written, const simt_run_t *run) {
  memset(written, 0, simt_written_bytes(run->shared_bytes));
  for (uint32_t at = run->own_shared; at < run->shared_bytes; at++) written[at / 8] |= (uint8_t)(1u << at % 8);
}

bool simt_written_access(uint8_t *written, unsigned kind, uint64_t at, unsigned bytes) {
  bool all = true;
  for (uint64_t i = at; i < at + bytes; i++) {
    if (kind == SIMT_LOAD || kind == SIMT_ATOM) all &= written[i / 8] >> i % 8 & 1;
    if (kind != SIMT_LOAD) written[i / 8] |= (uint8_t)(1u << i % 8);
  }
  return all;
}
