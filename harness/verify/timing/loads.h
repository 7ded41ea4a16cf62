/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells of a netlist with their pins, by OpenSTA (synth/loads.tcl): nets, loads of outputs,
 * slopes.
 *
 *   loads_t loads;
 *   if (!loads_run(&ask, &loads, &trouble)) ...   ask.script: synth/loads.tcl; ask.period > 0
 *   loads_free(&loads);                           also after a failure
 */
#ifndef LOADS_H
#define LOADS_H

#include "sta.h"

typedef struct {
  const char *port, *net; /* "A"; OpenSTA's name, "i_part/_012_"; "": not connected */
  bool output;
  double load;       /* farad; for outputs */
  double rise, fall; /* seconds of a transition */
} loads_pin_t;

typedef struct {
  const char *name, *cell; /* "i_part/_123_", "NAND2X1" */
  unsigned first, pins;    /* index of the first pin, number of pins */
  /* For cells that no Liberty file has, such as a memory: the module around it and its name there.
   * NULL for all others. */
  const char *parent, *local;
} loads_instance_t;

typedef struct {
  loads_instance_t *instances;
  loads_pin_t *pins;
  unsigned num_instances, num_pins;
  size_t instance_room, pin_room;
  char *text; /* storage of the names */
  /* Parts of Liberty files that OpenSTA skips: their loads and slews are missing. */
  unsigned left_out;
  char *first_left_out; /* sta_left_out */
} loads_t;

/* Is it a net that OpenSTA ties to a constant (".../one_", ".../zero_")? *value: which one. */
bool loads_is_tied(const char *net, bool *value);

bool loads_run(const sta_ask_t *ask, loads_t *loads, trouble_t *trouble);
void loads_free(loads_t *loads);

#endif
