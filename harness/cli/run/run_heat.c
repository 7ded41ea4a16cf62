/* SPDX-License-Identifier: Apache-2.0
 *
 * A run's tables `links` and `pairs`, as `network` would have looked at its network, go to
 * draw_heat.
 */
#include "run_heat.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "draw.h"
#include "network.h"
#include "part.h"
#include "part_network.h"
#include "run_counts.h"

/* The network whose nodes have SMs; COMPOSITION_PARTS: the system has none. */
static unsigned find_network(const composition_t *c) {
  for (unsigned i = 0; i < c->parts; i++)
    if (c->part[i].kind == &part_network && part_network_has_sms(c, i)) return i;
  return COMPOSITION_PARTS;
}

bool run_heat_check(const char *folder, const simulate_job_t *job, trouble_t *trouble) {
  const composition_t *c = &job->system.composition;
  if (find_network(c) < COMPOSITION_PARTS) return draw_check(folder, trouble);
  return trouble_set(trouble, TROUBLE_INPUT, "--heat: %s has no SMs at nodes of a network; nupim has", c->name);
}

/* Fills `look` with the rows of one subnet. Links between routers come first in the table, then
 * those to terminals. False: out of memory. */
static bool look_of(network_look_t *look, const simulate_result_t *r, const simulate_job_t *job, unsigned subnet,
                    const topology_t *t) {
  const system_table_t *links = run_counts_table(&job->system.composition, &r->stats, "links", NULL),
                       *pairs = run_counts_table(&job->system.composition, &r->stats, "pairs", NULL);
  const part_network_link_t *link = links ? (const part_network_link_t *)links->value : NULL;
  const part_network_pair_t *pair = pairs ? (const part_network_pair_t *)pairs->value : NULL;
  *look = (network_look_t){0};
  look->link = calloc((links ? links->rows : 0) + 1, sizeof *look->link);
  look->pair = calloc((pairs ? pairs->rows : 0) + 1, sizeof *look->pair);
  if (!look->link || !look->pair) return false;
  for (unsigned i = 0; links && i < links->rows; i++) {
    const topology_port_t *port = topology_port(t, (unsigned)link[i].router, (unsigned)link[i].port);
    if (link[i].subnet != subnet) continue;
    look->link[look->links++] = (network_link_t){.router = (uint16_t)link[i].router,
                                                 .peer = port->peer,
                                                 .port = (uint8_t)link[i].port,
                                                 .terminal = port->kind == PORT_TERMINAL,
                                                 .critical = link[i].critical,
                                                 .width = (uint8_t)link[i].width,
                                                 .flits = link[i].flits,
                                                 .stalls = link[i].stalls};
    look->router_links += port->kind == PORT_LINK; /* these come first */
  }
  for (unsigned i = 0; pairs && i < pairs->rows; i++)
    if (pair[i].subnet == subnet)
      look->pair[look->pairs++] = (critical_pair_t){(uint16_t)pair[i].router, (uint8_t)pair[i].in, (uint8_t)pair[i].out,
                                                    (uint8_t)pair[i].place};
  return true;
}

bool run_heat_draw(const char *folder, const simulate_job_t *job, const simulate_result_t *r, trouble_t *trouble) {
  static const char *const of[] = {"-requests", "-answers"};
  const composition_t *c = &job->system.composition;
  const network_config_t *config = composition_kind_values_const(c, &part_network);
  const uint64_t cycles = (uint64_t)(r->stats.time_ns * composition_mhz(c, find_network(c), PART_NETWORK_CLOCK) / 1000);
  topology_t t;
  if (!network_topology(config, &t, trouble)) return false;
  bool good = true;
  for (unsigned subnet = 0; good && subnet < config->subnets; subnet++) {
    char name[96], title[160];
    network_look_t look;
    const char *policy = network_policy_name(config->policy);
    snprintf(name, sizeof name, "%s-%s%s", job->workload->name, policy, config->subnets > 1 ? of[subnet] : "");
    snprintf(title, sizeof title, "%s, policy %s%s", job->workload->name, policy,
             config->subnets > 1 ? (subnet ? ", answers" : ", requests") : "");
    good = look_of(&look, r, job, subnet, &t)
               ? draw_heat(folder, &(draw_heat_t){name, title, &t, &look, cycles, 0}, trouble)
               : trouble_memory(trouble);
    network_look_free(&look);
  }
  topology_free(&t);
  return good;
}
