/* SPDX-License-Identifier: Apache-2.0
 *
 * What failures are sorted into buckets by: verb, subject, outcome, and where or why in words that
 * do not change from seed to seed.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "json_sure.h"

/* root: the verb's document, NULL if it left none.
 * "check lsu_rx: DIVERGED probe_issue". To be freed. */
char *signature_of(const char *verb, const char *subject, const char *outcome, int exit_code, const json_t *root,
                   const char *output);

/* Numbers become N, paths their last part, runs of
 * spaces one; what is too long is cut. In place. */
void signature_normalise(char *line);

#endif
