/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of a network in a closed loop (closed_load.h). Requests and answers share one network with
 * a message class each. Or each has a subnet, as in the machine of the NUPIM paper (Table I).
 *
 * Energy is that of links between routers. A bit that is sent takes 2 pJ. A bit that the link could
 * have sent at its present width takes 1.5 pJ (Hsieh et al., "Transparent Offloading and Mapping",
 * ISCA 2016, section 5).
 */
#ifndef CLOSED_RUN_H
#define CLOSED_RUN_H

#include "closed_load.h"
#include "link_widths.h"
#include "measure.h"
#include "network_look.h"
#include "trouble.h"

enum { CLOSED_SUBNETS = 2, CLOSED_HEADER_BYTES = 16, CLOSED_LINE_BYTES = 128 };

typedef struct closed_job {
  const topology_t *topology;
  const routes_t *routes;
  /* Of a subnet, completed by fabric_router_params. Classes must be 2 for one subnet, 1 for two. */
  router_params_t params;
  unsigned subnets;       /* 1 or 2 */
  const engine_t *engine; /* [subnets * routers] */
  const places_t *places;
  const char *rtl;
  capture_t capture;
  closed_config_t load;
  uint64_t warmup, cycles; /* cycles: measured, at least 1 */
  /* Cycles without a movement that are a deadlock, while packets are in flight. */
  uint64_t stuck;
  bool (*progress)(void *context, uint64_t cycle); /* called now and then; false stops the run. May be NULL */
  void *progress_context;
} closed_job_t;

typedef struct closed_result {
  closed_stats_t load;                   /* in the measured cycles, as all that follows */
  double ipc;                            /* instructions an SM and cycle of the network */
  double *terminal_ipc, slowest_ipc;     /* [terminals]: of their SMs; the least of these */
  double load_latency;                   /* cycles from a load's turn to its last answer */
  histogram_t latency[2][2];             /* of packets: [kind][divergent] */
  uint64_t link_flits[2];                /* over links between routers, by kind */
  uint64_t width_cycles[LINK_WIDTHS];    /* cycles of these links at W, W/2, W/4, W/8 */
  double mean_width;                     /* in time, of W */
  double sent_nj, idle_nj;               /* energy of these links */
  network_look_t subnet[CLOSED_SUBNETS]; /* at the end */
  network_compared_t compared;
  uint64_t measured, cycles, router_cycles;
  double cpu_seconds;
  bool stopped, deadlock;
  char waits[MEASURE_WAITS]; /* in a deadlock: what each router waits for, a line each */
} closed_result_t;

/* Flits of a packet: a header, and a line if it carries data. */
unsigned closed_packet_flits(const router_params_t *params, bool data);
/* Outcomes as of network_run. The result is freed in any case. */
outcome_t closed_run(const closed_job_t *job, closed_result_t *result, trouble_t *trouble);
void closed_result_free(closed_result_t *result);

#endif
