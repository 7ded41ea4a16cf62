/* SPDX-License-Identifier: Apache-2.0
 *
 * Putting a topology together: for topology.c and topology_file.c.
 */
#ifndef TOPOLOGY_BUILD_H
#define TOPOLOGY_BUILD_H

#include "topology.h"

/* false: out of memory */
bool topology_begin(topology_t *t, topology_kind_t kind, unsigned routers, unsigned ports, unsigned terminals);
/* the next number */
void topology_add_terminal(topology_t *t, unsigned router, unsigned port);
void topology_add_link(topology_t *t, unsigned a, unsigned port_a, unsigned b, unsigned port_b, unsigned latency);

#endif
