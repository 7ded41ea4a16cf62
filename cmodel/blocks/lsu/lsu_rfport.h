/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_rfport: one read and one write port of the near-bank register file, shared by
 * all clients (rtl/lsu/lsu_rfport.ports).
 *
 * Call lsu_rfport_eval for the outputs of a cycle, then lsu_rfport_step with the same inputs for
 * its clock edge. Grants and fields depend on inputs of the same cycle (Mealy); done is state.
 */
#ifndef LSU_RFPORT_H
#define LSU_RFPORT_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_rfport_ports.h"

/* Clients of the two ports, in the order of their turns. */
enum { LSU_READER_ISSUE, LSU_READER_SMEM, LSU_READER_MOVE, LSU_READERS };
enum { LSU_WRITER_GATHER, LSU_WRITER_SMEM, LSU_WRITER_MESSAGE, LSU_WRITERS };
#define LSU_ALL_THREADS UINT64_C(0xffffffff)

typedef struct {
  unsigned rd_first, wr_first; /* client with the highest priority at each port */
  bool done;                   /* a message was written in the last cycle and wants a CPL */
  unsigned done_id;            /* valid with done */
} lsu_rfport_t;

void lsu_rfport_reset(lsu_rfport_t *s);
void lsu_rfport_eval(const lsu_rfport_t *s, const lsu_rfport_in_t *in, lsu_rfport_out_t *out);
void lsu_rfport_step(lsu_rfport_t *s, const lsu_rfport_in_t *in);

/* The rule without rows, for lsu_ext. Returns the client that is granted the port, -1 if none asks.
 * `ask` has a bit for each client. */
static inline int lsu_rfport_reader(const lsu_rfport_t *s, unsigned ask) {
  return lsu_turn(s->rd_first, LSU_READERS, ask);
}
static inline int lsu_rfport_writer(const lsu_rfport_t *s, unsigned ask) {
  return lsu_turn(s->wr_first, LSU_WRITERS, ask);
}
/* The clock edge after these grants. w_hdr is the register-write message's header. */
void lsu_rfport_advance(lsu_rfport_t *s, int reader, int writer, uint64_t w_hdr);

/* True: while no client asks, step changes nothing. */
inline bool lsu_rfport_idle(const lsu_rfport_t *s) {
  return !s->done;
}

#endif
