/* SPDX-License-Identifier: Apache-2.0
 *
 * A message taken apart beat by beat. Numbers in brackets are rules of the port file.
 */
#include "tom_unpack.h"

#include <string.h>

#include "bits.h"

void tom_unpack_reset(tom_unpack_t *s) {
  memset(s, 0, sizeof *s);
}

/* All rows of the message are written, and all its lines invalidated. */
static bool is_over(const tom_unpack_t *s) {
  return s->next == UNPACK_NOTHING && !s->num && !s->writes;
}

bool tom_unpack_done(const tom_unpack_t *s) {
  return is_over(s) && s->done;
}

/* A beat can be taken: the lines of the last list are gone. */
static bool is_ready(const tom_unpack_t *s) {
  return s->next != UNPACK_NOTHING && !s->num;
}

void tom_unpack_eval(const tom_unpack_t *s, const tom_unpack_in_t *in, tom_unpack_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->ack_ready = is_ready(s);
  out->wr_valid = s->writes;
  out->wr_warp = out->done_warp = s->warp;
  out->wr_reg = s->reg;
  out->wr_mask = s->mask;
  memcpy(out->wr_row, s->row, sizeof s->row);
  out->inv_valid = s->num != 0;
  out->inv_line = s->num ? s->line[s->first] : 0;
  out->done_valid = tom_unpack_done(s);
  out->err = s->err;
  out->probe_state = s->next;
  out->probe_left = s->left;
}

/* The message's fields [1]. */
static void take_header(tom_unpack_t *s, const tom_unpack_in_t *in) {
  s->warp = (unsigned)bits_get(in->ack_beat, ACK_warp_LSB, CLOG2(Warps));
  s->done = bits_get(in->ack_beat, ACK_done_LSB, ACK_done_W);
  s->mask = (uint32_t)bits_get(in->ack_beat, ACK_mask_LSB, ACK_mask_W);
  s->left = bits_get(in->ack_beat, ACK_out_LSB, ACK_out_W);
}

/* The row is written in the next cycle, lowest register first [2]. */
static void take_row(tom_unpack_t *s, const tom_unpack_in_t *in) {
  s->writes = true;
  s->reg = (unsigned)__builtin_ctzll(s->left);
  s->left &= s->left - 1;
  memcpy(s->row, in->ack_beat, sizeof s->row);
}

/* A count beyond TOM_LIST_MOST is a fault; that many lines are used. */
static void take_list(tom_unpack_t *s, const tom_unpack_in_t *in) {
  s->num = (unsigned)bits_get(in->ack_beat, 0, TOM_LIST_COUNT_W);
  s->first = 0;
  if (s->num > TOM_LIST_MOST) {
    s->num = TOM_LIST_MOST;
    s->err = true;
  }
  for (unsigned i = 0; i < s->num; i++)
    s->line[i] = bits_get(in->ack_beat, TOM_LIST_COUNT_W + i * (LineBits), LineBits);
}

/* A message that ends before its rows is a fault. */
static void take(tom_unpack_t *s, const tom_unpack_in_t *in) {
  if (s->next == UNPACK_HEADER) take_header(s, in);
  else if (s->next == UNPACK_ROW) take_row(s, in);
  else take_list(s, in);
  s->next = s->left ? UNPACK_ROW : UNPACK_LIST;
  if (!in->ack_last) return;
  s->next = UNPACK_NOTHING;
  s->err |= s->left != 0;
  s->left = 0;
}

/* The next message's header is taken at the earliest after this message is over. */
void tom_unpack_step(tom_unpack_t *s, const tom_unpack_in_t *in) {
  const bool taken = in->ack_valid && is_ready(s);
  if (is_over(s)) s->next = UNPACK_HEADER;
  s->writes = false;
  if (s->num && in->inv_ready) s->num--, s->first++;
  if (taken) take(s, in);
}
