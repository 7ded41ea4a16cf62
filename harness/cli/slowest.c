/* SPDX-License-Identifier: Apache-2.0 */
#include "slowest.h"

#include <stdbool.h>
#include <string.h>

static bool read_line(const char *line, char name[SLOWEST_NAME], double *seconds) {
  const char *unit = strstr(line, " sec\n"), *number = unit;
  if (!unit || sscanf(line, " %*u/%*u Test %*[#0-9 ]: %127s", name) != 1) return false;
  while (number > line && number[-1] != ' ') number--;
  return sscanf(number, "%lf", seconds) == 1;
}

void slowest_note(slowest_t *s, const char *line) {
  char name[SLOWEST_NAME];
  double seconds;
  if (!read_line(line, name, &seconds)) return;
  const unsigned filled = s->tests < SLOWEST_MOST ? s->tests : SLOWEST_MOST;
  unsigned at = filled;
  s->tests++;
  while (at && s->rows[at - 1].seconds < seconds) at--;
  if (at == SLOWEST_MOST) return;
  const unsigned moved = (filled < SLOWEST_MOST ? filled : SLOWEST_MOST - 1) - at;
  memmove(s->rows + at + 1, s->rows + at, moved * sizeof *s->rows);
  snprintf(s->rows[at].name, SLOWEST_NAME, "%s", name);
  s->rows[at].seconds = seconds;
}

void slowest_print(const slowest_t *s, FILE *to) {
  if (s->tests <= SLOWEST_MOST) return;
  fprintf(to, "\nthe slowest %u of %u tests:\n", SLOWEST_MOST, s->tests);
  for (unsigned i = 0; i < SLOWEST_MOST; i++) fprintf(to, "%8.1f s  %s\n", s->rows[i].seconds, s->rows[i].name);
  fprintf(to, "\n");
}
