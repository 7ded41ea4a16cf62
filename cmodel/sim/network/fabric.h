/* SPDX-License-Identifier: Apache-2.0
 *
 * A network: routers behind one engine interface, wires between them, terminals that send and
 * receive packets.
 *
 *   fabric_t *f = fabric_new(&(fabric_config_t){.topology = &t, .routes = &r, .router = p, .engine
 *   = engines,
 *                                              .receive = receive, .context = me}, &trouble);
 *   for (...) {
 *     fabric_send(f, terminal, &(fabric_packet_t){.born = fabric_now(f), .dest = d, .flits = 1, .vc
 *     = FABRIC_ANY_VC}); fabric_cycle(f);
 *   }
 *
 * fabric_cycle is cycle fabric_now(f): terminals and routers read the wires of that cycle or the
 * one before, so the order in which they are visited does not matter. A packet generated in cycle g
 * is on the injection wire in g + 1 at the earliest, and received in the cycle after its tail was
 * on the ejection wire; receive is called in that cycle. Zero load, links of latency 1: 7 + 5 *
 * (routers - 1) cycles from born to received with four stages, 5 + 3 * with two.
 *
 * Sleeping: routers without work and terminals without packets cost nothing. What is asked often is
 * counted, not searched.
 */
#ifndef FABRIC_H
#define FABRIC_H

#include "block_engine.h"
#include "router_params.h"
#include "routes.h"
#include "trouble.h"

/* The ports of a router that a fabric or who looks at one knows. */
/* clang-format off */
#define ROUTER_WIRES(X) \
  X(cfg_valid) X(cfg_dest) X(cfg_port) X(epoch) X(link) X(in_valid) X(in_flit) X(ocr_valid) X(ocr_vc) /* in X_in_t */ \
  X(cr_valid) X(cr_vc) X(out_valid) X(out_flit) X(err) X(probe_stall)                                 /* in X_out_t */ \
  X(probe_crit_port) X(probe_list_len) X(probe_list) X(probe_width)
/* clang-format on */

/* Where they are in X_in_t and X_out_t: places in 8-byte words. */
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
  /* FABRIC_ANY_VC: any normal VC of its class, by
   * turns; else this one. Received: where it came in */
  uint8_t vc;
  uint8_t hops; /* received: routers passed, at most 15 */
} fabric_packet_t;

typedef struct fabric fabric_t;

/* A flit or credit on a link arrives less than so many cycles after it has left: latency, and where
 * links are narrow all flits that the buffer behind them may hold, one after the other. */
enum { FABRIC_WHEEL = 1024 };

typedef struct fabric_config {
  const topology_t *topology; /* these three are kept by address, not copied */
  const routes_t *routes;
  /* [routers]: of block router, built with these parameters */
  const block_engine_t *const *engine;
  /* Ports and NumDest are taken from the topology: see fabric_router_params */
  router_params_t router;
  /* may send and release at its own terminal */
  void (*receive)(void *context, const fabric_packet_t *packet, uint64_t now);
  void *context;
  /* the engines' number of the first router: those of
   * a second fabric come behind the first one's */
  unsigned instance;
  /* 0: sinks take all that comes. Else: room of a sink a
   * VC, at least Depth; fabric_release makes room again */
  unsigned sink_flits;
  bool backwards; /* visit routers and terminals in the other order: for tests, the result is the same */
} fabric_config_t;

/* Router parameters for a topology: Ports and NumDest set. */
router_params_t fabric_router_params(const topology_t *t, router_params_t p);

/* NULL: trouble says why. Route tables are written when it returns. */
fabric_t *fabric_new(const fabric_config_t *config, trouble_t *trouble);
void fabric_free(fabric_t *f);

void fabric_send(fabric_t *f, unsigned terminal, const fabric_packet_t *packet); /* source queues have no limit */
/* packets there, with the one that is being sent */
uint64_t fabric_waiting(const fabric_t *f, unsigned terminal, unsigned cls);
/* with sink_flits: flits of received packets make room */
void fabric_release(fabric_t *f, unsigned terminal, unsigned vc, unsigned flits);
void fabric_cycle(fabric_t *f);
uint64_t fabric_now(const fabric_t *f); /* the cycle that fabric_cycle is going to be */
/* Cycles in which nothing moves may be left out: time goes on to `now`, by cycles as long as
 * something moves, else at once. What was sent and released since the last cycle belongs to cycle
 * `now` if nothing moved then. */
bool fabric_idle(const fabric_t *f);
void fabric_skip(fabric_t *f, uint64_t now);

typedef struct fabric_stats {
  uint64_t sent, received;             /* packets: given to fabric_send, given to receive */
  uint64_t sent_flits, received_flits; /* flits: on injection wires, off ejection wires */
  uint64_t hops;                       /* flits that left a router */
  uint64_t cycles, router_steps;       /* router_steps: routers that were awake, summed over cycles */
  uint64_t last_move;                  /* cycle in which a flit last left a router or came to a terminal */
} fabric_stats_t;

typedef struct fabric_port_stats {
  uint64_t flits; /* that left at this output */
  /* cycles in which one could not, for want of a credit
   * or for its narrow or shut link (probe_stall) */
  uint64_t stalls;
} fabric_port_stats_t;

fabric_stats_t fabric_stats(const fabric_t *f);
fabric_port_stats_t fabric_port_stats(const fabric_t *f, unsigned router, unsigned port);
uint64_t fabric_router_flits(const fabric_t *f, unsigned router); /* that left at any of its outputs */
void fabric_clear_stats(fabric_t *f);                             /* of ports, to leave the warm-up out */

/* packets that have begun to leave their source and are not received */
uint64_t fabric_in_flight(const fabric_t *f);
void *fabric_state(const fabric_t *f, unsigned router);             /* the engine's */
const uint64_t *fabric_outputs(const fabric_t *f, unsigned router); /* X_out_t of the present cycle */
const router_layout_t *fabric_layout(const fabric_t *f);            /* what is where in it */

/* A flit that came wrong, a router's error output, an engine
 * that failed: one line, from then on. NULL: none. */
const trouble_t *fabric_fault(const fabric_t *f);

/* Nothing has moved for `cycles` though packets are in flight. */
bool fabric_stuck(const fabric_t *f, uint64_t cycles);
/* Who waits for whom, as snprintf: the cycle of
 * channels if there is one, else packets that wait. */
size_t fabric_describe_waits(const fabric_t *f, char *text, size_t size);

#endif
