/* SPDX-License-Identifier: Apache-2.0
 *
 * Random traffic: what a stimulus that `lockstack new` writes is made of. Five profiles like those
 * of a block without a stimulus (engine/stim_default.h), kept to protocols: each side of an
 * interface has a pace of its own that changes from time to time, so that queues fill, drain and
 * stand still, and data is random or from corners.
 *
 *   if (traffic_offer(&s->t, &s->source, last->in_ready, true))
 *     in->in_data = traffic_bits(&s->t, in->in_data, WIDTH);          no beat waits: any payload
 *   in->in_valid = s->source.stream.valid;
 *   in->out_ready = traffic_accept(&s->t, &s->sink, last->out_valid);
 *
 * `in`: the inputs of the last cycle, which become those of this one. Fields of ports are
 * little-endian, as port files have them.
 */
#ifndef PROTOCOL_RANDOM_TRAFFIC_H
#define PROTOCOL_RANDOM_TRAFFIC_H

#include "apb.h"
#include "stim.h"
#include "stream.h"
#include "wishbone.h"

enum { TRAFFIC_RANDOM, TRAFFIC_BUSY, TRAFFIC_SPARSE, TRAFFIC_CORNERS, TRAFFIC_RESETS, TRAFFIC_PROFILES };

static const stim_profile_t traffic_profiles[] = {
    [TRAFFIC_RANDOM] = {"random", "every input random, half of the time valid"},
    [TRAFFIC_BUSY] = {"busy", "valid and ready nearly always, with pauses"},
    [TRAFFIC_SPARSE] = {"sparse", "valid and ready seldom, with bursts"},
    [TRAFFIC_CORNERS] = {"corners", "data all zero, all one, or one bit; paces that change"},
    [TRAFFIC_RESETS] = {"resets", "random, with a reset every few hundred cycles"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
} traffic_t;

/* ---- paces ---- */

typedef struct {
  uint16_t left; /* cycles of this pace */
  uint8_t rate;  /* of 8 */
} pace_t;

/* The rate of this cycle, of 8. */
static inline unsigned pace_rate(traffic_t *t, pace_t *p) {
  static const uint8_t busy[8] = {8, 8, 8, 7, 7, 7, 4, 0}, sparse[8] = {0, 0, 0, 1, 1, 1, 4, 8},
                       any[8] = {0, 1, 2, 4, 4, 6, 8, 8};
  if (t->profile == TRAFFIC_RANDOM || t->profile == TRAFFIC_RESETS) return 4;
  if (!p->left) {
    const uint64_t draw = rng_below(&t->rng, 8);
    if (t->profile == TRAFFIC_BUSY) p->rate = busy[draw];
    else p->rate = t->profile == TRAFFIC_SPARSE ? sparse[draw] : any[draw];
    p->left = (uint16_t)rng_range(&t->rng, 1, p->rate ? 64 : 32);
  }
  p->left--;
  return p->rate;
}

/* ---- values ---- */

/* All zero, all one, one bit, or random. */
static inline uint64_t traffic_corner(traffic_t *t, unsigned width) {
  switch (rng_below(&t->rng, 4)) {
  case 0: return 0;
  case 1: return width < 64 ? (1ull << width) - 1 : ~0ull;
  case 2: return 1ull << rng_below(&t->rng, width);
  default: return rng_bits(&t->rng, width);
  }
}

/* A value of 1 to 64 bits. was: that of the last cycle, which comes again now and then. */
static inline uint64_t traffic_bits(traffic_t *t, uint64_t was, unsigned width) {
  if (t->profile == TRAFFIC_CORNERS) return traffic_corner(t, width);
  if (t->profile == TRAFFIC_RANDOM || t->profile == TRAFFIC_RESETS) return rng_bits(&t->rng, width);
  switch (rng_below(&t->rng, 8)) {
  case 0: return was;
  case 1: return traffic_corner(t, width);
  case 2: return rng_bits(&t->rng, (unsigned)rng_range(&t->rng, 1, width)); /* a small number */
  default: return rng_bits(&t->rng, width);
  }
}

/* A bit on its own, such as an enable or tlast, with its own pace. */
static inline uint64_t traffic_bit(traffic_t *t, pace_t *p) {
  return rng_chance(&t->rng, pace_rate(t, p), 8);
}

/* Byte enables, such as tkeep and wstrb: mostly all, or the first ones. */
static inline uint64_t traffic_lanes(traffic_t *t, unsigned width) {
  const uint64_t all = width < 64 ? (1ull << width) - 1 : ~0ull;
  const uint64_t draw = rng_below(&t->rng, 4);
  if (t->profile == TRAFFIC_RANDOM || t->profile == TRAFFIC_CORNERS) return traffic_bits(t, 0, width);
  if (draw < 2) return all;
  return draw == 2 ? all >> rng_below(&t->rng, width) : rng_bits(&t->rng, width);
}

/* An address: near the last one, one of few registers, or any. */
static inline uint64_t traffic_address(traffic_t *t, uint64_t was, unsigned width) {
  const uint64_t mask = width < 64 ? (1ull << width) - 1 : ~0ull;
  switch (rng_below(&t->rng, 8)) {
  case 0: return was;
  case 1: return (was + (1ull << rng_below(&t->rng, 4))) & mask;
  case 2:
  case 3: return rng_below(&t->rng, 8) & mask;
  case 4:
  case 5: return rng_below(&t->rng, 16) << 2 & mask;
  default: return traffic_bits(t, was, width);
  }
}

/* One of these values: the labels of an enum. */
static inline uint64_t traffic_label(traffic_t *t, const uint64_t *labels, unsigned count) {
  return labels[rng_below(&t->rng, count)];
}

/* `width` bits of a field, from bit `at` on. The others stay as they are. */
static inline void traffic_put(void *field, unsigned at, unsigned width, uint64_t value) {
  uint8_t *bytes = field;
  for (unsigned done = 0; done < width;) {
    const unsigned bit = (at + done) % 8, n = width - done < 8 - bit ? width - done : 8 - bit;
    const unsigned mask = ((1u << n) - 1) << bit;
    uint8_t *byte = &bytes[(at + done) / 8];
    *byte = (uint8_t)((*byte & ~mask) | ((unsigned)(value >> done) << bit & mask));
    done += n;
  }
}

/* Draws a field of any width, or a part of one: `width` bits from bit `at` on. */
static inline void traffic_field(traffic_t *t, void *field, unsigned at, unsigned width) {
  const bool corner = t->profile == TRAFFIC_CORNERS || (t->profile != TRAFFIC_RANDOM && rng_chance(&t->rng, 1, 8));
  const uint64_t kind = corner ? rng_below(&t->rng, 4) : 3;
  for (unsigned done = 0, n; done < width; done += n) {
    n = width - done < 64 ? width - done : 64;
    uint64_t value = kind == 1 ? ~0ull : 0;
    if (kind == 3) value = rng_bits(&t->rng, n);
    traffic_put(field, at + done, n, value);
  }
  if (kind == 2) traffic_put(field, at + (unsigned)rng_below(&t->rng, width), 1, 1);
}

/* ---- sides of interfaces ---- */

typedef struct {
  stream_source_t stream;
  pace_t pace;
} traffic_source_t;

typedef struct {
  stream_sink_t stream;
  pace_t pace;
} traffic_sink_t;

/* True if no beat waits: the payload may be drawn, whether there is a new beat or none. may: there
 * may be a new beat. */
static inline bool traffic_offer(traffic_t *t, traffic_source_t *s, bool ready, bool may) {
  const bool waits = s->stream.valid && !ready;
  const unsigned rate = pace_rate(t, &s->pace);
  stream_offer(&s->stream, &t->rng, ready, may ? rate : 0);
  return !waits;
}

/* The sink's ready: now and then only after a valid. */
static inline bool traffic_accept(traffic_t *t, traffic_sink_t *s, bool valid) {
  const unsigned rate = pace_rate(t, &s->pace);
  const bool after = t->profile == TRAFFIC_SPARSE && rate == 4;
  return stream_accept(&s->stream, &t->rng, valid, after ? STREAM_WAITS : STREAM_RANDOM, rate);
}

typedef struct {
  apb_requester_t bus;
  pace_t pace, others;
} traffic_apb_t;

/* True if no transfer is under way: the payload may be drawn. */
static inline bool traffic_apb(traffic_t *t, traffic_apb_t *a, bool ready) {
  const bool fresh = apb_request(&a->bus, &t->rng, ready, pace_rate(t, &a->pace));
  return fresh || !a->bus.sel;
}

/* The requester's penable. While the block is not selected it is that of transfers with others. */
static inline bool traffic_penable(traffic_t *t, traffic_apb_t *a) {
  return a->bus.sel ? a->bus.enable : traffic_bit(t, &a->others);
}

typedef struct {
  wishbone_master_t bus;
  uint32_t open; /* requests without an answer, where the slave has stall */
  pace_t pace;
} traffic_wishbone_t;

/* A master. True if no strobe waits: the payload may be drawn. */
static inline bool traffic_wishbone(traffic_t *t, traffic_wishbone_t *w, bool ended) {
  const bool waits = w->bus.stb && !ended;
  wishbone_request(&w->bus, &t->rng, ended, pace_rate(t, &w->pace));
  return !waits;
}

/* A master of a slave with stall. Its bus cycle goes on until all is answered. */
static inline bool traffic_wishbone_pipelined(traffic_t *t, traffic_wishbone_t *w, bool stall, bool ended) {
  const bool waits = wishbone_send(&w->bus, &w->open, &t->rng, stall, ended, pace_rate(t, &w->pace));
  return !waits;
}

typedef struct {
  uint32_t open; /* requests without an answer, of a master with stall */
  pace_t pace, stall;
} traffic_answers_t;

/* A slave: does it answer, by ack, err or rty? cyc, stb, answered: of the last cycle. */
static inline bool traffic_wishbone_answer(traffic_t *t, traffic_answers_t *a, bool cyc, bool stb, bool answered) {
  return wishbone_answer(&t->rng, cyc, stb, answered, pace_rate(t, &a->pace));
}

/* The same for a master with stall. stall: of the last cycle. */
static inline bool traffic_wishbone_answers(traffic_t *t, traffic_answers_t *a, bool cyc, bool stb, bool stall,
                                            bool answered) {
  if (answered && a->open) a->open--;
  a->open = cyc ? a->open + (stb && !stall) : 0;
  return rng_chance(&t->rng, a->open ? pace_rate(t, &a->pace) : 0, 8);
}

/* True: a reset, and all drivers begin anew. */
static inline bool traffic_reset(traffic_t *t) {
  return t->profile == TRAFFIC_RESETS && rng_chance(&t->rng, 1, 300);
}

static inline void traffic_init(traffic_t *t, uint64_t seed, unsigned profile) {
  rng_init(&t->rng, seed);
  t->profile = profile;
}

#endif
