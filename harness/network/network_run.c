/* SPDX-License-Identifier: Apache-2.0
 *
 * What is opened is closed in the other order, whatever happens in between.
 */
#include "network_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const policy_names[] = {
#define X(id, name, text) name,
    NETWORK_POLICIES(X)
#undef X
};

const char *network_policy_name(network_policy_t policy) { return policy_names[policy]; }

bool network_policy_find(const char *name, network_policy_t *policy) {
  for (unsigned p = 0; p < NUM_POLICIES; p++) {
    if (strcmp(name, policy_names[p]) != 0) continue;
    *policy = (network_policy_t)p;
    return true;
  }
  return false;
}

void network_policy_apply(network_policy_t policy, router_params_t *p) {
  p->Crit = policy == POLICY_CRIT || policy == POLICY_CRIT_TR || policy == POLICY_CRIT_TR_W;
  p->Tr = policy == POLICY_CRIT_TR || policy == POLICY_CRIT_TR_W;
  p->Width = policy == POLICY_CRIT_TR_W;
  p->Dist = policy == POLICY_DIST;
  if (policy == POLICY_DOUBLE) p->NumVCs *= 2;
}

/* ---- what the routers say at the end ---- */

static bool collect_links(const network_job_t *job, const fabric_t *f, const router_layout_t *at, network_result_t *r) {
  const topology_t *t = job->topology;
  r->link = calloc((size_t)t->routers * t->ports, sizeof *r->link);
  if (!r->link) return false;
  for (unsigned router = 0; router < t->routers; router++) {
    const uint64_t *out = fabric_outputs(f, router);
    for (unsigned p = 0; p < t->ports; p++) {
      const topology_port_t *port = topology_port(t, router, p);
      if (port->kind == PORT_OPEN) continue;
      fabric_port_stats_t s = fabric_port_stats(f, router, p);
      const uint32_t *width = (const uint32_t *)&out[at->probe_width];
      r->link[r->links++] = (network_link_t){
          .router = (uint16_t)router, .peer = port->peer, .port = (uint8_t)p, .flits = s.flits, .stalls = s.stalls,
          .critical = job->params.Crit && out[at->probe_crit_port] >> p & 1,
          .width = job->params.Width ? (uint8_t)(1U << (width[p / 16] >> p % 16 * 2 & 3)) : 1};
    }
  }
  return true;
}

static bool collect_pairs(const network_job_t *job, const fabric_t *f, const router_layout_t *at, network_result_t *r) {
  if (!job->params.Crit) return true;
  r->pair = calloc((size_t)job->topology->routers * (size_t)job->params.ListLen, sizeof *r->pair);
  if (!r->pair) return false;
  for (unsigned router = 0; router < job->topology->routers; router++) {
    const uint64_t *out = fabric_outputs(f, router);
    const uint8_t *list = (const uint8_t *)&out[at->probe_list];
    for (unsigned place = 0; place < out[at->probe_list_len]; place++)
      r->pair[r->pairs++] = (network_pair_t){
          .router = (uint16_t)router, .in = list[place] >> 4, .out = list[place] & 15, .place = (uint8_t)place};
  }
  return true;
}

/* ---- the run ---- */

static outcome_t run_fabric(const network_job_t *job, const router_layout_t *at, fabric_t *f, measure_t *m,
                            network_result_t *r, char *error, size_t size) {
  const char *wrong = measure_run(m, f, &r->measured);
  r->flit_hops = fabric_stats(f).hops;
  if (!collect_links(job, f, at, r) || !collect_pairs(job, f, at, r)) {
    snprintf(error, size, "out of memory");
    return OUTCOME_INFRA;
  }
  if (!wrong) return OUTCOME_PASS;
  snprintf(error, size, "%s", wrong);
  return strncmp(wrong, "stuck", 5) == 0 ? OUTCOME_STUCK : OUTCOME_DIVERGED;
}

static outcome_t run_traffic(const network_job_t *job, router_engines_t *engines, traffic_t *traffic, network_result_t *r,
                             char *error, size_t size) {
  measure_t *m = measure_new(&job->measure, traffic, job->topology->terminals);
  fabric_t *f = NULL;
  if (m)
    f = fabric_new(&(fabric_config_t){.topology = job->topology, .routes = job->routes, .router = job->params,
                                      .engine = router_engines_table(engines), .receive = measure_receive, .context = m},
                   error, size);
  else
    snprintf(error, size, "out of memory");
  outcome_t outcome = f ? run_fabric(job, router_engines_table(engines)[0]->layout, f, m, r, error, size) : OUTCOME_INFRA;
  if (f) {
    router_engines_settle(engines);
    r->divergences = router_engines_divergences(engines);
    for (unsigned n = 0; n < job->topology->routers && !r->first_divergence[0]; n++) {
      router_report_t report;
      router_engines_report(engines, n, &report);
      if (report.diverged) snprintf(r->first_divergence, sizeof r->first_divergence, "router %u: %.480s", n, report.first);
    }
  }
  fabric_free(f);
  measure_free(m);
  return outcome;
}

outcome_t network_run(const network_job_t *job, network_result_t *result, char *error, size_t size) {
  *result = (network_result_t){0};
  const char *wrong = router_params_check(&job->params);
  if (wrong) {
    snprintf(error, size, "%s", wrong);
    return OUTCOME_BAD_INPUT;
  }
  traffic_t *traffic = traffic_new(&job->traffic, job->topology, job->routes, error, size);
  if (!traffic) return OUTCOME_BAD_INPUT;
  router_engines_t *engines = NULL;
  outcome_t outcome = router_engines_open(
      &engines, &(router_engines_config_t){.places = job->places, .rtl = job->rtl, .params = &job->params,
                                           .engine = job->engine, .routers = job->topology->routers}, error, size);
  if (outcome == OUTCOME_PASS) {
    outcome = run_traffic(job, engines, traffic, result, error, size);
    router_engines_close(engines);
  }
  traffic_free(traffic);
  return outcome;
}

void network_result_free(network_result_t *r) {
  measure_result_free(&r->measured);
  free(r->link);
  free(r->pair);
}
