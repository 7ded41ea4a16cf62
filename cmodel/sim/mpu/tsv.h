/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's TSV bus: beats of 64 bits, `tsv_beats` a core cycle, shared by the four near-bank units
 * and both directions (MPU paper, IV-A, Table II).
 *
 * Down: one message after the other, beats back to back, from the sources in turn; a message starts
 * when its class has a credit. Up: each cycle one unit's word (lsu_tx.ports) or an instruction's
 * completion. If both directions want the bus they alternate, unless it is duplex.
 */
#ifndef TSV_H
#define TSV_H

#include <stdbool.h>
#include <stdint.h>

#include "lsu_msg.h"

/* An offloaded instruction that is not a load or store, on its way to the operand collectors; not
 * an lsu_ext message: header with the instruction, its tag, then mask and constants (mpu_kernel_types.h:
 * beats). Its completion is a CPL of one beat. */
enum {
  TSV_EXE = 13,
  /* down: atomic operations on 32 bytes, operands behind the header;
   * up: that they are done, old values behind it (README.md) */
  TSV_ATOM = 14,
  TSV_ATOMS = 15, /* the same in shared memory, of a whole warp */
  TSV_TYPES = 16
};

typedef struct {
  bool valid;
  uint8_t nbu, beats;
  uint64_t hdr;
  uint64_t beat1;       /* of messages of two beats */
  uint32_t mask;        /* WR, REGW: beat 1 */
  const uint32_t *data; /* WR, REGW: from beat 2 on; NULL: none */
} tsv_offer_t;

typedef struct {
  uint64_t beat[LSU_MAX_BEATS];
  uint8_t beats, sent, nbu;
} tsv_message_t;

static inline tsv_offer_t tsv_offer(uint64_t hdr, uint32_t mask, const uint32_t *data) {
  unsigned type = (unsigned)LSU_GET(hdr, type);
  return (tsv_offer_t){true, (uint8_t)LSU_GET(hdr, nbu), (uint8_t)lsu_down_beats(type), hdr, 0, mask, data};
}

static inline void tsv_start(tsv_message_t *m, const tsv_offer_t *o) {
  m->beats = o->beats;
  m->sent = 0;
  m->nbu = o->nbu;
  m->beat[0] = o->hdr;
  if (LSU_GET(o->hdr, type) >= TSV_ATOM) return; /* what it carries is the unit's already */
  if (o->beats > 1) m->beat[1] = o->data ? o->mask : o->beat1;
  for (unsigned i = 2; i < o->beats; i++)
    m->beat[i] = o->data ? (uint64_t)o->data[2 * i - 3] << 32 | o->data[2 * i - 4] : 0;
}

static inline unsigned tsv_up_beats(unsigned type) {
  switch (type) {
/* clang-format off */
#define LSU_UP(name, code, beats, text) case code: return beats;
#include "lsu_msg.def"
    /* clang-format on */
  default: return 1;
  }
}

#endif
