/* SPDX-License-Identifier: Apache-2.0
 *
 * What `exec` says of a program's launches: for people and as JSON (docs/json.md). The same facts
 * in both.
 */
#ifndef EXEC_REPORT_H
#define EXEC_REPORT_H

#include <stdio.h>

#include "exec_launches.h"

void exec_report_print(const exec_launches_t *launches, FILE *out);
json_t *exec_report_json(const exec_launches_t *launches, char *const *program, unsigned arch, int status);

#endif
