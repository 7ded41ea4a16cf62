/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack network --closed`: SMs that wait for their answers drive the network
 * (harness/systems/network/closed_load.h).
 */
#ifndef NETWORK_CLOSED_H
#define NETWORK_CLOSED_H

#include "cli.h"
#include "network_options.h"

/* Runs all policies with all seeds, reports, and ends with cli_finish. Returns the exit code; a
 * line has been printed unless it is 0. The arguments must outlive the call only. */
int network_closed(cli_t *cli, const network_options_t *options, const topology_t *topology, const routes_t *routes,
                   const engine_t *engine, const capture_t *capture);

#endif
