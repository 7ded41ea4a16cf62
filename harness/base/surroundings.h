/* SPDX-License-Identifier: Apache-2.0
 *
 * What a tool is besides the files it is given: the program that the PATH leads to, the programs
 * that it starts, and the variables of the environment that it listens to. One list for all who
 * keep something that a tool made.
 *
 *   for (const surrounding_t *s = surroundings; s->tool; s++)
 *     for (const char *const *name = s->names; *name; name++) ...           "$PATH/gcc",
 *     "$C_INCLUDE_PATH"
 *
 * A program's content is its place and its bytes. A variable's content is its text.
 */
#ifndef SURROUNDINGS_H
#define SURROUNDINGS_H

#include "content.h"
#include "plain.h"

typedef struct {
  const char *tool;
  bool builds; /* has it a say in an object? */
  const char *const names[20];
} surrounding_t;

extern const surrounding_t surroundings[]; /* ends with a tool that is NULL */

bool surroundings_find(const char *program, char path[PLAIN_PATH]); /* on the PATH; false: it is not */

/* The program's name of "$PATH/gcc"; NULL: it is a variable. */
const char *surroundings_program(const char *name);

/* CONTENT_NONE: the variable is not set, the program is not there. */
void surroundings_sum(const char *name, char sum[CONTENT_SUM]);

#endif
