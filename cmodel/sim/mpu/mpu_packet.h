/* SPDX-License-Identifier: Apache-2.0
 *
 * What cores send each other: a request for a DRAM transfer of 32 bytes, and its answer (MPU
 * paper, IV-B2, LSU-Remote); or atomic operations on 32 bytes (ours).
 *
 * Class 0 is requests, class 1 answers. A flit has 256 bits:
 *
 *    read request 1    write request 2    read data 2    write acknowledgement 1
 *    atomics:  request 2    answer 2 with old values, else 1
 */
#ifndef MPU_PACKET_H
#define MPU_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum { MPU_ATOMIC_MOST = 8 };

/* Operations of a warp's threads, in thread order. A request's data are the first operands of
 * all operations, then, for cas, the second ones. An answer's data are the old values. */
typedef struct {
  uint8_t count;               /* 0: the packet is no atomic's */
  uint8_t op, type;            /* which operation: ptx_mod_t; on what: ptx_type_t */
  uint8_t bytes;               /* 4 or 8 */
  bool compares;               /* cas: two operands */
  bool reply;                  /* atom: the old values are wanted; red: not */
  uint8_t at[MPU_ATOMIC_MOST]; /* byte of each operation in the 32 */
} mpu_atomic_t;

typedef struct mpu_packet {
  uint8_t source, dest; /* cores */
  uint8_t subcore, id;  /* of the sender of the request, and its number there; an answer has the same */
  uint8_t nbu;          /* near-bank unit of the core `dest` */
  bool write;           /* atomics: true in a request; in an answer, that it has no data */
  uint32_t addr;        /* in the near-bank unit, a multiple of 32 */
  uint32_t mask;        /* of a write: bit i, byte i; reads: 0 */
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
