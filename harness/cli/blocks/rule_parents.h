/* SPDX-License-Identifier: Apache-2.0
 *
 * Of which blocks a block is a part.
 */
#ifndef RULE_PARENTS_H
#define RULE_PARENTS_H

#include "trouble.h"

#include <stdbool.h>

enum { RULE_PARENTS = 1024 };

/* The blocks that instantiate the block directly, by the RTL in folders of `rtl`: "nsu_lane nsu",
 * "" if there is none. ENVIRONMENT: memory. */
bool rule_parents(const char *rtl, const char *block, char list[RULE_PARENTS], trouble_t *trouble);

#endif
