/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of pages, of which `run --profile` writes one and `run --pages` takes one
 * (cmodel/sim/gpu/die/page_homes.h). A comment in it says of which run it is; a run with other data
 * or other SMs is refused, for what it says of pages would not be true there.
 */
#ifndef RUN_PAGES_H
#define RUN_PAGES_H

#include "simulate.h"

/* Each returns 0, or the exit status with its line on standard error. */

/* A run of models that counts accesses comes first where map.homes is `profile`; then it is the
 * file of that, in `folder`, which is taken if it is there of the same program and run. */
int run_pages_first(const char *folder, simulate_job_t *job,
                    void (*simulate_job)(simulate_job_t *job, const char *what, simulate_result_t *result));

int run_pages_check(const char *path, const simulate_job_t *job);
int run_pages_write(const char *path, const simulate_job_t *job, const simulate_result_t *result);

#endif
