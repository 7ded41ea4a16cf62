/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_tx -- golden model of the sender to the TSV bus; contract: rtl/lsu/lsu_tx.ports.
 */
#ifndef LSU_TX_H
#define LSU_TX_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_tx_ports.h"

enum { LSU_TX_REST = LSU_LANES / 2 }; /* beats of the longest message after its header */

typedef struct {
  unsigned beats;            /* of the word that waits for the bus */
  unsigned left;             /* beats of the message being sent that are not in it yet */
  unsigned first_tag, count; /* answers that wait: place of the oldest; how many */
  bool reading;              /* the read buffer answers in this cycle, and that is the rest: */
  uint8_t read_tag;
  unsigned first; /* the source whose turn it is */
  uint64_t word[2];
  uint64_t rest[LSU_TX_REST]; /* its last `left` are those beats */
  uint8_t tag[Xacts];         /* a ring */
} lsu_tx_t;

void lsu_tx_reset(lsu_tx_t *s);
void lsu_tx_eval(const lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out);
void lsu_tx_step(lsu_tx_t *s, const lsu_tx_in_t *in);

/* lsu_tx_in_t with its rows where they are, and what eval shows but for up_ (rd_tag is a_tag). */
typedef struct {
  bool up_take, in_valid, d_valid, v_valid;
  uint8_t nbu_id, in_tag, a_kind, d_id;
  uint16_t a_ref;
  uint64_t v_hdr;
  const uint32_t *rd_data, *v_data; /* looked at while reading, with v_valid */
} lsu_tx_offer_t;

typedef struct {
  bool a_valid, rd_en, rel_valid, d_take, v_take;
  uint8_t a_tag, rel_tag;
} lsu_tx_asks_t;

lsu_tx_asks_t lsu_tx_cycle(lsu_tx_t *s, const lsu_tx_offer_t *offer); /* step, and what it asked for */

/* The word that waits for the bus: up_valid, up_beat. */
void lsu_tx_show(const lsu_tx_t *s, uint64_t *valid, uint32_t *beats);

/* The tag that lsu_tx asks for if it begins an answer in this cycle. */
static inline unsigned lsu_tx_tag(const lsu_tx_t *s) {
  return s->tag[s->first_tag];
}

/* Step changes nothing while nothing is valid and up_take is 0. */
inline bool lsu_tx_idle(const lsu_tx_t *s) {
  return !s->reading && (s->beats || (!s->left && !s->count));
}

#endif
