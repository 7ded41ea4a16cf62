/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells that the RTL of a block outside of the tree instantiates by name: clock gates, scan
 * registers, macros.
 *
 *   words_t names = {0};
 *   liberty_named(&library, rtl, &names);                  for each file
 *   char *text = liberty_some(&library, &names, false);    input of LIBERTY_BOXES
 *   liberty_modules(verilog, see, context);                each module that Yosys wrote
 */
#ifndef LIBERTY_NAMED_H
#define LIBERTY_NAMED_H

#include "liberty.h"
#include "words.h"

/* Yosys scripts that turn a library ("named.lib", "known.lib") into Verilog. LIBERTY_BOXES writes
 * modules without functions (boxes.v), LIBERTY_MODELS with functions (models.v). */
#define LIBERTY_BOXES "read_liberty -lib -ignore_miss_func -ignore_miss_dir %s\nwrite_verilog -blackboxes -noexpr %s\n"
#define LIBERTY_MODELS "design -reset\nread_liberty -ignore_miss_func %s\nwrite_verilog -noattr %s\n"

/* Adds to `names` each cell of the library whose name is a word of the text. Words in comments
 * count. */
void liberty_named(const liberty_t *library, const char *verilog, words_t *names);

/* A library of these cells alone; the caller frees the text. `known`: only cells that have
 * functions. NULL: no memory. */
char *liberty_some(const liberty_t *library, const words_t *names, bool known);

/* Calls see() for each module in the Verilog that Yosys wrote, with name and text. Returns false as
 * soon as see() does. */
typedef bool liberty_see_t(void *context, const char *name, const char *text, size_t length);
bool liberty_modules(const char *verilog, liberty_see_t *see, void *context);

#endif
