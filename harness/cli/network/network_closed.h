/* SPDX-License-Identifier: Apache-2.0
 *
 * `lockstack network --closed`: what the verb does when the loop is closed
 * (harness/systems/network/closed_load.h).
 */
#ifndef NETWORK_CLOSED_H
#define NETWORK_CLOSED_H

#include "cli.h"
#include "network_options.h"

/* The exit code; a line has been printed unless it is 0. */
int network_closed(cli_t *cli, const network_options_t *options, const topology_t *topology, const routes_t *routes,
                   const engine_t *engine, const capture_t *capture);

#endif
