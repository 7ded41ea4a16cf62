/* SPDX-License-Identifier: Apache-2.0
 *
 * Beats are collected until the message is whole; then it is looked at.
 */
#include "lsu_rx.h"

#include <string.h>

enum { ERR_TYPE = 1, ERR_FULL = 2, ERR_NBU = 4 };

static const unsigned depth[] = {
  [LSU_CLASS_MEM] = MemDepth, [LSU_CLASS_SMEM] = SmemDepth, [LSU_CLASS_WRITE] = WriteDepth, [LSU_CLASS_MOVE] = MoveDepth};

void lsu_rx_reset(lsu_rx_t *s) {
  s->have = s->credit = s->err = 0;
  memset(s->count, 0, sizeof s->count);
}

void lsu_rx_eval(const lsu_rx_t *s, const lsu_rx_in_t *in, lsu_rx_out_t *out) {
  (void)in;
  out->dn_credit = s->credit;
  out->err = s->err;
  out->m_valid = s->count[LSU_CLASS_MEM] > 0;
  out->m_hdr = s->mem[0].hdr;
  out->m_mask = (uint32_t)s->mem[0].ctl;
  memcpy(out->m_data, s->mem[0].data, sizeof s->mem[0].data);
  out->s_valid = s->count[LSU_CLASS_SMEM] > 0;
  out->s_hdr = s->smem[0].hdr;
  out->s_ctl = s->smem[0].ctl;
  out->w_valid = s->count[LSU_CLASS_WRITE] > 0;
  out->w_hdr = s->write[0].hdr;
  out->w_mask = s->write[0].mask;
  memcpy(out->w_data, s->write[0].data, sizeof s->write[0].data);
  out->v_valid = s->count[LSU_CLASS_MOVE] > 0;
  out->v_hdr = s->move[0];
}

static void data_words(uint32_t *words, const uint64_t *beats, unsigned n) {
  for (unsigned i = 0; i < n; i++) words[i] = (uint32_t)(beats[i / 2] >> 32 * (i % 2));
}

static void store(lsu_rx_t *s, int cls) {
  unsigned i = s->count[cls]++, has_data = s->have > 2;
  lsu_rx_message_t message = {.hdr = s->beat[0], .ctl = s->have > 1 ? s->beat[1] : 0};
  switch (cls) {
  case LSU_CLASS_MEM:
    if (has_data) data_words(message.data, &s->beat[2], LSU_XFER_WORDS);
    s->mem[i] = message;
    break;
  case LSU_CLASS_SMEM: s->smem[i] = message; break;
  case LSU_CLASS_WRITE:
    s->write[i].hdr = s->beat[0];
    s->write[i].mask = (uint32_t)s->beat[1];
    data_words(s->write[i].data, &s->beat[2], LSU_LANES);
    break;
  default: s->move[i] = s->beat[0]; break;
  }
}

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

static void remove_oldest(lsu_rx_t *s, int cls) {
  unsigned left = --s->count[cls];
  switch (cls) {
  case LSU_CLASS_MEM: memmove(s->mem, s->mem + 1, left * sizeof *s->mem); break;
  case LSU_CLASS_SMEM: memmove(s->smem, s->smem + 1, left * sizeof *s->smem); break;
  case LSU_CLASS_WRITE: memmove(s->write, s->write + 1, left * sizeof *s->write); break;
  default: memmove(s->move, s->move + 1, left * sizeof *s->move); break;
  }
}

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
    remove_oldest(s, cls);
  }
}
