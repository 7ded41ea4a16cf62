/* SPDX-License-Identifier: Apache-2.0
 *
 * Cycle counts of runs that are known. The system that a run is compared with may have been
 * simulated before: by the same program, with the same values, workload and data. A run is
 * deterministic, so its count depends on its inputs alone.
 *
 *   char key[KNOWN_KEY];
 *   if (known_key(job, key) && known_find(key, &cycles)) ...
 *   else simulate; then, if known_key(job, ..) gives the same key, known_keep(key, job, cycles)
 *
 * The second key makes sure that no file has changed meanwhile. Counts are kept in known.db in the
 * user's cache folder ($XDG_CACHE_HOME/lockstack or ~/.cache/lockstack). Without a folder nothing
 * is known. Only runs of models whose result was right are kept.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include <sha2.h>

#include "simulate.h"

enum { KNOWN_KEY = SHA256_DIGEST_STRING_LENGTH, KNOWN_MOST = 10000 /* rows; with more all are forgotten */ };

/* The key of a job that system_prepare has prepared: of the program, the objects of the blocks'
 * models, the composition with all values, workload, parameters and PTX. False: one of them cannot
 * be read, or an instance is not a model. */
bool known_key(const simulate_job_t *job, char key[KNOWN_KEY]);

/* known_find returns false without a whole row of this key. known_keep does nothing if it cannot
 * write. */
bool known_find(const char *key, uint64_t *cycles);
void known_keep(const char *key, const simulate_job_t *job, uint64_t cycles);

#endif
