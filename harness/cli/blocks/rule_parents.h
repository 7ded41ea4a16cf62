/* SPDX-License-Identifier: Apache-2.0
 *
 * Of which blocks a block is a part.
 */
#ifndef RULE_PARENTS_H
#define RULE_PARENTS_H

#include "trouble.h"

#include <stdbool.h>

enum { RULE_PARENTS = 1024 };

/* The block, and the blocks of its family (its folder of `rtl`) that instantiate it directly:
 * "fp32_cmp nsu_lane". ENVIRONMENT: memory. */
bool rule_parents(const char *rtl, const char *block, char list[RULE_PARENTS], trouble_t *trouble);

#endif
