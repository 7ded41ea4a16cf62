/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the files of a new block: port file, model, stimulus, and RTL or the list of its
 * sources (X.yaml). The check of the new block fails until somebody writes the model.
 */
#ifndef SCAFFOLD_H
#define SCAFFOLD_H

#include "interfaces.h"
#include "look.h"
#include "port_names.h"

#include <stdio.h>

typedef struct {
  const char *name;
  const module_t *module; /* of existing RTL; NULL: RTL is made, too */
  const look_pins_t *pins;
  const rtl_t *rtl;                                /* with `module`: its sources, absolute paths */
  const char *folder;                              /* absolute folder of the new files */
  char (*fields)[PORT_NAME], (*params)[PORT_NAME]; /* names here of the module's; scaffold_write */
  interfaces_t *interfaces;                        /* that were found; scaffold_write */
  bool python;                                     /* the model is X.py, which X.c asks (harness/lockstep/dut/python) */
} scaffold_t;

/* Can it be a block's name? A module's name of letters, digits and _; at most 63 characters. */
bool scaffold_name(const char *name);

/* Writes the files into the folder `into`, which exists. False: trouble names the file. */
bool scaffold_write(scaffold_t *scaffold, const char *into, trouble_t *trouble);

/* After scaffold_write: the name of port i, then of parameter i - num_ports, in the RTL and in the
 * port file. True if they differ in more than the suffix. */
bool scaffold_renamed(const scaffold_t *scaffold, unsigned i, const char **rtl, const char **here);

void scaffold_free(scaffold_t *scaffold);

/* For the files' writers. An expression with the parameters' names here; the array types of the
 * port file (scaffold_arrays.c); loops over the elements of a port, which are then called
 * `element`: "data[i][j]". */
const char *scaffold_expr(const scaffold_t *scaffold, const char *expr, char text[2 * MODULE_EXPR]);
void scaffold_arrays(const scaffold_t *scaffold, FILE *out);
enum { SCAFFOLD_ELEMENT = PORT_NAME + 3 * MODULE_DIMS };
void scaffold_loops(const scaffold_t *scaffold, FILE *out, const module_port_t *port, const char *name, int indent,
                    char element[SCAFFOLD_ELEMENT]);

#endif
