/* SPDX-License-Identifier: Apache-2.0
 *
 * A serial link, one direction: 16-byte flits, `flits` a tick (1.25 GHz: 20 GB/s each) or as
 * link_rate says, two message classes on virtual channels.
 *
 *    push -> queue (tx_packets) -> wire -> receive buffer (rx_flits) -> pop
 *                         ^                                              |
 *                         '---------- credits, `latency` ticks ----------'
 *
 * Packets are pushed and popped whole. A packet starts only when the receive buffer of its class
 * has room for all its flits (credits), so one class never blocks the other. Classes take turns;
 * a packet on the wire is never interrupted; within a class order is kept.
 *
 * Sent at tick t, a packet of f flits can be popped after tick t + f - 1 + latency at one flit a
 * tick. At another rate flits follow each other on the wire without gaps, also within a tick,
 * and `latency` counts from the tick in which the last flit ends.
 *
 * Order of calls in a tick: all pushes and pops before link_tick(link, now), or all behind it.
 * now grows with every call; ticks may be left out while link_idle. Source: NSU paper, Table 2
 * (20 GB/s each way); credits: section 4.3's argument, applied to links.
 */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>

#include "packet.h"
#include "trouble.h"

enum {
  LINK_CLASSES = 2,
  LINK_MAX_LATENCY = 63,
  LINK_MIN_FLITS = 64,
  LINK_MAX_FLITS = 256,
  LINK_TYPES = 16,
  LINK_MAX_RATE = 16
};

/* flits: a tick, unless link_rate says something else. latency: ticks of SerDes and wire.
 * tx_packets: queue of the sender. rx_flits: receive buffer; the largest packet has 58 flits. */
typedef struct link_config {
#define KEYS_AS_FIELDS
#include "key_list.h"
#include "link_keys.def"
} link_config_t;

typedef struct link_stats {
  uint64_t packets[LINK_TYPES], bytes[LINK_TYPES]; /* by packet type, as sent; bytes as in packet_bytes */
  uint64_t busy;                                   /* flits on the wire */
} link_stats_t;

/* A packet on the wire or in the receive buffer. at: tick after which it can be popped. */
typedef struct link_arrival {
  packet_t *packet;
  uint64_t at;
  unsigned flits;
} link_arrival_t;

typedef struct link_channel { /* one message class */
  packet_t *head, *tail;      /* waiting to be sent */
  unsigned waiting;
  unsigned credits;      /* flits of room at the receiver that the sender knows of */
  unsigned first, count; /* ring of packets on the wire or in the receive buffer */
  link_arrival_t arrival[LINK_MAX_FLITS];
  unsigned owed[LINK_MAX_LATENCY + 1]; /* credits on their way back, by tick modulo */
} link_channel_t;

typedef struct link {
  link_config_t config;
  link_stats_t stats;
  uint64_t now, free_at;            /* last tick; tick in which the wire is free */
  uint64_t flits, ticks, free_part; /* rate: flits in so many ticks; part of free_at that is taken, in 1 / flits */
  unsigned turn;                    /* class that goes first */
  unsigned held, owed;              /* packets inside; credits on their way back */
  link_channel_t channel[LINK_CLASSES];
} link_t;

link_config_t link_default_config(void);
bool link_check_config(const link_config_t *config, trouble_t *trouble);
void link_init(link_t *link, const link_config_t *config);
/* The rate from the next packet on: `flits` (1..) in `ticks` (1..2^56) ticks. */
void link_rate(link_t *link, uint64_t flits, uint64_t ticks);
void link_push(link_t *link, packet_t *packet); /* needs can_push of its class (packet_class) */
void link_tick(link_t *link, uint64_t now);
packet_t *link_pop(link_t *link, unsigned cls); /* the oldest that has arrived, NULL: none */
unsigned link_held(const link_t *link);         /* packets inside */
size_t link_describe_waits(const link_t *link, const char *name, char *text, size_t size); /* as snprintf */

static inline bool link_can_push(const link_t *link, unsigned cls) {
  return link->channel[cls].waiting < link->config.tx_packets;
}

/* The packet that link_pop would give. */
static inline packet_t *link_peek(const link_t *link, unsigned cls) {
  const link_channel_t *c = &link->channel[cls];
  return c->count && c->arrival[c->first].at <= link->now ? c->arrival[c->first].packet : NULL;
}

/* Empty, and all credits are back: ticks may be left out. */
static inline bool link_idle(const link_t *link) {
  return (link->held | link->owed) == 0;
}

#endif
