/* SPDX-License-Identifier: Apache-2.0
 *
 * APB (AMBA APB Protocol Specification, IHI 0024, chapters 2 to 4): stimulus for a completer or a
 * requester, and the rules of both.
 *
 *   if (apb_request(&s->apb, &s->rng, last->pready, rate)) s->address = ..., s->write = ...,
 *   s->data = ...;   a transfer begins in->psel = s->apb.sel, in->penable = s->apb.enable,
 *                    in->paddr = s->address, ...
 */
#ifndef PROTOCOL_APB_H
#define PROTOCOL_APB_H

#include "protocol.h"
#include "rng.h"

/* ---- a requester ---- */

typedef struct {
  bool sel, enable;
} apb_requester_t;

/* Whether a transfer begins in this cycle: the caller draws its address, direction, data and
 * strobes then, and keeps them until the next. pready: the completer's, in the last cycle; rate: of
 * 8, how often one begins, also right behind another. */
static inline bool apb_request(apb_requester_t *r, rng_t *rng, bool pready, unsigned rate) {
  if (r->sel && !r->enable) { /* set up: access */
    r->enable = true;
    return false;
  }
  if (r->sel && !pready) return false;
  r->enable = false;
  return r->sel = rng_chance(rng, rate, 8);
}

/* ---- a completer ---- */

/* Its pready in this cycle, also outside of an access, where it
 * says nothing: in `rate` of 8 cycles, else a wait state. */
static inline bool apb_complete(rng_t *rng, unsigned rate) {
  return rng_chance(rng, rate, 8);
}

/* ---- rules ---- */

typedef struct {
  bool sel, enable, ready;
  protocol_payload_t payload;
} apb_watch_t;

/* payload: address, direction, write data and strobes, as the caller packs them. */
static inline const char *apb_watch(apb_watch_t *w, bool psel, bool penable, bool pready, const uint64_t *payload,
                                    unsigned words) {
  const bool set_up = w->sel && !w->enable, waits = w->sel && w->enable && !w->ready;
  const char *broken = NULL;
  if (penable && !psel) broken = "apb: penable without psel";
  else if (penable && !set_up && !waits) broken = "apb: penable in the first cycle of a transfer";
  else if (set_up && !(psel && penable)) broken = "apb: no access after the setup";
  else if (waits && !(psel && penable)) broken = "apb: an access ends before pready";
  else if ((set_up || waits) && protocol_changed(&w->payload, payload, words))
    broken = "apb: address, direction or data change within a transfer";
  w->sel = psel, w->enable = penable, w->ready = pready;
  protocol_keep(&w->payload, payload, words);
  return broken;
}

#endif
