/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack offload --targets STACKS: what choosing a block's target by its first access costs (NSU
 * paper, Fig. 5).
 */
#ifndef OFFLOAD_TARGETS_H
#define OFFLOAD_TARGETS_H

#include "cli.h"

int offload_targets(cli_t *cli, unsigned stacks);

#endif
