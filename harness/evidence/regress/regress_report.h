/* SPDX-License-Identifier: Apache-2.0
 *
 * What came out of a run, from the database: counts, failures in buckets, JUnit XML.
 */
#ifndef REGRESS_REPORT_H
#define REGRESS_REPORT_H

#include "json_sure.h"
#include <stdbool.h>

#include "results.h"

/* Returns {counts, cpu_seconds, buckets, failures} (docs/json.md). command goes before a job's
 * key to reproduce it ("./lockstack"). *not_passed: how many jobs have another outcome than
 * PASS. NULL: the database cannot be read. */
json_t *regress_report(results_t *results, int64_t run, const char *folder, const char *command, unsigned *not_passed);

/* Writes JUnit XML of a run, whole or not at all. A run that does not exist is a suite without
 * tests. */
bool regress_junit(results_t *results, int64_t run, const char *suite, const char *command, const char *path,
                   trouble_t *trouble);

#endif
