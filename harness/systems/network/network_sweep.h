/* SPDX-License-Identifier: Apache-2.0
 *
 * Several rates of one network, and where it saturates.
 *
 *   saturation   flits per terminal and cycle that are accepted at full offered load (rate 1): what
 *                the network does when it is given all it can be given.
 *   stable_rate  the highest rate found stable (measure.h), by halving the interval to the lowest
 *                one found unstable until it is within 1 % of the rate.
 *
 * The two are about the same where all sources suffer alike.
 */
#ifndef NETWORK_SWEEP_H
#define NETWORK_SWEEP_H

#include "network_run.h"
#include "trouble.h"

typedef struct network_point {
  double rate;
  network_result_t result;
} network_point_t;

/* A run of the search: less exact than a point, near to where it matters. */
typedef struct network_probe {
  double rate, latency, accepted; /* latency: mean */
  uint64_t latency_p99;
  bool stable;
} network_probe_t;

enum { NETWORK_PROBES = 64 };

typedef struct network_sweep {
  network_point_t *point; /* as asked for, as many as were run */
  unsigned points;
  double saturation, stable_rate, unstable_rate; /* unstable_rate: the lowest found unstable; 0: none, not even 1 */
  network_probe_t probe[NETWORK_PROBES];         /* those below full load, in no order */
  unsigned probes;
  uint64_t router_cycles, divergences; /* of all runs, those of the search too */
  double cpu_seconds;
  bool stopped;
  char waits[MEASURE_WAITS]; /* of the run that ended in a deadlock */
} network_sweep_t;

/* As network_run; stops at the first outcome that is not PASS.
 * search: look for saturation and the highest stable rate too. */
outcome_t network_sweep(const network_job_t *job, const double *rate, unsigned rates, bool search,
                        network_sweep_t *sweep, trouble_t *trouble);
void network_sweep_free(network_sweep_t *sweep);

/* The first of the two alone: sweep->saturation, accepted at full load, with
 * the pattern and packets of the job. */
outcome_t network_saturation(const network_job_t *job, network_sweep_t *sweep, trouble_t *trouble);

#endif
