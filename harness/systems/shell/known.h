/* SPDX-License-Identifier: Apache-2.0
 *
 * Cycle counts of runs that are known: the system that a run is compared with has been simulated
 * before, by the same program, with the same values, workload and data. A run is deterministic, so
 * its count is its inputs' alone.
 *
 *   char key[KNOWN_KEY];
 *   if (known_key(job, key) && known_find(key, &cycles)) ...
 *   else simulate, and known_keep(key, job, cycles) if known_key(job, ..) is still the same: no
 *   file has changed meanwhile
 *
 * They are kept in a file of the user's cache folder ($XDG_CACHE_HOME/lockstack or
 * ~/.cache/lockstack, known.db); where there is none, nothing is known. A row that is not whole is
 * not believed. Only runs of models whose result was right are kept.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include <sha2.h>

#include "simulate.h"

enum { KNOWN_KEY = SHA256_DIGEST_STRING_LENGTH, KNOWN_MOST = 10000 /* rows; with more all are forgotten */ };

/* Of the program, the objects of the blocks' models, the composition with all values, workload,
 * parameters, PTX. False: one of them cannot be read, or an instance is not a model. The job is
 * prepared (system_prepare). */
bool known_key(const simulate_job_t *job, char key[KNOWN_KEY]);

bool known_find(const char *key, uint64_t *cycles);
void known_keep(const char *key, const simulate_job_t *job, uint64_t cycles);

#endif
