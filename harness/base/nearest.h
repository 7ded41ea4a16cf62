/* SPDX-License-Identifier: Apache-2.0
 *
 * "did you mean": the names that are nearest to a mistyped word.
 *
 *   nearest_t near;
 *   nearest_start(&near, "chekc");
 *   for (each name) nearest_try(&near, name);
 *   printf("no verb 'chekc'%s\n", nearest_text(&near));          ; did you mean check?
 *
 * The launcher has the same rule in awk; tests/system/command/typing.sh compares them.
 */
#ifndef NEAREST_H
#define NEAREST_H

enum { NEAREST_MOST = 3, NEAREST_NAME = 64 };

typedef struct {
  const char *word;
  /* edits of the names kept, at most a third of the word, rounded, and at least 1; how many */
  unsigned least, count;
  char name[NEAREST_MOST][NEAREST_NAME]; /* by the alphabet */
  char text[NEAREST_MOST * (NEAREST_NAME + 4) + 24];
} nearest_t;

void nearest_start(nearest_t *n, const char *word); /* the word lives as long as n */
void nearest_try(nearest_t *n, const char *name);

/* "; did you mean check?", "; did you mean a, b or c?", or "" when no name is near. Lives in n. */
const char *nearest_text(nearest_t *n);

/* Letters inserted, left out, replaced or changed with their
 * neighbour until a is b; more than 63 letters are not looked at. */
unsigned nearest_edits(const char *a, const char *b);

#endif
