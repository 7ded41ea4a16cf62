/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a command of another verb right? It is asked in a copy of this process, with --dry-run.
 */
#ifndef SWEEP_CHECK_H
#define SWEEP_CHECK_H

#include "cli.h"

/* args: words, the verb first. True: *like is what it says as JSON. False: *like is NULL, and
 * trouble has its exit status and its line, without the command before it. */
bool sweep_check(const verb_t *verb, const json_t *args, json_t **like, trouble_t *trouble);

#endif
