/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_tx, the transmit side of the NSU's network interface: arbitration, two
 * message classes, credits, and beats as phits (rtl/nsu/nsu_tx.ports).
 *
 * Call nsu_tx_eval for the outputs of a cycle, then nsu_tx_step with the same inputs for its clock
 * edge. The ready outputs and cr_take depend on inputs of the same cycle (Mealy). nsu_tx_eval
 * writes out_phit only if out_valid is 1.
 */
#ifndef NSU_TX_H
#define NSU_TX_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_tx_ports.h"

enum { TX_REQ, TX_RESP, TX_CLASSES };                   /* message classes */
enum { TX_WRITE, TX_IFETCH, TX_CFETCH, TX_REQUESTERS }; /* requesters of class request, by priority after reset */

typedef struct {
  unsigned head, level; /* a ring of beats, the oldest at head */
  uint32_t beat[OutDepth][BEAT_WORDS];
} nsu_tx_fifo_t;

typedef struct {
  nsu_tx_fifo_t fifo[TX_CLASSES];
  unsigned credits[TX_CLASSES]; /* beats that may still be sent, 0 .. OutCredits */
  unsigned pointer;             /* the requester with priority */
  bool out_valid, out_class;    /* a phit of `sending` is on the output; its class */
  unsigned phit;                /* number of that phit */
  uint32_t sending[BEAT_WORDS]; /* the beat, already out of its FIFO */
  unsigned last;                /* the class that sent last */
  bool err_credit;              /* a credit beyond OutCredits came in the last cycle */
} nsu_tx_t;

void nsu_tx_reset(nsu_tx_t *s);
void nsu_tx_eval(const nsu_tx_t *s, const nsu_tx_in_t *in, nsu_tx_out_t *out);
/* The Mealy outputs alone: the ready outputs and cr_take. The rest of `out` stays. */
void nsu_tx_eval_ready(const nsu_tx_t *s, const nsu_tx_in_t *in, nsu_tx_out_t *out);
void nsu_tx_step(nsu_tx_t *s, const nsu_tx_in_t *in);
/* True: while no input is valid and out_credit is 0, step changes nothing. */
bool nsu_tx_idle(const nsu_tx_t *s);

#endif
