/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_tx -- golden model of the sender to the TSV bus; contract: rtl/lsu/lsu_tx.ports.
 */
#ifndef LSU_TX_H
#define LSU_TX_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_tx_ports.h"

typedef struct {
  uint8_t tag[Xacts];                   /* answers that wait, the oldest first */
  unsigned count;
  uint64_t word[2];                     /* what waits for the bus */
  unsigned beats;                       /* how many beats it has */
  uint64_t rest[LSU_LANES / 2];         /* of the message being sent, the next beat first */
  unsigned left;                        /* how many beats that are */
  bool reading;                         /* the read buffer answers in this cycle, and that is the rest: */
  uint8_t read_tag;
  unsigned first;                       /* the source whose turn it is */
} lsu_tx_t;

void lsu_tx_reset(lsu_tx_t *s);
void lsu_tx_eval(const lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out);
void lsu_tx_step(lsu_tx_t *s, const lsu_tx_in_t *in);

/* The word that waits for the bus: up_valid, up_beat. */
void lsu_tx_show(const lsu_tx_t *s, uint64_t *valid, uint32_t *beats);

/* The tag that lsu_tx asks for if it begins an answer in this cycle. */
static inline unsigned lsu_tx_tag(const lsu_tx_t *s) { return s->tag[0]; }

#endif
