/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writers of a design share: places and values. Only files of this folder use it.
 */
#ifndef GHDL_WRITE_H
#define GHDL_WRITE_H

#include "ghdl_gates.h"

typedef struct {
  ghdl_gates_t *g;
  const ghdl_how_t *how;
  const ghdl_module_t *module;
  FILE *to;
  trouble_t *trouble;
  const char *file; /* the last place that was written */
  unsigned line;
} ghdl_writer_t;

/* `line of the gate's place, or of the last one: functions of ghdl's libraries have none. */
void ghdl_place(ghdl_writer_t *w, const gate_t *gate);

/* Sets the trouble to INPUT, with the gate's place. Returns false. */
bool ghdl_refuse(ghdl_writer_t *w, const gate_t *gate, const char *what);

/* A constant as a literal, else the net's name; what nothing drives is x. */
void ghdl_put(const ghdl_writer_t *w, unsigned net);
void ghdl_put_bit(const ghdl_writer_t *w, unsigned net, unsigned bit);
void ghdl_put_slice(const ghdl_writer_t *w, unsigned net, unsigned low, unsigned wide);
unsigned ghdl_width(const ghdl_writer_t *w, unsigned net);

/* Writes a template: %o the output, %0 to %4 inputs, %S0 an input as signed, %M0 its highest bit,
 * %L0 its lowest bit, %W the output's number of bits, %P the first parameter. */
void ghdl_put_template(const ghdl_writer_t *w, const gate_t *gate, const char *text);

/* ghdl_clocked.c. False: trouble. A memory is written with all its ports. */
bool ghdl_put_register(ghdl_writer_t *w, const gate_t *gate);
bool ghdl_put_assert(ghdl_writer_t *w, const gate_t *gate);
bool ghdl_put_memory(ghdl_writer_t *w, const gate_t *memory);

#endif
