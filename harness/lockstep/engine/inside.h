/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the first wrong part inside of a block. Each instance in the RTL that is a block of the
 * tree is compared with that block's own golden model. The model gets the values at the instance's
 * inputs in the RTL. The first instance whose outputs differ is wrong first. If a part contains
 * another wrong part, the inner one is named.
 *
 *   inputs --> [ part A ] --> [ part B ] --> outputs      of the RTL, recorded
 *                |     |        |     |
 *                +-->model A    +-->model B               each gets the RTL's own inputs
 *
 * The method is sound: a model's outputs depend only on its inputs, and these come from the RTL. A
 * part with wrong inputs is not blamed for them.
 *
 * Limits: a wrong state stays hidden until an output or probe shows it. For a module without a port
 * file its parent is named. A part's model may assert or crash because its inputs break its block's
 * rules; it is then no longer asked, and the report says so. If the failure is no divergence (an
 * assertion, STUCK), correct parts prove nothing.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "build.h"
#include "trace.h"

#include <stdio.h>

typedef struct {
  char name[64];
  /* The value, and the outputs that drive the input: "0x5"; "i_xact.lk_hit_o i_xact.lk_kind_o". */
  char *value, *from;
} inside_input_t;

typedef enum {
  INSIDE_NOTHING, /* nobody looked, or no part has a model */
  INSIDE_PART,    /* a part is wrong */
  /* No part that was judged is wrong. With DIVERGED, the fault is in the lines between the parts,
   * or in a part that was not judged. */
  INSIDE_OWN
} inside_kind_t;

typedef struct {
  inside_kind_t kind;
  unsigned parts, judged; /* parts in the RTL; parts with a model that judged them */
  char *unjudged;         /* "u_a (x: no such block); u_b (...)", a few; NULL: none */
  bool cut;               /* the time limit ended the search before the recording's end */
  uint64_t cycle;         /* of the recording */
  const dut_part_t *part;
  const dut_port_t *port; /* first wrong port of the part, probes first */
  const char *ports_file; /* the part's port file */
  char *rtl, *model;      /* values of the port */
  /* Other parts that are wrong in the same cycle, neither around nor inside of this one; NULL:
   * none. */
  char *also;
  inside_input_t *inputs; /* Valid inputs of the part in that cycle. */
  size_t num_inputs;
} inside_t;

/* Plays a recording that ends with the failure on `dut`, the block's object of kind rtl+wave. Stops
 * after `seconds`. */
void inside_find(inside_t *inside, const dut_t *dut, const block_t *block, const places_t *places, const trace_t *trace,
                 double seconds);
/* Prints the finding. `diverged`: the outcome of the failure is DIVERGED. */
void inside_print(FILE *out, const inside_t *inside, const dut_t *dut, bool diverged);
void inside_free(inside_t *inside);

/* inside_drivers: the drivers of a part's port, as in dut_wire_t; NULL: unknown. inside_part_of:
 * the part in a name such as "i_rx.err_o"; NULL: none. */
const char *inside_drivers(const dut_t *dut, const char *part, const char *port);
const dut_part_t *inside_part_of(const dut_t *dut, const char *name, size_t length);

/* Prints a line "  PORT comes from i_gather.complete_o (lsu_gather, rtl/lsu/lsu_gather.sv)". */
void inside_print_drivers(FILE *out, const dut_t *dut, const dut_port_t *port);

#endif
