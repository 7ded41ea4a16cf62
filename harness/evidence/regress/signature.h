/* SPDX-License-Identifier: Apache-2.0
 *
 * The signature by which failures are sorted into buckets: verb, subject, outcome, and where or
 * why, in words that do not change from seed to seed.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "json_sure.h"

/* root: the verb's document; NULL: it left none. Returns, for instance, "check lsu_rx: DIVERGED
 * probe_issue", which the caller frees. NULL: no memory. */
char *signature_of(const char *verb, const char *subject, const char *outcome, int exit_code, const json_t *root,
                   const char *output);

/* In place: numbers become N, paths their last part, runs of spaces one space. A long line is
 * cut. */
void signature_normalise(char *line);

#endif
