/* SPDX-License-Identifier: Apache-2.0
 *
 * Random traffic (random_traffic.h) for AXI4-Lite and AXI4: both sides, and bursts that the
 * protocol allows.
 */
#ifndef PROTOCOL_RANDOM_TRAFFIC_AXI_H
#define PROTOCOL_RANDOM_TRAFFIC_AXI_H

#include "axi.h"
#include "random_traffic.h"

/* A manager: the block is the subordinate. writes: bursts whose address was offered, and whose data
 * was not. */
typedef struct {
  traffic_source_t aw, w, ar;
  traffic_sink_t b, r;
  axi_bursts_t writes;
} traffic_manager_t;

/* A subordinate: the block is the manager. ended: bursts of data without an answer. */
typedef struct {
  traffic_sink_t aw, w, ar;
  traffic_source_t b, r;
  axi_bursts_t writes, reads;
  uint32_t ended;
} traffic_subordinate_t;

/* What comes with an address. */
typedef struct {
  uint64_t address, length, size, burst;
} axi_burst_t;

enum { AXI_FIXED, AXI_INCR, AXI_WRAP };

/* A burst that ends within its 4 KB. bytes: of the data; width: of the address. */
static inline axi_burst_t traffic_burst(traffic_t *t, uint64_t was, unsigned bytes, unsigned width) {
  axi_burst_t b = {.burst = AXI_INCR, .length = rng_below(&t->rng, 4)};
  unsigned most = 0;
  while (bytes >> (most + 1)) most++;
  b.size = rng_chance(&t->rng, 6, 8) ? most : rng_range(&t->rng, 0, most);
  switch (rng_below(&t->rng, 16)) {
  case 0: b.burst = AXI_FIXED; break;
  case 1: b.burst = AXI_WRAP, b.length = (2ull << rng_below(&t->rng, 4)) - 1; break;
  case 2:
  case 3: b.length = rng_below(&t->rng, 16); break;
  case 4: b.length = rng_below(&t->rng, 64); break;
  case 5: b.length = rng_chance(&t->rng, 1, 8) ? rng_below(&t->rng, 256) : 0; break;
  default: break;
  }
  b.address = traffic_address(t, was, width);
  if (b.burst == AXI_WRAP) b.address &= ~0ull << b.size;
  if (b.burst != AXI_INCR) return b;
  const uint64_t left = (4096 - ((b.address & 4095) >> b.size << b.size)) >> b.size; /* beats */
  if (b.length >= left) b.length = left - 1;
  return b;
}

#endif
