/* SPDX-License-Identifier: Apache-2.0
 *
 * Ready/valid, which AXI-Stream's tvalid and tready are (AMBA AXI-Stream Protocol Specification,
 * IHI 0051, section 2.2): stimulus for a block that takes or gives such a stream, and its rules.
 *
 *   if (stream_offer(&s->source, &s->rng, last->in_ready, rate)) s->data = rng_next(&s->rng);   a
 *   new beat; else the one that waits in->in_valid = s->source.valid, in->in_data = s->data;
 *   in->out_ready = stream_accept(&s->sink, &s->rng, last->out_valid, STREAM_BURSTS, rate);
 *
 * `last`: the model's outputs of the last cycle, as stim.h hands them over. Rules: protocol.h.
 */
#ifndef PROTOCOL_STREAM_H
#define PROTOCOL_STREAM_H

#include "protocol.h"
#include "rng.h"

/* ---- a source: what drives valid and the payload ---- */

typedef struct {
  bool valid;
} stream_source_t;

/* Whether a beat is new in this cycle: the caller draws its payload then. ready: the block's, in
 * the last cycle; rate: of 8, how often valid rises. A beat stays until it is taken. */
static inline bool stream_offer(stream_source_t *s, rng_t *rng, bool ready, unsigned rate) {
  if (s->valid && !ready) return false;
  return s->valid = rng_chance(rng, rate, 8);
}

/* ---- a sink: what drives ready ---- */

typedef enum {
  STREAM_ALWAYS, /* ready in every cycle */
  STREAM_RANDOM, /* in `rate` of 8 cycles */
  STREAM_WAITS,  /* never before valid: only in a cycle after one in which it was */
  STREAM_BURSTS, /* for some cycles on end, then not for some */
  STREAM_MODES
} stream_mode_t;

typedef struct {
  bool open;
  uint8_t left; /* cycles of this burst or pause */
} stream_sink_t;

/* valid: the block's, in the last cycle. */
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

/* ---- its rules: of the source, whoever that is ---- */

typedef struct {
  bool waits;
  protocol_payload_t payload;
} stream_watch_t;

/* A cycle's signals, each cycle; payload: all that comes with
 * valid, `words` of 64 bits. NULL, or what is broken. */
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
