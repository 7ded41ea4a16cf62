/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_tx -- golden model of the transmit side of the network interface; contract:
 * rtl/nsu/nsu_tx.ports.
 */
#ifndef NSU_TX_H
#define NSU_TX_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_tx_ports.h"

enum { TX_REQ, TX_RESP, TX_CLASSES };
enum { TX_WRITE, TX_IFETCH, TX_CFETCH, TX_REQUESTERS };

typedef struct {
  unsigned head, level;
  uint32_t beat[OutDepth][BEAT_WORDS];
} nsu_tx_fifo_t;

typedef struct {
  nsu_tx_fifo_t fifo[TX_CLASSES];
  unsigned credits[TX_CLASSES];
  unsigned pointer;          /* the requester with priority */
  bool out_valid, out_class; /* a phit of `sending` is on the output ... */
  unsigned phit;             /* ... this one */
  uint32_t sending[BEAT_WORDS];
  unsigned last; /* the class that sent last */
  bool err_credit;
} nsu_tx_t;

void nsu_tx_reset(nsu_tx_t *s);
void nsu_tx_eval(const nsu_tx_t *s, const nsu_tx_in_t *in, nsu_tx_out_t *out);
/* The outputs that answer inputs of the same cycle: ready and cr_take. */
void nsu_tx_eval_ready(const nsu_tx_t *s, const nsu_tx_in_t *in, nsu_tx_out_t *out);
void nsu_tx_step(nsu_tx_t *s, const nsu_tx_in_t *in);
bool nsu_tx_idle(const nsu_tx_t *s); /* while no input is valid and out_credit is 0 */

#endif
