/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_dramq -- golden model of the requests on their way to the memory controller; contract:
 * rtl/lsu/lsu_dramq.ports.
 */
#ifndef LSU_DRAMQ_H
#define LSU_DRAMQ_H

#include <stdbool.h>

#include "lsu_request.h"
#include "lsu_dramq_ports.h"

typedef struct {
  unsigned first, count, credits;
  bool err;
  lsu_request_t queue[QueueDepth]; /* a ring, the oldest at `first` */
} lsu_dramq_t;

void lsu_dramq_reset(lsu_dramq_t *s);
void lsu_dramq_eval(const lsu_dramq_t *s, const lsu_dramq_in_t *in, lsu_dramq_out_t *out);
void lsu_dramq_step(lsu_dramq_t *s, const lsu_dramq_in_t *in);

/* What lsu_dramq_eval shows. */
static inline bool lsu_dramq_ready(const lsu_dramq_t *s) {
  return s->count < QueueDepth;
}
static inline bool lsu_dramq_sends(const lsu_dramq_t *s) {
  return s->count && s->credits;
}
static inline const lsu_request_t *lsu_dramq_oldest(const lsu_dramq_t *s) {
  return &s->queue[s->first];
}

/* Step changes nothing while push and mc_credit are 0. */
inline bool lsu_dramq_idle(const lsu_dramq_t *s) {
  return !s->err && !(s->count && s->credits);
}

#endif
