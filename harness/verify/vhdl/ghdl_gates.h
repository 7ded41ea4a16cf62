/* SPDX-License-Identifier: Apache-2.0
 *
 * A design as ghdl synthesised it (`ghdl --synth --out=dump`), and that as Verilog. ghdl's own
 * Verilog is not taken: that of release 2.0 drops the default of a `case`, writes constants of more
 * than 32 bits as texts, and divides signed numbers as unsigned ones.
 *
 *   ghdl_gates_t g;
 *   if (ghdl_read(text, &g, &trouble) && ghdl_names(&g, &trouble))
 *     ghdl_verilog(&g, &how, file, &trouble);
 *   ghdl_free(&g);
 */
#ifndef GHDL_GATES_H
#define GHDL_GATES_H

#include "trouble.h"

#include <stdbool.h>
#include <stdio.h>

/* A net: output of a gate, or input of its module. */
typedef struct {
  unsigned width;
  int gate;        /* its driver; -1: none */
  unsigned output; /* which output of the driver */
  unsigned root;   /* the net whose value it is: through signals, ports and the like */
  char *name;      /* in Verilog; of a root; NULL: none */
} ghdl_net_t;

typedef struct {
  char *kind;    /* "$add", "\\fifo_3_8" */
  char *name;    /* "\\state", "%12" */
  char *safe;    /* of an instance of an entity: its name in Verilog; else NULL */
  unsigned line; /* 0: not known */
  unsigned file; /* index in ghdl_gates_t.files */
  unsigned first_input, inputs, first_output, outputs, first_param, params;
  bool self; /* the module's own ports: its inputs are the module's outputs */
  bool part; /* has no text of its own: it is in that of another gate */
} gate_t;

typedef struct {
  char *name, *safe; /* "\\uart"; safe: in Verilog */
  unsigned first_gate, gates;
  unsigned first_port, ports; /* inputs, then outputs */
} ghdl_module_t;

typedef struct {
  char *name, *safe;
  unsigned width;
  bool output;
} ghdl_port_t;

typedef struct {
  ghdl_net_t *nets; /* by number */
  gate_t *gates;
  ghdl_module_t *modules;
  ghdl_port_t *ports;
  unsigned *links;       /* numbers of nets: inputs and outputs of all gates; 0: not connected */
  unsigned long *values; /* parameters of all gates */
  char **files;          /* places */
  unsigned top;          /* the module that no other one has */
  unsigned num_nets, num_gates, num_modules, num_ports, num_links, num_values, num_files;
  unsigned room_nets, room_gates, room_modules, room_ports, room_links, room_values, room_files;
} ghdl_gates_t;

/* False: the text is no such design. ENVIRONMENT: another version of ghdl writes another form. */
bool ghdl_read(const char *text, ghdl_gates_t *g, trouble_t *trouble);
void ghdl_free(ghdl_gates_t *g);

/* Finds the root of each net, and the names of modules, ports and nets. */
bool ghdl_names(ghdl_gates_t *g, trouble_t *trouble);

/* The number that drives a gate's input or output. */
unsigned ghdl_input(const ghdl_gates_t *g, const gate_t *gate, unsigned i);
unsigned ghdl_output(const ghdl_gates_t *g, const gate_t *gate, unsigned i);
/* The driver of a net's root; NULL: an input of the module, or nothing. */
const gate_t *ghdl_driver(const ghdl_gates_t *g, unsigned net);
bool ghdl_is(const gate_t *gate, const char *kind);

/* A constant's digits 0, 1, x and z, most significant first, which the caller frees. NULL: the net
 * is no constant. */
char *ghdl_constant(const ghdl_gates_t *g, unsigned net);

typedef struct {
  const char *top;        /* the name of the top module in the text */
  const char *parameters; /* its parameters: "parameter integer W = 8, ..."; "": none */
  /* Where a place is: the file that the messages name. NULL: a file of ghdl's own. */
  const char *(*file)(void *context, const char *name);
  void *context;
} ghdl_how_t;

/* INPUT: a construct that has no Verilog for synthesis, with its place. */
bool ghdl_verilog(ghdl_gates_t *g, const ghdl_how_t *how, FILE *to, trouble_t *trouble);

#endif
