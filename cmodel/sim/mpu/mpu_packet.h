/* SPDX-License-Identifier: Apache-2.0
 *
 * What cores say to each other: a DRAM transfer of 32 bytes wanted of another core, and its answer
 * (MPU paper, IV-B2, LSU-Remote); or atomic operations on
 * 32 bytes (ours).
 *
 * Class 0 requests, class 1 answers. In flits of 256 bits: a read request and a write's
 * acknowledgement have one, a write and read data two.
 */
#ifndef MPU_PACKET_H
#define MPU_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum { MPU_ATOMIC_MOST = 8 };

/* Operations of threads of a warp, in their order. Operands: all first ones,
 * then, of cas, all second ones; the answer's data are the old values. */
typedef struct {
  uint8_t count;               /* 0: the packet is no atomic's */
  uint8_t op, type;            /* ptx_mod_t, ptx_type_t */
  uint8_t bytes;               /* 4 or 8 */
  bool compares;               /* cas: two operands */
  bool reply;                  /* the old values are wanted */
  uint8_t at[MPU_ATOMIC_MOST]; /* of each: where in the 32 bytes */
} mpu_atomic_t;

typedef struct mpu_packet {
  uint8_t source, dest; /* cores */
  uint8_t subcore, id;  /* who asked: its LSU's request number */
  uint8_t nbu;
  bool write;    /* requests of atomics: true; their answers: there are no data */
  uint32_t addr; /* in the near-bank unit */
  uint32_t mask; /* of bytes; reads: 0 */
  uint32_t data[8];
  mpu_atomic_t atomic;
} mpu_packet_t;

static inline unsigned mpu_atomic_operands(const mpu_atomic_t *a) { /* bytes */
  return (unsigned)a->count * a->bytes * (a->compares ? 2 : 1);
}

static inline unsigned mpu_packet_flits(const mpu_packet_t *p, unsigned cls) {
  return p->write == (cls == 0) ? 2 : 1;
}

#endif
