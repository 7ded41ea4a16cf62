/* SPDX-License-Identifier: Apache-2.0
 *
 * Cycles among channels. A channel is a link's direction, numbered router * ports + output port.
 *
 * wants[c]: output ports, at the router behind channel c, that something in c wants to go on to;
 * used up. True: there is a cycle, and text names it, "M0 port 1 -> M1 port 2 -> M0 port 1" ("..."
 * for the end of a long one).
 */
#ifndef CHANNELS_H
#define CHANNELS_H

#include "topology.h"

bool channel_cycle(const topology_t *t, uint16_t *wants, char *text, size_t size);

#endif
