/* SPDX-License-Identifier: Apache-2.0
 *
 * AXI4-Lite (AMBA AXI Protocol Specification, IHI 0022, chapters A3 and B1): five streams
 * (stream.h) and what one owes the other. Stimulus for a subordinate or a manager, and the rules of
 * both.
 *
 * A manager, in next(): the flags say which channels have a new beat, whose payload the caller
 * draws.
 *
 *   const axi_lite_signals_t was = {last->awready, last->wready, last->arready, last->bvalid,
 *   last->rvalid}; const unsigned fresh = axi_lite_manage(&s->axi, &s->rng, &was, rate);
 *   if (fresh & AXI_LITE_AW) s->awaddr = ...;
 *   in->awvalid = s->axi.aw.valid; in->bready = s->axi.b_ready; ...
 */
#ifndef PROTOCOL_AXI_LITE_H
#define PROTOCOL_AXI_LITE_H

#include "stream.h"

enum { AXI_LITE_AW = 1, AXI_LITE_W = 2, AXI_LITE_AR = 4, AXI_LITE_B = 8, AXI_LITE_R = 16 };

/* ---- a manager ---- */

typedef struct {
  bool awready, wready, arready, bvalid, rvalid; /* the subordinate's, in the last cycle */
} axi_lite_signals_t;

typedef struct {
  stream_source_t aw, w, ar;
  stream_sink_t b, r;
  bool b_ready, r_ready;
} axi_lite_manager_t;

/* Addresses and data come in any order, as the protocol has
 * it; as many writes may be under way as the block takes. */
static inline unsigned axi_lite_manage(axi_lite_manager_t *m, rng_t *rng, const axi_lite_signals_t *last,
                                       unsigned rate) {
  unsigned fresh = stream_offer(&m->aw, rng, last->awready, rate) ? AXI_LITE_AW : 0;
  fresh |= stream_offer(&m->w, rng, last->wready, rate) ? AXI_LITE_W : 0;
  fresh |= stream_offer(&m->ar, rng, last->arready, rate) ? AXI_LITE_AR : 0;
  m->b_ready = stream_accept(&m->b, rng, last->bvalid, STREAM_BURSTS, 5);
  m->r_ready = stream_accept(&m->r, rng, last->rvalid, STREAM_BURSTS, 5);
  return fresh;
}

/* ---- a subordinate ---- */

typedef struct {
  bool awvalid, wvalid, arvalid, bready, rready; /* the manager's, in the last cycle */
} axi_lite_requests_t;

typedef struct {
  bool aw_ready, w_ready, ar_ready;
  stream_source_t b, r;
  uint32_t aw_taken, w_taken, ar_taken; /* and not answered */
} axi_lite_subordinate_t;

/* A flag: an answer is new, and the caller draws its payload. */
static inline unsigned axi_lite_answer(axi_lite_subordinate_t *s, rng_t *rng, const axi_lite_requests_t *last,
                                       unsigned rate) {
  unsigned fresh = 0;
  s->aw_taken += s->aw_ready && last->awvalid, s->w_taken += s->w_ready && last->wvalid,
      s->ar_taken += s->ar_ready && last->arvalid;
  const bool write = s->aw_taken && s->w_taken, read = s->ar_taken != 0;
  if (stream_offer(&s->b, rng, last->bready, write ? rate : 0)) s->aw_taken--, s->w_taken--, fresh |= AXI_LITE_B;
  if (stream_offer(&s->r, rng, last->rready, read ? rate : 0)) s->ar_taken--, fresh |= AXI_LITE_R;
  s->aw_ready = rng_chance(rng, rate, 8), s->w_ready = rng_chance(rng, rate, 8), s->ar_ready = rng_chance(rng, rate, 8);
  return fresh;
}

/* ---- rules ---- */

/* One channel in a cycle; payload: all that comes with its valid, packed. */
typedef struct {
  bool valid, ready;
  uint64_t payload;
} axi_lite_channel_t;

typedef struct {
  stream_watch_t aw, w, ar, b, r;
  uint32_t aw_taken, w_taken, ar_taken; /* and not answered */
} axi_lite_watch_t;

static inline const char *axi_lite_watch(axi_lite_watch_t *s, const axi_lite_channel_t *aw, const axi_lite_channel_t *w,
                                         const axi_lite_channel_t *ar, const axi_lite_channel_t *b,
                                         const axi_lite_channel_t *r) {
  const axi_lite_channel_t *const channel[] = {aw, w, ar, b, r};
  stream_watch_t *const watch[] = {&s->aw, &s->w, &s->ar, &s->b, &s->r};
  const char *broken = NULL;
  for (unsigned i = 0; i < 5; i++) {
    const char *one = stream_watch(watch[i], channel[i]->valid, channel[i]->ready, &channel[i]->payload, 1);
    if (!broken) broken = one;
  }
  if (!broken && b->valid && !(s->aw_taken && s->w_taken))
    broken = "axi-lite: bvalid before address and data of a write";
  if (!broken && r->valid && !s->ar_taken) broken = "axi-lite: rvalid before the address of a read";
  if (b->valid && b->ready && s->aw_taken && s->w_taken) s->aw_taken--, s->w_taken--;
  if (r->valid && r->ready && s->ar_taken) s->ar_taken--;
  s->aw_taken += aw->valid && aw->ready, s->w_taken += w->valid && w->ready, s->ar_taken += ar->valid && ar->ready;
  return broken;
}

#endif
