/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_rx -- golden model of the receiver of the TSV bus; contract: rtl/lsu/lsu_rx.ports.
 */
#ifndef LSU_RX_H
#define LSU_RX_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_rx_ports.h"

/* ctl, mask: beat 1, 0 where there is none. data: the beats after that. */
typedef struct {
  uint64_t hdr, ctl;
  uint32_t data[LSU_XFER_WORDS];
} lsu_rx_mem_t;

typedef struct {
  uint64_t hdr, ctl;
} lsu_rx_smem_t;

typedef struct {
  uint64_t hdr, mask;
  uint32_t data[LSU_LANES];
} lsu_rx_write_t;

typedef struct {
  unsigned credit, err;
  unsigned first[LSU_CLASSES];  /* the FIFOs are rings: place of the oldest message */
  unsigned count[LSU_CLASSES];  /* messages in them */
  unsigned have;                /* beats of the message that is coming; 0: a header is next */
  uint64_t beat[LSU_MAX_BEATS]; /* these beats */
  lsu_rx_mem_t mem[MemDepth];
  lsu_rx_smem_t smem[SmemDepth];
  uint64_t move[MoveDepth];
  lsu_rx_write_t write[WriteDepth];
} lsu_rx_t;

void lsu_rx_reset(lsu_rx_t *s);
void lsu_rx_eval(const lsu_rx_t *s, const lsu_rx_in_t *in, lsu_rx_out_t *out);
void lsu_rx_step(lsu_rx_t *s, const lsu_rx_in_t *in);

/* The oldest message of a class; meaningful while it has one. */
static inline const lsu_rx_mem_t *lsu_rx_mem(const lsu_rx_t *s) {
  return &s->mem[s->first[LSU_CLASS_MEM]];
}
static inline const lsu_rx_smem_t *lsu_rx_smem(const lsu_rx_t *s) {
  return &s->smem[s->first[LSU_CLASS_SMEM]];
}
static inline const lsu_rx_write_t *lsu_rx_write(const lsu_rx_t *s) {
  return &s->write[s->first[LSU_CLASS_WRITE]];
}
static inline uint64_t lsu_rx_move(const lsu_rx_t *s) {
  return s->move[s->first[LSU_CLASS_MOVE]];
}

/* Step changes nothing while dn_valid is 0 and nothing is taken. */
inline bool lsu_rx_idle(const lsu_rx_t *s) {
  return !s->credit && !s->err;
}

#endif
