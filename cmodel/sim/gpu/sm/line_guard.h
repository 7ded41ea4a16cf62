/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the order of an SM's accesses to a line, where packets to the L2 may overtake each other.
 *
 *   under way    read    store             atomic
 *   read         goes    waits             waits
 *   store        waits   goes, if its      waits
 *                        bytes differ
 *   atomic       waits   waits             waits
 *
 * Rows are accesses that want to go. The guard has a bounded table of lines. An access to a new
 * line waits while the table is full.
 */
#ifndef LINE_GUARD_H
#define LINE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"

typedef enum { GUARD_READ, GUARD_STORE, GUARD_ATOMIC, GUARD_KINDS } guard_kind_t;

typedef struct {
  uint64_t low, high; /* bytes of the line that a store writes, one bit each */
} guard_bytes_t;

typedef struct line_guard line_guard_t;

/* places: 1 to LINE_GUARD_MOST; NULL: out of host memory */
line_guard_t *line_guard_new(unsigned places);
void line_guard_free(line_guard_t *guard);
/* True: the access may go, and is under way now. bytes: of a store, else 0. */
bool line_guard_enter(line_guard_t *guard, uint64_t line, guard_kind_t kind, guard_bytes_t bytes);
/* An access that has entered is over. */
void line_guard_leave(line_guard_t *guard, uint64_t line, guard_kind_t kind);
/* Number of lines with an access under way. */
unsigned line_guard_lines(const line_guard_t *guard);

#endif
