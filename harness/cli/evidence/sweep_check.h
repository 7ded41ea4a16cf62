/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a command of another verb right? It is asked in a copy of this process, with --dry-run, so
 * that the answer is exactly what the run would say.
 */
#ifndef SWEEP_CHECK_H
#define SWEEP_CHECK_H

#include "cli.h"

/* args: words, the verb first. True: *like is the dry run's JSON, which has the keys of a result.
 * False: *like is NULL, and trouble has the exit status as its kind and the error line without the
 * command's name. */
bool sweep_check(const verb_t *verb, const json_t *args, json_t **like, trouble_t *trouble);

#endif
