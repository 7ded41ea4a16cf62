/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_tx: messages to the TSV bus, packed into two beats a cycle
 * (rtl/lsu/lsu_tx.ports).
 *
 * Call lsu_tx_eval for the outputs of a cycle, then lsu_tx_step with the same inputs for its clock
 * edge. up_ is state, the other outputs depend on inputs of the same cycle (Mealy). lsu_tx_step
 * asserts that the FIFO of answers does not overflow.
 */
#ifndef LSU_TX_H
#define LSU_TX_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_tx_ports.h"

enum { LSU_TX_REST = LSU_LANES / 2 }; /* beats of the longest message after its header */

typedef struct {
  unsigned beats;             /* beats of the word that waits for the bus, 0 .. 2 */
  unsigned left;              /* beats of the message being sent that are in no word yet */
  unsigned first_tag, count;  /* waiting answers: place of the oldest, number */
  bool reading;               /* rd_data has the rest of an RDR in this cycle */
  uint8_t read_tag;           /* with reading: its tag */
  unsigned first;             /* the source whose turn it is */
  uint64_t word[2];           /* the word that waits for the bus */
  uint64_t rest[LSU_TX_REST]; /* its last `left` beats are still to be sent */
  uint8_t tag[Xacts];         /* a ring of waiting answers */
} lsu_tx_t;

void lsu_tx_reset(lsu_tx_t *s);
void lsu_tx_eval(const lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out);
void lsu_tx_step(lsu_tx_t *s, const lsu_tx_in_t *in);

/* lsu_tx_in_t for lsu_ext, with pointers to the rows. */
typedef struct {
  bool up_take, in_valid, d_valid, v_valid;
  uint8_t nbu_id, in_tag, a_kind, d_id;
  uint16_t a_ref;
  uint64_t v_hdr;
  const uint32_t *rd_data, *v_data; /* read with `reading` and with v_valid */
} lsu_tx_offer_t;

/* The outputs but up_; rd_tag is a_tag. */
typedef struct {
  bool a_valid, rd_en, rel_valid, d_take, v_take;
  uint8_t a_tag, rel_tag;
} lsu_tx_asks_t;

/* The clock edge; returns the outputs of the cycle that it ends. */
lsu_tx_asks_t lsu_tx_cycle(lsu_tx_t *s, const lsu_tx_offer_t *offer);

/* The outputs up_valid and up_beat: the word that waits for the bus. */
void lsu_tx_show(const lsu_tx_t *s, uint64_t *valid, uint32_t *beats);

/* The tag that a_tag shows if an answer begins in this cycle. */
static inline unsigned lsu_tx_tag(const lsu_tx_t *s) {
  return s->tag[s->first_tag];
}

/* True: while nothing is valid and up_take is 0, step changes nothing. */
inline bool lsu_tx_idle(const lsu_tx_t *s) {
  return !s->reading && (s->beats || (!s->left && !s->count));
}

#endif
