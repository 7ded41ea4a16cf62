/* SPDX-License-Identifier: Apache-2.0
 *
 * A channel between two parts of phase 0: a short queue of pointers. What is put in is seen from
 * the next instant on; what is taken out makes room from the next instant on. So it does not matter
 * which of the two parts runs first in an instant.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>

#include "shell.h"

enum { CHANNEL_DEPTH = 4 }; /* packets, enough not to limit a link */

typedef struct {
  void *item[CHANNEL_DEPTH];
  unsigned first, count;
  unsigned readable, room; /* what may still be taken and put in this instant */
  uint64_t instant;        /* that instant, plus one; 0: none yet */
  shell_part_t *reader;    /* the part to wake; NULL: it never sleeps */
} channel_t;

/* At the first use in an instant: what can be read and what can be put until the next one. */
static inline void channel_look(channel_t *c) {
  if (c->instant == shell_now + 1) return;
  c->instant = shell_now + 1;
  c->readable = c->count;
  c->room = CHANNEL_DEPTH - c->count;
}

/* The oldest item that is readable now; NULL: there is none. */
static inline void *channel_take(channel_t *c) {
  channel_look(c);
  if (!c->readable) return NULL;
  void *item = c->item[c->first];
  c->first = (c->first + 1) % CHANNEL_DEPTH;
  c->count--;
  c->readable--;
  return item;
}

static inline bool channel_has_room(channel_t *c) {
  channel_look(c);
  return c->room > 0;
}

/* Needs channel_has_room. Wakes the reader. */
static inline void channel_put(channel_t *c, void *item) {
  c->item[(c->first + c->count++) % CHANNEL_DEPTH] = item;
  c->room--;
  shell_wake(c->reader);
}

/* Also counts what is not readable yet: a part with an item on its way must not sleep. */
static inline bool channel_is_empty(const channel_t *c) {
  return !c->count;
}

#endif
