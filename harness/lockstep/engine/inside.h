/* SPDX-License-Identifier: Apache-2.0
 *
 * Where inside a block a failure begins: every instance in its RTL that is a block of the tree is
 * judged by that block's own golden model, which is given what stands at the instance's inputs in
 * the RTL. The first instance whose outputs differ is the first one that is wrong; of one instance
 * inside of another the inner one is named.
 *
 * Sound because a model's outputs depend on its block's inputs alone, and these are taken from the
 * RTL as they are: a part that is fed wrong values is not blamed for them. What it cannot see: a
 * part's wrong state before an output or probe of it shows it; modules without a port file (their
 * parent is named); a part's model that an assertion or a crash ends, because what comes in breaks
 * its block's rules, is no longer asked from then on, and the report says so. Where nothing
 * diverged (an assertion, STUCK), parts that are right put the blame nowhere.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "build.h"
#include "trace.h"

#include <stdio.h>

typedef struct {
  char name[64];
  char *value, *from; /* "0x5"; "i_xact.lk_hit_o i_xact.lk_kind_o" */
} inside_input_t;

typedef enum {
  INSIDE_NOTHING, /* not looked at, or no part has a model */
  INSIDE_PART,    /* a part is wrong */
  /* no part that was judged is. Of a DIVERGED: the fault is in
   * the lines between them, or in a part that was not judged */
  INSIDE_OWN
} inside_kind_t;

typedef struct {
  inside_kind_t kind;
  unsigned parts, judged;
  char *unjudged; /* "u_a (x: no such block); u_b (...)", NULL: none; a few of them */
  bool cut;       /* the time was over before the end of the recording */
  uint64_t cycle; /* of the recording */
  const dut_part_t *part;
  const dut_port_t *port; /* the first wrong one of the part, probes first */
  const char *ports_file;
  char *rtl, *model;      /* its values */
  char *also;             /* other parts wrong in the same cycle, not around it or in it; NULL: none */
  inside_input_t *inputs; /* of the part in that cycle, those that are valid */
  size_t num_inputs;
} inside_t;

/* Plays a recording that ends with the failure on `dut`, the
 * block's object of kind rtl+wave. At most `seconds`. */
void inside_find(inside_t *inside, const dut_t *dut, const block_t *block, const places_t *places, const trace_t *trace,
                 double seconds);
/* diverged: the failure is DIVERGED */
void inside_print(FILE *out, const inside_t *inside, const dut_t *dut, bool diverged);
void inside_free(inside_t *inside);

/* What an output of the block hangs on, as in dut_wire_t; NULL: not known.
 * And the part that a name such as "i_rx.err_o" is of; NULL: none. */
const char *inside_drivers(const dut_t *dut, const char *part, const char *port);
const dut_part_t *inside_part_of(const dut_t *dut, const char *name, size_t length);

/* "driven by i_gather.probe_complete_o (lsu_gather, rtl/lsu/lsu_gather.sv)" */
void inside_print_drivers(FILE *out, const dut_t *dut, const dut_port_t *port);

#endif
