/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's TSV bus: beats of 64 bits, `tsv_beats` in a core cycle, for four near-bank units and
 * both directions (MPU paper, IV-A, Table II).
 *
 *    down:  offer -> message (beat 0 header) -> LSU-Extension, operand collectors, atomic unit
 *    up:    one unit's word of 1 or 2 beats (lsu_tx.ports), or completions of its ALU
 *
 * Down, messages go one after the other, beats back to back, sources in turn. A message starts
 * when its class has a credit. Up, each cycle takes one source. If both directions want the bus
 * they alternate, unless it is duplex.
 */
#ifndef TSV_H
#define TSV_H

#include <stdbool.h>
#include <stdint.h>

#include "lsu_msg.h"

/* Types of messages besides those of lsu_msg.def, which LSU-Extensions never see. */
enum {
  /* Down: an offloaded instruction other than a load or store, to the operand collectors. Header
   * with the instruction and its tag, then mask and constants (mpu_kernel_types.h: beats). Its
   * end comes up as a CPL of one beat. */
  TSV_EXE = 13,
  /* Down: atomic operations on 32 bytes, operands behind the header. Up: they are done, old
   * values behind the header (README.md). */
  TSV_ATOM = 14,
  TSV_ATOMS = 15, /* the same in shared memory, of a whole warp */
  TSV_TYPES = 16
};

/* A message that wants to go down. */
typedef struct {
  bool valid;
  uint8_t nbu, beats;
  uint64_t hdr;
  uint64_t beat1;       /* beat 1, if data is NULL */
  uint32_t mask;        /* WR, REGW: beat 1 is this mask */
  const uint32_t *data; /* WR, REGW: words of the beats from 2 on, kept by address; NULL: none */
} tsv_offer_t;

/* The message that is going down: beats it has, beats sent. */
typedef struct {
  uint64_t beat[LSU_MAX_BEATS];
  uint8_t beats, sent, nbu;
} tsv_message_t;

/* An offer of a message of lsu_msg.def; unit and length follow from the header. */
static inline tsv_offer_t tsv_offer(uint64_t hdr, uint32_t mask, const uint32_t *data) {
  unsigned type = (unsigned)LSU_GET(hdr, type);
  return (tsv_offer_t){true, (uint8_t)LSU_GET(hdr, nbu), (uint8_t)lsu_down_beats(type), hdr, 0, mask, data};
}

/* Makes the beats of an offer. Of atomics only the header counts: the unit has the operands
 * already. */
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

/* Length of a message that comes up, header included. */
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
