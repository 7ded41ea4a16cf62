/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_stores: it counts the answers to the transfers of offloaded stores
 * (rtl/lsu/lsu_stores.ports).
 *
 * Call lsu_stores_eval for the outputs of a cycle, then lsu_stores_step with the same inputs for
 * its clock edge. All outputs are state (Moore). An alloc without free is ignored.
 */
#ifndef LSU_STORES_H
#define LSU_STORES_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_stores_ports.h"

typedef struct {
  unsigned used;    /* entries in use, a bit each */
  bool done, err;   /* for one cycle */
  unsigned done_id; /* valid with done */
  struct {
    uint8_t left, id; /* answers still to come; the instruction's id */
  } entry[Stores];
} lsu_stores_t;

void lsu_stores_reset(lsu_stores_t *s);
void lsu_stores_eval(const lsu_stores_t *s, const lsu_stores_in_t *in, lsu_stores_out_t *out);
void lsu_stores_step(lsu_stores_t *s, const lsu_stores_in_t *in);

/* The output idx; -1: none is free. */
static inline int lsu_stores_free(const lsu_stores_t *s) {
  return lsu_lowest_free(s->used, Stores);
}

/* True: while alloc and ack are 0, step changes nothing. */
inline bool lsu_stores_idle(const lsu_stores_t *s) {
  return !s->done && !s->err;
}

#endif
