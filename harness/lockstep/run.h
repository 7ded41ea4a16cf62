/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs: a stimulus against device and model, or recorded inputs against them.
 */
#ifndef RUN_H
#define RUN_H

#include "lockstep.h"
#include "trace.h"

/* What went wrong, and where. Two failures are the same when outcome, port and text agree, of crashes the function that the text begins
 * with; the cycle may differ. */
typedef struct {
  outcome_t outcome;
  int port;        /* DIVERGED: index into dut->ports */
  unsigned undefined; /* of its bits are X or Z, of a device that has such */
  uint64_t cycle;  /* from power-up, resets counted */
  char text[512];
} failure_t;

void failure_of(const lockstep_t *ls, failure_t *failure);
bool failure_same(const failure_t *a, const failure_t *b);
bool failure_same_text(outcome_t outcome, const char *a, const char *b); /* of this outcome both */

/* A stimulus under way. */
typedef struct {
  const stim_t *stim;
  void *state;
  uint64_t *in;
  uint64_t in_size, cycle;
  jmp_buf jump;    /* out of a stimulus that crashed */
  char crash[512]; /* how */
} driver_t;

/* The seed a profile really gets: each profile of a check has numbers of its own. */
uint64_t driver_seed(uint64_t seed, unsigned profile);

bool driver_open(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile); /* false: out of memory */
void driver_close(driver_t *driver);

/* Makes driver->in from the model's last outputs; true: a reset instead. */
bool driver_next(driver_t *driver, const void *out);

/* Up to `cycles` cycles of stimulus on a freshly powered-up pair. STIM_CRASH: what device and model did before it is compared.
 * on_cycles (may be NULL) is called now and then with the cycles done; it returns false to stop early. */
outcome_t run_stimulus(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t),
                       void *context);

/* Records the first `cycles` inputs of a stimulus; needs the model alone. False: out of memory, or over max_bytes. */
bool run_record(const dut_t *dut, uint64_t seed, unsigned profile, uint64_t cycles, size_t max_bytes, trace_t *trace);

/* Recorded inputs from..to on the pair as it stands. deadline: clock_seconds() to give up at (0: never). Returns false
 * when the time is over. */
bool run_cycles(lockstep_t *ls, const trace_cycle_t *cycles, size_t from, size_t to, double deadline);

double run_clock(void); /* seconds, monotonic */
double run_cpu(void);   /* processor seconds of this process and of those it has waited for */

#endif
