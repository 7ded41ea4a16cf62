/* SPDX-License-Identifier: Apache-2.0
 *
 * The closed loop: for each policy a run for each seed, then one report.
 */
#include "network_closed.h"

#include <stdlib.h>

#include "closed_report.h"
#include "lockstep_verbs.h"
#include "progress.h"
#include "replay_window.h"

/* Epochs of warm-up, and measured epochs, where the user says nothing. */
enum { EPOCHS_BEFORE = 2, EPOCHS = 20 };

/* A closed loop as the verb runs it: several runs, one progress line. */
typedef struct closed_verb {
  const network_options_t *options;
  const topology_t *topology;
  progress_t progress;
  uint64_t before; /* cycles of runs that are over */
} closed_verb_t;

/* Cycles of warm-up: --warm-up, or EPOCHS_BEFORE epochs. */
static uint64_t closed_warmup(const network_options_t *o, const router_params_t *p) {
  return o->warm ? o->warmup : EPOCHS_BEFORE * (uint64_t)p->EpochCycles;
}

/* Measured cycles: --cycles, or EPOCHS epochs. */
static uint64_t closed_cycles(const network_options_t *o, const router_params_t *p) {
  return o->cycles ? o->cycles : EPOCHS * (uint64_t)p->EpochCycles;
}

/* Progress in router-cycles over all runs and subnets; false stops the run. */
static bool on_progress(void *context, uint64_t cycle) {
  closed_verb_t *v = context;
  progress_update(&v->progress, (v->before + cycle) * v->topology->routers * v->options->subnets);
  return !cli_interrupted;
}

/* One policy with each seed. The capture takes the same seed, so that a replay file says which. 0,
 * or an exit code after a line. */
static int run_seeds(closed_verb_t *v, closed_job_t *job, closed_policy_run_t *run) {
  const network_options_t *o = v->options;
  trouble_t trouble = {0};
  outcome_t outcome = OUTCOME_PASS;
  for (unsigned i = 0; i < o->seeds && outcome == OUTCOME_PASS && !cli_interrupted; i++) {
    job->load.seed = o->load.seed + i;
    job->capture.seed = job->load.seed;
    closed_result_t *result = &run->result[run->results++];
    outcome = closed_run(job, result, &trouble);
    v->before += result->cycles;
  }
  return outcome == OUTCOME_PASS
             ? 0
             : cli_error((cli_exit_t)trouble.kind, "policy %s: %s%s", network_policy_name(run->policy), trouble.text,
                         run->result[run->results - 1].waits);
}

/* All policies, until one fails. The progress counts the router-cycles that all of them will
 * take. */
static int run_policies(closed_verb_t *v, closed_job_t *job, closed_report_t *report) {
  const network_options_t *o = v->options;
  uint64_t all = 0;
  for (unsigned i = 0; i < o->policies; i++) {
    const router_params_t p = network_options_params(o, o->policy[i], v->topology);
    all += o->seeds * (closed_warmup(o, &p) + closed_cycles(o, &p)) * v->topology->routers * o->subnets;
  }
  progress_start(&v->progress, "network", "router-cycles", all);
  int code = 0;
  for (unsigned i = 0; i < o->policies && !code && !cli_interrupted; i++) {
    closed_policy_run_t *run = &report->run[report->runs++];
    run->policy = o->policy[i];
    run->params = job->params = network_options_params(o, run->policy, v->topology);
    job->warmup = closed_warmup(o, &job->params), job->cycles = closed_cycles(o, &job->params);
    /* links that change their width stand still */
    job->stuck = 20000 + 2 * (uint64_t)(job->params.Width ? job->params.Penalty : 0);
    code = run_seeds(v, job, run);
  }
  progress_end(&v->progress);
  return code;
}

/* The report and the JSON, of whatever is known. */
static int finish_closed(cli_t *cli, const closed_report_t *report, int code) {
  closed_report_print(report, cli->out);
  if (!code && !cli_interrupted && !closed_report_held(report)) code = EXIT_BROKEN;
  if (cli_interrupted && !code) code = cli_error(EXIT_ENV, "interrupted; what is known until then was reported");
  json_t *root = cli_json("network_closed", 1);
  closed_report_json(root, report, replay_window);
  return cli_finish(cli, root, (cli_exit_t)code);
}

int network_closed(cli_t *cli, const network_options_t *o, const topology_t *topology, const routes_t *routes,
                   const engine_t *engine, const capture_t *capture) {
  trouble_t trouble = {0};
  if (!closed_config_check(&o->load, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "--closed: %s would be right", trouble.text);
  closed_verb_t v = {.options = o, .topology = topology};
  closed_report_t report = {
      .name = o->topology, .topology = topology, .load = &o->load, .subnets = o->subnets, .engine = engine};
  closed_job_t job = {.topology = topology,
                      .routes = routes,
                      .subnets = o->subnets,
                      .engine = engine,
                      .places = &capture->places,
                      .rtl = o->rtl,
                      .capture = *capture,
                      .load = o->load,
                      .progress = on_progress,
                      .progress_context = &v};
  if (!(report.run = calloc(NUM_POLICIES, sizeof *report.run))) return cli_error(EXIT_ENV, "out of memory");
  int code = run_policies(&v, &job, &report);
  if (code != EXIT_BAD) code = finish_closed(cli, &report, code);
  for (unsigned i = 0; i < report.runs; i++)
    for (unsigned k = 0; k < report.run[i].results; k++) closed_result_free(&report.run[i].result[k]);
  free(report.run);
  return code;
}
