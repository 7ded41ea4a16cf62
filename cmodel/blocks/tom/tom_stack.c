/* SPDX-License-Identifier: Apache-2.0
 *
 * A slot keeps its header's fields until its block has been acknowledged. A message is a set of
 * beats still to be chosen. All decisions of a cycle use the state at its beginning. Numbers in
 * brackets are rules of the port file.
 */
#include "tom_stack.h"

#include <string.h>

#include "bits.h"

enum { FAULT_PLACE = 1, FAULT_LENGTH = 2, FAULT_BLOCK = 4, FAULT_CREDIT = 8 }; /* bits of err [12] */

void tom_stack_reset(tom_stack_t *s) {
  memset(s, 0, sizeof *s);
  tom_lines_reset(&s->lines);
  s->credits = OutCredits;
}

/* The lowest register of the set, 0 for an empty one. */
static unsigned lowest(uint64_t registers) {
  return registers ? (unsigned)__builtin_ctzll(registers) : 0;
}

/* The lowest free slot, or -1 [3]. */
static int free_slot(const tom_stack_t *s) {
  for (unsigned i = 0; i < (Warps); i++)
    if (!s->slots[i].used) return (int)i;
  return -1;
}

/* The oldest beat if it is used in this cycle, else NULL. A beat of the
 * last cycle is not used yet [2]. */
static const tom_stack_beat_t *used_beat(const tom_stack_t *s) {
  const bool wanted = s->next == STACK_HEADER ? free_slot(s) >= 0 : s->next == STACK_ROW || s->next == STACK_REST;
  return wanted && s->waiting > s->fresh ? &s->beat[s->oldest] : NULL;
}

/* False also for a slot out of range, so its events are faults. */
static bool runs(const tom_stack_t *s, uint64_t slot) {
  return slot < (Warps) && s->slots[slot].runs;
}

static bool is_sending(const tom_stack_message_t *m) {
  return m->header || m->rows || m->list;
}

/* A beat of the message is chosen in this cycle: the receiver has a place [10]. */
static bool chooses(const tom_stack_t *s) {
  return is_sending(&s->message) && s->credits;
}

/* ---- what is shown ---- */

static void show_probes(const tom_stack_t *s, const tom_lines_out_t *lines, tom_stack_out_t *out) {
  out->probe_next = s->next;
  out->probe_left = s->left;
  out->probe_beats = s->waiting;
  for (unsigned i = 0; i < (Warps); i++) {
    bits_put(out->probe_used, i, 1, s->slots[i].used);
    bits_put(out->probe_runs, i, 1, s->slots[i].runs);
  }
  out->probe_read = lines->probe_read;
  out->probe_done = lines->probe_done;
  out->probe_added = lines->probe_added;
  out->probe_count = lines->probe_count;
  out->probe_sends = is_sending(&s->message);
  out->probe_outs = s->message.header ? 0 : s->message.rows;
  out->probe_credits = s->credits;
}

void tom_stack_eval(const tom_stack_t *s, const tom_stack_in_t *in, tom_stack_out_t *out) {
  const tom_stack_slot_t *begins = &s->slots[s->slot];
  tom_lines_out_t lines;
  (void)in;
  tom_lines_eval(&s->lines, NULL, &lines);
  memset(out, 0, sizeof *out);
  out->in_credit = s->credit;
  out->wr_valid = s->next == STACK_ROW && used_beat(s);
  out->wr_slot = out->start_slot = s->slot;
  out->wr_reg = lowest(s->left);
  if (out->wr_valid) memcpy(out->wr_row, s->beat[s->oldest].words, sizeof out->wr_row);
  out->clear = s->next == STACK_CLEAR;
  out->start_valid = s->next == STACK_START;
  out->start_pc = begins->pc;
  out->start_exit = begins->exit;
  out->start_mask = begins->mask;
  out->push_ready = lines.push_ready;
  out->end_ready = lines.end_ready;
  out->rd_valid = chooses(s) && !s->message.header && s->message.rows;
  out->rd_slot = s->message.slot;
  out->rd_reg = lowest(s->message.rows);
  out->out_valid = s->out.valid;
  memcpy(out->out_beat, s->out.words, sizeof out->out_beat);
  out->out_last = s->out.last;
  out->out_sm = s->out.sm;
  out->err = s->err;
  show_probes(s, &lines, out);
}

bool tom_stack_idle(const tom_stack_t *s) {
  tom_lines_out_t lines;
  tom_lines_eval(&s->lines, NULL, &lines);
  return !s->waiting && s->next == STACK_HEADER && lines.push_ready && !is_sending(&s->message) && !s->chosen.valid &&
         !s->out.valid;
}

/* ---- messages ---- */

/* Mask and live-outs only in an acknowledgement [8]. */
static void make_header(tom_stack_t *s) {
  const tom_stack_slot_t *of = &s->slots[s->message.slot];
  uint32_t *words = s->chosen.words;
  bits_put(words, ACK_warp_LSB, ACK_warp_W, of->warp);
  bits_put(words, ACK_done_LSB, ACK_done_W, s->message.done);
  if (!s->message.done) return;
  bits_put(words, ACK_mask_LSB, ACK_mask_W, of->mask);
  bits_put(words, ACK_out_LSB, ACK_out_W, of->out);
}

/* Chooses the header, then the lowest row, then the list [8, 9]. The last choice of an
 * acknowledgement frees the slot [11]. */
static void choose(tom_stack_t *s) {
  tom_stack_message_t *m = &s->message;
  s->chosen = (tom_stack_beat_t){.valid = true, .sm = s->slots[m->slot].sm};
  s->reads = !m->header && m->rows;
  if (m->header) {
    make_header(s);
    m->header = false;
  } else if (m->rows) {
    m->rows &= m->rows - 1;
  } else {
    memcpy(s->chosen.words, m->lines, sizeof m->lines);
    m->list = false;
  }
  s->credits--;
  s->chosen.last = !is_sending(m);
  if (s->chosen.last && m->done) s->slots[m->slot].used = false;
}

/* The list becomes a message; an empty list has no beat [8]. */
static void take_list(tom_stack_t *s, const tom_lines_out_t *lines) {
  tom_stack_message_t *m = &s->message;
  *m = (tom_stack_message_t){.header = true, .done = lines->list_last, .slot = (unsigned)lines->list_warp};
  m->rows = m->done ? s->slots[m->slot].out : 0;
  m->list = bits_get(lines->list_beat, 0, TOM_LIST_COUNT_W) != 0;
  bits_copy(m->lines, 0, lines->list_beat, 0, TOM_STACK_LIST);
}

/* One cycle of the sender. A row chosen in the last cycle is on rd_data now [9]. */
static void send(tom_stack_t *s, const tom_stack_in_t *in, const tom_lines_out_t *lines) {
  const bool full = s->credits == (OutCredits), free = !is_sending(&s->message), chosen = chooses(s);
  s->out = s->chosen;
  if (s->reads) memcpy(s->out.words, in->rd_data, sizeof s->out.words);
  s->chosen.valid = s->reads = false;
  if (chosen) choose(s);
  if (free && lines->list_valid) take_list(s, lines);
  if (in->out_credit && full) s->err |= FAULT_CREDIT;
  else if (in->out_credit) s->credits++;
}

/* ---- blocks ---- */

/* Lines and ends of running blocks go to tom_lines; others are faults [7, 12]. */
static void run(tom_stack_t *s, const tom_stack_in_t *in, const tom_lines_out_t *lines, bool sending) {
  const bool push = in->push_valid && runs(s, in->push_slot), end = in->end_valid && runs(s, in->end_slot);
  tom_lines_in_t to = {.push_valid = push, .end_valid = end, .list_ready = !sending};
  if (push) to.push_warp = in->push_slot, to.push_line = in->push_line;
  if (end) to.end_warp = in->end_slot;
  if (lines->push_ready && ((in->push_valid && !push) || (in->end_valid && !end))) s->err |= FAULT_BLOCK;
  if (lines->end_ready && end) s->slots[in->end_slot].runs = false;
  tom_lines_step(&s->lines, &to);
}

/* ---- requests ---- */

/* The request gets its slot [3]. */
static void take_header(tom_stack_t *s, const tom_stack_beat_t *b, unsigned slot) {
  s->slot = slot;
  s->left = bits_get(b->words, REQ_in_LSB, REQ_in_W);
  s->slots[slot] = (tom_stack_slot_t){.used = true,
                                      .sm = b->sm,
                                      .warp = (uint8_t)bits_get(b->words, REQ_warp_LSB, REQ_warp_W),
                                      .pc = (uint32_t)bits_get(b->words, REQ_pc_LSB, REQ_pc_W),
                                      .exit = (uint32_t)bits_get(b->words, REQ_exit_LSB, REQ_exit_W),
                                      .mask = (uint32_t)bits_get(b->words, REQ_mask_LSB, REQ_mask_W),
                                      .out = bits_get(b->words, REQ_out_LSB, REQ_out_W)};
}

/* A beat is used: header, row, or one too many. `slot` is for a header. A request ends with
 * its last beat, whatever is left [12]. */
static void use(tom_stack_t *s, const tom_stack_beat_t *b, int slot) {
  if (s->next == STACK_HEADER) take_header(s, b, (unsigned)slot);
  else if (s->next == STACK_ROW) s->left &= s->left - 1;
  else s->err |= FAULT_LENGTH;
  s->next = b->last ? STACK_CLEAR : s->left ? STACK_ROW : STACK_REST;
  if (b->last && s->left) s->err |= FAULT_LENGTH;
  if (b->last) s->left = 0;
  s->oldest = (s->oldest + 1) % TOM_STACK_PLACES;
  s->waiting--;
}

/* A beat joins the ring; without a place it is lost [2, 12]. */
static void receive(tom_stack_t *s, const tom_stack_in_t *in, bool full) {
  tom_stack_beat_t *b = &s->beat[(s->oldest + s->waiting) % TOM_STACK_PLACES];
  s->fresh = in->in_valid && !full;
  if (in->in_valid && full) s->err |= FAULT_PLACE;
  if (!s->fresh) return;
  memcpy(b->words, in->in_beat, sizeof b->words);
  b->last = in->in_last;
  b->sm = (uint8_t)in->in_sm;
  s->waiting++;
}

/* The receiver comes last, so a place given back in this cycle is not used in it. */
void tom_stack_step(tom_stack_t *s, const tom_stack_in_t *in) {
  const tom_stack_beat_t *b = used_beat(s);
  const int slot = free_slot(s);
  const bool full = s->waiting == TOM_STACK_PLACES, sending = is_sending(&s->message);
  tom_lines_out_t lines;
  tom_lines_eval(&s->lines, NULL, &lines);
  send(s, in, &lines);
  run(s, in, &lines, sending);
  s->credit = b != NULL;
  if (b) {
    use(s, b, slot);
  } else if (s->next == STACK_CLEAR) {
    s->next = STACK_START;
  } else if (s->next == STACK_START) {
    s->slots[s->slot].runs = true;
    s->next = STACK_HEADER;
  }
  receive(s, in, full);
}
