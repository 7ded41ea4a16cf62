/* SPDX-License-Identifier: Apache-2.0
 *
 * What tools say about a module. Verilator gives its ports and parameters. Yosys, where it can
 * read the module, gives widths as expressions, clocks and resets, and whether an output depends
 * on an input of the same cycle.
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "rtl.h"
#include "trouble.h"

enum { MODULE_NAME = 128, MODULE_EXPR = 256, MODULE_PORTS = 512, MODULE_PARAMS = 64 };
enum { MODULE_LEAVES = 1024, MODULE_TYPES = 1 << 16, MODULE_DIMS = 3, MODULE_ELEMENTS = 1024 };

/* A port that is an unpacked array: ranges from the left, and one element. */
typedef struct {
  unsigned num_dims; /* 0: no array */
  unsigned dims[MODULE_DIMS], width;
  char dim_exprs[MODULE_DIMS][MODULE_EXPR], expr[MODULE_EXPR]; /* by parameters; "": not known */
  char type[MODULE_NAME];                                      /* of an element: a struct or enum in `types` */
} module_array_t;

typedef struct {
  char name[MODULE_NAME], expr[MODULE_EXPR];           /* expr: its width by parameters, "Width * 2"; "": not known */
  char type[MODULE_NAME];                              /* its struct or enum in `types`; "": a vector */
  char note[MODULE_NAME];                              /* what else it is, "an array: 4 elements of 8 bits"; "" */
  unsigned width;                                      /* with the default parameters */
  module_array_t array;                                /* `type` is then the array's name */
  bool output, clock;                                  /* clock: registers wait for its edge */
  bool edge;                                           /* Verilator sees something wait for its edge */
  unsigned async_low, async_high, sync_low, sync_high; /* number of registers it resets, by kind and level */
} module_port_t;

typedef struct {
  char name[MODULE_NAME];
  long long value, largest; /* largest: the greatest value of the type */
  /* the default is an expression of other parameters, which must still hold when --set changes
   * one */
  bool derived;
} module_param_t;

/* A single value of a port that has a type: a field that is no struct, or the whole enum. Of an
 * array: of an element. */
typedef struct {
  unsigned port;          /* index in ports */
  char path[MODULE_NAME]; /* ".head.addr"; "": the port */
  unsigned width;
  char labels[256];    /* the values of an enum, "0, 1, 3" */
  unsigned num_labels; /* 0: no enum */
} module_leaf_t;

/* A parameter that is no number: the RTL's own value holds. */
typedef struct {
  char name[MODULE_NAME], why[64]; /* why: "a text" */
  char text[64];                   /* of a text: what --set says; "": nothing */
} module_left_t;

typedef struct {
  char name[MODULE_NAME], file[4096];
  module_port_t ports[MODULE_PORTS];
  module_param_t params[MODULE_PARAMS];
  unsigned num_ports, num_params;
  char types[MODULE_TYPES]; /* entries of the port file: ENUM, LABEL, FIELD */
  module_leaf_t leaves[MODULE_LEAVES];
  module_left_t left[MODULE_PARAMS];
  unsigned num_leaves, num_left;
  char sources[RTL_LIST]; /* the files that Verilator took modules from */
  bool flat;              /* ports are interfaces, of which Verilator and Yosys see vectors */
  bool seen_tree;         /* Yosys read the file, so widths by parameters are known */
  bool odd_widths;        /* a width has what port files cannot say, as a function */
  bool seen_inside;       /* Yosys read the logic, so clocks, resets and mealy are known */
  bool filled;            /* loops that give memories a value at power-up were left out of the logic */
  bool mealy;
  /* By Yosys: registers, those among them without a value at power-up, and the most of them in a
   * row up to an output. By Verilator: how often something waits for an edge. */
  unsigned num_registers, num_undeclared, depth, num_edges;
  char latch[4096 + MODULE_NAME]; /* a latch among the registers, "FILE:LINE: NAME"; "": none */
} module_t;

module_port_t *module_port(module_t *module, const char *name); /* NULL: none */

/* Reads ports and parameters of the top module from Verilator's XML. False: trouble says it in
 * one line. */
bool module_read_xml(module_t *module, const char *path, trouble_t *trouble);

/* Reads the types of ports and parameters: module_read_xml calls it when it knows the ports. */
bool module_read_types(module_t *module, const char *path, trouble_t *trouble);
bool module_is_left(const module_t *module, const char *name);

/* Reads widths by parameters, and derived parameters, from Yosys' tree of the source. No file:
 * seen_tree is false. */
void module_read_tree(module_t *module, const char *path);

/* A width at a value of a parameter; the module at other values of one parameter. */
enum { MODULE_SAMPLES = 3 };
typedef struct {
  long long value;
  unsigned width;
} module_sample_t;
typedef struct {
  unsigned count;
  long long values[MODULE_SAMPLES];
  unsigned widths[MODULE_SAMPLES][MODULE_PORTS];
  unsigned fields[MODULE_SAMPLES][MODULE_LEAVES]; /* of entries FIELD in `types`, where they have a number */
  module_array_t arrays[MODULE_SAMPLES][MODULE_PORTS];
} module_probe_t;

/* Reads Verilator's XML with another value of parameter `set`, and adds it to the probe. Parameters
 * that changed with it are derived. */
void module_read_again(module_t *module, unsigned set, long long value, const char *path, module_probe_t *probe);

/* The expression that has all these widths, of the parameter `name`. The first sample is the
 * default. False: none fits. */
bool module_fit_width(const char *name, const module_sample_t *samples, unsigned count, char text[MODULE_EXPR]);

/* Fills `expr` of ports that have none and whose width follows one parameter, and of arrays the
 * expressions of their ranges and elements. A probe for each parameter. */
void module_fit_widths(module_t *module, const module_probe_t *probes);

/* The same for fields of structs, in `types`. module_field_widths: the widths of its entries FIELD
 * that have a number; returns how many. */
void module_fit_fields(module_t *module, const module_probe_t *probes);
unsigned module_field_widths(const char *types, unsigned widths[MODULE_LEAVES]);

/* Reads clocks and asynchronous resets from Verilator's XML, through the hierarchy. For a module
 * that module_read_netlist could not read. */
void module_read_edges(module_t *module, const char *path);

/* Reads clocks, resets and mealy from Yosys' flat netlist (JSON). False: it is not there. */
bool module_read_netlist(module_t *module, const char *path);

#endif
