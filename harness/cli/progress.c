/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include "clock.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double quiet_seconds = 2.0, terminal_seconds = 0.2, log_seconds = 10.0;

char *progress_number(uint64_t value, char *buf) {
  char digits[24];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), out = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) buf[out++] = ',';
    buf[out++] = digits[i];
  }
  buf[out] = 0;
  return buf;
}

void progress_start(progress_t *progress, const char *what, const char *unit, uint64_t total) {
  *progress = (progress_t){.what = what, .unit = unit, .total = total, .start = clock_seconds()};
  progress->next = progress->start + quiet_seconds;
  progress->terminal = isatty(STDERR_FILENO);
}

static void print_line(const progress_t *progress, uint64_t done, double elapsed) {
  char a[28], b[28], c[28];
  double rate = (double)done / elapsed;
  fprintf(stderr, "%s: %s", progress->what, progress_number(done, a));
  if (progress->total) fprintf(stderr, " of %s", progress_number(progress->total, b));
  if (rate < 100) snprintf(c, sizeof c, "%.*f", rate < 0.1 ? 3 : 1, rate);
  else progress_number((uint64_t)rate, c);
  fprintf(stderr, " %s, %s/s", progress->unit, c);
  if (progress->total >= done && rate > 0 && progress->total)
    fprintf(stderr, ", %.0f s left", (double)(progress->total - done) / rate);
}

void progress_update(progress_t *progress, uint64_t done) {
  double now = clock_seconds();
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
