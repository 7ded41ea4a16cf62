/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency and throughput of a network under synthetic traffic, in the steady state.
 *
 * Time is cut into batches.
 *
 *   warm-up    ends when a batch's mean latency and throughput differ from those of the batch
 *              before by less than 5 %: after at least three batches and `warmup` cycles
 *   measured   `cycles` cycles when they are asked for; else until the 95 % confidence interval of
 *              the mean latency, by batch means, is within `precision` of the mean, and for at
 *              least `least` cycles
 *   draining   traffic goes on, unmeasured, until all measured packets have come
 *
 * Latency counts from a packet's generation, waiting at the source included, to the reception of
 * its tail.
 *
 * A run is unstable if one of these holds:
 *   - the mean latency is above `latency_limit`;
 *   - more than `latency_limit` packets a terminal wait at the sources;
 *   - the packets that wait grow by more than 0.5 % of those generated in the measured cycles;
 *   - a source holds 4096 packets;
 *   - a measured packet has not come long after.
 * The latency of an unstable network is that of the packets that came; its throughput is what it
 * accepted.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "fabric.h"
#include "traffic.h"
#include "trouble.h"

/* Exact: a counter for each latency in cycles up to the largest seen. All zero is an empty one. */
typedef struct histogram {
  uint64_t *count;
  size_t room;
  uint64_t packets, sum, max;
} histogram_t;

bool histogram_add(histogram_t *h, uint64_t latency); /* false: out of memory */
double histogram_mean(const histogram_t *h);          /* 0 when empty */
/* The least latency that a share q (0 to 1) of the packets does not exceed; 0 when empty. */
uint64_t histogram_quantile(const histogram_t *h, double q);
void histogram_free(histogram_t *h);

/* Groups of packets. A packet counts in MEASURE_ALL, in one of the next two and in one of the last
 * two; MEASURE_REST holds the packets that are not critical. */
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
  /* Is the packet critical: does its route pass a pair that the caller asks about?
   * NULL: no packet is. */
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
  bool stable, stopped;              /* stopped: progress returned false; what was measured until then is valid */
  bool deadlock;                     /* nothing moved for `stuck` cycles */
  char waits[MEASURE_WAITS];         /* in a deadlock: what each router waits for, a line each */
  uint64_t warmup, measured, cycles; /* in cycles; cycles: the whole run with draining */
  double cpu_seconds;
} measure_result_t;

/* One measurement. The fabric that it measures is made with measure_receive as its `receive` and
 * the measure_t as its `context`. */
typedef struct measure measure_t;

/* Takes a copy of config and puts defaults for its zeros; keeps traffic. NULL: out of memory. */
measure_t *measure_new(const measure_config_t *config, traffic_t *traffic, unsigned terminals);
void measure_receive(void *measure, const fabric_packet_t *packet, uint64_t now);
/* Runs once; fabric: new, at cycle 0. result is overwritten, and is freed in any case. False:
 * memory is short, the fabric has a fault (trouble has its line), or a deadlock: trouble is then
 * "stuck: ..." and result->waits says what waits. */
bool measure_run(measure_t *measure, fabric_t *fabric, measure_result_t *result, trouble_t *trouble);
void measure_free(measure_t *measure);
void measure_result_free(measure_result_t *result);

#endif
