/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells that the RTL of a block outside of the tree has by name: clock gates, scan registers,
 * macros.
 *
 *   words_t names = {0};
 *   liberty_named(&library, rtl, &names);                         for each file
 *   char *text = liberty_some(&library, &names, false);           for `read_liberty -lib`, whose
 *   `write_verilog -blackboxes` makes modules liberty_modules(verilog, write_module, context);
 */
#ifndef LIBERTY_NAMED_H
#define LIBERTY_NAMED_H

#include "liberty.h"
#include "words.h"

/* What Yosys is told, to make modules of "named.lib" and
 * "known.lib": boxes.v without what they do, models.v with it. */
#define LIBERTY_BOXES "read_liberty -lib -ignore_miss_func -ignore_miss_dir %s\nwrite_verilog -blackboxes -noexpr %s\n"
#define LIBERTY_MODELS "design -reset\nread_liberty -ignore_miss_func %s\nwrite_verilog -noattr %s\n"

/* Adds cells of the library whose names are words of the text; a comment counts, too. */
void liberty_named(const liberty_t *library, const char *verilog, words_t *names);

/* A library of these cells alone, to be freed; NULL:
 * no memory. known: of those that have functions. */
char *liberty_some(const liberty_t *library, const words_t *names, bool known);

/* Each module of what Yosys wrote: its name and its text. False: as soon as see() is. */
typedef bool liberty_see_t(void *context, const char *name, const char *text, size_t length);
bool liberty_modules(const char *verilog, liberty_see_t *see, void *context);

#endif
