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

typedef struct {
  char name[MODULE_NAME], expr[MODULE_EXPR];           /* expr: its width by parameters, "Width * 2"; "": not known */
  unsigned width;                                      /* with the default parameters */
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

typedef struct {
  char name[MODULE_NAME], file[4096];
  module_port_t ports[MODULE_PORTS];
  module_param_t params[MODULE_PARAMS];
  unsigned num_ports, num_params;
  char sources[RTL_LIST]; /* the files that Verilator took modules from */
  bool seen_tree;         /* Yosys read the file, so widths by parameters are known */
  bool seen_inside;       /* Yosys read the logic, so clocks, resets and mealy are known */
  bool mealy;
  /* By Yosys: registers, those among them without a value at power-up, and the most of them in a
   * row up to an output. By Verilator: how often something waits for an edge. */
  unsigned num_registers, num_undeclared, depth, num_edges;
} module_t;

module_port_t *module_port(module_t *module, const char *name); /* NULL: none */

/* Reads ports and parameters of the top module from Verilator's XML. False: trouble says it in
 * one line. */
bool module_read_xml(module_t *module, const char *path, trouble_t *trouble);

/* Reads widths by parameters, and derived parameters, from Yosys' tree of the source. No file:
 * seen_tree is false. */
void module_read_tree(module_t *module, const char *path);

/* Reads Verilator's XML with another value of parameter `set`. Parameters that changed with it
 * are derived. */
void module_read_again(module_t *module, unsigned set, const char *path);

/* Reads clocks, resets and mealy from Yosys' flat netlist (JSON). False: it is not there. */
bool module_read_netlist(module_t *module, const char *path);

#endif
