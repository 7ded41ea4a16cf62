/* SPDX-License-Identifier: Apache-2.0
 *
 * A Yosys script of synth/ with its places, `@NAME@`, filled in.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "trouble.h"

typedef struct {
  const char *name, *value; /* the last one's name is NULL */
} script_word_t;

/* False: a name that is not among the words. */
bool script_fill(FILE *out, const char *text, const script_word_t *words, trouble_t *trouble);

#endif
