/* SPDX-License-Identifier: Apache-2.0
 *
 * What cores say to each other: a DRAM transfer of 32 bytes wanted of another core, and its answer (MPU paper, IV-B2, LSU-Remote).
 *
 * Class 0 requests, class 1 answers. In flits of 256 bits: a read request and a write's acknowledgement have one, a write and read data two.
 */
#ifndef MPU_PACKET_H
#define MPU_PACKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mpu_packet {
  uint8_t source, dest; /* cores */
  uint8_t subcore, id;  /* who asked: its LSU's request number */
  uint8_t nbu;
  bool write;
  uint32_t addr; /* in the near-bank unit */
  uint32_t mask; /* of bytes; reads: 0 */
  uint32_t data[8];
} mpu_packet_t;

static inline unsigned mpu_packet_flits(const mpu_packet_t *p, unsigned cls) {
  return p->write == (cls == 0) ? 2 : 1;
}

#endif
