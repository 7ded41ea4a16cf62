/* SPDX-License-Identifier: Apache-2.0
 *
 * One mutant: which bit of which cell's port is wrong, and what became of it.
 */
#ifndef MUTANT_H
#define MUTANT_H

#include "netlist.h"

enum { MUTANTS_MOST = 20000, MUTANT_TEXT = 256 };

/* OPEN: not decided yet. KILLED: stimulus sees it. EQUIVALENT: proved. SURVIVED: inputs show it,
 * but the stimulus does not. UNDECIDED: neither proved nor shown. */
typedef enum { MUTANT_OPEN, MUTANT_KILLED, MUTANT_EQUIVALENT, MUTANT_SURVIVED, MUTANT_UNDECIDED } mutant_status_t;

typedef struct {
  char mode[8], module[64], cell[MUTANT_TEXT], port[16], source[MUTANT_TEXT]; /* source: "file:line"; "": not known */
  int bit;
  fault_t fault;
  unsigned place; /* place in Yosys' list */

  mutant_status_t status;
  unsigned profile; /* killed: by this one, in this cycle, seen at this port of the device's table; */
  uint64_t cycle;
  int port_seen;   /* -1: an assertion of the RTL fired */
  bool out_killed; /* with --by-probe: the outputs alone see it too, */
  uint64_t out_cycle;
  unsigned out_profile;

  char method[16];         /* for EQUIVALENT, SURVIVED, UNDECIDED */
  const char *reason;      /* for UNDECIDED; a literal, so equal in all processes */
  unsigned counterexample; /* SURVIVED: cycles of the counterexample */
  bool asked;              /* whether it is equal within a cycle */
  bool control;            /* a killed one that went through the proof too: */
  mutant_status_t proved;  /* what that said */
  int lost;                /* abc failed without an answer (equivalent.h); proofs end */
} mutant_t;

#endif
