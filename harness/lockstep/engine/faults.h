/* SPDX-License-Identifier: Apache-2.0
 *
 * Single bit flips in the registers and memories of a block during a run in lockstep: what becomes
 * of them?
 *
 * A run is every profile of the block's stimulus in turn, each from power-up. It is done once
 * without a fault, which must pass (the control), and kept with snapshots. Each flip then starts
 * from the snapshot before it, and goes on until it is seen, or until every register is as in the
 * run without it (from there on all is the same, for ever), or to the profile's end.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "build.h"
#include "run.h"

enum { FAULTS_MOST = 1000000, FAULTS_WATCH = 1000 };

typedef enum {
  FAULT_MASKED, /* every register became as without the flip, and nothing was seen */
  /* an error output rose that the model's did not, or an
   * assertion failed, no later than lockstep saw it */
  FAULT_OWN,
  FAULT_LOCKSTEP, /* an output or probe differed */
  FAULT_SILENT,   /* a register is still different at the end, and nothing was seen */
  FAULT_CLASSES
} fault_class_t;

const char *fault_class_name(fault_class_t class); /* "masked" */

typedef struct {
  unsigned state; /* index into dut->states */
  uint32_t element, bit;
  unsigned profile;
  uint64_t cycle; /* of the profile: the bit is turned over after the clock edge that ends the cycle before */
  bool done;
  fault_class_t class;  /* done */
  int port;             /* what it was seen by: index into dut->ports; -1: nothing, or an assertion */
  uint64_t latency;     /* own, lockstep: cycles from the flip; 0: in the very cycle */
  char text[120];       /* the assertion */
  bool own_later;       /* lockstep: an error output or an assertion followed, FAULTS_WATCH cycles later at most */
  uint64_t own_latency; /* own_later: cycles from the flip */
} fault_t;

typedef struct {
  const block_t *block;
  places_t places;
  uint64_t seed, cycles; /* cycles of the run */
  const char *profile;   /* NULL: all, sharing the cycles */
  /* registers whose name this shell pattern matches; NULL: all */
  const char *states;
  unsigned count, jobs;                                          /* flips; processes at a time */
  bool (*on_faults)(void *context, unsigned done, unsigned all); /* now and then; false: stop. May be NULL */
  void *context;
} faults_t;

typedef struct {
  outcome_t outcome; /* PASS: the control passed and the flips were done */
  trouble_t trouble; /* BAD_INPUT, INFRA; BROKEN: why the control failed */
  bool stopped;      /* on_faults said so */
  const dut_t *dut;
  failure_t failure;          /* of the control */
  const char *failed_profile; /* of the control; NULL: it passed */
  fault_t *faults;
  unsigned count, done;
  uint64_t bits;  /* among which was drawn */
  double seconds; /* without the build */
} faults_result_t;

void faults_run(const faults_t *faults, faults_result_t *result);
void faults_free(faults_result_t *result);
bool faults_drawn(const faults_t *faults, const dut_state_t *state); /* does the pattern match its name? */

#endif
