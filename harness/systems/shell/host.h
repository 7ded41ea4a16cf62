/* SPDX-License-Identifier: Apache-2.0
 *
 * The host program's runtime (firmware/workloads/runtime/runtime.h) on a simulated system.
 *
 * Copies go straight to memory, as before and after a timed region; launches run the simulation.
 * The first error stays in the host and every later call returns its status, so a workload may
 * simply return what it got.
 */
#ifndef HOST_H
#define HOST_H

#include "runtime.h"
#include "system.h"

typedef struct {
  system_t *system;
  const ptx_module_t *module;
  trouble_t trouble; /* of the first call that failed; kind NONE: all went well */
} host_t;

/* calls go to host, which must outlive it; module: the loaded one */
runtime_t host_runtime(host_t *host, const ptx_module_t *module);

#endif
