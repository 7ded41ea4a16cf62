/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_stores -- golden model of the count of answers to offloaded stores; contract:
 * rtl/lsu/lsu_stores.ports.
 */
#ifndef LSU_STORES_H
#define LSU_STORES_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_stores_ports.h"

typedef struct {
  unsigned used; /* entries, a bit each */
  bool done, err;
  unsigned done_id;
  struct {
    uint8_t left, id; /* answers to come */
  } entry[Stores];
} lsu_stores_t;

void lsu_stores_reset(lsu_stores_t *s);
void lsu_stores_eval(const lsu_stores_t *s, const lsu_stores_in_t *in, lsu_stores_out_t *out);
void lsu_stores_step(lsu_stores_t *s, const lsu_stores_in_t *in);

static inline int lsu_stores_free(const lsu_stores_t *s) {
  return lsu_lowest_free(s->used, Stores);
} /* -1: none */

/* Step changes nothing while alloc and ack are 0. */
inline bool lsu_stores_idle(const lsu_stores_t *s) {
  return !s->done && !s->err;
}

#endif
