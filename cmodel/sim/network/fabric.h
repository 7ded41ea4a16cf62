/* SPDX-License-Identifier: Apache-2.0
 *
 * A network: routers behind one engine interface, wires between them, terminals that send and
 * receive packets.
 *
 *    fabric_t *f = fabric_new(&(fabric_config_t){.topology = &t, .routes = &r, .router = p,
 *                                                .engine = engines, .receive = receive,
 *                                                .context = me}, &trouble);
 *    for (...) {
 *      fabric_send(f, terminal, &(fabric_packet_t){.born = fabric_now(f), .dest = d, .flits = 1,
 *                                                  .vc = FABRIC_ANY_VC});
 *      fabric_cycle(f);
 *    }
 *
 * fabric_cycle is cycle fabric_now(f): terminals and routers read the wires of that cycle or the
 * one before, so the order in which they are visited does not matter.
 *
 *    generated in g -> on the injection wire in g + 1 at the earliest -> routers
 *    -> tail on the ejection wire in e -> receive is called in e + 1
 *
 * Zero load, links of latency 1: 7 + 5 * (routers - 1) cycles from born to received with four
 * stages, 5 + 3 * (routers - 1) with two.
 *
 * Sleeping: routers without work and terminals without packets cost nothing. What is asked often
 * is counted, not searched.
 */
#ifndef FABRIC_H
#define FABRIC_H

#include "fabric_types.h"
#include "trouble.h"

/* Router parameters for a topology: Ports and NumDest set, and KeepVC where there are datelines. */
router_params_t fabric_router_params(const topology_t *t, router_params_t p);
/* router_params_check, and whether a class has the VCs that datelines need. False: bad input. */
bool fabric_params_check(const routes_t *routes, const router_params_t *p, trouble_t *trouble);
/* Of the VCs on which this flow may start, the one that belongs to `path`, any number. */
unsigned fabric_flow_vc(const fabric_t *f, unsigned source, unsigned dest, unsigned cls, unsigned path);

/* NULL: trouble says why. Route tables are written when it returns. */
fabric_t *fabric_new(const fabric_config_t *config, trouble_t *trouble);
void fabric_free(fabric_t *f);

/* Adds a packet to a terminal's source queue, which has no limit. A bad packet is a
 * fabric_fault. */
void fabric_send(fabric_t *f, unsigned terminal, const fabric_packet_t *packet);
/* Packets in a source queue, with the one that is being sent. */
uint64_t fabric_waiting(const fabric_t *f, unsigned terminal, unsigned cls);
/* With sink_flits: so many flits of received packets have left the sink, and make room. */
void fabric_release(fabric_t *f, unsigned terminal, unsigned vc, unsigned flits);
void fabric_cycle(fabric_t *f);
uint64_t fabric_now(const fabric_t *f); /* the cycle that the next fabric_cycle is */
/* Nothing moves: cycles may be left out. fabric_skip brings time to `now`, by cycles as long as
 * something moves, else at once. What was sent and released since the last cycle belongs to
 * cycle `now` if nothing moved then. */
bool fabric_idle(const fabric_t *f);
void fabric_skip(fabric_t *f, uint64_t now);

fabric_stats_t fabric_stats(const fabric_t *f);
fabric_port_stats_t fabric_port_stats(const fabric_t *f, unsigned router, unsigned port);
uint64_t fabric_router_flits(const fabric_t *f, unsigned router); /* that left at any of its outputs */
void fabric_clear_stats(fabric_t *f);                             /* of ports alone, to leave a warm-up out */

/* Packets that have begun to leave their source and are not received. */
uint64_t fabric_in_flight(const fabric_t *f);
void *fabric_state(const fabric_t *f, unsigned router);             /* the state of the router's engine */
const uint64_t *fabric_outputs(const fabric_t *f, unsigned router); /* X_out_t of the present cycle */
const router_layout_t *fabric_layout(const fabric_t *f);            /* where its ports are in X_out_t */

/* The first fault: a flit that came wrong, a router's error output, an engine that failed. NULL:
 * none. */
const trouble_t *fabric_fault(const fabric_t *f);

/* Packets are in flight, and nothing has moved for more than `cycles`. */
bool fabric_stuck(const fabric_t *f, uint64_t cycles);
/* Who waits for whom: the cycle of channels if there is one, then packets. As snprintf. */
size_t fabric_describe_waits(const fabric_t *f, char *text, size_t size);

#endif
