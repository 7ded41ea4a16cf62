/* SPDX-License-Identifier: Apache-2.0
 *
 * What is connected to what: routers with numbered ports, links between ports, terminals at
 * ports.
 *
 *    topology_t t;
 *    trouble_t trouble = {0};
 *    if (!topology_parse(&t, "mesh:8x8", &trouble)) ...  bad input: trouble says why
 *    topology_free(&t);
 *
 * Spec: mesh:XxY, torus:XxY[xZ...], ring:N, hypercube:N, full:N, tree, tree:AxB[xC...], or the
 * path of a YAML file (README.md of this folder). A router's port numbers are its terminals, then
 * its links:
 *
 *    mesh         -x +x -y +y; routers at the edge leave ports open. Router x + y * X is at (x, y)
 *    torus        as a mesh's, for each dimension - and +; a ring is a torus of one. A dimension of
 *                 two has two parallel links, one of one router none
 *    hypercube    by dimension
 *    full         by the other router's number
 *    trees        parent, then children
 *    files        in the order of the file
 *
 * A packet that passes a dateline link goes on one VC further (routes.h).
 */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

enum { TOPOLOGY_MAX_ROUTERS = 1024, TOPOLOGY_MAX_TERMINALS = 1024, TOPOLOGY_MAX_PORTS = 16, TOPOLOGY_MAX_LATENCY = 60 };

/* Dimensions of a torus. TOPOLOGY_RING: routers of a dimension from which on its routes wait for
 * each other all round, so that it has a dateline. */
enum { TOPOLOGY_MAX_DIMS = 7, TOPOLOGY_RING = 5 };

/* What topology_parse knows besides files: name, how it is written, an example. */
#define TOPOLOGY_FORMS(X)                      \
  X("mesh", "mesh:XxY", "mesh:8x8")            \
  X("torus", "torus:XxY", "torus:8x8")         \
  X("ring", "ring:N", "ring:8")                \
  X("hypercube", "hypercube:N", "hypercube:3") \
  X("full", "full:N", "full:4")                \
  X("tree", "tree or tree:AxB", "tree:4x2")

typedef enum {
  TOPOLOGY_MESH,
  TOPOLOGY_TORUS,
  TOPOLOGY_HYPERCUBE,
  TOPOLOGY_FULL,
  TOPOLOGY_TREE,
  TOPOLOGY_FILE
} topology_kind_t;
typedef enum { PORT_OPEN, PORT_LINK, PORT_TERMINAL } port_kind_t;

typedef struct topology_port {
  uint8_t kind;      /* port_kind_t */
  uint8_t peer_port; /* link: port number at the other end */
  uint8_t latency;   /* link: cycles, both ways alike; 1: the next router sees the wire itself */
  uint8_t interval;  /* link: cycles that a flit takes of it; 0, 1: one, as it leaves the router; more: narrow */
  bool dateline;     /* link: flits go on one VC further, both ways alike */
  uint16_t peer;     /* link: router at the other end; terminal: its number */
} topology_port_t;

typedef struct topology_terminal {
  uint16_t router;
  uint8_t port;
} topology_terminal_t;

typedef struct topology {
  topology_kind_t kind;
  unsigned routers, terminals;
  unsigned ports;                   /* of the largest router: what the routers are built with */
  unsigned width, height;           /* of a mesh; else 0 */
  unsigned dims;                    /* of a hypercube or a torus; else 0 */
  unsigned size[TOPOLOGY_MAX_DIMS]; /* of a torus: routers of a dimension, X first */
  topology_port_t *port;            /* [routers][ports] */
  topology_terminal_t *terminal;
  uint16_t *parent; /* of a tree: router above, for the root its own number; else NULL */
  char (*name)[16]; /* of routers: "0", "M0", or as in the file */
} topology_t;

/* Each of these makes a topology, to be freed. False: trouble says why, and there is nothing to
 * free. */
bool topology_parse(topology_t *t, const char *spec, trouble_t *trouble);
bool topology_mesh(topology_t *t, unsigned width, unsigned height, trouble_t *trouble);
/* Routers are numbered as a mesh's, X first. A dimension of TOPOLOGY_RING routers or more has its
 * dateline at the link from its last router to its first. */
bool topology_torus(topology_t *t, const unsigned *size, unsigned dims, trouble_t *trouble);
/* latency: of every link. terminals: at each router; terminal number = router * terminals +
 * port. */
bool topology_hypercube(topology_t *t, unsigned dims, unsigned terminals, unsigned latency, trouble_t *trouble);
/* A link between every two routers, one terminal a router. */
bool topology_full(topology_t *t, unsigned routers, trouble_t *trouble);
/* fanout[0] children below the root, fanout[1] below each of them ...; one terminal a router. */
bool topology_tree(topology_t *t, const unsigned *fanout, unsigned levels, trouble_t *trouble);
/* The system of the NUPIM paper: central module M0 with eight stacks, M1 to M8 around it. */
bool topology_modules(topology_t *t, trouble_t *trouble);
bool topology_file(topology_t *t, const char *path, trouble_t *trouble);
void topology_free(topology_t *t);

/* Building one by hand: a topology without links or terminals, then these. False: out of memory.
 * Routers are called by their numbers until `name` says something else. Terminals get the next
 * number; a link goes both ways, `latency` cycles each. */
bool topology_begin(topology_t *t, topology_kind_t kind, unsigned routers, unsigned ports, unsigned terminals);
void topology_add_terminal(topology_t *t, unsigned router, unsigned port);
void topology_add_link(topology_t *t, unsigned a, unsigned port_a, unsigned b, unsigned port_b, unsigned latency);
/* The link at this port, in both directions. */
void topology_set_dateline(topology_t *t, unsigned router, unsigned port);

/* The same routers and links, with `terminals` terminals where there was one (number: the old
 * one's * terminals + which) and every link's latency times `latency`. False: a router would
 * have too many ports, or a link too long a way; then the topology is as it was. */
bool topology_spread(topology_t *t, unsigned terminals, unsigned latency, trouble_t *trouble);

static inline const topology_port_t *topology_port(const topology_t *t, unsigned router, unsigned port) {
  return &t->port[router * t->ports + port];
}

unsigned topology_links(const topology_t *t); /* one-way links between routers */
bool topology_has_datelines(const topology_t *t);
/* Links from the router to the one behind this port, which is a link's: 1, or more in parallel. */
unsigned topology_parallel(const topology_t *t, unsigned router, unsigned port);

#endif
