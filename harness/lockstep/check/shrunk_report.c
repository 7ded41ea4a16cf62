/* SPDX-License-Identifier: Apache-2.0 */
#include "shrunk_report.h"

#include <inttypes.h>

bool shrunk_is_same(const shrink_t *stats) {
  return stats->cycles_after == stats->cycles_before && stats->busy_after == stats->busy_before;
}

static const char *plural(uint64_t n) {
  return n == 1 ? "" : "s";
}

/* What came of the attempts: "of 12 smaller ones 10 do not fail, 2 fail otherwise". */
static void report_attempts(FILE *out, const shrink_t *stats) {
  const struct {
    uint64_t count;
    const char *one, *more;
  } kinds[] = {{stats->passed, "does not fail", "do not fail"},
               {stats->other, "fails otherwise", "fail otherwise"},
               {stats->illegal, "breaks the rules of the inputs", "break the rules of the inputs"}};
  const uint64_t all = stats->passed + stats->other + stats->illegal;
  const char *comma = "";
  fprintf(out, ": of %" PRIu64 " smaller one%s ", all, plural(all));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].count) {
      fprintf(out, "%s%" PRIu64 " %s", comma, kinds[i].count, kinds[i].count == 1 ? kinds[i].one : kinds[i].more);
      comma = ", ";
    }
}

/* Why a recording stayed as it was although there was time. */
static void report_same(FILE *out, const shrunk_t *s) {
  if (!s->stats->busy_after) fprintf(out, ": it fails without inputs");
  else if (s->stats->passed + s->stats->other + s->stats->illegal) report_attempts(out, s->stats);
  if (s->free_cycles)
    fprintf(out, "; the stimulus answers to outputs: inputs that it would not make fail after %zu cycle%s",
            s->free_cycles, plural(s->free_cycles));
}

void shrunk_report(FILE *out, const shrunk_t *s) {
  const shrink_t *stats = s->stats;
  if (s->unsteady) {
    fprintf(out, "  not shrunk: %s\n", s->unsteady);
    return;
  }
  if (s->as_it_was) {
    fprintf(
        out,
        "  %zu cycles (%zu with inputs) as they were: without the stimulus' decisions nothing says which others are "
        "legal\n",
        stats->cycles_after, stats->busy_after);
    return;
  }
  fprintf(out, "  shrunk from %zu cycles (%zu with inputs) to %zu (%zu)", stats->cycles_before, stats->busy_before,
          stats->cycles_after, stats->busy_after);
  if (!stats->finished)
    fprintf(out, "; time was over after %" PRIu64 " attempt%s, more --shrink-seconds may give less", stats->tried,
            plural(stats->tried));
  else if (shrunk_is_same(stats)) report_same(out, s);
  fprintf(out, "\n");
}
