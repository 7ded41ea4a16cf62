/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulated machine for a host program that is linked with the simulator. (lockstack run makes
 * one for each workload by itself.)
 *
 *   const host_machine_config_t config = {.system = "harness/systems/configs/mpu.yaml",
 *                                         .ptx = "kernels.ptx", .places = {source, objects}};
 *   host_machine_t *m = host_machine_open(&config, &trouble);
 *   mpu_use(host_machine_runtime(m));              or any calls of runtime.h
 *   ... host_machine_error(m), host_machine_cycles(m) ...
 *   host_machine_close(m);
 *
 * One machine a process.
 */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include "build.h"
#include "runtime.h"
#include "trouble.h"

typedef struct {
  const char *system;          /* its file: "harness/systems/configs/mpu.yaml" */
  const char *const *settings; /* "mpu.cores_x=2" ..., NULL behind the last; NULL: none */
  const char *ptx;             /* file of the kernels */
  places_t places;
} host_machine_config_t;

typedef struct host_machine host_machine_t;

/* NULL: trouble says which file or setting is wrong. host_machine_close takes NULL, too. */
host_machine_t *host_machine_open(const host_machine_config_t *config, trouble_t *trouble);
void host_machine_close(host_machine_t *machine);
const runtime_t *host_machine_runtime(const host_machine_t *machine);
const char *host_machine_error(const host_machine_t *machine); /* of the first call that failed; "": none */
uint64_t host_machine_cycles(const host_machine_t *machine);   /* of the cores' clock, while kernels ran */

#endif
