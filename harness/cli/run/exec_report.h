/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `exec` on a program's launches: for people and as JSON (docs/json.md). Both have
 * the same facts.
 */
#ifndef EXEC_REPORT_H
#define EXEC_REPORT_H

#include <stdio.h>

#include "exec_launches.h"

/* arch: compute capability times ten. status: the program's exit status. */
void exec_report_print(const exec_launches_t *launches, FILE *out);
json_t *exec_report_json(const exec_launches_t *launches, char *const *program, unsigned arch, int status);

#endif
