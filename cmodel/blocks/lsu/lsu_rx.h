/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_rx: messages from the TSV bus, sorted into one FIFO for each class
 * (rtl/lsu/lsu_rx.ports).
 *
 * Call lsu_rx_eval for the outputs of a cycle, then lsu_rx_step with the same inputs for its clock
 * edge. All outputs are state (Moore).
 */
#ifndef LSU_RX_H
#define LSU_RX_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_rx_ports.h"

/* Stored messages. ctl and mask are beat 1, or 0 if the message has
 * none; data are the beats after it. */
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
  unsigned credit, err;         /* the outputs dn_credit and err, for one cycle */
  unsigned first[LSU_CLASSES];  /* the FIFOs are rings: place of the oldest message */
  unsigned count[LSU_CLASSES];  /* messages in them */
  unsigned have;                /* beats of the unfinished message; 0: a header is next */
  uint64_t beat[LSU_MAX_BEATS]; /* those beats */
  lsu_rx_mem_t mem[MemDepth];
  lsu_rx_smem_t smem[SmemDepth];
  uint64_t move[MoveDepth];
  lsu_rx_write_t write[WriteDepth];
} lsu_rx_t;

void lsu_rx_reset(lsu_rx_t *s);
void lsu_rx_eval(const lsu_rx_t *s, const lsu_rx_in_t *in, lsu_rx_out_t *out);
void lsu_rx_step(lsu_rx_t *s, const lsu_rx_in_t *in);

/* The oldest message of a class; without meaning while the class has none. */
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

/* True: while dn_valid is 0 and nothing is taken, step changes nothing. */
inline bool lsu_rx_idle(const lsu_rx_t *s) {
  return !s->credit && !s->err;
}

#endif
