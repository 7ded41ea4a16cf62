/* SPDX-License-Identifier: Apache-2.0
 *
 * Ready/valid streams, such as AXI-Stream's tvalid and tready (AMBA AXI-Stream Protocol
 * Specification, IHI 0051, section 2.2): stimulus for a block that takes or gives a stream, and the
 * rules.
 *
 *   if (stream_offer(&s->source, &s->rng, last->in_ready, rate))
 *     s->data = rng_next(&s->rng);                     a new beat; else the old one waits
 *   in->in_valid = s->source.valid, in->in_data = s->data;
 *   in->out_ready = stream_accept(&s->sink, &s->rng, last->out_valid, STREAM_BURSTS, rate);
 *
 * `last`: the model's outputs of the last cycle, as stim.h passes them. Rules: protocol.h.
 */
#ifndef PROTOCOL_STREAM_H
#define PROTOCOL_STREAM_H

#include "protocol.h"
#include "rng.h"

/* ---- a source: what drives valid and the payload ---- */

typedef struct {
  bool valid;
} stream_source_t;

/* True if a beat is new in this cycle; the caller then draws its payload. ready: of the block, in
 * the last cycle. rate: valid rises in `rate` of 8 cycles. A beat stays until the block
 * takes it. */
static inline bool stream_offer(stream_source_t *s, rng_t *rng, bool ready, unsigned rate) {
  if (s->valid && !ready) return false;
  return s->valid = rng_chance(rng, rate, 8);
}

/* ---- a sink: what drives ready ---- */

typedef enum {
  STREAM_ALWAYS, /* ready in every cycle */
  STREAM_RANDOM, /* in `rate` of 8 cycles */
  STREAM_WAITS,  /* only in a cycle after one with valid */
  STREAM_BURSTS, /* ready for some cycles, then not ready for some */
  STREAM_MODES
} stream_mode_t;

typedef struct {
  bool open;
  uint8_t left; /* cycles of this burst or pause */
} stream_sink_t;

/* The sink's ready. valid: of the block, in the last cycle. */
static inline bool stream_accept(stream_sink_t *s, rng_t *rng, bool valid, stream_mode_t mode, unsigned rate) {
  switch (mode) {
  case STREAM_ALWAYS: return true;
  case STREAM_RANDOM: return rng_chance(rng, rate, 8);
  case STREAM_WAITS: return valid && rng_chance(rng, rate, 8);
  default: break;
  }
  if (!s->left) s->open = rng_chance(rng, rate, 8), s->left = (uint8_t)rng_range(rng, 1, 20);
  s->left--;
  return s->open;
}

/* ---- rules of the source, block or stimulus */

typedef struct {
  bool waits;
  protocol_payload_t payload;
} stream_watch_t;

/* Call this in each cycle. payload: all signals that come with valid, `words` of 64 bits. Returns
 * the broken rule, or NULL. */
static inline const char *stream_watch(stream_watch_t *w, bool valid, bool ready, const uint64_t *payload,
                                       unsigned words) {
  const char *broken = NULL;
  if (w->waits && !valid) broken = "stream: valid falls before ready";
  else if (w->waits && protocol_changed(&w->payload, payload, words))
    broken = "stream: the payload changes before ready";
  w->waits = valid && !ready;
  protocol_keep(&w->payload, payload, words);
  return broken;
}

#endif
