/* SPDX-License-Identifier: Apache-2.0
 *
 * What came out of a run, from the database: counts, failures in buckets, JUnit XML.
 */
#ifndef REGRESS_REPORT_H
#define REGRESS_REPORT_H

#include "json_sure.h"
#include <stdbool.h>

#include "results.h"

/* {counts, cpu_seconds, buckets, failures} as docs/json.md has them; `command` goes before a key to
 * reproduce it ("./lockstack"). not_passed: how many jobs have an outcome other than PASS, by their
 * outcomes alone. NULL when the database cannot be read. */
json_t *regress_report(results_t *results, int64_t run, const char *folder, const char *command, unsigned *not_passed);

/* JUnit XML of a run, whole or not at all; of a run that there is not a suite without tests. */
bool regress_junit(results_t *results, int64_t run, const char *suite, const char *command, const char *path,
                   trouble_t *trouble);

#endif
