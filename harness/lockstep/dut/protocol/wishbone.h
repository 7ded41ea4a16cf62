/* SPDX-License-Identifier: Apache-2.0
 *
 * Wishbone, classic cycles and pipelined ones, which have stall (Wishbone B4, chapters 3 and 5):
 * stimulus for a slave or a master, and the rules of both.
 *
 *   if (wishbone_request(&s->bus, &s->rng, last->ack, rate))
 *     s->adr = ..., s->we = ..., s->dat = ...;         a strobe begins
 *   in->cyc = s->bus.cyc, in->stb = s->bus.stb, ...
 */
#ifndef PROTOCOL_WISHBONE_H
#define PROTOCOL_WISHBONE_H

#include "protocol.h"
#include "rng.h"

/* ---- a master ---- */

typedef struct {
  bool cyc, stb;
} wishbone_master_t;

/* True if a strobe is new in this cycle; the caller then draws its address, direction and data.
 * ended: ack, err or rty of the slave, in the last cycle. A bus cycle may have several strobes with
 * pauses between them. */
static inline bool wishbone_request(wishbone_master_t *m, rng_t *rng, bool ended, unsigned rate) {
  if (m->stb && !ended) return false;
  m->stb = rng_chance(rng, rate, 8);
  m->cyc = m->stb || (m->cyc && rng_chance(rng, 4, 8));
  return m->stb;
}

enum { WISHBONE_OPEN = 8 };

/* The same for a slave with stall, which takes a strobe in each cycle without one. open: requests
 * that it has taken and not answered, WISHBONE_OPEN at most; the bus cycle goes on until there are
 * none. stall, ended: of the last cycle. True if the strobe waits, with its payload. */
static inline bool wishbone_send(wishbone_master_t *m, uint32_t *open, rng_t *rng, bool stall, bool ended,
                                 unsigned rate) {
  const bool waits = m->stb && stall;
  *open += m->stb && !stall;
  if (ended && *open) --*open;
  if (!waits) m->stb = rng_chance(rng, *open < WISHBONE_OPEN ? rate : 0, 8);
  m->cyc = m->stb || *open || (m->cyc && rng_chance(rng, 4, 8));
  return waits;
}

/* ---- a slave ---- */

/* The slave's registered ack, from cyc, stb and its own ack of the last cycle. */
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

/* With stall. open: see wishbone_send. An answer may come in the cycle of its request. */
typedef struct {
  bool waits;
  uint32_t open;
  protocol_payload_t payload;
} wishbone_pipelined_t;

static inline const char *wishbone_pipelined_watch(wishbone_pipelined_t *w, bool cyc, bool stb, bool stall, bool ended,
                                                   const uint64_t *payload, unsigned words) {
  const char *broken = NULL;
  const uint32_t open = (cyc ? w->open : 0) + (cyc && stb && !stall);
  if (stb && !cyc) broken = "wishbone: stb without cyc";
  else if (w->waits && cyc && !stb) broken = "wishbone: a strobe ends before it is taken";
  else if (w->waits && stb && protocol_changed(&w->payload, payload, words))
    broken = "wishbone: address, direction or data change before the slave takes them";
  else if (ended && cyc && !open) broken = "wishbone: an answer without a request";
  w->waits = cyc && stb && stall;
  w->open = open - (ended && open);
  protocol_keep(&w->payload, payload, words);
  return broken;
}

#endif
