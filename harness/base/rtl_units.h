/* SPDX-License-Identifier: Apache-2.0
 *
 * What a Verilog file declares and what it names, by its text: no parser, but comments, strings and
 * `ifdef are understood.
 *
 *   words_t macros = {0};
 *   rtl_units_read("a.sv", &macros, see, context)  see(context, UNIT_PACKAGE, "bus_pkg", 3)
 *
 * Macros are not expanded, so that what only a macro names is not seen. A word that looks like an
 * instance (`name #(...) name (`) counts as the name of a module.
 */
#ifndef RTL_UNITS_H
#define RTL_UNITS_H

#include "words.h"

#include <stdbool.h>

/* UNIT_MODULE also covers interfaces, programs and primitives, UNIT_PACKAGE also classes: what an
 * instance or `name::` can mean. UNIT_MACRO is of those who search for a `define; see() gets
 * none. */
typedef enum { UNIT_MODULE, UNIT_PACKAGE, UNIT_NAMES_MODULE, UNIT_NAMES_PACKAGE, UNIT_INCLUDES, UNIT_MACRO } unit_t;

typedef void unit_see_t(void *context, unit_t kind, const char *name, unsigned line);

/* Calls see() in the order of the text. `macros`: names that are defined; those that the file
 * defines are added. False: the file cannot be read (errno). */
bool rtl_units_read(const char *path, words_t *macros, unit_see_t *see, void *context);

/* A word of SystemVerilog, which is a name only where a backslash is in front of it. */
bool rtl_is_keyword(const char *word);

#endif
