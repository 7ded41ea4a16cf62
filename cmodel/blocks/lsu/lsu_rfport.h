/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_rfport -- golden model of the register file's ports; contract: rtl/lsu/lsu_rfport.ports.
 */
#ifndef LSU_RFPORT_H
#define LSU_RFPORT_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_rfport_ports.h"

enum { LSU_READER_ISSUE, LSU_READER_SMEM, LSU_READER_MOVE, LSU_READERS };
enum { LSU_WRITER_GATHER, LSU_WRITER_SMEM, LSU_WRITER_MESSAGE, LSU_WRITERS };
#define LSU_ALL_THREADS UINT64_C(0xffffffff)

typedef struct {
  unsigned rd_first, wr_first; /* whose turn it is */
  bool done;
  unsigned done_id;
} lsu_rfport_t;

void lsu_rfport_reset(lsu_rfport_t *s);
void lsu_rfport_eval(const lsu_rfport_t *s, const lsu_rfport_in_t *in, lsu_rfport_out_t *out);
void lsu_rfport_step(lsu_rfport_t *s, const lsu_rfport_in_t *in);

/* The rule without the rows, which may stay where they are: who of those that ask (a bit each) is
 * granted a port, -1: nobody; and the clock edge after that. */
static inline int lsu_rfport_reader(const lsu_rfport_t *s, unsigned ask) {
  return lsu_turn(s->rd_first, LSU_READERS, ask);
}
static inline int lsu_rfport_writer(const lsu_rfport_t *s, unsigned ask) {
  return lsu_turn(s->wr_first, LSU_WRITERS, ask);
}
void lsu_rfport_advance(lsu_rfport_t *s, int reader, int writer, uint64_t w_hdr);

/* Step changes nothing while nobody asks. */
inline bool lsu_rfport_idle(const lsu_rfport_t *s) {
  return !s->done;
}

#endif
