/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of lsu_done (rtl/lsu/lsu_done.ports) for any depth up to LSU_DONE_MOST. lsu_done has its
 * parameter's depth; lsu_ext has one that follows from its own parameters.
 */
#ifndef LSU_DONE_CORE_H
#define LSU_DONE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "lsu_msg.h"

enum { LSU_DONE_SOURCES = 4 };

typedef struct {
  uint8_t id[LSU_DONE_MOST]; /* a ring */
  unsigned first, count;     /* place of the oldest id; ids stored */
  bool err;                  /* an id of the last cycle was dropped */
} lsu_done_core_t;

/* The oldest id; without meaning in an empty FIFO. */
static inline unsigned lsu_done_core_oldest(const lsu_done_core_t *c) {
  return c->id[c->first];
}

/* The clock edge. Source i has an id if bit i of valid is 1, in byte i of ids. take needs a
 * stored id: the caller checks. A place freed in this cycle does not count as free. */
static inline void lsu_done_core_step(lsu_done_core_t *c, unsigned depth, uint64_t valid, uint64_t ids, bool take) {
  c->err = false;
  for (unsigned i = 0; i < LSU_DONE_SOURCES; i++) {
    if (!(valid >> i & 1)) continue;
    if (c->count < depth) c->id[(c->first + c->count++) % LSU_DONE_MOST] = (uint8_t)(ids >> 8 * i);
    else c->err = true;
  }
  if (!take) return;
  c->first = (c->first + 1) % LSU_DONE_MOST;
  c->count--;
}

#endif
