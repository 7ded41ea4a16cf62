/* SPDX-License-Identifier: Apache-2.0
 *
 * Synthetic traffic for a network: which terminal sends to which, and when.
 *
 *   traffic_t *traffic = traffic_new(&config, &topology, &routes, &trouble);
 *   each cycle: traffic_cycle(traffic, send, context);  calls send once for each packet that is
 *                                                       generated in this cycle
 *
 * Each terminal generates packets by a Bernoulli process of its own; the rate is in flits per
 * terminal and cycle. The random numbers of terminal n depend on the seed and n alone. So the
 * packets are the same whatever the network does with them.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "routes.h"
#include "topology.h"
#include "trouble.h"

/* name, text. N: terminals. */
#define TRAFFIC_PATTERNS(X)                                                            \
  X(UNIFORM, "uniform", "every terminal alike, the sender too")                        \
  X(BITCOMP, "bitcomp", "to N - 1 - n; N a power of two")                              \
  X(TRANSPOSE, "transpose", "to column x of row y from column y of row x; N a square") \
  X(HOTSPOT, "hotspot", "a share of the packets to one terminal, the rest uniform")    \
  X(TREE_SATURATION, "tree-saturation",                                                \
    "through the router most routes pass, so that the links around it become congested paths")

typedef enum {
#define X(id, name, text) TRAFFIC_##id,
  TRAFFIC_PATTERNS(X)
#undef X
      TRAFFIC_NUM_PATTERNS
} traffic_pattern_t;

typedef struct traffic_config {
  traffic_pattern_t pattern;
  /* flits per terminal and cycle: above 0, at most 1 (hotspot: what each terminal offers) */
  double rate;
  unsigned flits_least, flits_most; /* flits a packet, each length alike often: 1..1023 */
  unsigned classes;                 /* 1 or 2: packets take turns at random */
  double divergent;                 /* share of packets with the divergence bit: 0..1 */
  unsigned hotspot;                 /* terminal */
  double hotspot_share;             /* 0..1 */
  uint64_t seed;
} traffic_config_t;

typedef struct traffic_packet {
  uint16_t source, dest; /* terminals */
  uint16_t flits;
  uint8_t cls;
  bool divergent;
} traffic_packet_t;

typedef struct traffic traffic_t;

const char *traffic_pattern_name(traffic_pattern_t pattern);
const char *traffic_pattern_text(traffic_pattern_t pattern);
/* False: no pattern has this name. */
bool traffic_pattern_find(const char *name, traffic_pattern_t *pattern);

/* topology and routes are used during the call only. NULL: trouble says which value is wrong and
 * what would be right, or that memory is short. */
traffic_t *traffic_new(const traffic_config_t *config, const topology_t *topology, const routes_t *routes,
                       trouble_t *trouble);
void traffic_free(traffic_t *traffic);
/* One cycle of all terminals, in the order of their numbers. */
void traffic_cycle(traffic_t *traffic, void (*send)(void *context, const traffic_packet_t *packet), void *context);

/* The centre of tree-saturation: the router that the routes of most pairs of terminals pass, of
 * equals the lowest number. */
unsigned traffic_centre(const topology_t *topology, const routes_t *routes);

#endif
