/* SPDX-License-Identifier: Apache-2.0
 *
 * A full system under SystemC: the GPU die, the memory stacks with their links and network, one NSU a stack.
 *
 * The parts are C models (cmodel/) and NSUs (nsu_node.h); the SystemC modules of system.cpp only give them their clocks and carry
 * packets between them through channels that show a packet one delta cycle after it was written. So everybody reads what
 * was there before the instant, and results do not depend on the order in which SystemC runs the modules.
 * SystemC elaborates once a process: one system a process.
 */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <signal.h>
#include <stdbool.h>

#include "config.h"
#include "gpu.h"
#include "nsu_node.h"
#include "router_engine.h"

enum { SYSTEM_MAX_STACKS = 8, SYSTEM_ERROR = 4096 };

typedef struct {
  system_config_t config;
  const char *nsu_object;               /* the loadable NSU; NULL: a system without NSUs (baseline) */
  engine_t engine[SYSTEM_MAX_STACKS];   /* of the NSUs */
  engine_t router[SYSTEM_MAX_STACKS];   /* of the memory network's routers */
  places_t places;                      /* where the router's objects are found and built */
  const char *router_rtl;               /* RTL of this folder before the tree's; NULL: none */
  const volatile sig_atomic_t *interrupted;
  void (*progress)(void *ctx, double share); /* now and then, 0..1 of the running kernel; may be NULL */
  void *progress_ctx;
  bool reversed;                        /* make the modules in reverse order: results must be the same (for tests) */
} system_options_t;

typedef struct simulated_system system_t;

/* Builds the router's objects that are missing. 0, or the exit status with `error` set. */
int system_prepare(const system_options_t *options, char error[SYSTEM_ERROR]);

/* NULL: error has one line, *status is 2 (bad input) or 3 (environment). */
system_t *system_new(const system_options_t *options, int *status, char error[SYSTEM_ERROR]);
void system_free(system_t *system);

gpu_t *system_gpu(system_t *system);

/* Runs until the launched kernel has ended and all is quiet. 0, or the exit status with `error` set:
 * 1 deadlock (what waits for what) or a broken rule, 2 the kernel faulted, 3 interrupted. */
int system_run(system_t *system, char error[SYSTEM_ERROR]);

/* Makes replay files of the NSUs and routers that diverged. NULL, or what failed. */
const char *system_capture(system_t *system, const capture_t *capture);

typedef struct {
  router_report_t report;
  char replay[512];                      /* replay file of this router alone; "": none */
} system_router_t;

typedef struct {
  uint64_t cycles;                       /* of the SM clock, while kernels ran */
  gpu_stats_t gpu;
  uint64_t network_bytes[16];            /* by packet type, injected */
  uint64_t network_link_flits;
  uint64_t row_hits, row_misses, row_conflicts, refreshes, vault_reads, vault_writes;
  nsu_node_stats_t nsu[SYSTEM_MAX_STACKS];
  system_router_t router[SYSTEM_MAX_STACKS];
  uint64_t nsu_cycles;                   /* NSU clock cycles in the run */
} system_stats_t;
void system_stats(const system_t *system, system_stats_t *stats);

#endif
