/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs live in an arena of large blocks: a million cycles are a few thousand allocations.
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

void trace_init(trace_t *trace, size_t in_size) {
  memset(trace, 0, sizeof *trace);
  trace->in_size = in_size;
}

void trace_free(trace_t *trace) {
  for (size_t i = 0; i < trace->num_blocks; i++) free(trace->blocks[i]);
  free(trace->blocks);
  free(trace->cycles);
  memset(trace, 0, sizeof *trace);
}

/* Room for another cycle's inputs. Pointers into the arena stay valid. */
static void *arena_room(trace_t *trace) {
  if (!trace->num_blocks || trace->block_used + trace->in_size > BLOCK_BYTES) {
    void **more = realloc(trace->blocks, (trace->num_blocks + 1) * sizeof *more);
    if (!more) return NULL;
    trace->blocks = more;
    void *block = malloc(trace->in_size > BLOCK_BYTES ? trace->in_size : BLOCK_BYTES);
    if (!block) return NULL;
    trace->blocks[trace->num_blocks++] = block;
    trace->block_used = 0;
  }
  void *at = (char *)trace->blocks[trace->num_blocks - 1] + trace->block_used;
  trace->block_used += trace->in_size;
  trace->bytes += trace->in_size;
  return at;
}

static bool all_zero(const void *in, size_t size) {
  const uint64_t *words = in;
  for (size_t i = 0; words && i < size / 8; i++)
    if (words[i]) return false;
  return true;
}

uint64_t *trace_copy(trace_t *trace, const void *in) {
  if (all_zero(in, trace->in_size)) return NULL;
  void *copy = arena_room(trace);
  if (copy) memcpy(copy, in, trace->in_size);
  return copy;
}

static trace_cycle_t *new_cycle(trace_t *trace) {
  if (trace->count == trace->room) {
    size_t room = trace->room ? 2 * trace->room : 256;
    trace_cycle_t *more = realloc(trace->cycles, room * sizeof *more);
    if (!more) return NULL;
    trace->cycles = more;
    trace->room = room;
  }
  trace_cycle_t *cycle = &trace->cycles[trace->count++];
  *cycle = (trace_cycle_t){NULL, false};
  return cycle;
}

bool trace_add(trace_t *trace, const void *in) {
  trace_cycle_t *cycle = new_cycle(trace);
  if (!cycle) return false;
  if (!in || all_zero(in, trace->in_size)) return true;
  return (cycle->in = trace_copy(trace, in)) != NULL;
}

bool trace_add_reset(trace_t *trace, const void *in) {
  if (!trace_add(trace, in)) return false;
  trace->cycles[trace->count - 1].reset = true;
  return true;
}

bool trace_add_all(trace_t *trace, const trace_t *from) {
  bool good = true;
  for (size_t i = 0; good && i < from->count; i++) {
    good = trace_add(trace, from->cycles[i].in);
    if (good) trace->cycles[trace->count - 1].reset = from->cycles[i].reset;
  }
  return good;
}
