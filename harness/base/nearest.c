/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the edit distance of all prefixes of both words, row by row (optimal string alignment).
 */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

static unsigned least_of(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static unsigned length(const char *text) {
  size_t n = strlen(text);
  return n < NEAREST_NAME ? (unsigned)n : NEAREST_NAME - 1;
}

unsigned nearest_edits(const char *a, const char *b) {
  unsigned d[NEAREST_NAME][NEAREST_NAME], rows = length(a), columns = length(b);
  for (unsigned i = 0; i <= rows; i++) d[i][0] = i;
  for (unsigned k = 0; k <= columns; k++) d[0][k] = k;
  for (unsigned i = 1; i <= rows; i++)
    for (unsigned k = 1; k <= columns; k++) {
      d[i][k] = least_of(d[i - 1][k - 1] + (a[i - 1] != b[k - 1]), least_of(d[i - 1][k], d[i][k - 1]) + 1);
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        d[i][k] = least_of(d[i][k], d[i - 2][k - 2] + 1);
    }
  return d[rows][columns];
}

void nearest_start(nearest_t *n, const char *word) {
  unsigned third = (length(word) + 1) / 3;
  *n = (nearest_t){.word = word, .least = third ? third : 1};
}

/* Keeps the alphabetically first names, whatever the order of the list. */
static void keep_nearest(nearest_t *n, const char *name) {
  unsigned place = n->count;
  while (place > 0 && strcmp(n->name[place - 1], name) > 0) place--;
  if (place == NEAREST_MOST) return;
  if (n->count < NEAREST_MOST) n->count++;
  memmove(n->name[place + 1], n->name[place], (n->count - 1 - place) * sizeof *n->name);
  snprintf(n->name[place], NEAREST_NAME, "%s", name);
}

/* A prefix of a name, at least two letters long, counts as one edit. */
void nearest_try(nearest_t *n, const char *name) {
  unsigned edits = nearest_edits(n->word, name), letters = length(n->word);
  if (edits > 1 && letters > 1 && strncmp(name, n->word, letters) == 0) edits = 1;
  if (edits > n->least || edits >= letters) return;
  if (edits < n->least) n->count = 0;
  n->least = edits;
  keep_nearest(n, name);
}

const char *nearest_text(nearest_t *n) {
  size_t used = 0;
  *n->text = 0;
  for (unsigned i = 0; i < n->count; i++) {
    const char *between = i + 1 < n->count ? ", " : " or ";
    used += (size_t)snprintf(n->text + used, sizeof n->text - used, "%s%s", i == 0 ? "; did you mean " : between,
                             n->name[i]);
  }
  if (n->count) snprintf(n->text + used, sizeof n->text - used, "?");
  return n->text;
}
