/* SPDX-License-Identifier: Apache-2.0
 *
 * A near-data part's port on the logic layer: the clock-domain bridge between the stack's 1.25
 * GHz and the part's own clock.
 *
 *    stack -> to_nsu (link) -> places (beats), merging -> ni_lines -> peek, pop: the NSU
 *    stack <- from_nsu (link) <------------------------------------- link_push: the NSU
 *
 * 128 bits at 1.25 GHz each way (20 GB/s), or as ni_bridge_set says. Each way is a link (link.h)
 * whose latency is the synchroniser's. The NSU's side pushes and pops whole packets at its own
 * clock. Ticked at 1.25 GHz.
 *
 * Merging (ours): responses that have come over the link wait in `beats` places, in order of
 * arrival. An RDF response that comes for a load of which another waits, with other threads,
 * joins that one: the NSU takes both in one beat, as its rules allow packets of one load in any
 * order and cut. One search of the places for each packet that comes. With 0 places responses
 * wait in the link.
 *
 * Read-only lines (ours; ni_lines.h) are at this end, too: a response that names words of a line
 * goes over the link without data, and gets them when it is taken from the link.
 */
#ifndef NI_BRIDGE_H
#define NI_BRIDGE_H

#include "link.h"
#include "ni_lines.h"

enum { NI_MAX_BEATS = 64 };

typedef struct ni_bridge {
  link_t to_nsu, from_nsu;
  packet_pool_t *pool;
  unsigned beats, first, count; /* number of places; those in use, a ring */
  packet_t *beat[NI_MAX_BEATS];
  uint64_t merged; /* responses that joined another */
  ni_lines_t lines;
} ni_bridge_t;

link_config_t ni_bridge_default_config(void); /* latency 2: two flip-flops */
void ni_bridge_init(ni_bridge_t *bridge, const link_config_t *config);

/* Before anything has moved. Each way carries `flits` in `ticks`. beats: 0..NI_MAX_BEATS. pool:
 * that of all packets. */
void ni_bridge_set(ni_bridge_t *bridge, uint64_t flits, uint64_t ticks, unsigned beats, packet_pool_t *pool);
void ni_bridge_tick(ni_bridge_t *bridge, uint64_t now);
bool ni_bridge_idle(const ni_bridge_t *bridge);

/* The NSU's side, by class; NULL: nothing has come. */
const packet_t *ni_bridge_peek(const ni_bridge_t *bridge, unsigned cls);
packet_t *ni_bridge_pop(ni_bridge_t *bridge, unsigned cls);
/* What waits in the places; as snprintf. */
size_t ni_bridge_describe_waits(const ni_bridge_t *bridge, const char *name, char *text, size_t size);

#endif
