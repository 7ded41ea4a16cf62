/* SPDX-License-Identifier: Apache-2.0
 *
 * What tools warned of when an object was built, and what is no reason to refuse it: widths that
 * differ, nets that nothing drives, images of fewer words than their memory, nets with several
 * tri-state drivers, cases that synthesis takes for full or parallel, registers that look at an
 * asynchronous reset at the clock's edge alone, latches that open at that edge, assertions of
 * `final` blocks, what could not be judged.
 */
#ifndef WARNINGS_H
#define WARNINGS_H

#include <stddef.h>
#include <stdio.h>

enum { WARNINGS_SUM = 512, WARNINGS_KINDS = 10 };

typedef struct {
  char *text; /* a line each: "WIDTH FILE:LINE:COLUMN: text"; NULL: none */
  unsigned count[WARNINGS_KINDS];
} warnings_t;

void warnings_read(warnings_t *warnings, const char *object);
void warnings_add(warnings_t *warnings, const char *lines); /* of image_check.h */
void warnings_free(warnings_t *warnings);

unsigned warnings_all(const warnings_t *warnings);

/* "" or ", 2 width warnings, 1 undriven net", for the line that sums up a run. */
const char *warnings_sum(const warnings_t *warnings, char text[WARNINGS_SUM]);

/* The first of them, and how many more there are. */
void warnings_print(FILE *out, const warnings_t *warnings);

/* The first one, "x.sv:3:7: ...": for a line. "": there is none. */
const char *warnings_first(const warnings_t *warnings, char *line, size_t size);

#endif
