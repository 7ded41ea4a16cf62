/* SPDX-License-Identifier: Apache-2.0
 *
 * Heat maps of a run's network between nodes (NUPIM paper, Fig. 5), as SVG and PNG. Two subnets
 * make NAME-requests and NAME-answers; a network that both share makes NAME.
 */
#ifndef RUN_HEAT_H
#define RUN_HEAT_H

#include "simulate.h"
#include "trouble.h"

/* Before the run: has the system such a network, and is gnuplot installed? False: trouble says what
 * is missing. */
bool run_heat_check(const char *folder, const simulate_job_t *job, trouble_t *trouble);
/* After the run: draws into `folder`. */
bool run_heat_draw(const char *folder, const simulate_job_t *job, const simulate_result_t *result, trouble_t *trouble);

#endif
