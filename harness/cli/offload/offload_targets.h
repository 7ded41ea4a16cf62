/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack offload --targets STACKS: what choosing a block's target by its first access costs (NSU
 * paper, Fig. 5).
 */
#ifndef OFFLOAD_TARGETS_H
#define OFFLOAD_TARGETS_H

#include "cli.h"

/* stacks: TARGET_STACKS_LEAST to TARGET_STACKS_MOST. Ends with cli_finish; returns the exit
 * code. */
int offload_targets(cli_t *cli, unsigned stacks);

#endif
