/* SPDX-License-Identifier: Apache-2.0
 *
 * The slowest of many tests, from ctest's own lines.
 *
 *   slowest_t s = {0};
 *   slowest_note(&s, " 3/905 Test  #12: unit.packet ......   Passed    0.01 sec\n");   each line
 *   slowest_print(&s, stdout);
 */
#ifndef SLOWEST_H
#define SLOWEST_H

#include <stdio.h>

enum { SLOWEST_MOST = 20, SLOWEST_NAME = 128 };

typedef struct {
  unsigned tests; /* that have ended */
  struct {
    char name[SLOWEST_NAME];
    double seconds;
  } rows[SLOWEST_MOST]; /* the slowest first; of equal ones the first that ended */
} slowest_t;

/* Does nothing for a line that is no test's end. */
void slowest_note(slowest_t *s, const char *line);

/* A table with one line for each; nothing if no more tests ran than it has lines. */
void slowest_print(const slowest_t *s, FILE *to);

#endif
