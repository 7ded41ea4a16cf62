/* SPDX-License-Identifier: Apache-2.0
 *
 * The watchdog: whether the network is stuck, and who waits for whom.
 *
 * Routers are black boxes here (one may be RTL). But every packet's record says at which
 * router's input its head is, and the routes say where it wants to go. A packet holds the last
 * channels that it came through, at most one for each of its flits.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "channels.h"
#include "fabric.h"
#include "fabric_internal.h"

enum { MOST_NAMED = 20 };

bool fabric_stuck(const fabric_t *f, uint64_t cycles) {
  return f->in_flight && f->now > f->stats.last_move + cycles;
}

uint64_t fabric_in_flight(const fabric_t *f) {
  return f->in_flight;
}

static void append_wait_text(char *text, size_t size, size_t *used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* As snprintf to the end of a text; *used counts what does not fit, too. */
static void append_wait_text(char *text, size_t size, size_t *used, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(*used < size ? text + *used : NULL, *used < size ? size - *used : 0, format, args);
  va_end(args);
  *used += n > 0 ? (size_t)n : 0;
}

/* The output port that the packet's head takes at a router. */
static unsigned port_of(const fabric_t *f, unsigned router, const fabric_packet_t *p) {
  return routes_port(f->config.routes, router, routes_address(f->config.routes, p->source, p->dest));
}

/* Each channel that the packet holds wants the next one on its way. The last one wants the
 * channel that the head waits for. Behind a dateline is another VC, which ends a cycle. */
static void add_wants(const fabric_t *f, const record_t *r, uint16_t *wants) {
  const topology_t *t = f->config.topology;
  const fabric_packet_t *p = &r->packet;
  unsigned at = t->terminal[p->source].router, hops = 0, step = 0;
  for (unsigned n = at; n != r->router && hops < t->routers; hops++) n = topology_port(t, n, port_of(f, n, p))->peer;
  for (unsigned behind = 0; step <= hops; step++) {
    unsigned port = port_of(f, at, p), channel = at * t->ports + port;
    if (t->port[channel].kind != PORT_LINK) return;
    if (step && step + p->flits > hops && !t->port[channel].dateline) wants[behind] |= (uint16_t)(1U << port);
    behind = channel;
    at = t->port[channel].peer;
  }
}

static void describe_packet(const fabric_t *f, const record_t *r, char *text, size_t size, size_t *used) {
  const topology_t *t = f->config.topology;
  unsigned port = port_of(f, r->router, &r->packet);
  append_wait_text(text, size, used,
                   "packet of %u flits, class %u, from terminal %u to %u: head at router %s port %u, wants port %u\n",
                   r->packet.flits, r->packet.cls, r->packet.source, r->packet.dest, t->name[r->router], r->port, port);
}

size_t fabric_describe_waits(const fabric_t *f, char *text, size_t size) {
  uint16_t wants[TOPOLOGY_MAX_ROUTERS * TOPOLOGY_MAX_PORTS] = {0};
  char cycle[400];
  size_t used = 0;
  unsigned named = 0;
  if (size) *text = 0;
  for (uint32_t i = 0; i < f->records; i++)
    if (f->record[i].used && !f->record[i].at_sink) add_wants(f, &f->record[i], wants);
  if (channel_cycle(f->config.topology, wants, cycle, sizeof cycle))
    append_wait_text(text, size, &used, "channels wait in a cycle: %s\n", cycle);
  for (uint32_t i = 0; i < f->records; i++) {
    const record_t *r = &f->record[i];
    if (!r->used || named++ >= MOST_NAMED) continue;
    if (!r->at_sink) describe_packet(f, r, text, size, &used);
    else
      append_wait_text(text, size, &used, "packet from terminal %u to %u: %u of %u flits are there\n", r->packet.source,
                       r->packet.dest, r->next, r->packet.flits);
  }
  if (named > MOST_NAMED) append_wait_text(text, size, &used, "and %u packets more\n", named - MOST_NAMED);
  return used;
}
