/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing FIFO of elements of one size. Set `size` and zero the rest; the queue copies its
 * elements.
 */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  size_t size; /* of an element, in bytes */
  unsigned char *things;
  unsigned first, count, room; /* Index of the oldest element; elements in the queue; elements that fit. */
} ring_t;

bool ring_put(ring_t *ring, const void *thing); /* appends a copy; false: out of memory */
void ring_drop(ring_t *ring);                   /* removes the oldest element */
void ring_deinit(ring_t *ring);

/* The oldest element; NULL: the queue is empty. */
static inline const void *ring_front(const ring_t *ring) {
  return ring->count ? ring->things + ring->first * ring->size : NULL;
}

/* The element `behind` places after the oldest; the queue must have it. */
static inline const void *ring_at(const ring_t *ring, unsigned behind) {
  return ring->things + (ring->first + behind) % ring->room * ring->size;
}

#endif
