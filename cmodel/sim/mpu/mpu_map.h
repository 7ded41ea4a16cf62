/* SPDX-License-Identifier: Apache-2.0
 *
 * Which device address is where. `unit_bytes` addresses go to a near-bank unit, then the core's
 * next unit follows; after `core_bytes`, which go round its four units, the next core follows.
 * So a warp's 32 words are in one unit, and the warps of a block are in the units of their
 * subcores.
 *
 *    device address:  | rest | core | piece | unit | byte |     unit: 2 bits
 *    in the unit:     | rest | piece | byte |                   26 bits
 */
#ifndef MPU_MAP_H
#define MPU_MAP_H

#include <stdint.h>

#include "mpu_config.h"

enum { MPU_NBU_BITS = 2, MPU_UNIT_BITS = 26 };

typedef struct {
  uint8_t byte_bits, piece_bits, core_bits; /* widths of the fields above */
} mpu_map_t;

typedef struct {
  uint8_t core, nbu;
  uint32_t addr; /* in the near-bank unit */
} mpu_place_t;

/* The configuration's map; mpu_config_check has seen to it that all sizes are powers of two. */
static inline mpu_map_t mpu_map(const mpu_config_t *c) {
  const unsigned unit = (unsigned)__builtin_ctz(c->unit_bytes), core = (unsigned)__builtin_ctz(c->core_bytes);
  return (mpu_map_t){(uint8_t)unit, (uint8_t)(core - unit - MPU_NBU_BITS), (uint8_t)__builtin_ctz(mpu_config_cores(c))};
}

static inline unsigned mpu_map_core_shift(mpu_map_t map) {
  return (unsigned)map.byte_bits + MPU_NBU_BITS + map.piece_bits;
}

static inline mpu_place_t mpu_map_place(mpu_map_t map, uint64_t a) {
  const unsigned core_shift = mpu_map_core_shift(map);
  const uint64_t byte = a & ((1u << map.byte_bits) - 1),
                 piece = a >> (map.byte_bits + MPU_NBU_BITS) & ((1u << map.piece_bits) - 1);
  const uint64_t rest = a >> (core_shift + map.core_bits);
  return (mpu_place_t){(uint8_t)(a >> core_shift & ((1u << map.core_bits) - 1)),
                       (uint8_t)(a >> map.byte_bits & ((1u << MPU_NBU_BITS) - 1)),
                       (uint32_t)((rest << map.piece_bits | piece) << map.byte_bits | byte)};
}

/* The inverse of mpu_map_place. */
static inline uint64_t mpu_map_address(mpu_map_t map, mpu_place_t p) {
  const uint64_t byte = p.addr & ((1u << map.byte_bits) - 1),
                 piece = p.addr >> map.byte_bits & ((1u << map.piece_bits) - 1);
  const uint64_t rest = p.addr >> (map.byte_bits + map.piece_bits),
                 in_core = (piece << MPU_NBU_BITS | p.nbu) << map.byte_bits | byte;
  return (rest << map.core_bits | p.core) << mpu_map_core_shift(map) | in_core;
}

/* Address in the memory image, which has one unit's 64 MB behind the other's. unit: core * 4 +
 * unit. */
static inline uint64_t mpu_map_image(unsigned unit, uint32_t addr) {
  return (uint64_t)unit << MPU_UNIT_BITS | addr;
}

static inline uint64_t mpu_map_stripe(mpu_map_t map) { /* bytes after which core 0 comes again */
  return 1ull << (mpu_map_core_shift(map) + map.core_bits);
}

static inline uint64_t mpu_map_bytes(mpu_map_t map) { /* of the machine */
  return 4ull << (MPU_UNIT_BITS + map.core_bits);
}

#endif
