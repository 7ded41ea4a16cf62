/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

/* Moves the elements to a larger array, the oldest first. */
static bool grow_ring(ring_t *r) {
  const unsigned room = r->room ? 2 * r->room : FIRST_ROOM, tail = r->room - r->first;
  unsigned char *things = malloc(room * r->size);
  if (!things) return false;
  if (r->room) {
    memcpy(things, r->things + r->first * r->size, tail * r->size);
    memcpy(things + tail * r->size, r->things, r->first * r->size);
  }
  free(r->things);
  r->things = things, r->room = room, r->first = 0;
  return true;
}

bool ring_put(ring_t *r, const void *thing) {
  if (r->count == r->room && !grow_ring(r)) return false;
  memcpy(r->things + (r->first + r->count++) % r->room * r->size, thing, r->size);
  return true;
}

void ring_drop(ring_t *r) {
  r->first = (r->first + 1) % r->room;
  r->count--;
}

void ring_deinit(ring_t *r) {
  free(r->things);
  r->things = NULL, r->first = r->count = r->room = 0;
}
