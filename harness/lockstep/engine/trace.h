/* SPDX-License-Identifier: Apache-2.0
 *
 * A recorded stream of inputs: what a replay file holds and what the shrinker works on.
 * A cycle is X_in_t bytes, all zero (NULL), or a reset instead of a cycle.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t *in; /* NULL: all zero. Owned by the trace; never changed, only replaced */
  bool reset;
} trace_cycle_t;

typedef struct {
  trace_cycle_t *cycles;
  size_t count, room;
  size_t in_size; /* bytes, a multiple of 8 */
  size_t bytes;   /* memory in use for inputs */
  void **blocks;  /* arena */
  size_t num_blocks;
  size_t block_used;
} trace_t;

void trace_init(trace_t *trace, size_t in_size);
void trace_free(trace_t *trace);

/* False: out of memory. in is copied; NULL: all zero. */
bool trace_add(trace_t *trace, const void *in);
bool trace_add_reset(trace_t *trace);
bool trace_add_all(trace_t *trace, const trace_t *from);

/* A copy of bytes that lives as long as the trace, to replace
 * a cycle's `in`; NULL: all zero or out of memory. */
uint64_t *trace_copy(trace_t *trace, const void *in);

#endif
