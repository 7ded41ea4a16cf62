/* SPDX-License-Identifier: Apache-2.0 */
#include "warnings.h"

#include "object.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 };

static void count(warnings_t *w) {
  w->widths = w->undriven = w->unknown = w->images = w->buses = w->cases = 0;
  for (const char *line = w->text; line && *line; line = strchrnul(line, '\n') + 1) {
    w->widths += strncmp(line, "WIDTH", 5) == 0;
    w->undriven += strncmp(line, "UNDRIVEN", 8) == 0;
    w->images += strncmp(line, "IMAGE", 5) == 0;
    w->buses += strncmp(line, "BUS", 3) == 0;
    w->cases += strncmp(line, "CASE", 4) == 0;
    w->unknown += strncmp(line, "UNKNOWN", 7) == 0;
    if (!*strchrnul(line, '\n')) break;
  }
}

void warnings_read(warnings_t *w, const char *object) {
  *w = (warnings_t){.text = object_side(object, "warnings.txt")};
  if (w->text && strncmp(w->text, "CLOCK ", 6) == 0) { /* no warning: build.c says who cannot take it */
    const char *rest = strchrnul(w->text, '\n');
    memmove(w->text, rest + (*rest != 0), strlen(rest) + (*rest == 0));
  }
  count(w);
}

void warnings_add(warnings_t *w, const char *lines) {
  char *all = NULL;
  if (!*lines || asprintf(&all, "%s%s", lines, w->text ? w->text : "") < 0) return;
  free(w->text);
  w->text = all;
  count(w);
}

void warnings_free(warnings_t *w) {
  free(w->text);
  *w = (warnings_t){0};
}

static const char *plural(unsigned n) {
  return n == 1 ? "" : "s";
}

unsigned warnings_all(const warnings_t *w) {
  return w->widths + w->undriven + w->unknown + w->images + w->buses + w->cases;
}

const char *warnings_sum(const warnings_t *w, char text[WARNINGS_SUM]) {
  int n = 0;
  *text = 0;
  if (w->widths) n = snprintf(text, WARNINGS_SUM, ", %u width warning%s", w->widths, plural(w->widths));
  if (w->undriven) n += snprintf(text + n, WARNINGS_SUM - (size_t)n, ", %u undriven net%s", w->undriven, plural(w->undriven));
  if (w->images) n += snprintf(text + n, WARNINGS_SUM - (size_t)n, ", %u partial image%s", w->images, plural(w->images));
  if (w->buses) n += snprintf(text + n, WARNINGS_SUM - (size_t)n, ", %u net%s with several tri-state drivers", w->buses, plural(w->buses));
  if (w->cases) n += snprintf(text + n, WARNINGS_SUM - (size_t)n, ", %u full_case or parallel_case", w->cases);
  if (w->unknown) snprintf(text + n, WARNINGS_SUM - (size_t)n, ", drivers and loops unknown");
  return text;
}

void warnings_print(FILE *out, const warnings_t *w) {
  unsigned shown = 0;
  const unsigned all = warnings_all(w);
  for (const char *line = w->text; line && *line && shown < SHOWN && shown < all; shown++) {
    const char *end = strchrnul(line, '\n');
    fprintf(out, "  warning    %.*s\n", (int)(end - line), line);
    line = *end ? end + 1 : end;
  }
  if (all > shown) fprintf(out, "             and %u more; --json has all of them\n", all - shown);
}

const char *warnings_first(const warnings_t *w, char *line, size_t size) {
  const char *text = w->text && *w->text ? strchr(w->text, ' ') : NULL;
  snprintf(line, size, "%.*s", text ? (int)strcspn(text + 1, "\n") : 0, text ? text + 1 : "");
  return line;
}
