/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads counters and critical lists through the routers' probe ports.
 */
#include "network_look.h"

#include <stdio.h>
#include <stdlib.h>

#include "link_widths.h"

/* One output port: its counters, and its width and criticality now. */
static network_link_t link_of(const fabric_t *f, const topology_t *t, const router_params_t *params, unsigned router,
                              unsigned p) {
  const topology_port_t *port = topology_port(t, router, p);
  fabric_port_stats_t s = fabric_port_stats(f, router, p);
  return (network_link_t){.router = (uint16_t)router,
                          .peer = port->peer,
                          .port = (uint8_t)p,
                          .terminal = port->kind == PORT_TERMINAL,
                          .critical =
                              params->Crit && fabric_outputs(f, router)[fabric_layout(f)->probe_crit_port] >> p & 1,
                          .width = (uint8_t)(params->Width ? 1U << link_width_now(f, router, p) : 1),
                          .flits = s.flits,
                          .stalls = s.stalls};
}

/* Two passes: links between routers come first in the list, then those to terminals. */
static bool look_at_links(network_look_t *l, const fabric_t *f, const topology_t *t, const router_params_t *params) {
  if (!(l->link = calloc((size_t)t->routers * t->ports, sizeof *l->link))) return false;
  for (unsigned terminals = 0; terminals < 2; terminals++) {
    for (unsigned i = 0; i < t->routers * t->ports; i++)
      if (t->port[i].kind == (terminals ? PORT_TERMINAL : PORT_LINK))
        l->link[l->links++] = link_of(f, t, params, i / t->ports, i % t->ports);
    if (!terminals) l->router_links = l->links;
  }
  return true;
}

/* A byte of probe_list is a pair: input in the upper four bits, output in the lower. */
critical_pair_t *network_look_pairs(const fabric_t *f, const topology_t *t, const router_params_t *params,
                                    unsigned *count) {
  *count = 0;
  critical_pair_t *pair = calloc((size_t)t->routers * (size_t)params->ListLen + 1, sizeof *pair);
  for (unsigned router = 0; pair && params->Crit && router < t->routers; router++) {
    const uint64_t *out = fabric_outputs(f, router);
    const uint8_t *list = (const uint8_t *)&out[fabric_layout(f)->probe_list];
    for (unsigned place = 0; place < out[fabric_layout(f)->probe_list_len]; place++)
      pair[(*count)++] = (critical_pair_t){(uint16_t)router, list[place] >> 4, list[place] & 15, (uint8_t)place};
  }
  return pair;
}

/* Paths are joined by the stalls of the links that were just read. */
bool network_look(network_look_t *l, const fabric_t *f, const topology_t *t, const router_params_t *params) {
  uint64_t *stalls = calloc((size_t)t->routers * t->ports, sizeof *stalls);
  bool good = stalls && look_at_links(l, f, t, params) && (l->pair = network_look_pairs(f, t, params, &l->pairs));
  for (unsigned i = 0; good && i < l->links; i++)
    stalls[l->link[i].router * t->ports + l->link[i].port] = l->link[i].stalls;
  good = good && critical_paths(&l->paths, t, l->pair, l->pairs, stalls);
  free(stalls);
  return good;
}

void network_look_free(network_look_t *l) {
  critical_paths_free(&l->paths);
  free(l->link);
  free(l->pair);
  *l = (network_look_t){0};
}

void network_look_engines(engines_t *engines, const topology_t *t, unsigned subnets, const capture_t *capture,
                          network_compared_t *c) {
  engines_settle(engines);
  *c = (network_compared_t){.divergences = engines_divergences(engines)};
  for (unsigned n = 0; n < subnets * t->routers; n++) {
    engines_report_t report;
    engines_report(engines, n, &report);
    c->cycles += report.compared;
    c->routers += report.engine == ENGINE_LOCKSTEP;
    if (!report.diverged || *c->first) continue;
    int used = snprintf(c->first, sizeof c->first, "router %s", t->name[n % t->routers]);
    if (subnets > 1) used += snprintf(c->first + used, sizeof c->first - (size_t)used, " of subnet %u", n / t->routers);
    snprintf(c->first + used, sizeof c->first - (size_t)used, ", its cycle %llu: %.420s",
             (unsigned long long)report.first_cycle, report.first);
    trouble_t trouble = {0};
    if (capture->folder && engines_capture(engines, n, capture, c->replay, sizeof c->replay, &trouble)) continue;
    if (trouble.kind) fprintf(stderr, "lockstack: no replay file: %s\n", trouble.text);
    *c->replay = 0;
  }
}
