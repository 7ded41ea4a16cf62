/* SPDX-License-Identifier: Apache-2.0
 *
 * The sender. lsu_tx_cycle computes a cycle once: lsu_tx_eval lets it work on a copy of the state
 * and shows what it asks for, lsu_tx_step keeps the result. Numbers in brackets are rules of the
 * port file.
 */
#include "lsu_tx.h"

#include <assert.h>
#include <string.h>

#include "lsu_access.h"

enum { ANSWER, DONE, ROW, SOURCES }; /* sources of messages, in the order of their turns [2] */

void lsu_tx_reset(lsu_tx_t *s) {
  memset(s, 0, sizeof *s);
}

/* The message's beats after the header; they go out one by one. */
static void set_rest(lsu_tx_t *s, const uint32_t *words, unsigned beats) {
  for (unsigned i = 0; i < beats; i++)
    s->rest[LSU_TX_REST - beats + i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
  s->left = beats;
}

/* RDR or WRA [5, 7]. Returns true if no other beat may follow in this word: after an RDR
 * header, because its data come in the next cycle [6]. */
static bool begin_answer(lsu_tx_t *s, const lsu_tx_offer_t *offer, lsu_tx_asks_t *asks) {
  bool read = offer->a_kind == LSU_KIND_RD;
  uint64_t hdr = LSU_PUT(0, type, read ? LSU_RDR : LSU_WRA);
  hdr = LSU_PUT(LSU_PUT(LSU_PUT(hdr, nbu, offer->nbu_id), areg, offer->a_ref >> LSU_id_W), id, offer->a_ref);
  s->word[s->beats++] = hdr;
  asks->a_valid = true;
  asks->a_tag = (uint8_t)lsu_tx_tag(s);
  s->first_tag = lsu_ring_next(s->first_tag, --s->count, Xacts);
  if (!read) {
    asks->rel_valid = true;
    asks->rel_tag = asks->a_tag;
    return false;
  }
  asks->rd_en = s->reading = true;
  s->read_tag = asks->a_tag;
  return true;
}

/* CPL [8]. */
static void begin_done(lsu_tx_t *s, const lsu_tx_offer_t *offer, lsu_tx_asks_t *asks) {
  s->word[s->beats++] = LSU_PUT(LSU_PUT(LSU_PUT(0, type, LSU_CPL), nbu, offer->nbu_id), id, offer->d_id);
  asks->d_take = true;
}

/* MVR and its row [9]. */
static void begin_row(lsu_tx_t *s, const lsu_tx_offer_t *offer, lsu_tx_asks_t *asks) {
  uint64_t hdr = LSU_PUT(0, type, LSU_MVR), of = offer->v_hdr;
  hdr = LSU_PUT(LSU_PUT(hdr, nbu, LSU_GET(of, nbu)), warp, LSU_GET(of, warp));
  s->word[s->beats++] = LSU_PUT(LSU_PUT(hdr, reg, LSU_GET(of, reg)), id, LSU_GET(of, id));
  set_rest(s, offer->v_data, LSU_LANES / 2);
  asks->v_take = true;
}

/* Sources that may begin a message; each at most once a cycle. */
static unsigned sources(const lsu_tx_t *s, const lsu_tx_offer_t *offer, const lsu_tx_asks_t *asks) {
  return (unsigned)(s->count > 0 && !asks->a_valid) << ANSWER | (unsigned)(offer->d_valid && !asks->d_take) << DONE |
         (unsigned)(offer->v_valid && !asks->v_take) << ROW;
}

/* A new word of up to two beats: first the message being sent, then new ones in turn [4]. */
static void fill_word(lsu_tx_t *s, const lsu_tx_offer_t *offer, lsu_tx_asks_t *asks) {
  s->beats = 0;
  while (s->beats < 2) {
    if (s->left) {
      s->word[s->beats++] = s->rest[LSU_TX_REST - s->left--];
      continue;
    }
    int source = lsu_turn(s->first, SOURCES, sources(s, offer, asks));
    if (source < 0) return;
    s->first = (unsigned)(source + 1) % SOURCES;
    if (source == ANSWER && begin_answer(s, offer, asks)) return;
    if (source == DONE) begin_done(s, offer, asks);
    if (source == ROW) begin_row(s, offer, asks);
  }
}

/* The read buffer's data come before the word is filled. So their first two
 * beats go out in the next word [6]. */
lsu_tx_asks_t lsu_tx_cycle(lsu_tx_t *s, const lsu_tx_offer_t *offer) {
  lsu_tx_asks_t asks = {0};
  if (s->reading) {
    asks.rel_valid = true;
    asks.rel_tag = s->read_tag;
    set_rest(s, offer->rd_data, LSU_XFER_WORDS / 2);
    s->reading = false;
  }
  if (!s->beats || offer->up_take) fill_word(s, offer, &asks);
  assert(s->count < Xacts || !offer->in_valid);
  if (offer->in_valid) s->tag[lsu_ring(s->first_tag, s->count++, Xacts)] = offer->in_tag;
  return asks;
}

/* The inputs, with pointers to their rows. */
static lsu_tx_offer_t offer_of(const lsu_tx_in_t *in) {
  return (lsu_tx_offer_t){.nbu_id = (uint8_t)in->nbu_id,
                          .up_take = in->up_take,
                          .in_valid = in->in_valid,
                          .in_tag = (uint8_t)in->in_tag,
                          .a_kind = (uint8_t)in->a_kind,
                          .a_ref = (uint16_t)in->a_ref,
                          .rd_data = in->rd_data,
                          .d_valid = in->d_valid,
                          .d_id = (uint8_t)in->d_id,
                          .v_valid = in->v_valid,
                          .v_hdr = in->v_hdr,
                          .v_data = in->v_data};
}

void lsu_tx_show(const lsu_tx_t *s, uint64_t *valid, uint32_t *beats) {
  *valid = (1u << s->beats) - 1;
  for (unsigned i = 0; i < 2; i++) {
    uint64_t beat = i < s->beats ? s->word[i] : 0;
    beats[2 * i] = (uint32_t)beat;
    beats[2 * i + 1] = (uint32_t)(beat >> 32);
  }
}

void lsu_tx_eval(const lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out) {
  const lsu_tx_offer_t offer = offer_of(in);
  lsu_tx_t after = *s;
  const lsu_tx_asks_t asks = lsu_tx_cycle(&after, &offer);
  out->a_valid = asks.a_valid;
  out->a_tag = asks.a_tag;
  out->rd_en = asks.rd_en;
  out->rd_tag = asks.a_tag;
  out->rel_valid = asks.rel_valid;
  out->rel_tag = asks.rel_tag;
  out->d_take = asks.d_take;
  out->v_take = asks.v_take;
  lsu_tx_show(s, &out->up_valid, out->up_beat);
}

void lsu_tx_step(lsu_tx_t *s, const lsu_tx_in_t *in) {
  const lsu_tx_offer_t offer = offer_of(in);
  lsu_tx_cycle(s, &offer);
}

extern inline bool lsu_tx_idle(const lsu_tx_t *s);
