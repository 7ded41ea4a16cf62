/* SPDX-License-Identifier: Apache-2.0
 *
 * A Yosys script of synth/ with its places, `@NAME@`, filled in.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  const char *name, *value; /* the last one's name is NULL */
} script_word_t;

/* False, with a line in error: a name that is not among the words. */
bool script_fill(FILE *out, const char *text, const script_word_t *words, char *error, size_t size);

#endif
