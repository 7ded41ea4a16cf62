/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's port on the logic layer: clock-domain bridge between the stack's 1.25 GHz and the NSU's own clock.
 *
 * 128 bits at 1.25 GHz each way (20 GB/s). Each way is a link (link.h) whose latency is the synchroniser's; the NSU's
 * side pushes and pops whole packets at its own clock. Ticked at 1.25 GHz.
 */
#ifndef NI_BRIDGE_H
#define NI_BRIDGE_H

#include "link.h"

typedef struct ni_bridge {
  link_t to_nsu, from_nsu;
} ni_bridge_t;

link_config_t ni_bridge_default_config(void); /* latency 2: two flip-flops */
void ni_bridge_init(ni_bridge_t *bridge, const link_config_t *config);
void ni_bridge_tick(ni_bridge_t *bridge, uint64_t now);
bool ni_bridge_idle(const ni_bridge_t *bridge);

#endif
