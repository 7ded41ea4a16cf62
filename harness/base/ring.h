/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of things of one size, which grows as it must.
 */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  size_t size; /* of a thing; the rest is zero at first */
  unsigned char *things;
  unsigned first, count, room;
} ring_t;

bool ring_put(ring_t *ring, const void *thing); /* false: out of host memory */
void ring_drop(ring_t *ring);                   /* the oldest */
void ring_deinit(ring_t *ring);

/* The oldest; NULL: it is empty. */
static inline const void *ring_front(const ring_t *ring) {
  return ring->count ? ring->things + ring->first * ring->size : NULL;
}

/* The one that came so many after it. */
static inline const void *ring_at(const ring_t *ring, unsigned behind) {
  return ring->things + (ring->first + behind) % ring->room * ring->size;
}

#endif
