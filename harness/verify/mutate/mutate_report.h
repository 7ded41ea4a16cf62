/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person reads about a block's mutants, which are JSON (docs/json.md: mutate).
 */
#ifndef MUTATE_REPORT_H
#define MUTATE_REPORT_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

#include "trouble.h"

/* tree: where paths of sources begin. */
void mutate_report_block(FILE *out, const char *tree, const json_t *block, bool by_probe);
/* One mutant: where it is, what is wrong, how it ended, the inputs that show it. */
void mutate_report_show(FILE *out, const char *tree, const json_t *block);
void mutate_report_total(FILE *out, const json_t *root);

/* NONE: each mutant is killed or equivalent. BROKEN: a hole, or a control failed. ENVIRONMENT:
 * interrupted. */
trouble_kind_t mutate_report_kind(const json_t *block);

#endif
