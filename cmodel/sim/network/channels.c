/* SPDX-License-Identifier: Apache-2.0
 *
 * Depth-first search without recursion. `via` leads back to where a channel was reached from;
 * `wants` holds the edges that are still to be followed, so a channel that is done has none.
 */
#include "channels.h"

#include <stdio.h>

enum { MAX_CHANNELS = TOPOLOGY_MAX_ROUTERS * TOPOLOGY_MAX_PORTS };

typedef enum { NEW, OPEN, DONE } state_t;

typedef struct search {
  const topology_t *t;
  uint16_t *wants;
  uint16_t via[MAX_CHANNELS];
  uint8_t state[MAX_CHANNELS];
} search_t;

/* The cycle ends with the edge from `last` to `first`. What does not fit is "...". */
static void name_cycle(const search_t *s, unsigned last, unsigned first, char *text, size_t size) {
  uint16_t way[MAX_CHANNELS];
  unsigned count = 0, ports = s->t->ports;
  size_t used = 0;
  for (unsigned c = last; c != first; c = s->via[c]) way[count++] = (uint16_t)c;
  way[count++] = (uint16_t)first;
  for (unsigned i = count; i-- > 0 && used + 70 < size;) {
    used += (size_t)snprintf(text + used, size - used, "%s port %u -> ", s->t->name[way[i] / ports], way[i] % ports);
    if (i > 0 && used + 70 >= size) used += (size_t)snprintf(text + used, size - used, "... -> ");
  }
  snprintf(text + used, size - used, "%s port %u", s->t->name[first / ports], first % ports);
}

/* Searches from one channel. An edge to an open channel closes a cycle. */
static bool cycle_from(search_t *s, unsigned start, char *text, size_t size) {
  s->state[start] = OPEN;
  for (unsigned channel = start;;) {
    if (!s->wants[channel]) {
      s->state[channel] = DONE;
      if (channel == start) return false;
      channel = s->via[channel];
      continue;
    }
    unsigned next = s->t->port[channel].peer * s->t->ports + (unsigned)__builtin_ctz(s->wants[channel]);
    s->wants[channel] &= (uint16_t)(s->wants[channel] - 1);
    if (s->state[next] == OPEN) {
      name_cycle(s, channel, next, text, size);
      return true;
    }
    if (s->state[next] == DONE) continue;
    s->state[next] = OPEN;
    s->via[next] = (uint16_t)channel;
    channel = next;
  }
}

bool channel_cycle(const topology_t *t, uint16_t *wants, char *text, size_t size) {
  search_t s = {.t = t, .wants = wants};
  for (unsigned c = 0; c < t->routers * t->ports; c++)
    if (t->port[c].kind == PORT_LINK && s.state[c] == NEW && cycle_from(&s, c, text, size)) return true;
  return false;
}
