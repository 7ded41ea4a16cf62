/* SPDX-License-Identifier: Apache-2.0
 *
 * Several rates of one network, and where it saturates. Rates are in flits per terminal and cycle.
 *
 *   saturation   what the network accepts at full offered load (rate 1)
 *   stable_rate  the highest rate found stable (measure.h). The search halves the interval up to
 *                the lowest rate found unstable, until it is within 1 % of that rate.
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

/* A run of the search: less exact than a point, and near the rate where the network saturates. */
typedef struct network_probe {
  double rate, latency, accepted; /* latency: mean */
  uint64_t latency_p99;
  bool stable;
} network_probe_t;

enum { NETWORK_PROBES = 64 };

typedef struct network_sweep {
  network_point_t *point; /* one for each rate that was run, in order */
  unsigned points;
  double saturation, stable_rate, unstable_rate; /* unstable_rate: the lowest found unstable; 0: not even 1 is */
  network_probe_t probe[NETWORK_PROBES];         /* runs of the search below full load, in no order */
  unsigned probes;
  uint64_t router_cycles, divergences; /* of all runs, the search's included */
  double cpu_seconds;
  bool stopped;
  char waits[MEASURE_WAITS]; /* of the run that ended in a deadlock */
} network_sweep_t;

/* Runs the job at each rate, in order; outcomes as of network_run, and it stops at the first that
 * is not PASS. search: also look for saturation and the highest stable rate. The sweep is freed in
 * any case. */
outcome_t network_sweep(const network_job_t *job, const double *rate, unsigned rates, bool search,
                        network_sweep_t *sweep, trouble_t *trouble);
void network_sweep_free(network_sweep_t *sweep);

/* One run at full load: fills sweep->saturation alone, for the job's pattern and packets. */
outcome_t network_saturation(const network_job_t *job, network_sweep_t *sweep, trouble_t *trouble);

#endif
