/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a regression's jobs on a Slurm cluster: job arrays of this very executable, with one task
 * for each job. All nodes share the run's folder and have the executable. Accounting is not
 * needed: the queue is polled, and results are files.
 *
 *   FOLDER/slurm/submit-K.json   the jobs of array K, in the order of its tasks
 *   FOLDER/slurm/result-P.json   the result of the job at position P, whole or not at all;
 *                                the first one counts
 *   FOLDER/slurm/log-K-I.txt     what Slurm printed about task I
 */
#ifndef SLURM_H
#define SLURM_H

#include "regress.h"

int slurm_run(regress_t *regress); /* as local_run */

/* One task of array K: runs its job and writes the result. False: trouble says why. */
bool slurm_task(const char *folder, unsigned array, unsigned index, const char *program, bool (*interrupted)(void),
                trouble_t *trouble);

#endif
