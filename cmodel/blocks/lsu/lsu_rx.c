/* SPDX-License-Identifier: Apache-2.0
 *
 * Beats are collected until a message is whole; then it is checked and stored. Numbers in brackets
 * are rules of the port file.
 */
#include "lsu_rx.h"

#include <string.h>

enum { ERR_TYPE = 1, ERR_FULL = 2, ERR_NBU = 4 };

/* Messages that each class's FIFO holds. */
static const unsigned depth[] = {[LSU_CLASS_MEM] = MemDepth,
                                 [LSU_CLASS_SMEM] = SmemDepth,
                                 [LSU_CLASS_WRITE] = WriteDepth,
                                 [LSU_CLASS_MOVE] = MoveDepth};

void lsu_rx_reset(lsu_rx_t *s) {
  s->have = s->credit = s->err = 0;
  memset(s->first, 0, sizeof s->first);
  memset(s->count, 0, sizeof s->count);
}

void lsu_rx_eval(const lsu_rx_t *s, const lsu_rx_in_t *in, lsu_rx_out_t *out) {
  (void)in;
  out->dn_credit = s->credit;
  out->err = s->err;
  out->m_valid = s->count[LSU_CLASS_MEM] > 0;
  out->m_hdr = lsu_rx_mem(s)->hdr;
  out->m_mask = (uint32_t)lsu_rx_mem(s)->ctl;
  memcpy(out->m_data, lsu_rx_mem(s)->data, sizeof out->m_data);
  out->s_valid = s->count[LSU_CLASS_SMEM] > 0;
  out->s_hdr = lsu_rx_smem(s)->hdr;
  out->s_ctl = lsu_rx_smem(s)->ctl;
  out->w_valid = s->count[LSU_CLASS_WRITE] > 0;
  out->w_hdr = lsu_rx_write(s)->hdr;
  out->w_mask = lsu_rx_write(s)->mask;
  memcpy(out->w_data, lsu_rx_write(s)->data, sizeof out->w_data);
  out->v_valid = s->count[LSU_CLASS_MOVE] > 0;
  out->v_hdr = lsu_rx_move(s);
}

/* n words from beats of two words each, lower word first. */
static void data_words(uint32_t *words, const uint64_t *beats, unsigned n) {
  for (unsigned i = 0; i < n; i++) words[i] = (uint32_t)(beats[i / 2] >> 32 * (i % 2));
}

/* Stores the whole message; beats that it does not have count as zero [7]. */
static void store(lsu_rx_t *s, int cls) {
  unsigned i = lsu_ring(s->first[cls], s->count[cls]++, depth[cls]);
  uint64_t ctl = s->have > 1 ? s->beat[1] : 0;
  switch (cls) {
  case LSU_CLASS_MEM:
    s->mem[i].hdr = s->beat[0];
    s->mem[i].ctl = ctl;
    if (s->have > 2) data_words(s->mem[i].data, &s->beat[2], LSU_XFER_WORDS);
    else memset(s->mem[i].data, 0, sizeof s->mem[i].data);
    break;
  case LSU_CLASS_SMEM:
    s->smem[i].hdr = s->beat[0];
    s->smem[i].ctl = ctl;
    break;
  case LSU_CLASS_WRITE:
    s->write[i].hdr = s->beat[0];
    s->write[i].mask = (uint32_t)ctl;
    data_words(s->write[i].data, &s->beat[2], LSU_LANES);
    break;
  default: s->move[i] = s->beat[0]; break;
  }
}

/* A beat of the stream. A type that does not exist has length 0, so its
 * header is dropped at once [2]. */
static void take_beat(lsu_rx_t *s, uint64_t beat, uint64_t nbu_id) {
  s->beat[s->have++] = beat;
  unsigned type = (unsigned)LSU_GET(s->beat[0], type);
  int cls = lsu_down_class(type);
  if (s->have < lsu_down_beats(type)) return;
  if (cls < 0) s->err |= ERR_TYPE;
  else if (LSU_GET(s->beat[0], nbu) != nbu_id) s->err |= ERR_NBU;
  else if (s->count[cls] == depth[cls]) s->err |= ERR_FULL;
  else store(s, cls);
  s->have = 0;
}

/* A message taken in this cycle still fills its place for one that ends in it [3]. */
void lsu_rx_step(lsu_rx_t *s, const lsu_rx_in_t *in) {
  const bool take[LSU_CLASSES] = {in->m_take, in->s_take, in->w_take, in->v_take};
  bool taken[LSU_CLASSES];
  for (int cls = 0; cls < LSU_CLASSES; cls++) taken[cls] = take[cls] && s->count[cls];
  s->err = s->credit = 0;
  for (unsigned i = 0; i < 2; i++)
    if (in->dn_valid >> i & 1) take_beat(s, in->dn_beat[2 * i] | (uint64_t)in->dn_beat[2 * i + 1] << 32, in->nbu_id);
  for (int cls = 0; cls < LSU_CLASSES; cls++) {
    if (!taken[cls]) continue;
    s->credit |= 1u << cls;
    s->first[cls] = lsu_ring_next(s->first[cls], --s->count[cls], depth[cls]);
  }
}

extern inline bool lsu_rx_idle(const lsu_rx_t *s);
