/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a command of another verb right? It is asked in a copy of this process, with --dry-run.
 */
#ifndef SWEEP_CHECK_H
#define SWEEP_CHECK_H

#include "cli.h"

/* args: words, the verb first. 0, and what it says as JSON in *like; else
 * its exit status, its line without the command before it in error. */
int sweep_check(const verb_t *verb, const json_t *args, json_t **like, char *error, size_t size);

#endif
