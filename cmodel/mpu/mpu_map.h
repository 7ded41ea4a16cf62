/* SPDX-License-Identifier: Apache-2.0
 *
 * Which device address is where: 128 bytes a near-bank unit, eight times the four units of a core (4 KB), then the next core (ours: the
 * paper is silent). So a warp's 32 words are in one unit, the warps of a block in the units of their subcores, and blocks in the order of cores.
 *
 *   bits 6..0 byte, 8..7 unit, 11..9 line of the core's 4 KB, then the core, then the rest: in the unit the address is {rest, bits 11..9, bits 6..0}
 */
#ifndef MPU_MAP_H
#define MPU_MAP_H

#include <stdint.h>

enum { MPU_CHUNK_BITS = 12, MPU_UNIT_BITS = 26 };

typedef struct {
  unsigned core_bits;
} mpu_map_t;

typedef struct {
  uint8_t core, nbu;
  uint32_t addr; /* in the near-bank unit */
} mpu_place_t;

static inline mpu_place_t mpu_map_place(mpu_map_t map, uint64_t a) {
  uint64_t rest = a >> (MPU_CHUNK_BITS + map.core_bits);
  return (mpu_place_t){(uint8_t)(a >> MPU_CHUNK_BITS & ((1u << map.core_bits) - 1)), (uint8_t)(a >> 7 & 3),
                       (uint32_t)(rest << 10 | (a >> 9 & 7) << 7 | (a & 127))};
}

/* Where a unit's byte is in the memory image, which is by unit. */
static inline uint64_t mpu_map_image(unsigned unit, uint32_t addr) {
  return (uint64_t)unit << MPU_UNIT_BITS | addr;
}

static inline uint64_t mpu_map_stripe(mpu_map_t map) { /* bytes after which core 0 comes again */
  return 1ull << (MPU_CHUNK_BITS + map.core_bits);
}

static inline uint64_t mpu_map_bytes(mpu_map_t map) { /* of the machine */
  return 4ull << (MPU_UNIT_BITS + map.core_bits);
}

#endif
