/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of pages, of which `run --profile` writes one and `run --pages` takes one (cmodel/gpu/page_homes.h). A comment in it says of which run it is; a
 * run with other data or other SMs is refused, for what it says of pages would not be true there.
 */
#ifndef RUN_PAGES_H
#define RUN_PAGES_H

#include "simulate.h"

/* Each 0, or the exit status with its line on standard error. */
int run_pages_check(const char *path, const simulate_job_t *job);
int run_pages_write(const char *path, const simulate_job_t *job, const simulate_result_t *result);

#endif
