/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a regression's jobs on a Slurm cluster: job arrays of this very executable, a task a job.
 * The run's folder must be shared by all nodes, and the executable there too. No accounting is
 * needed: what the queue has is asked, results are files.
 *
 * FOLDER/slurm/submit-K.json   the jobs of the K-th array, in the order of its tasks
 * FOLDER/slurm/result-P.json   the result of the job at position P, whole or not at all; P's first
 *                              result counts
 * FOLDER/slurm/log-K-I.txt     what Slurm printed of task I
 */
#ifndef SLURM_H
#define SLURM_H

#include "regress.h"

int slurm_run(regress_t *regress); /* as local_run */

/* A task of array K: runs its job and writes the result. */
bool slurm_task(const char *folder, unsigned array, unsigned index, const char *program, bool (*interrupted)(void),
                trouble_t *trouble);

#endif
