/* SPDX-License-Identifier: Apache-2.0
 *
 * One line of progress. Times in seconds: nothing before `quiet`, then at most one line in
 * `terminal` or `log` seconds.
 */
#include "progress.h"

#include "clock.h"
#include "number.h"
#include "terminal.h"

#include <stdio.h>
#include <unistd.h>

static double last_update; /* of any work */

static const double quiet_seconds = 2.0, terminal_seconds = 0.2, log_seconds = 10.0;

void progress_start(progress_t *progress, const char *what, const char *unit, uint64_t total) {
  *progress = (progress_t){.what = what, .unit = unit, .total = total, .start = clock_seconds()};
  progress->next = progress->start + quiet_seconds;
  progress->terminal = isatty(STDERR_FILENO);
}

/* "what: 3,000 of 10,000 cycles, 1,500/s, 5 s left; note". Slow work has a fractional rate. */
static void print_line(const progress_t *progress, uint64_t done, double elapsed) {
  char a[28], b[28], c[28];
  double rate = (double)done / elapsed;
  fprintf(stderr, "%s: %s", progress->what, number_text(done, a));
  if (progress->total) fprintf(stderr, " of %s", number_text(progress->total, b));
  if (rate < 100) snprintf(c, sizeof c, "%.*f", rate < 0.1 ? 3 : 1, rate);
  else number_text((uint64_t)rate, c);
  fprintf(stderr, " %s, %s/s", progress->unit, c);
  if (progress->total >= done && rate > 0 && progress->total)
    fprintf(stderr, ", %.0f s left", (double)(progress->total - done) / rate);
  if (*progress->note) fprintf(stderr, "; %s", progress->note);
}

void progress_update(progress_t *progress, uint64_t done) {
  double now = last_update = clock_seconds();
  if (now < progress->next) return;
  progress->next = now + (progress->terminal ? terminal_seconds : log_seconds);
  progress->shown = true;
  if (progress->terminal) terminal_clear_line();
  print_line(progress, done, now - progress->start);
  if (!progress->terminal) fputc('\n', stderr);
  fflush(stderr);
}

void progress_end(progress_t *progress) {
  if (progress->shown && progress->terminal) terminal_clear_line();
  progress->shown = false;
}

static void print_tool(const char *work, const char *program, double seconds, bool terminal) {
  if (!terminal) {
    fprintf(stderr, "lockstack: %s\n", work);
    return;
  }
  terminal_clear_line();
  fprintf(stderr, "lockstack: %s%s%s, %.0f s", work ? work : "waiting for ", work ? ": " : "", program, seconds);
  fflush(stderr);
}

void progress_tool(const char *work, const char *program, double seconds) {
  static double next;
  static bool shown;
  const double now = clock_seconds();
  const bool terminal = isatty(STDERR_FILENO);
  if (!program) {
    if (shown && terminal) terminal_clear_line();
    next = 0, shown = false;
  } else if (seconds >= (terminal ? quiet_seconds : log_seconds) && now >= next && now > last_update + quiet_seconds) {
    if (terminal || (work && !shown)) print_tool(work, program, seconds, terminal);
    next = now + terminal_seconds, shown = true;
  }
}
