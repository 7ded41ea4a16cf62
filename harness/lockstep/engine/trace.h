/* SPDX-License-Identifier: Apache-2.0
 *
 * A recorded stream of inputs: content of a replay file and object of the shrinker. Each cycle is
 * the bytes of X_in_t, all zero (NULL), or a reset, with the inputs that count in it.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t *in; /* NULL: all zero. Owned by the trace; replaced, never changed. */
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

/* Copies `in`; NULL: all zero. False: out of memory. */
bool trace_add(trace_t *trace, const void *in);
/* `in`: the inputs that count in the reset; NULL: none, or all zero. */
bool trace_add_reset(trace_t *trace, const void *in);
bool trace_add_all(trace_t *trace, const trace_t *from);

/* A copy that lives as long as the trace, to replace the `in` of a cycle. NULL: all zero, or out of
 * memory. */
uint64_t *trace_copy(trace_t *trace, const void *in);

#endif
