/* SPDX-License-Identifier: Apache-2.0
 *
 * What a fabric (fabric.h) is made from, what it carries and what it counts.
 */
#ifndef FABRIC_TYPES_H
#define FABRIC_TYPES_H

#include "block_engine.h"
#include "router_params.h"
#include "routes.h"

typedef struct fabric fabric_t;

/* The ports of a router that a fabric or who looks at one knows. */
/* clang-format off */
/* The ports of a router that the fabric and those who watch it use, by name. */
#define ROUTER_WIRES(X) \
  X(cfg_valid) X(cfg_dest) X(cfg_port) X(epoch) X(link) X(in_valid) X(in_flit) X(ocr_valid) X(ocr_vc) /* in X_in_t */ \
  X(cr_valid) X(cr_vc) X(out_valid) X(out_flit) X(err) X(probe_stall)                                 /* in X_out_t */ \
  X(probe_crit_port) X(probe_list_len) X(probe_list) X(probe_width)
/* clang-format on */

/* Where these ports are in X_in_t and X_out_t, as numbers of 8-byte words. */
typedef struct router_layout {
  unsigned in_words, out_words, flit_words;
#define X(name) unsigned name;
  ROUTER_WIRES(X)
#undef X
} router_layout_t;

enum { FABRIC_ANY_VC = 255, FABRIC_MAX_FLITS = 1023 };

typedef struct fabric_packet {
  uint64_t tag;          /* the sender's own, given back */
  uint64_t born;         /* cycle of its generation */
  uint16_t source, dest; /* terminals; source is filled in */
  uint16_t flits;        /* 1..FABRIC_MAX_FLITS */
  uint8_t cls;           /* message class */
  uint8_t div;           /* divergent (NUPIM paper, III-C) */
  /* FABRIC_ANY_VC: any normal VC of its class, by turns; else this one. Received: the VC it came
   * on. */
  uint8_t vc;
  uint8_t hops; /* received: routers passed, at most 15 */
} fabric_packet_t;

/* A flit or credit on a link arrives less than so many cycles after it has left. That is the
 * latency, and for a narrow link all flits that the buffer behind it may hold, one after the
 * other. */
enum { FABRIC_WHEEL = 1024 };

typedef struct fabric_config {
  const topology_t *topology; /* topology, routes and engine are kept by address, not copied */
  const routes_t *routes;
  /* [routers]: engines of block router, built with the parameters `router`. */
  const block_engine_t *const *engine;
  /* Ports and NumDest as fabric_router_params sets them. */
  router_params_t router;
  /* Called when a packet's tail has come; may send and release at its own terminal. NULL: nobody
   * asks. */
  void (*receive)(void *context, const fabric_packet_t *packet, uint64_t now);
  void *context;
  /* The engines' number of the first router; a second fabric's routers are numbered behind the
   * first's. */
  unsigned instance;
  /* 0: sinks take all that comes. Else the flits that a sink has room for in each VC, at least
   * Depth; fabric_release makes room again. */
  unsigned sink_flits;
  bool backwards; /* visits routers and terminals in the other order; for tests, as the result is the same */
} fabric_config_t;

typedef struct fabric_stats {
  uint64_t sent, received;             /* packets: given to fabric_send, given to receive */
  uint64_t sent_flits, received_flits; /* flits: on injection wires, off ejection wires */
  uint64_t hops;                       /* flits that left a router */
  uint64_t cycles, router_steps;       /* router_steps: routers that were awake, summed over cycles */
  uint64_t last_move;                  /* cycle in which a flit last left a router or came to a terminal */
} fabric_stats_t;

typedef struct fabric_port_stats {
  uint64_t flits; /* that left at this output */
  /* Cycles in which a flit could not leave, for want of a credit or for a narrow or shut link
   * (probe_stall). */
  uint64_t stalls;
} fabric_port_stats_t;

#endif
