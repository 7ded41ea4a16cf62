/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of VHDL, and what a file declares and names. No parser: comments, strings, characters and
 * extended names are understood.
 *
 *   vhdl_text_t t = {.at = text, .line = 1};
 *   while (vhdl_word(&t)) ...                    t.word is "entity"
 *
 *   vhdl_scan("uart.vhd", see, context)          see(context, VHDL_ENTITY, "", "uart", 12)
 */
#ifndef VHDL_SCAN_H
#define VHDL_SCAN_H

#include <stdbool.h>

enum { VHDL_WORD = 256 };

typedef struct {
  const char *at;       /* the text that is left */
  unsigned line;        /* of the word */
  char word[VHDL_WORD]; /* a name or number in small letters, one other character; strings as "\"" */
  const char *begin;    /* where the word is in the text */
} vhdl_text_t;

bool vhdl_word(vhdl_text_t *t); /* false: the end */

/* What a file declares: entities, packages (contexts and configurations, too) and bodies of both.
 * What it names: LIBRARY.UNIT, and components. */
typedef enum { VHDL_ENTITY, VHDL_PACKAGE, VHDL_BODY, VHDL_NAMES, VHDL_COMPONENT } vhdl_unit_t;

/* `library`: of VHDL_NAMES, else "". All in small letters. */
typedef void vhdl_see_t(void *context, vhdl_unit_t kind, const char *library, const char *name, unsigned line);

bool vhdl_scan(const char *path, vhdl_see_t *see, void *context); /* false: errno */

#endif
