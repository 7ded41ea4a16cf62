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

const char *network_policy_name(network_policy_t policy) {
  return policy_names[policy];
}

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
  if (p->Width && !p->OutDepth) p->OutDepth = NETWORK_OUT_DEPTH;
  p->Dist = policy == POLICY_DIST;
  if (policy == POLICY_DOUBLE) p->NumVCs *= 2;
}

typedef struct run {
  const network_job_t *job;
  network_result_t *result;
  engines_t *engines;
  fabric_t *fabric;
  uint8_t *packets; /* critical_packets of the pairs that are asked about */
  bool out_of_memory;
} run_t;

static const router_layout_t *layout(const run_t *run) {
  return fabric_layout(run->fabric);
}

/* ---- what the routers say ---- */

static network_link_t link_of(const run_t *run, unsigned router, unsigned p) {
  const router_params_t *params = &run->job->params;
  const topology_port_t *port = topology_port(run->job->topology, router, p);
  const uint64_t *out = fabric_outputs(run->fabric, router);
  const uint32_t *width = (const uint32_t *)&out[layout(run)->probe_width];
  fabric_port_stats_t s = fabric_port_stats(run->fabric, router, p);
  return (network_link_t){.router = (uint16_t)router,
                          .peer = port->peer,
                          .port = (uint8_t)p,
                          .terminal = port->kind == PORT_TERMINAL,
                          .critical = params->Crit && out[layout(run)->probe_crit_port] >> p & 1,
                          .width = params->Width ? (uint8_t)(1U << (width[p / 16] >> p % 16 * 2 & 3)) : 1,
                          .flits = s.flits,
                          .stalls = s.stalls};
}

static bool collect_links(run_t *run) {
  const topology_t *t = run->job->topology;
  network_result_t *r = run->result;
  r->link = calloc((size_t)t->routers * t->ports, sizeof *r->link);
  if (!r->link) return false;
  for (unsigned terminals = 0; terminals < 2; terminals++) {
    for (unsigned i = 0; i < t->routers * t->ports; i++)
      if (t->port[i].kind == (terminals ? PORT_TERMINAL : PORT_LINK)) r->link[r->links++] = link_of(run, i / t->ports, i % t->ports);
    if (!terminals) r->router_links = r->links;
  }
  return true;
}

/* The routers' critical lists now. */
static critical_pair_t *pairs_now(const run_t *run, unsigned *count) {
  const network_job_t *job = run->job;
  *count = 0;
  critical_pair_t *pair = calloc((size_t)job->topology->routers * (size_t)job->params.ListLen + 1, sizeof *pair);
  for (unsigned router = 0; pair && job->params.Crit && router < job->topology->routers; router++) {
    const uint64_t *out = fabric_outputs(run->fabric, router);
    const uint8_t *list = (const uint8_t *)&out[layout(run)->probe_list];
    for (unsigned place = 0; place < out[layout(run)->probe_list_len]; place++)
      pair[(*count)++] = (critical_pair_t){(uint16_t)router, list[place] >> 4, list[place] & 15, (uint8_t)place};
  }
  return pair;
}

static bool collect_pairs(run_t *run) {
  const topology_t *t = run->job->topology;
  network_result_t *r = run->result;
  uint64_t *stalls = calloc((size_t)t->routers * t->ports, sizeof *stalls);
  r->pair = pairs_now(run, &r->pairs);
  for (unsigned i = 0; stalls && i < r->links; i++) stalls[r->link[i].router * t->ports + r->link[i].port] = r->link[i].stalls;
  bool good = stalls && r->pair && critical_paths(&r->paths, t, r->pair, r->pairs, stalls);
  free(stalls);
  return good;
}

/* ---- called by the measurement ---- */

static bool on_packet(void *context, unsigned source, unsigned dest) {
  const run_t *run = context;
  return critical_packet(run->packets, run->job->topology->terminals, source, dest);
}

static void on_warm(void *context) {
  run_t *run = context;
  const network_job_t *job = run->job;
  unsigned count = job->num_asked;
  critical_pair_t *own = job->asked ? NULL : pairs_now(run, &count);
  if (!job->asked && !own) run->out_of_memory = true;
  else if (!critical_packets(run->packets, job->topology, job->routes, own ? own : job->asked, count)) run->out_of_memory = true;
  run->result->asked = count;
  free(own);
}

static void on_done(void *context) {
  run_t *run = context;
  if (!run->result->link && (!collect_links(run) || !collect_pairs(run))) run->out_of_memory = true;
}

static bool on_progress(void *context, uint64_t cycle) {
  run_t *run = context;
  return !run->out_of_memory && (!run->job->measure.progress || run->job->measure.progress(run->job->progress_context, cycle));
}

/* ---- the run ---- */

static outcome_t measured(run_t *run, measure_t *m, char *error, size_t size) {
  const char *wrong = measure_run(m, run->fabric, &run->result->measured);
  on_done(run); /* when the run ended early */
  run->result->flit_hops = fabric_stats(run->fabric).hops;
  run->result->router_cycles = run->result->measured.cycles * run->job->topology->routers;
  if (run->out_of_memory) wrong = "out of memory";
  if (!wrong) return OUTCOME_PASS;
  snprintf(error, size, "%s", wrong);
  if (run->out_of_memory || !strcmp(wrong, "out of memory")) return OUTCOME_INFRA;
  return run->result->measured.deadlock ? OUTCOME_STUCK : OUTCOME_DIVERGED;
}

/* What was compared, and the first router that differs with its replay file. */
static void compare_engines(run_t *run) {
  network_result_t *r = run->result;
  engines_settle(run->engines);
  r->divergences = engines_divergences(run->engines);
  for (unsigned n = 0; n < run->job->topology->routers; n++) {
    engines_report_t report;
    engines_report(run->engines, n, &report);
    r->compared += report.compared;
    if (!report.diverged || *r->first_divergence) continue;
    snprintf(r->first_divergence, sizeof r->first_divergence, "router %s, its cycle %llu: %.440s", run->job->topology->name[n],
             (unsigned long long)report.first_cycle, report.first);
    const char *failed = run->job->capture.folder ? engines_capture(run->engines, n, &run->job->capture, r->replay, sizeof r->replay) : "";
    if (failed) *r->replay = 0;
  }
}

static outcome_t run_fabric(run_t *run, traffic_t *traffic, char *error, size_t size) {
  const network_job_t *job = run->job;
  measure_config_t config = job->measure;
  config.critical = on_packet, config.warm = on_warm, config.done = on_done, config.progress = on_progress, config.context = run;
  if (job->params.Width) config.stuck = 20000 + 2 * (uint64_t)job->params.Penalty; /* links that change their width stand still */
  measure_t *m = measure_new(&config, traffic, job->topology->terminals);
  run->packets = calloc(((size_t)job->topology->terminals * job->topology->terminals + 7) / 8, 1);
  outcome_t outcome = OUTCOME_INFRA;
  if (m && run->packets)
    run->fabric = fabric_new(&(fabric_config_t){.topology = job->topology,
                                                .routes = job->routes,
                                                .router = job->params,
                                                .engine = engines_table(run->engines),
                                                .receive = measure_receive,
                                                .context = m},
                             error, size);
  else snprintf(error, size, "out of memory");
  if (run->fabric) {
    outcome = measured(run, m, error, size);
    compare_engines(run);
  }
  fabric_free(run->fabric);
  measure_free(m);
  free(run->packets);
  return outcome;
}

outcome_t network_run(const network_job_t *job, network_result_t *result, char *error, size_t size) {
  *result = (network_result_t){0};
  const char *wrong = router_params_check(&job->params);
  if (wrong) {
    snprintf(error, size, "%s", wrong);
    return OUTCOME_BAD_INPUT;
  }
  run_t run = {.job = job, .result = result};
  traffic_t *traffic = traffic_new(&job->traffic, job->topology, job->routes, error, size);
  if (!traffic) return OUTCOME_BAD_INPUT;
  engines_config_t config = {.places = job->places, .rtl = job->rtl, .engine = job->engine, .count = job->topology->routers};
  outcome_t outcome = router_engine_config(&config, &job->params, error, size);
  if (outcome == OUTCOME_PASS) outcome = engines_open(&run.engines, &config, error, size);
  if (outcome == OUTCOME_PASS) outcome = run_fabric(&run, traffic, error, size);
  engines_close(run.engines);
  traffic_free(traffic);
  return outcome;
}

void network_result_free(network_result_t *r) {
  measure_result_free(&r->measured);
  critical_paths_free(&r->paths);
  free(r->link);
  free(r->pair);
  *r = (network_result_t){0};
}
