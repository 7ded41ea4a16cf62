/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the places `@NAME@` of a Yosys template of synth/.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "trouble.h"

typedef struct {
  const char *name, *value; /* the last one's name is NULL */
} script_word_t;

/* False: ENVIRONMENT, the template has a name that is not among the words, or an `@` without its
 * pair. */
bool script_fill(FILE *out, const char *text, const script_word_t *words, trouble_t *trouble);

#endif
