/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of a tool besides its files: the program on the PATH, the programs that it starts, and
 * the environment variables that it reads. All code that stores results of a tool uses this one
 * list.
 *
 *   for (const surrounding_t *s = surroundings; s->tool; s++)
 *     for (const char *const *name = s->names; *name; name++) ...   "$PATH/gcc", "$CPATH"
 *
 * The content of a program is its path and its bytes. The content of a variable is its text.
 */
#ifndef SURROUNDINGS_H
#define SURROUNDINGS_H

#include "content.h"
#include "plain.h"

typedef struct {
  const char *tool;
  bool builds; /* the tool takes part in building an object */
  const char *const names[20];
} surrounding_t;

extern const surrounding_t surroundings[]; /* ends with a NULL tool */

/* finds a program on the PATH; false: it is not there */
bool surroundings_find(const char *program, char path[PLAIN_PATH]);

/* The program's name in "$PATH/gcc"; NULL: `name` is a variable. */
const char *surroundings_program(const char *name);

/* The checksum of the content. CONTENT_NONE: the variable is not set, or the program is missing. */
void surroundings_sum(const char *name, char sum[CONTENT_SUM]);

#endif
