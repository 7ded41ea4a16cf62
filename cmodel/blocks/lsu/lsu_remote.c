/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests from other cores, entries for those under way, and answers. Numbers in brackets are
 * rules of the port file.
 */
#include "lsu_remote.h"

#include <string.h>

enum { ERR_FULL = 1, ERR_ENTRY = 2 };
enum { NOT_SHOWN = -1, ASKER = 4 }; /* ASKER: the areg of RD and WR, for "another core" [2] */

void lsu_remote_reset(lsu_remote_t *s) {
  memset(s, 0, sizeof *s);
  s->shown = NOT_SHOWN;
}

/* The message for a request [2]. */
static void show_request(const lsu_remote_request_t *r, int entry, lsu_remote_out_t *out) {
  uint64_t hdr = LSU_PUT(LSU_PUT(UINT64_C(0), type, r->from.write ? LSU_WR : LSU_RD), nbu, r->nbu);
  out->dn_hdr = LSU_PUT(LSU_PUT(LSU_PUT(hdr, areg, ASKER), addr, r->addr), id, entry);
  out->dn_mask = r->mask;
  memcpy(out->dn_data, r->data, sizeof r->data);
}

static void show_answer(const lsu_remote_answer_t *a, lsu_remote_out_t *out) {
  out->out_write = a->to.write;
  out->out_core = a->to.core;
  out->out_subcore = a->to.subcore;
  out->out_id = a->to.id;
  memcpy(out->out_data, a->data, sizeof a->data);
}

void lsu_remote_eval(const lsu_remote_t *s, const lsu_remote_in_t *in, lsu_remote_out_t *out) {
  (void)in;
  out->in_credit = s->credit;
  out->err = s->err;
  out->dn_valid = s->shown >= 0;
  if (out->dn_valid) show_request(&s->request[s->first], s->shown, out);
  out->out_valid = s->answers > 0;
  if (out->out_valid) show_answer(&s->answer[s->answer_first], out);
}

/* A read carries no mask and no data, so both are stored as zero. */
static void accept(lsu_remote_t *s, const lsu_remote_in_t *in) {
  lsu_remote_request_t *r = &s->request[(s->first + s->requests++) % InDepth];
  r->from = (lsu_remote_asker_t){in->in_write, (uint8_t)in->in_core, (uint8_t)in->in_subcore, (uint8_t)in->in_id};
  r->nbu = (uint8_t)in->in_nbu;
  r->addr = (uint32_t)in->in_addr & ~(LSU_XFER_BYTES - 1u);
  r->mask = in->in_write ? (uint32_t)in->in_mask : 0;
  if (in->in_write) memcpy(r->data, in->in_data, sizeof r->data);
  else memset(r->data, 0, sizeof r->data);
}

/* The lowest free entry; there is one. */
static int lowest_free(const lsu_remote_t *s) {
  unsigned i = 0;
  while (!~s->used[i]) i++;
  return (int)(64 * i) + __builtin_ctzll(~s->used[i]);
}

/* An answer frees its entry and joins the output FIFO [4]; one to a free entry is an error [6]. */
static void answer(lsu_remote_t *s, const lsu_remote_in_t *in) {
  uint64_t bit = UINT64_C(1) << in->rs_id % 64;
  if (in->rs_id >= RemoteEntries || !(s->used[in->rs_id / 64] & bit)) {
    s->err |= ERR_ENTRY;
    return;
  }
  s->used[in->rs_id / 64] ^= bit;
  s->in_use--;
  lsu_remote_answer_t *a = &s->answer[(s->answer_first + s->answers++) % RemoteEntries];
  a->to = s->entry[in->rs_id];
  if (a->to.write) memset(a->data, 0, sizeof a->data);
  else memcpy(a->data, in->rs_data, sizeof a->data);
}

/* The request leaves the input FIFO, and its entry is in use [3]. */
static void take_request(lsu_remote_t *s) {
  s->entry[s->shown] = s->request[s->first].from;
  s->used[s->shown / 64] |= UINT64_C(1) << s->shown % 64;
  s->in_use++;
  s->shown = NOT_SHOWN;
  s->first = (s->first + 1) % InDepth;
  s->requests--;
  s->credit = true;
}

/* A request can be shown from the next cycle on: its answer is sure to have a place [2]. */
static bool shows_next(const lsu_remote_t *s) {
  return s->shown < 0 && s->requests && s->in_use + s->answers < RemoteEntries;
}

/* All decisions use the state at the beginning of the cycle. */
void lsu_remote_step(lsu_remote_t *s, const lsu_remote_in_t *in) {
  bool taken = s->shown >= 0 && in->dn_take, full = s->requests == InDepth, left = s->answers && in->out_take;
  bool shows = shows_next(s);
  s->err = in->in_valid && full ? ERR_FULL : 0;
  s->credit = false;
  if (shows) s->shown = lowest_free(s);
  if (in->rs_valid) answer(s, in);
  if (left) {
    s->answer_first = (s->answer_first + 1) % RemoteEntries;
    s->answers--;
  }
  if (taken) take_request(s);
  if (in->in_valid && !full) accept(s, in);
}

bool lsu_remote_idle(const lsu_remote_t *s) {
  return !shows_next(s) && !s->credit && !s->err;
}
