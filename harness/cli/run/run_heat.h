/* SPDX-License-Identifier: Apache-2.0
 *
 * Heat maps of a run's network between nodes (NUPIM paper, Fig. 5): NAME-requests and NAME-answers,
 * or NAME of one that both share, as SVG and PNG.
 */
#ifndef RUN_HEAT_H
#define RUN_HEAT_H

#include "simulate.h"
#include "trouble.h"

/* before the run: has it such a network, is gnuplot there? */
bool run_heat_check(const char *folder, const simulate_job_t *job, trouble_t *trouble);
bool run_heat_draw(const char *folder, const simulate_job_t *job, const simulate_result_t *result, trouble_t *trouble);

#endif
