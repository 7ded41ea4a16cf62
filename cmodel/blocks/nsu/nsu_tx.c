/* SPDX-License-Identifier: Apache-2.0
 *
 * Two FIFOs of beats, an arbiter before the request FIFO, and a sender behind both. Numbers in
 * brackets are rules of the port file.
 */
#include "nsu_tx.h"

void nsu_tx_reset(nsu_tx_t *s) {
  memset(s, 0, sizeof *s);
  s->credits[TX_REQ] = s->credits[TX_RESP] = OutCredits;
  s->last = TX_RESP; /* so a request goes first */
}

/* The requester that is granted, or -1 [2]. */
static int nsu_tx_winner(const nsu_tx_t *s, const nsu_tx_in_t *in) {
  const bool asks[TX_REQUESTERS] = {in->wr_valid, in->if_valid, in->cf_valid};
  if (s->fifo[TX_REQ].level == OutDepth) return -1;
  for (unsigned i = 0; i < TX_REQUESTERS; i++) {
    unsigned who = (s->pointer + i) % TX_REQUESTERS;
    if (asks[who]) return (int)who;
  }
  return -1;
}

/* Credits travel alone only if no response can carry them [6]. */
static bool nsu_tx_sends_credit(const nsu_tx_t *s, const nsu_tx_in_t *in) {
  return s->fifo[TX_RESP].level == 0 && !in->ack_valid && in->ack_idle && in->cr_pending;
}

void nsu_tx_eval_ready(const nsu_tx_t *s, const nsu_tx_in_t *in, nsu_tx_out_t *out) {
  int winner = nsu_tx_winner(s, in);
  out->wr_ready = winner == TX_WRITE;
  out->if_ready = winner == TX_IFETCH;
  out->cf_ready = winner == TX_CFETCH;
  out->ack_ready = s->fifo[TX_RESP].level < OutDepth;
  out->cr_take = nsu_tx_sends_credit(s, in);
}

void nsu_tx_eval(const nsu_tx_t *s, const nsu_tx_in_t *in, nsu_tx_out_t *out) {
  nsu_tx_eval_ready(s, in, out);
  out->out_valid = s->out_valid;
  out->out_class = s->out_valid && s->out_class;
  if (s->out_valid) beat_get_phit(s->sending, s->phit, PortBits, out->out_phit, PORT_WORDS(PortBits));
  out->err_credit = s->err_credit;
}

/* A new place at the end of the FIFO, which has one; the caller fills it. */
static uint32_t *nsu_tx_push(nsu_tx_fifo_t *fifo) {
  uint32_t *beat = fifo->beat[(fifo->head + fifo->level) % OutDepth];
  fifo->level++;
  return beat;
}

/* A beat made here: zeros, type and sender. Returns its header for the other fields. */
static uint32_t *nsu_tx_push_own(nsu_tx_fifo_t *fifo, unsigned type, uint64_t stack_id) {
  uint32_t *beat = nsu_tx_push(fifo), *hdr = beat + LINE_WORDS;
  memset(beat, 0, BEAT_WORDS * sizeof *beat);
  HDR_SET(hdr, type, type);
  HDR_SET(hdr, src, stack_id);
  HDR_SET(hdr, target, stack_id);
  return hdr;
}

/* A fetch goes to the stack that its address names [4]. */
static void nsu_tx_push_fetch(nsu_tx_t *s, const nsu_tx_in_t *in, unsigned type, uint64_t addr) {
  uint32_t *hdr = nsu_tx_push_own(&s->fifo[TX_REQ], type, in->stack_id);
  HDR_SET(hdr, dst, addr >> PKT_STACK_LSB);
  HDR_SET(hdr, addr, addr);
}

static void nsu_tx_enqueue_request(nsu_tx_t *s, const nsu_tx_in_t *in, int winner) {
  if (winner < 0) return;
  if (winner == TX_WRITE) beat_join(nsu_tx_push(&s->fifo[TX_REQ]), in->wr_hdr, in->wr_data);
  if (winner == TX_IFETCH) nsu_tx_push_fetch(s, in, PKT_IFETCH, in->if_addr);
  if (winner == TX_CFETCH) nsu_tx_push_fetch(s, in, PKT_CFETCH, in->cf_addr);
  s->pointer = ((unsigned)winner + 1) % TX_REQUESTERS;
}

static void nsu_tx_enqueue_response(nsu_tx_t *s, const nsu_tx_in_t *in, bool ready, bool credit) {
  if (in->ack_valid && ready) beat_join(nsu_tx_push(&s->fifo[TX_RESP]), in->ack_hdr, in->ack_data);
  if (!credit) return;
  uint32_t *hdr = nsu_tx_push_own(&s->fifo[TX_RESP], PKT_CREDIT, in->stack_id);
  HDR_SET(hdr, dst, 15);
  HDR_SET(hdr, cr_cmd, in->cr_cmd);
  HDR_SET(hdr, cr_rd, in->cr_rd);
  HDR_SET(hdr, cr_wr, in->cr_wr);
}

/* The class that starts a beat now, or -1: the one that did not send last, if it can [8]. */
static int nsu_tx_choose(const nsu_tx_t *s) {
  if (s->out_valid && s->phit + 1 < BEAT_PHITS) return -1;
  for (unsigned i = 1; i <= TX_CLASSES; i++) {
    unsigned cls = (s->last + i) % TX_CLASSES;
    if (s->fifo[cls].level > 0 && s->credits[cls] > 0) return (int)cls;
  }
  return -1;
}

/* The next phit, or the first phit of the chosen class's oldest beat [9]. */
static void nsu_tx_send(nsu_tx_t *s, int chosen) {
  if (s->out_valid && ++s->phit == BEAT_PHITS) s->out_valid = false;
  if (chosen < 0) return;
  nsu_tx_fifo_t *fifo = &s->fifo[chosen];
  memcpy(s->sending, fifo->beat[fifo->head], sizeof s->sending);
  fifo->head = (fifo->head + 1) % OutDepth;
  fifo->level--;
  s->credits[chosen]--;
  s->last = (unsigned)chosen;
  s->out_valid = true;
  s->out_class = chosen == TX_RESP;
  s->phit = 0;
}

/* Call after nsu_tx_send: a credit used in this cycle counts as used [12]. */
static void nsu_tx_return_credits(nsu_tx_t *s, uint64_t out_credit) {
  s->err_credit = false;
  for (unsigned cls = 0; cls < TX_CLASSES; cls++) {
    if (!(out_credit >> cls & 1)) continue;
    if (s->credits[cls] < OutCredits) s->credits[cls]++;
    else s->err_credit = true;
  }
}

void nsu_tx_step(nsu_tx_t *s, const nsu_tx_in_t *in) {
  /* All decisions use the registered state, so they come before any change. */
  int winner = nsu_tx_winner(s, in), chosen = nsu_tx_choose(s);
  bool ack_ready = s->fifo[TX_RESP].level < OutDepth, credit = nsu_tx_sends_credit(s, in);
  nsu_tx_send(s, chosen);
  nsu_tx_enqueue_request(s, in, winner);
  nsu_tx_enqueue_response(s, in, ack_ready, credit);
  nsu_tx_return_credits(s, in->out_credit);
}

bool nsu_tx_idle(const nsu_tx_t *s) {
  return !s->out_valid && !s->err_credit && nsu_tx_choose(s) < 0;
}
