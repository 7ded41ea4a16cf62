/* SPDX-License-Identifier: Apache-2.0
 *
 * Wishbone, classic cycles (Wishbone B4, chapter 3): stimulus for a slave or a master, and the
 * rules of both.
 *
 *   if (wishbone_request(&s->bus, &s->rng, last->ack, rate)) s->adr = ..., s->we = ..., s->dat =
 *   ...;   a cycle begins in->cyc = s->bus.cyc, in->stb = s->bus.stb, ...
 */
#ifndef PROTOCOL_WISHBONE_H
#define PROTOCOL_WISHBONE_H

#include "protocol.h"
#include "rng.h"

/* ---- a master ---- */

typedef struct {
  bool cyc, stb;
} wishbone_master_t;

/* Whether a strobe is new in this cycle: the caller draws its address, direction and data then.
 * ended: ack, err or rty of the slave, in the last cycle. Several strobes may be in one cycle, with
 * pauses between. */
static inline bool wishbone_request(wishbone_master_t *m, rng_t *rng, bool ended, unsigned rate) {
  if (m->stb && !ended) return false;
  m->stb = rng_chance(rng, rate, 8);
  m->cyc = m->stb || (m->cyc && rng_chance(rng, 4, 8));
  return m->stb;
}

/* ---- a slave ---- */

/* Its ack in this cycle, registered: cyc, stb and its own ack of the last one. */
static inline bool wishbone_answer(rng_t *rng, bool cyc, bool stb, bool ack, unsigned rate) {
  return cyc && stb && !ack && rng_chance(rng, rate, 8);
}

/* ---- rules ---- */

typedef struct {
  bool waits;
  protocol_payload_t payload;
} wishbone_watch_t;

/* ended: ack, err or rty; payload: address, direction, select, write data. */
static inline const char *wishbone_watch(wishbone_watch_t *w, bool cyc, bool stb, bool ended, const uint64_t *payload,
                                         unsigned words) {
  const char *broken = NULL;
  if (stb && !cyc) broken = "wishbone: stb without cyc";
  else if (w->waits && !(cyc && stb)) broken = "wishbone: a strobe ends before it is answered";
  else if (w->waits && protocol_changed(&w->payload, payload, words))
    broken = "wishbone: address, direction or data change before the answer";
  else if (ended && !(cyc && stb)) broken = "wishbone: an answer without a strobe";
  w->waits = cyc && stb && !ended;
  protocol_keep(&w->payload, payload, words);
  return broken;
}

#endif
