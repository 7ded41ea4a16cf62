/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress of work that takes over two seconds, on standard error: a line that rewrites itself on a
 * terminal, one every ten seconds elsewhere. `what: DONE of TOTAL UNIT, RATE/s, S s left; NOTE`.
 * Cheap enough to call every few thousand steps.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* One piece of work. progress_start fills it; the caller may set `note` and `total` while it
 * runs. */
typedef struct {
  const char *what, *unit;
  uint64_t total; /* 0: not known */
  char note[64];  /* "": none */
  double start, next;
  bool terminal, shown;
} progress_t;

/* The first line appears after two seconds, so that short work prints nothing. `what` and `unit`
 * must live as long as the progress. `done` counts in units, from 0 to total, and never falls. */
void progress_start(progress_t *progress, const char *what, const char *unit, uint64_t total);
void progress_update(progress_t *progress, uint64_t done);
void progress_end(progress_t *progress); /* clears the terminal's line */

/* A tool that a verb waits for (process_waits_t of process.h): "lockstack: building fifo (rtl):
 * yosys, 3 s" on a terminal, one line for each work after ten seconds elsewhere, and nothing while
 * there is other progress. */
void progress_tool(const char *work, const char *program, double seconds);

#endif
