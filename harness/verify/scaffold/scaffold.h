/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a new block: port file, model, stimulus, and RTL or what it is read from. Its check
 * fails until the model is written.
 */
#ifndef SCAFFOLD_H
#define SCAFFOLD_H

#include "look.h"

typedef struct {
  const char *name;
  const module_t *module; /* of existing RTL; NULL: RTL is made, too */
  const look_pins_t *pins;
  const rtl_t *rtl;   /* with `module`: what it is read from, absolute paths */
  const char *folder; /* that they will be in, absolute */
  bool python;        /* the model is X.py, which X.c asks (harness/lockstep/dut/python) */
} scaffold_t;

/* Can it be the name of a block, which C and Verilog have in theirs? */
bool scaffold_name(const char *name);

/* Into this folder, which is there. False: trouble. */
bool scaffold_write(const scaffold_t *scaffold, const char *into, trouble_t *trouble);

#endif
