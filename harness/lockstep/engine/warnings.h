/* SPDX-License-Identifier: Apache-2.0
 *
 * Warnings of the tools that built an object. They do not stop the build. The kinds are:
 *
 *   - widths that differ, and nets without a driver
 *   - images with fewer words than their memory
 *   - nets with several tri-state drivers
 *   - cases that synthesis takes for full or parallel
 *   - registers that sample an asynchronous reset only at the clock edge
 *   - latches that open at that edge
 *   - assertions in `final` blocks
 *   - parts that no tool could judge
 *
 * and one that is no warning: the text that Yosys read is not the RTL's own.
 */
#ifndef WARNINGS_H
#define WARNINGS_H

#include <stddef.h>
#include <stdio.h>

enum { WARNINGS_SUM = 512, WARNINGS_KINDS = 12 };

typedef struct {
  char *text; /* one a line: "WIDTH FILE:LINE:COLUMN: text"; NULL: none */
  unsigned count[WARNINGS_KINDS];
} warnings_t;

/* the warnings in the object file at this path */
void warnings_read(warnings_t *warnings, const char *object);
/* adds lines of images_judge (image_check.h) */
void warnings_add(warnings_t *warnings, const char *lines);
void warnings_free(warnings_t *warnings);

unsigned warnings_all(const warnings_t *warnings);

/* "" or ", 2 width warnings, 1 undriven net", for the summary line of a run. Returns `text`. */
const char *warnings_sum(const warnings_t *warnings, char text[WARNINGS_SUM]);

/* Prints the first warnings, and the number of others. */
void warnings_print(FILE *out, const warnings_t *warnings);

/* The first warning in one line, "x.sv:3:7: ..."; "": none. Returns `line`. */
const char *warnings_first(const warnings_t *warnings, char *line, size_t size);

#endif
