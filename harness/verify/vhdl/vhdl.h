/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks in VHDL: `ghdl --synth` makes a netlist of the entity for one set of generics, and that is
 * written as Verilog 2005, which all tools read. Places are those of the VHDL.
 *
 *   vhdl_order_t order;
 *   if (vhdl_order(rtl, "uart", &order, &trouble)) {           vhdl_order.h
 *     const vhdl_job_t job = {.order = &order, .entity = "uart", .params = "Depth=4", ...};
 *     char *text = vhdl_verilog(&job, &trouble);
 *
 * Generics of a number, a boolean, a bit or a vector to 64 bits are parameters of the module, whose
 * defaults are the values that were synthesised. Ports of a record are one port a field.
 */
#ifndef VHDL_H
#define VHDL_H

#include "rtl.h"
#include "trouble.h"
#include "vhdl_order.h"
#include "words.h"

#include <stdbool.h>

#define VHDL_MISSING "ghdl is not installed: package ghdl has it"

bool vhdl_is_file(const char *path); /* .vhd or .vhdl */
bool vhdl_is(const rtl_t *rtl);      /* some of its files are VHDL */

typedef struct {
  const vhdl_order_t *order;
  const char *entity, *params; /* "Depth=4,Width=8", with the entity's names; others are ignored */
  const char *probe;           /* a file that may be written, which reads the generics' values */
  /* Runs ghdl. *out: its standard output, which the caller frees. On failure *out is all that it
   * printed, or NULL: then trouble says why. */
  bool (*run)(void *context, const words_t *command, char **out, trouble_t *trouble);
  /* The name of a file for ghdl, and back: NULL: no file of the user's. */
  const char *(*tool)(void *context, const char *path);
  const char *(*original)(void *context, const char *name);
  void *context;
} vhdl_job_t;

/* The text, which the caller frees. NULL: trouble. */
char *vhdl_verilog(const vhdl_job_t *job, trouble_t *trouble);

/* True if the file declares this entity, whatever the case of the letters. */
bool vhdl_has_entity(const char *path, const char *name);

#endif
