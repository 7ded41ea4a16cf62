/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds cycles among channels. A channel is one direction of a link, numbered router * ports +
 * output port.
 */
#ifndef CHANNELS_H
#define CHANNELS_H

#include "topology.h"

/* wants[c]: output ports, a bit each, at the router behind channel c, that something in c wants
 * to go on to; used up. True: there is a cycle. text names its channels: "M0 port 1 -> M1 port 2
 * -> M0 port 1", with "..." in a long one. */
bool channel_cycle(const topology_t *t, uint16_t *wants, char *text, size_t size);

#endif
