/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack network: latency and throughput of a network of routers under synthetic traffic.
 *
 *   options --> set_up_network: topology, routes, engines
 *      --closed:  network_closed (network_closed.c)
 *      open:      find_rates (% -> flits), find_pairs, run_policies --> finish_network
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "draw.h"
#include "judged.h"
#include "lockstep_verbs.h"
#include "names.h"
#include "network_closed.h"
#include "network_options.h"
#include "network_report.h"
#include "progress.h"
#include "replay_window.h"

/* One call of the verb. */
typedef struct network_verb {
  network_options_t options;
  topology_t topology;
  routes_t routes;
  engine_t engine[2 * TOPOLOGY_MAX_ROUTERS]; /* of two subnets one after the other */
  places_t places;
  network_report_t report;
  critical_pair_t *asked; /* --critical; NULL: each run's own */
  unsigned num_asked;
  progress_t progress;
  bool running;           /* progress has been started */
  uint64_t cycles_before; /* of runs that are over */
  uint64_t last_cycle;
  int failed; /* the exit code of a run that broke: deadlock, a wrong flit */
  char commit[64];
} network_verb_t;

/* Progress. A run's cycle count starts at 0, so a smaller cycle says that a new run began. */
static bool on_progress(void *context, uint64_t cycle) {
  network_verb_t *v = context;
  if (!v->running) progress_start(&v->progress, "network", "router-cycles", 0); /* building is not counted */
  v->running = true;
  if (cycle < v->last_cycle) v->cycles_before += v->last_cycle;
  v->last_cycle = cycle;
  progress_update(&v->progress, (v->cycles_before + cycle) * v->topology.routers);
  return !cli_interrupted;
}

/* ---- from options to jobs ---- */

/* How a divergence is recorded, shrunk and written. */
static capture_t capture_of(const network_verb_t *v) {
  const network_options_t *o = &v->options;
  return (capture_t){.folder = o->folder ? o->folder : "lockstack-out",
                     .rtl = o->rtl,
                     .places = v->places,
                     .commit = v->commit,
                     .seed = o->traffic.seed,
                     .shrink_seconds = 10};
}

/* The job of a policy, still without its rate. Policies with crit learn over epochs: their warm-up
 * is whole epochs unless --warm-up says otherwise, and at least one epoch is measured. */
static network_job_t job_of(network_verb_t *v, network_policy_t policy) {
  const network_options_t *o = &v->options;
  network_job_t job = {
      .topology = &v->topology,
      .routes = &v->routes,
      .engine = v->engine,
      .places = &v->places,
      .rtl = o->rtl,
      .params = network_options_params(o, policy, &v->topology),
      .traffic = o->traffic,
      .progress_context = v,
      .capture = capture_of(v),
      .measure = {.cycles = o->cycles, .warmup = o->warmup, .precision = o->precision, .progress = on_progress},
      .asked = v->asked,
      .num_asked = v->num_asked};
  uint64_t epoch = (uint64_t)job.params.EpochCycles;
  if (job.params.Crit && !o->warm) job.measure.warmup = (job.params.Width ? 5 : 2) * epoch;
  if (job.params.Crit) job.measure.least = epoch;
  if (o->traffic.flits_most > 10) job.measure.latency_limit = 50.0 * o->traffic.flits_most;
  return job;
}

/* Checks the router's parameters under every policy, before any run. */
static int check_params(network_verb_t *v) {
  for (unsigned i = 0; i < v->options.policies; i++) {
    router_params_t p = network_options_params(&v->options, v->options.policy[i], &v->topology);
    trouble_t trouble = {0};
    if (!fabric_params_check(&v->routes, &p, &trouble))
      return cli_error((cli_exit_t)trouble.kind, "policy %s: %s", network_policy_name(v->options.policy[i]),
                       trouble.text);
  }
  return 0;
}

/* The line of a topology that is not good. A misspelt form ("hypercub:3") was taken for a file that
 * is not there: then the nearest form is suggested. */
static int no_topology(const char *spec, const trouble_t *trouble) {
  char form[64];
  snprintf(form, sizeof form, "%.*s", (int)strcspn(spec, ":"), spec);
  return cli_error((cli_exit_t)trouble->kind, "--topology: %s%s", trouble->text,
                   access(spec, F_OK) ? names_nearest("topologies", form) : "");
}

/* Everything that is known before the first run. 0, or an exit code after a line. */
static int set_up_network(network_verb_t *v) {
  const network_options_t *o = &v->options;
  trouble_t trouble = {0};
  if (!topology_parse(&v->topology, o->topology, &trouble)) return no_topology(o->topology, &trouble);
  if (!routes_new(&v->routes, &v->topology, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "--topology: %s", trouble.text);
  network_options_fit(&v->options, &v->routes);
  for (unsigned i = 0; i < o->engines; i++)
    if (!engine_assign(o->engine[i], "router", v->engine, (o->closed ? o->subnets : 1) * v->topology.routers, false,
                       &trouble))
      return cli_error(EXIT_BAD, "--engine: %s", trouble.text);
  if (o->folder && !draw_check(o->folder, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "--out: %s", trouble.text);
  v->places = verbs_places();
  verbs_commit(v->commit, sizeof v->commit);
  return check_params(v);
}

/* ---- the pairs that are asked about ---- */

/* The line for a file that --critical cannot take. EXIT_BAD. */
static int no_file(const char *path, const char *why) {
  return cli_error(EXIT_BAD,
                   "--critical: %s: %s; it should be own, scout or the JSON of a run of this network with policy crit",
                   path, why);
}

/* The router's number; -1: the topology has none of this name. */
static int find_router(const topology_t *t, const char *name) {
  for (unsigned r = 0; name && r < t->routers; r++)
    if (!strcmp(name, t->name[r])) return (int)r;
  return -1;
}

/* Adds a hop of a critical path as a pair (router, in, out). False: it does not fit this topology,
 * or no memory. */
static bool add_pair(network_verb_t *v, const json_t *hop) {
  int router = find_router(&v->topology, json_string_value(json_object_get(hop, "router")));
  json_int_t in = json_integer_value(json_object_get(hop, "in")), out = json_integer_value(json_object_get(hop, "out"));
  if (router < 0 || in < 0 || out < 0 || in >= v->topology.ports || out >= v->topology.ports) return false;
  critical_pair_t *more = realloc(v->asked, (v->num_asked + 1) * sizeof *more);
  if (!more) return false;
  v->asked = more;
  v->asked[v->num_asked++] = (critical_pair_t){.router = (uint16_t)router, .in = (uint8_t)in, .out = (uint8_t)out};
  return true;
}

/* --critical FILE: the pairs of another run's JSON. */
static int read_pairs(network_verb_t *v, const char *path) {
  json_error_t wrong;
  judged_file(path);
  json_t *root = json_load_file(path, 0, &wrong), *path_json, *hop;
  size_t i, k;
  if (!root) return no_file(path, wrong.text);
  json_t *paths = json_object_get(root, "critical_paths");
  bool good = json_is_array(paths);
  v->asked = malloc(sizeof *v->asked); /* also when there is no pair: then no packet counts */
  json_array_foreach(paths, i, path_json) json_array_foreach(json_object_get(path_json, "hops"), k, hop) good =
      good && add_pair(v, hop);
  json_decref(root);
  return good && v->asked ? 0 : no_file(path, "no critical_paths that fit");
}

/* Runs policy crit with the same traffic first, for one epoch, to learn which pairs are
 * critical. */
static int scout_pairs(network_verb_t *v, double rate) {
  trouble_t trouble = {0};
  network_result_t r;
  network_job_t job = job_of(v, POLICY_CRIT);
  job.traffic.rate = rate;
  job.measure.cycles = job.measure.least;
  outcome_t outcome = network_run(&job, &r, &trouble);
  v->asked = r.look.pair;
  v->num_asked = r.look.pairs;
  r.look.pair = NULL;
  const int code = outcome == OUTCOME_PASS
                       ? 0
                       : cli_error((cli_exit_t)trouble.kind, "policy crit, to find the critical pairs: %s%s",
                                   trouble.text, r.measured.waits);
  network_result_free(&r);
  return code;
}

/* Where the critical pairs come from: --critical; by default of a scout with --compare, so that all
 * policies are measured on the same pairs, else of each run itself. */
static int find_pairs(network_verb_t *v) {
  const network_options_t *o = &v->options;
  const char *which = o->compare ? "scout" : "own";
  if (o->critical) which = o->critical;
  if (!strcmp(which, "own")) return 0;
  if (!strcmp(which, "scout")) return scout_pairs(v, o->rate[o->rates - 1]);
  return read_pairs(v, which);
}

/* ---- the runs ---- */

/* Turns rates in per cent of the saturation of policy base into flits per terminal and cycle. */
static int find_rates(network_verb_t *v) {
  network_options_t *o = &v->options;
  trouble_t trouble = {0};
  if (!o->percent) return 0;
  network_job_t job = job_of(v, POLICY_BASE);
  network_sweep_t full;
  if (network_saturation(&job, &full, &trouble) != OUTCOME_PASS)
    return cli_error((cli_exit_t)trouble.kind, "base at full load: %s%s", trouble.text, full.waits);
  v->report.base_saturation = full.saturation;
  for (unsigned i = 0; i < o->rates; i++) {
    o->rate[i] *= v->report.base_saturation / 100;
    if (o->rate[i] > 1)
      return cli_error(EXIT_BAD, "--rate: that is %.3g; at most 1 flit per terminal and cycle", o->rate[i]);
  }
  return 0;
}

/* Runs all policies. A run that broke (deadlock, a wrong flit) ends the others but is reported,
 * with its code in v->failed. Bad input and a failed environment return their code at once. */
static int run_policies(network_verb_t *v) {
  trouble_t trouble = {0};
  for (unsigned i = 0; i < v->options.policies && !cli_interrupted; i++) {
    network_job_t job = job_of(v, v->options.policy[i]);
    network_policy_run_t *run = &v->report.run[v->report.runs++];
    run->policy = v->options.policy[i];
    run->params = job.params;
    outcome_t outcome = network_sweep(&job, v->options.rate, v->options.rates, v->options.sweep, &run->sweep, &trouble);
    if (outcome != OUTCOME_PASS)
      v->failed = cli_error((cli_exit_t)trouble.kind, "%s%s", trouble.text, run->sweep.waits);
    if (outcome == OUTCOME_BAD_INPUT || outcome == OUTCOME_INFRA) return v->failed;
    if (outcome != OUTCOME_PASS) break; /* what is known is reported */
  }
  return 0;
}

/* ---- pictures ---- */

/* The point whose heat map is drawn: the highest stable rate, else the last one. NULL: no point was
 * run. */
static const network_point_t *heat_point(const network_sweep_t *s) {
  const network_point_t *best = NULL;
  for (unsigned i = 0; i < s->points; i++)
    if (s->point[i].result.measured.stable && (!best || s->point[i].rate > best->rate)) best = &s->point[i];
  if (best) return best;
  return s->points ? &s->point[s->points - 1] : NULL;
}

/* The hottest link of all policies: the heat maps of a comparison have one scale. */
static double find_heat_scale(const network_verb_t *v) {
  double most = 0;
  for (unsigned i = 0; i < v->report.runs; i++) {
    const network_point_t *p = heat_point(&v->report.run[i].sweep);
    const double own = p && p->result.look.link ? draw_heat_most(&p->result.look, p->result.measured.measured) : 0;
    most = own > most ? own : most;
  }
  return most;
}

/* The heat map of one policy; true also when there is nothing to draw. */
static bool draw_policy(const network_verb_t *v, const network_policy_run_t *run, trouble_t *trouble) {
  const network_point_t *p = heat_point(&run->sweep);
  char name[64] = "heat", title[256];
  if (!p || !p->result.look.link) return true;
  if (v->options.compare) snprintf(name, sizeof name, "heat-%s", network_policy_name(run->policy));
  snprintf(title, sizeof title, "%s, %s, %.3g flits per terminal and cycle, policy %s", v->options.topology,
           traffic_pattern_name(v->options.traffic.pattern), p->rate, network_policy_name(run->policy));
  const draw_heat_t heat = {
      name, title, &v->topology, &p->result.look, p->result.measured.measured, find_heat_scale(v)};
  return draw_heat(v->options.folder, &heat, trouble);
}

/* The curve as text, and with --out the pictures. 0, or an exit code after a line. */
static int draw_network(network_verb_t *v, FILE *out) {
  draw_curve_t curve[NUM_POLICIES];
  char title[256];
  trouble_t trouble;
  bool good = true;
  for (unsigned i = 0; i < v->report.runs; i++)
    curve[i] = (draw_curve_t){network_policy_name(v->report.run[i].policy), &v->report.run[i].sweep};
  if (v->options.sweep) draw_text(out, curve, v->report.runs);
  if (!v->options.folder) return 0;
  snprintf(title, sizeof title, "%s, %s", v->options.topology, traffic_pattern_name(v->options.traffic.pattern));
  if (v->options.sweep) good = draw_curves(v->options.folder, "curve", title, curve, v->report.runs, &trouble);
  for (unsigned i = 0; i < v->report.runs && good; i++) good = draw_policy(v, &v->report.run[i], &trouble);
  if (!good) return cli_trouble(&trouble);
  fprintf(out, "pictures               %s/%s\n", v->options.folder,
          v->options.sweep ? "curve, heat*: .svg, .png, .pdf, .csv" : "heat*: .svg, .png, .pdf, .csv");
  return 0;
}

/* The report, pictures and JSON. What did not hold outweighs pictures that could not be drawn. */
static int finish_network(cli_t *cli, network_verb_t *v) {
  network_report_print(&v->report, cli->out);
  int drawn = draw_network(v, cli->out);
  int code = v->failed || (!cli_interrupted && !network_report_held(&v->report)) ? EXIT_BROKEN : EXIT_HELD;
  if (drawn && !code) code = drawn;
  if (cli_interrupted && !code) code = cli_error(EXIT_ENV, "interrupted; what is known until then was reported");
  json_t *root = cli_json("network", 1);
  network_report_json(root, &v->report, replay_window);
  return cli_finish(cli, root, (cli_exit_t)code);
}

/* Also after a failure: what was not made is NULL. */
static void release_network(network_verb_t *v) {
  for (unsigned i = 0; i < v->report.runs; i++) network_sweep_free(&v->report.run[i].sweep);
  free(v->asked);
  if (v->routes.port) routes_free(&v->routes);
  if (v->topology.port) topology_free(&v->topology);
}

/* --dry-run: how many results a run would have. */
static int dry_run(cli_t *cli, const network_options_t *o) {
  trouble_t trouble = {0};
  if (o->closed && !closed_config_check(&o->load, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "--closed: %s would be right", trouble.text);
  return cli_dry_run(cli, o->closed ? "network_closed" : "network", o->policies * (o->closed ? o->seeds : o->rates));
}

static int run(cli_t *cli, int argc, char **argv) {
  static network_verb_t v;
  v.options = network_options_default();
  v.report = (network_report_t){.topology = &v.topology, .engine = v.engine};
  int code = cli_parse(cli, &network_argp, argc, argv, &v.options);
  v.report.name = v.options.topology, v.report.traffic = &v.options.traffic, v.report.params = &v.options.params;
  v.report.sweep = v.options.sweep, v.report.compare = v.options.compare;
  if (!code) code = set_up_network(&v);
  if (!code && v.options.dry) code = dry_run(cli, &v.options);
  else if (!code && v.options.closed) {
    const capture_t capture = capture_of(&v);
    code = network_closed(cli, &v.options, &v.topology, &v.routes, v.engine, &capture);
  } else if (!code) {
    code = find_rates(&v);
    if (!code) code = find_pairs(&v);
    if (!code) code = run_policies(&v);
    if (v.running) progress_end(&v.progress);
    if (!code) code = finish_network(cli, &v);
  }
  release_network(&v);
  return code;
}

const verb_t verb_network = {"network", "latency and throughput of a network of routers", run, &network_argp};
