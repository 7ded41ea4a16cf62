/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle is computed once, on a copy of the state (lsu_tx_cycle): eval shows what it asks for, step keeps the copy.
 */
#include "lsu_tx.h"

#include <assert.h>
#include <string.h>

#include "lsu_access.h"

enum { ANSWER, DONE, ROW, SOURCES };

void lsu_tx_reset(lsu_tx_t *s) { memset(s, 0, sizeof *s); }

static void set_rest(lsu_tx_t *s, const uint32_t *words, unsigned beats) {
  for (unsigned i = 0; i < beats; i++) s->rest[LSU_TX_REST - beats + i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
  s->left = beats;
}

/* True when nothing may follow in this word. */
static bool begin_answer(lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out) {
  bool read = in->a_kind == LSU_KIND_RD;
  uint64_t hdr = LSU_PUT(0, type, read ? LSU_RDR : LSU_WRA), tag = lsu_tx_tag(s);
  hdr = LSU_PUT(LSU_PUT(LSU_PUT(hdr, nbu, in->nbu_id), areg, in->a_ref >> LSU_id_W), id, in->a_ref);
  s->word[s->beats++] = hdr;
  s->first_tag = lsu_ring(s->first_tag, 1, Xacts);
  s->count--;
  out->a_valid = 1;
  out->a_tag = tag;
  if (!read) {
    out->rel_valid = 1;
    out->rel_tag = tag;
    return false;
  }
  out->rd_en = 1;
  out->rd_tag = tag;
  s->reading = true;
  s->read_tag = (uint8_t)tag;
  return true;
}

static void begin_done(lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out) {
  s->word[s->beats++] = LSU_PUT(LSU_PUT(LSU_PUT(0, type, LSU_CPL), nbu, in->nbu_id), id, in->d_id);
  out->d_take = 1;
}

static void begin_row(lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out) {
  uint64_t hdr = LSU_PUT(0, type, LSU_MVR), of = in->v_hdr;
  hdr = LSU_PUT(LSU_PUT(hdr, nbu, LSU_GET(of, nbu)), warp, LSU_GET(of, warp));
  s->word[s->beats++] = LSU_PUT(LSU_PUT(hdr, reg, LSU_GET(of, reg)), id, LSU_GET(of, id));
  set_rest(s, in->v_data, LSU_LANES / 2);
  out->v_take = 1;
}

/* Sources that may begin a message: each at most once a cycle. */
static unsigned sources(const lsu_tx_t *s, const lsu_tx_in_t *in, const lsu_tx_out_t *out) {
  return (unsigned)(s->count > 0 && !out->a_valid) << ANSWER | (unsigned)(in->d_valid && !out->d_take) << DONE |
         (unsigned)(in->v_valid && !out->v_take) << ROW;
}

static void fill_word(lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out) {
  s->beats = 0;
  while (s->beats < 2) {
    if (s->left) {
      s->word[s->beats++] = s->rest[LSU_TX_REST - s->left--];
      continue;
    }
    int source = lsu_turn(s->first, SOURCES, sources(s, in, out));
    if (source < 0) return;
    s->first = (unsigned)(source + 1) % SOURCES;
    if (source == ANSWER && begin_answer(s, in, out)) return;
    if (source == DONE) begin_done(s, in, out);
    if (source == ROW) begin_row(s, in, out);
  }
}

void lsu_tx_cycle(lsu_tx_t *s, const lsu_tx_in_t *in, lsu_tx_out_t *out) {
  if (s->reading) {
    out->rel_valid = 1;
    out->rel_tag = s->read_tag;
    set_rest(s, in->rd_data, LSU_XFER_WORDS / 2);
    s->reading = false;
  }
  if (!s->beats || in->up_take) fill_word(s, in, out);
  assert(s->count < Xacts || !in->in_valid);
  if (in->in_valid) s->tag[lsu_ring(s->first_tag, s->count++, Xacts)] = (uint8_t)in->in_tag;
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
  lsu_tx_t after = *s;
  memset(out, 0, sizeof *out);
  lsu_tx_show(s, &out->up_valid, out->up_beat);
  lsu_tx_cycle(&after, in, out);
}

void lsu_tx_step(lsu_tx_t *s, const lsu_tx_in_t *in) {
  lsu_tx_out_t out;
  memset(&out, 0, sizeof out);
  lsu_tx_cycle(s, in, &out);
}

bool lsu_tx_idle(const lsu_tx_t *s) { return !s->reading && (s->beats || (!s->left && !s->count)); }
