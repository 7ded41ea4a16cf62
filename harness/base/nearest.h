/* SPDX-License-Identifier: Apache-2.0
 *
 * "did you mean": the names that are nearest to a mistyped word.
 *
 *   nearest_t near;
 *   nearest_start(&near, "chekc");
 *   for (each name) nearest_try(&near, name);
 *   printf("no verb 'chekc'%s\n", nearest_text(&near));          ; did you mean check?
 *
 * The launcher implements the same rule in awk; tests/system/command/typing.sh compares the two.
 */
#ifndef NEAREST_H
#define NEAREST_H

enum { NEAREST_MOST = 3, NEAREST_NAME = 64 };

typedef struct {
  const char *word;
  /* `least`: edits of the names kept. At most a third of the word's length (rounded), and at least
   * 1. `count`: names kept. */
  unsigned least, count;
  char name[NEAREST_MOST][NEAREST_NAME]; /* in alphabetical order */
  char text[NEAREST_MOST * (NEAREST_NAME + 4) + 24];
} nearest_t;

void nearest_start(nearest_t *n, const char *word); /* the word must live as long as n */
void nearest_try(nearest_t *n, const char *name);

/* "; did you mean check?", "; did you mean a, b or c?", or "" when no name is near. The text lives
 * in n. */
const char *nearest_text(nearest_t *n);

/* The edit distance of a and b: letters inserted, left out, replaced, or swapped with a neighbour.
 * Only the first 63 letters count. */
unsigned nearest_edits(const char *a, const char *b);

#endif
