/* SPDX-License-Identifier: Apache-2.0 */
#include "ni_bridge.h"

link_config_t ni_bridge_default_config(void) {
  return (link_config_t){.latency = 2, .tx_packets = 4, .rx_flits = 128};
}

void ni_bridge_init(ni_bridge_t *b, const link_config_t *config) {
  link_init(&b->to_nsu, config);
  link_init(&b->from_nsu, config);
}

void ni_bridge_tick(ni_bridge_t *b, uint64_t now) {
  if (!link_idle(&b->to_nsu)) link_tick(&b->to_nsu, now);
  if (!link_idle(&b->from_nsu)) link_tick(&b->from_nsu, now);
}

bool ni_bridge_idle(const ni_bridge_t *b) {
  return link_idle(&b->to_nsu) && link_idle(&b->from_nsu);
}
