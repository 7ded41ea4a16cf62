/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_dramq: requests to the near-bank memory controller in a FIFO, and the
 * controller's credits (rtl/lsu/lsu_dramq.ports).
 *
 * Call lsu_dramq_eval for the outputs of a cycle, then lsu_dramq_step with the same inputs for its
 * clock edge. All outputs are state (Moore). A push without ready is ignored.
 */
#ifndef LSU_DRAMQ_H
#define LSU_DRAMQ_H

#include <stdbool.h>

#include "lsu_request.h"
#include "lsu_dramq_ports.h"

typedef struct {
  unsigned first, count, credits;  /* oldest request, requests, requests that may be sent */
  bool err;                        /* a credit beyond McCredits came in the last cycle */
  lsu_request_t queue[QueueDepth]; /* a ring, the oldest at `first` */
} lsu_dramq_t;

void lsu_dramq_reset(lsu_dramq_t *s);
void lsu_dramq_eval(const lsu_dramq_t *s, const lsu_dramq_in_t *in, lsu_dramq_out_t *out);
void lsu_dramq_step(lsu_dramq_t *s, const lsu_dramq_in_t *in);

/* The outputs ready and mc_valid, and the request of the mc_ fields. */
static inline bool lsu_dramq_ready(const lsu_dramq_t *s) {
  return s->count < QueueDepth;
}
static inline bool lsu_dramq_sends(const lsu_dramq_t *s) {
  return s->count && s->credits;
}
static inline const lsu_request_t *lsu_dramq_oldest(const lsu_dramq_t *s) {
  return &s->queue[s->first];
}

/* True: while push and mc_credit are 0, step changes nothing. */
inline bool lsu_dramq_idle(const lsu_dramq_t *s) {
  return !s->err && !(s->count && s->credits);
}

#endif
