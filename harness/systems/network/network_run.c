/* SPDX-License-Identifier: Apache-2.0
 *
 * One network run. What is opened is closed in the reverse order, whatever happens in between.
 */
#include "network_run.h"

#include <stdlib.h>

typedef struct run {
  const network_job_t *job;
  network_result_t *result;
  engines_t *engines;
  fabric_t *fabric;
  uint8_t *packets; /* critical_packets of the pairs that are asked about */
  bool out_of_memory;
} run_t;

/* ---- called by the measurement ---- */

static bool is_critical_packet(void *context, unsigned source, unsigned dest) {
  const run_t *run = context;
  return critical_packet(run->packets, run->job->topology->terminals, source, dest);
}

/* From here on is_critical_packet answers: for the pairs the job asks about, else for those in the
 * routers' lists now. */
static void on_warm(void *context) {
  run_t *run = context;
  const network_job_t *job = run->job;
  unsigned count = job->num_asked;
  critical_pair_t *own = job->asked ? NULL : network_look_pairs(run->fabric, job->topology, &job->params, &count);
  if (!job->asked && !own) run->out_of_memory = true;
  else if (!critical_packets(run->packets, job->topology, job->routes, own ? own : job->asked, count))
    run->out_of_memory = true;
  run->result->asked = count;
  free(own);
}

/* Looks at the routers before draining changes their counts. Called again at the run's end, where
 * it does nothing if it has looked. */
static void on_done(void *context) {
  run_t *run = context;
  network_result_t *r = run->result;
  if (!r->look.link && !network_look(&r->look, run->fabric, run->job->topology, &run->job->params))
    run->out_of_memory = true;
}

static bool on_progress(void *context, uint64_t cycle) {
  run_t *run = context;
  return !run->out_of_memory &&
         (!run->job->measure.progress || run->job->measure.progress(run->job->progress_context, cycle));
}

/* ---- the run ---- */

/* Runs, and turns the way it ended into an outcome. */
static outcome_t run_measurement(run_t *run, measure_t *m, trouble_t *trouble) {
  bool good = measure_run(m, run->fabric, &run->result->measured, trouble);
  on_done(run); /* when the run ended early */
  run->result->flit_hops = fabric_stats(run->fabric).hops;
  run->result->router_cycles = run->result->measured.cycles * run->job->topology->routers;
  if (run->out_of_memory) good = trouble_memory(trouble);
  if (good) return OUTCOME_PASS;
  if (trouble->kind == TROUBLE_ENVIRONMENT) return OUTCOME_INFRA;
  return run->result->measured.deadlock ? OUTCOME_STUCK : OUTCOME_DIVERGED;
}

static outcome_t run_fabric(run_t *run, traffic_t *traffic, trouble_t *trouble) {
  const network_job_t *job = run->job;
  measure_config_t config = job->measure;
  config.critical = is_critical_packet, config.warm = on_warm, config.done = on_done, config.progress = on_progress,
  config.context = run;
  /* links that change their width stand still */
  if (job->params.Width) config.stuck = 20000 + 2 * (uint64_t)job->params.Penalty;
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
                             trouble);
  else trouble_memory(trouble);
  if (run->fabric) {
    outcome = run_measurement(run, m, trouble);
    network_look_engines(run->engines, job->topology, 1, &job->capture, &run->result->compared);
  }
  fabric_free(run->fabric);
  measure_free(m);
  free(run->packets);
  return outcome;
}

outcome_t network_run(const network_job_t *job, network_result_t *result, trouble_t *trouble) {
  *result = (network_result_t){0};
  if (!router_params_check(&job->params, trouble)) return OUTCOME_BAD_INPUT;
  run_t run = {.job = job, .result = result};
  traffic_t *traffic = traffic_new(&job->traffic, job->topology, job->routes, trouble);
  if (!traffic) return trouble->kind == TROUBLE_INPUT ? OUTCOME_BAD_INPUT : OUTCOME_INFRA;
  engines_config_t config = {.places = job->places,
                             .rtl = job->rtl,
                             .engine = job->engine,
                             .count = job->topology->routers,
                             .seed = job->capture.seed};
  outcome_t outcome = OUTCOME_PASS;
  if (!router_engine_config(&config, &job->params, trouble) || !engines_open(&run.engines, &config, trouble))
    outcome = outcome_of(trouble);
  if (outcome == OUTCOME_PASS) outcome = run_fabric(&run, traffic, trouble);
  engines_close(run.engines);
  traffic_free(traffic);
  return outcome;
}

void network_result_free(network_result_t *r) {
  measure_result_free(&r->measured);
  network_look_free(&r->look);
  *r = (network_result_t){0};
}
