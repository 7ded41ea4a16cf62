/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of pages: which node's SMs accessed each page most (cmodel/sim/gpu/die/page_homes.h). `run
 * --profile` writes such a file and `run --pages` takes one.
 *
 *   # run: nn 0123456789abcdef workload.points=5120 gpu.sms=64 ...
 *   page,node,...
 *
 * The comment says which run the file is of. A run with other data or other SMs is refused, because
 * what the file says of pages would not be true there.
 */
#ifndef RUN_PAGES_H
#define RUN_PAGES_H

#include "simulate.h"

/* Each returns 0, or the exit status with its line on standard error. */

/* For --pages profile (map.homes is `profile`): makes map.homes a file in `folder`. If the folder
 * has no file of the same program and run, a run of models that counts accesses comes first. Other
 * values of map.homes: does nothing. */
int run_pages_first(const char *folder, simulate_job_t *job,
                    void (*simulate_job)(simulate_job_t *job, const char *what, simulate_result_t *result));

/* check: is this file of the same run as the job? write: the table of pages of a result. */
int run_pages_check(const char *path, const simulate_job_t *job);
int run_pages_write(const char *path, const simulate_job_t *job, const simulate_result_t *result);

#endif
