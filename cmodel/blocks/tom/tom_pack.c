/* SPDX-License-Identifier: Apache-2.0
 *
 * Beats are chosen one after the other, and go out two cycles later. Numbers in brackets are rules
 * of the port file.
 */
#include "tom_pack.h"

#include <string.h>

#include "bits.h"

/* A beat goes out two cycles after its choice. */
enum { STEPS_BEHIND_CHOICE = 2 };

void tom_pack_reset(tom_pack_t *s) {
  memset(s, 0, sizeof *s);
  s->credits = OutCredits;
}

/* A beat is chosen in this cycle: one is left, and the receiver has a place [3]. */
static bool chooses(const tom_pack_t *s) {
  return s->busy && !s->wait && s->credits;
}

void tom_pack_eval(const tom_pack_t *s, const tom_pack_in_t *in, tom_pack_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->go_ready = !s->busy;
  out->rd_valid = chooses(s) && !s->header;
  out->rd_warp = s->warp;
  out->rd_reg = s->left ? (unsigned)__builtin_ctzll(s->left) : 0;
  out->out_valid = s->out.valid;
  out->out_last = s->out.last;
  memcpy(out->out_beat, s->out.words, sizeof s->out.words);
  out->err = s->err;
  out->probe_credits = s->credits;
  out->probe_left = s->left;
}

/* The header's fields are kept; its choice waits so that it goes out after PackCycles [1]. */
static void begin(tom_pack_t *s, const tom_pack_in_t *in) {
  s->busy = s->header = true;
  s->wait = (PackCycles)-1 - STEPS_BEHIND_CHOICE;
  s->left = in->go_in;
  s->warp = (unsigned)in->go_warp;
  memset(s->head, 0, sizeof s->head);
  bits_put(s->head, REQ_warp_LSB, REQ_warp_W, in->go_warp);
  bits_put(s->head, REQ_stack_LSB, REQ_stack_W, in->go_stack);
  bits_put(s->head, REQ_pc_LSB, REQ_pc_W, in->go_pc);
  bits_put(s->head, REQ_exit_LSB, REQ_exit_W, in->go_exit);
  bits_put(s->head, REQ_mask_LSB, REQ_mask_W, in->go_mask);
  bits_put(s->head, REQ_in_LSB, REQ_in_W, in->go_in);
  bits_put(s->head, REQ_out_LSB, REQ_out_W, in->go_out);
}

/* Chooses the header, then the rows, lowest register first [1]. The last choice
 * makes room for the next request [4]. */
static void choose(tom_pack_t *s) {
  s->read = (tom_beat_t){.valid = true, .header = s->header};
  if (!s->header) s->left &= s->left - 1;
  s->header = false;
  s->read.last = !s->left;
  s->busy = s->left != 0;
  s->credits--;
}

/* A row chosen in the last cycle is on rd_data now [2]. */
void tom_pack_step(tom_pack_t *s, const tom_pack_in_t *in) {
  const bool go = in->go_valid && !s->busy, chosen = chooses(s), full = s->credits == (OutCredits);
  s->out = s->read;
  memcpy(s->out.words, s->read.header ? s->head : in->rd_data, sizeof s->out.words);
  s->read.valid = false;
  if (s->wait) s->wait--;
  if (chosen) choose(s);
  if (go) begin(s, in);
  if (in->credit && full) s->err = true;
  else if (in->credit) s->credits++;
}
