/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person reads of blocks' mutants, which are JSON (docs/json.md: mutate).
 */
#ifndef MUTATE_REPORT_H
#define MUTATE_REPORT_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

#include "trouble.h"

/* tree: where paths of sources begin. */
void mutate_report_block(FILE *out, const char *tree, const json_t *block, bool by_probe);
/* one mutant: where, what, how it ended, the inputs that show it */
void mutate_report_show(FILE *out, const char *tree, const json_t *block);
void mutate_report_total(FILE *out, const json_t *root);

/* TROUBLE_NONE, TROUBLE_BROKEN, TROUBLE_ENVIRONMENT when it was interrupted */
trouble_kind_t mutate_report_kind(const json_t *block);

#endif
