/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's port on the logic layer: clock-domain bridge between the stack's 1.25 GHz and the NSU's
 * own clock.
 *
 * 128 bits at 1.25 GHz each way (20 GB/s), or as ni_bridge_set says. Each way is a link (link.h)
 *     whose latency is the synchroniser's; the NSU's
 * side pushes and pops whole packets at its own clock. Ticked at 1.25 GHz.
 *
 * Merging (ours): responses that have come over the link wait in `beats` places, in the order in
 * which they came. An RDF response that comes for a load of which another waits, with other
 * threads, joins it: the NSU takes both with one beat, as its rules allow for packets of one load
 * in any order and cut. One search of the places for each packet that comes. Without places they
 * wait in the link, each for itself.
 *
 * Read-only lines (ours) are at this end, too: what names words of theirs goes over the link
 * without them, and gets them as it is taken from it.
 */
#ifndef NI_BRIDGE_H
#define NI_BRIDGE_H

#include "link.h"
#include "ni_lines.h"

enum { NI_MAX_BEATS = 64 };

typedef struct ni_bridge {
  link_t to_nsu, from_nsu;
  packet_pool_t *pool;
  unsigned beats, first, count; /* places, and those in use, a ring */
  packet_t *beat[NI_MAX_BEATS];
  uint64_t merged; /* responses that joined another */
  ni_lines_t lines;
} ni_bridge_t;

link_config_t ni_bridge_default_config(void); /* latency 2: two flip-flops */
void ni_bridge_init(ni_bridge_t *bridge, const link_config_t *config);

/* Before anything has moved. flits in ticks: each way;
 * beats: 0..NI_MAX_BEATS; pool: of all packets. */
void ni_bridge_set(ni_bridge_t *bridge, uint64_t flits, uint64_t ticks, unsigned beats, packet_pool_t *pool);
void ni_bridge_tick(ni_bridge_t *bridge, uint64_t now);
bool ni_bridge_idle(const ni_bridge_t *bridge);

/* The NSU's side; NULL: nothing has come. */
const packet_t *ni_bridge_peek(const ni_bridge_t *bridge, unsigned cls);
packet_t *ni_bridge_pop(ni_bridge_t *bridge, unsigned cls);
/* as snprintf: what waits in the places */
size_t ni_bridge_describe_waits(const ni_bridge_t *bridge, const char *name, char *text, size_t size);

#endif
