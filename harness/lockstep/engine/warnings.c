/* SPDX-License-Identifier: Apache-2.0 */
#include "warnings.h"

#include "object.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 };

/* The first word of a line, and its name in a summary, singular and plural. NULL: printed but not
 * counted. */
static const struct {
  const char *word, *one, *several;
} kinds[WARNINGS_KINDS] = {{"WIDTH", "width warning", "width warnings"},
                           {"UNDRIVEN", "undriven net", "undriven nets"},
                           {"IMAGE", "partial image", "partial images"},
                           {"BUS", "net with several tri-state drivers", "nets with several tri-state drivers"},
                           {"CASE", "full_case or parallel_case", "full_case or parallel_case"},
                           {"RESET", "register of another kind of reset", "registers of another kind of reset"},
                           {"LATCH", "latch that opens at the clock's edge", "latches that open at the clock's edge"},
                           {"LEVEL", "register that takes the clock's level", "registers that take the clock's level"},
                           {"FINAL", "final block not run", "final blocks not run"},
                           {"UNKNOWN", NULL, "drivers and loops unknown"},
                           {"EMITTED", NULL, "read by Yosys as Verilog 2005"},
                           {"PORTS", NULL, "read by Icarus as Verilog 2005"}};

enum { JUDGED = WARNINGS_KINDS - 2 }; /* the last kinds are no warnings */

static void count_kinds(warnings_t *w) {
  memset(w->count, 0, sizeof w->count);
  for (const char *line = w->text; line && *line; line = *strchrnul(line, '\n') ? strchrnul(line, '\n') + 1 : "")
    for (unsigned k = 0; k < WARNINGS_KINDS; k++)
      w->count[k] += strncmp(line, kinds[k].word, strlen(kinds[k].word)) == 0;
}

void warnings_read(warnings_t *w, const char *object) {
  *w = (warnings_t){.text = object_side(object, "warnings.txt")};
  /* no warning: build.c decides who can use the object */
  if (w->text && strncmp(w->text, "CLOCK ", 6) == 0) {
    const char *rest = strchrnul(w->text, '\n');
    memmove(w->text, rest + (*rest != 0), strlen(rest) + (*rest == 0));
  }
  count_kinds(w);
}

void warnings_add(warnings_t *w, const char *lines) {
  char *all = NULL;
  if (!*lines || asprintf(&all, "%s%s", lines, w->text ? w->text : "") < 0) return;
  free(w->text);
  w->text = all;
  count_kinds(w);
}

void warnings_free(warnings_t *w) {
  free(w->text);
  *w = (warnings_t){0};
}

unsigned warnings_all(const warnings_t *w) {
  unsigned all = 0;
  for (unsigned k = 0; k < JUDGED; k++) all += w->count[k];
  return all;
}

const char *warnings_sum(const warnings_t *w, char text[WARNINGS_SUM]) {
  size_t n = 0;
  *text = 0;
  for (unsigned k = 0; k < WARNINGS_KINDS; k++) {
    char *at = text + n;
    if (w->count[k] && !kinds[k].one) snprintf(at, WARNINGS_SUM - n, ", %s", kinds[k].several);
    else if (w->count[k])
      snprintf(at, WARNINGS_SUM - n, ", %u %s", w->count[k], w->count[k] == 1 ? kinds[k].one : kinds[k].several);
    n += strlen(at);
  }
  return text;
}

void warnings_print(FILE *out, const warnings_t *w) {
  unsigned shown = 0;
  const unsigned all = warnings_all(w) + w->count[JUDGED];
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
