/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the order of an SM's accesses to a line where packets may overtake each other on their way
 * to the L2: an access waits while one of another kind to its line is under way, or a store to its
 * bytes. Reads go together, stores to different bytes too; an atomic goes alone.
 *
 * A table of lines with a place for each; an access whose line has none waits when all are taken.
 */
#ifndef LINE_GUARD_H
#define LINE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"

typedef enum { GUARD_READ, GUARD_STORE, GUARD_ATOMIC, GUARD_KINDS } guard_kind_t;

typedef struct {
  uint64_t low, high; /* bytes of a line that are stored */
} guard_bytes_t;

typedef struct line_guard line_guard_t;

line_guard_t *line_guard_new(unsigned places); /* 1..LINE_GUARD_MOST; NULL: out of host memory */
void line_guard_free(line_guard_t *guard);
/* bytes: of a store; false: it waits */
bool line_guard_enter(line_guard_t *guard, uint64_t line, guard_kind_t kind, guard_bytes_t bytes);
/* it is over; one such has entered */
void line_guard_leave(line_guard_t *guard, uint64_t line, guard_kind_t kind);
/* that have something under way */
unsigned line_guard_lines(const line_guard_t *guard);

#endif
