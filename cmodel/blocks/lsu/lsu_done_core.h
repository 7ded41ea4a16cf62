/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of lsu_done for any depth up to 64: lsu_done has its parameter's, lsu_ext one that
 * follows from its own parameters.
 */
#ifndef LSU_DONE_CORE_H
#define LSU_DONE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "lsu_msg.h"

enum { LSU_DONE_SOURCES = 4 };

typedef struct {
  uint8_t id[LSU_DONE_MOST]; /* a ring */
  unsigned first, count;     /* place of the oldest; how many */
  bool err;
} lsu_done_core_t;

static inline unsigned lsu_done_core_oldest(const lsu_done_core_t *c) {
  return c->id[c->first];
}

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
