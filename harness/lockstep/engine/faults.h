/* SPDX-License-Identifier: Apache-2.0
 *
 * Fault injection: single bit flips in the registers and memories of a block during a run in
 * lockstep, and what becomes of each.
 *
 * A run is every profile of the block's stimulus in turn, each from power-up. The control, a run
 * without faults, must pass; snapshots of it are kept.
 *
 *   control   S------------S------------S------------S        S: snapshot
 *                          |
 *   a fault                +-----X~~~~~~~~~~~~ ends when: seen, or every register is as in
 *                             the flip           the control, or the profile ends
 *
 * Once every register equals the control's, the rest of both runs is identical.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "build.h"
#include "run.h"

enum { FAULTS_MOST = 1000000, FAULTS_WATCH = 1000 };

typedef enum {
  FAULT_MASKED, /* Every register became as in the control, and nothing was seen. */
  /* The block saw it: an error output rose that the model's did not, or an assertion failed, no
   * later than lockstep saw it. */
  FAULT_OWN,
  FAULT_LOCKSTEP, /* an output or probe differed */
  FAULT_SILENT,   /* A register still differs at the end, and nothing was seen. */
  FAULT_CLASSES
} fault_class_t;

const char *fault_class_name(fault_class_t class); /* "masked" */

typedef struct {
  unsigned state; /* index into dut->states */
  uint32_t element, bit;
  unsigned profile;
  /* Cycle of the profile: the bit flips behind the clock edge that ends the cycle before. */
  uint64_t cycle;
  bool done;            /* the flip was run */
  fault_class_t class;  /* if `done` */
  int port;             /* The port that showed the fault, index into dut->ports; -1: none, or an assertion. */
  uint64_t latency;     /* own, lockstep: cycles from the flip; 0: the same cycle */
  char text[120];       /* the assertion that failed */
  bool own_later;       /* lockstep: an error output or an assertion followed within FAULTS_WATCH cycles. */
  uint64_t own_latency; /* own_later: cycles from the flip */
} fault_t;

typedef struct {
  const block_t *block;
  places_t places;
  uint64_t seed, cycles; /* of the control run, over all profiles */
  const char *profile;   /* NULL: all profiles share the cycles */
  /* Shell pattern of register names; NULL: all registers. */
  const char *states;
  unsigned count, jobs; /* flips; processes that run them in parallel */
  /* Called now and then; false stops. May be NULL. */
  bool (*on_faults)(void *context, unsigned done, unsigned all);
  void *context;
} faults_t;

typedef struct {
  outcome_t outcome; /* PASS: the control passed and the flips were run */
  trouble_t trouble; /* With BAD_INPUT and INFRA; BROKEN: why the control failed. */
  bool stopped;      /* on_faults ended the run */
  const dut_t *dut;
  failure_t failure;          /* of the control */
  const char *failed_profile; /* profile in which the control failed; NULL: it passed */
  fault_t *faults;            /* [count]; fault_t.done says which flips were run */
  unsigned count, done;
  uint64_t bits;  /* bits from which the flips were drawn */
  double seconds; /* without the build */
} faults_result_t;

void faults_run(const faults_t *faults, faults_result_t *result);
void faults_free(faults_result_t *result);
bool faults_drawn(const faults_t *faults, const dut_state_t *state); /* the pattern matches the name */

#endif
