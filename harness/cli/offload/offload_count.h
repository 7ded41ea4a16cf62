/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack offload --count`: the sizes of offload blocks in the NSU paper's Table 1 beside ours.
 */
#ifndef OFFLOAD_COUNT_H
#define OFFLOAD_COUNT_H

#include "cli.h"
#include "offload.h"

/* Compiles the paper's workloads and compares. A difference is no failure. Ends with cli_finish;
 * returns the exit code. */
int offload_count(cli_t *cli); /* ends with cli_finish */

#endif
