/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency and throughput of a network under synthetic traffic, in the steady state.
 *
 * Time is cut into batches. Warm-up ends when a batch's mean latency and throughput differ from the
 * one's before by less than 5 % (at least three batches, and `warmup` cycles). From then on packets
 * are measured, from their generation (waiting at the source included) to the reception of their
 * tail, until the 95 % confidence interval of the mean, by batch means, is within `precision` of it
 * (`least` cycles at least), or for `cycles` cycles when those are asked for; then traffic goes on
 * until all measured packets have come.
 *
 * Unstable: the mean latency is above `latency_limit`; or packets pile up at the sources, more than
 * `latency_limit` a terminal, or by more than 0.5 % of what was generated in the measured cycles;
 * or a source holds 4096; or a measured packet has not come long after. The latency of an unstable
 * network is of the packets that came; its throughput is what it accepted.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "fabric.h"
#include "traffic.h"
#include "trouble.h"

/* Exact: a counter for every latency up to the largest seen. */
typedef struct histogram {
  uint64_t *count;
  size_t room;
  uint64_t packets, sum, max;
} histogram_t;

bool histogram_add(histogram_t *h, uint64_t latency); /* false: out of memory */
double histogram_mean(const histogram_t *h);          /* 0 when empty */
/* least latency that a share q of the packets does not exceed */
uint64_t histogram_quantile(const histogram_t *h, double q);
void histogram_free(histogram_t *h);

/* REST: not critical. */
enum { MEASURE_ALL, MEASURE_NONDIVERGENT, MEASURE_DIVERGENT, MEASURE_CRITICAL, MEASURE_REST, MEASURE_GROUPS };

typedef struct measure_config {
  uint64_t batch;       /* cycles; 0: 1000, or `cycles` if that is less */
  uint64_t warmup;      /* least cycles of warm-up */
  uint64_t cycles;      /* measured cycles, in whole batches; 0: as many as the precision needs */
  uint64_t least;       /* measured cycles at least, with precision */
  uint64_t most_cycles; /* of the whole run, draining not counted; 0: 1,000,000 behind `warmup` and `least` */
  double precision;     /* 0: 0.005 */
  double latency_limit; /* cycles; 0: 500, the reference's */
  uint64_t stuck;       /* cycles without a movement that are a deadlock; 0: 20,000 */
  /* True: the packet counts as critical too (its route
   * passes a pair that is asked about). NULL: none does. */
  bool (*critical)(void *context, unsigned source, unsigned dest);
  void (*warm)(void *context); /* called when the warm-up is over. May be NULL */
  void (*done)(void *context); /* called when the measured cycles are over. May be NULL */
  /* called after every batch; false stops the run (Ctrl-C). May be NULL */
  bool (*progress)(void *context, uint64_t cycle);
  void *context;
} measure_config_t;

enum { MEASURE_WAITS = 2048 };

typedef struct measure_result {
  histogram_t latency[MEASURE_GROUPS];
  double half_width;                 /* of the confidence interval of the mean latency */
  double offered, accepted;          /* flits per terminal and cycle, measured cycles */
  double hops;                       /* routers a flit passed, mean */
  bool stable, stopped;              /* stopped: by progress; what was measured until then is there */
  bool deadlock;                     /* the watchdog barked */
  char waits[MEASURE_WAITS];         /* then: who waits for what, a line each */
  uint64_t warmup, measured, cycles; /* cycles; cycles: all, with draining */
  double cpu_seconds;
} measure_result_t;

/* What a run needs from the fabric: the fabric's receive and
 * context have to be measure_receive and the measure. */
typedef struct measure measure_t;

/* NULL: out of memory */
measure_t *measure_new(const measure_config_t *config, traffic_t *traffic, unsigned terminals);
void measure_receive(void *measure, const fabric_packet_t *packet, uint64_t now);
/* False: no memory, the line of fabric_fault, or "stuck: ...", which result->waits ends. */
bool measure_run(measure_t *measure, fabric_t *fabric, measure_result_t *result, trouble_t *trouble);
void measure_free(measure_t *measure);
void measure_result_free(measure_result_t *result);

#endif
