/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writers of a design share: places and values. Only files of this folder use it.
 */
#ifndef GATES_WRITE_H
#define GATES_WRITE_H

#include "gates.h"

typedef struct {
  gates_t *g;
  const gates_how_t *how;
  const gates_module_t *module;
  FILE *to;
  trouble_t *trouble;
  const char *file; /* the last place that was written */
  unsigned line;
} gates_writer_t;

/* `line of the gate's place, or of the last one: functions of ghdl's libraries have none. */
void gates_place(gates_writer_t *w, const gate_t *gate);

/* Sets the trouble to INPUT, with the gate's place. Returns false. */
bool gates_refuse(gates_writer_t *w, const gate_t *gate, const char *what);

/* A constant as a literal, else the net's name; what nothing drives is x. */
void gates_put(const gates_writer_t *w, unsigned net);
void gates_put_bit(const gates_writer_t *w, unsigned net, unsigned bit);
void gates_put_slice(const gates_writer_t *w, unsigned net, unsigned low, unsigned wide);
unsigned gates_width(const gates_writer_t *w, unsigned net);

/* Writes a template: %o the output, %0 to %4 inputs, %S0 an input as signed, %M0 its highest bit,
 * %L0 its lowest bit, %W the output's number of bits, %P the first parameter. */
void gates_put_template(const gates_writer_t *w, const gate_t *gate, const char *text);

/* gates_clocked.c. False: trouble. A memory is written with all its ports. */
bool gates_put_register(gates_writer_t *w, const gate_t *gate);
bool gates_put_assert(gates_writer_t *w, const gate_t *gate);
bool gates_put_memory(gates_writer_t *w, const gate_t *memory);

#endif
