/* SPDX-License-Identifier: Apache-2.0
 *
 * A path begins at a pair that no other pair leads to. Pairs may also form a ring: routers'
 * trackers can make one although no route does. A ring's path begins at any of its pairs.
 *
 *   pair (router, in, out):   in -> [router] -> out ==link==> in -> [router] -> out
 *                             one pair                        the next pair of the path
 */
#include "critical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct join {
  const topology_t *t;
  const critical_pair_t *pair;
  const uint64_t *stalls;
  unsigned pairs;
  bool *used;
} join_t;

/* Cycles in which a flit could not leave by this output. */
static uint64_t stalls_at(const join_t *j, unsigned router, unsigned port) {
  return j->stalls[router * j->t->ports + port];
}

/* Does the link of a's output end at b's input? */
static bool leads_to(const join_t *j, const critical_pair_t *a, const critical_pair_t *b) {
  const topology_port_t *p = topology_port(j->t, a->router, a->out);
  return p->kind == PORT_LINK && p->peer == b->router && p->peer_port == b->in;
}

/* No pair leads to this one. */
static bool starts_path(const join_t *j, unsigned i) {
  for (unsigned k = 0; k < j->pairs; k++)
    if (leads_to(j, &j->pair[k], &j->pair[i])) return false;
  return true;
}

/* The pair after i, of those that no path has: the one with the most stalls. j->pairs: none. */
static unsigned next_on_path(const join_t *j, unsigned i) {
  unsigned best = j->pairs;
  for (unsigned k = 0; k < j->pairs; k++) {
    if (j->used[k] || !leads_to(j, &j->pair[i], &j->pair[k])) continue;
    if (best == j->pairs ||
        stalls_at(j, j->pair[k].router, j->pair[k].out) > stalls_at(j, j->pair[best].router, j->pair[best].out))
      best = k;
  }
  return best;
}

/* The path from pair `start` on. Its weight includes the stalls of the link that leads to its first
 * pair. */
static void add_path(join_t *j, critical_paths_t *paths, unsigned start) {
  critical_path_t *path = &paths->path[paths->paths++];
  *path = (critical_path_t){.first = paths->pairs};
  const topology_port_t *before = topology_port(j->t, j->pair[start].router, j->pair[start].in);
  if (before->kind == PORT_LINK) path->weight = stalls_at(j, before->peer, before->peer_port);
  for (unsigned i = start; i < j->pairs; i = next_on_path(j, i)) {
    j->used[i] = true;
    paths->pair[paths->pairs++] = j->pair[i];
    path->count++;
    path->weight += stalls_at(j, j->pair[i].router, j->pair[i].out);
  }
}

static int by_weight_down(const void *a, const void *b) {
  const critical_path_t *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
  return x->first < y->first ? -1 : x->first > y->first;
}

bool critical_paths(critical_paths_t *paths, const topology_t *t, const critical_pair_t *pair, unsigned pairs,
                    const uint64_t *stalls) {
  *paths = (critical_paths_t){0};
  join_t j = {t, pair, stalls, pairs, calloc(pairs + 1, sizeof *j.used)};
  paths->path = calloc(pairs + 1, sizeof *paths->path);
  paths->pair = calloc(pairs + 1, sizeof *paths->pair);
  bool good = j.used && paths->path && paths->pair;
  for (unsigned rings = 0; good && rings < 2; rings++)
    for (unsigned i = 0; i < pairs; i++)
      if (!j.used[i] && (rings || starts_path(&j, i))) add_path(&j, paths, i);
  if (good) qsort(paths->path, paths->paths, sizeof *paths->path, by_weight_down);
  free(j.used);
  if (!good) critical_paths_free(paths);
  return good;
}

void critical_paths_free(critical_paths_t *paths) {
  free(paths->path);
  free(paths->pair);
  *paths = (critical_paths_t){0};
}

/* ---- names ---- */

void critical_end_text(const topology_t *t, unsigned router, unsigned port, char *text, size_t size) {
  const topology_port_t *p = topology_port(t, router, port);
  if (p->kind == PORT_LINK) snprintf(text, size, "%s", t->name[p->peer]);
  else if (p->kind == PORT_TERMINAL) snprintf(text, size, "%s.%u", t->name[router], port);
  else snprintf(text, size, "-");
}

char *critical_path_text(const critical_paths_t *paths, const critical_path_t *path, const topology_t *t, char *text,
                         size_t size) {
  const critical_pair_t *p = paths->pair + path->first;
  char end[32];
  critical_end_text(t, p->router, p->in, end, sizeof end);
  size_t used = (size_t)snprintf(text, size, "%s", end);
  for (unsigned i = 0; i < path->count && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, " -> %s", t->name[p[i].router]);
  critical_end_text(t, p[path->count - 1].router, p[path->count - 1].out, end, sizeof end);
  if (used < size) snprintf(text + used, size - used, " -> %s", end);
  return text;
}

/* ---- packets ---- */

static bool is_listed_pair(const uint32_t *outs, const topology_t *t, unsigned router, unsigned in, unsigned out) {
  return outs[router * t->ports + in] >> out & 1;
}

/* Follows the route from terminal to terminal, router by router. */
static bool route_passes_pair(const uint32_t *outs, const topology_t *t, const routes_t *routes, unsigned source,
                              unsigned dest) {
  const unsigned address = routes_address(routes, source, dest);
  unsigned at = t->terminal[source].router, in = t->terminal[source].port;
  for (;;) {
    unsigned out = routes_port(routes, at, address);
    const topology_port_t *p = topology_port(t, at, out);
    if (is_listed_pair(outs, t, at, in, out)) return true;
    if (p->kind != PORT_LINK) return false;
    at = p->peer;
    in = p->peer_port;
  }
}

bool critical_packets(uint8_t *map, const topology_t *t, const routes_t *routes, const critical_pair_t *pair,
                      unsigned pairs) {
  /* [router][in]: a bit for each output with which the input makes a pair */
  uint32_t *outs = calloc((size_t)t->routers * t->ports, sizeof *outs);
  memset(map, 0, ((size_t)t->terminals * t->terminals + 7) / 8);
  if (!outs) return false;
  for (unsigned i = 0; i < pairs; i++) outs[pair[i].router * t->ports + pair[i].in] |= 1U << pair[i].out;
  for (unsigned s = 0; pairs && s < t->terminals; s++) {
    for (unsigned d = 0; d < t->terminals; d++) {
      size_t bit = (size_t)s * t->terminals + d;
      if (route_passes_pair(outs, t, routes, s, d)) map[bit / 8] |= (uint8_t)(1U << bit % 8);
    }
  }
  free(outs);
  return true;
}
