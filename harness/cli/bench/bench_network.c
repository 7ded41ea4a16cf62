/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks of routers. The goals are what BookSim2 does on the reference machine: ten times its
 * speed on an 8x8 mesh with models, and its speed on an 8-node hypercube with every router in
 * lockstep. A router-cycle counts every router in every cycle, asleep or not.
 *
 * Cost per flit-hop: meshes of 8, 64 and 1024 of the same router, each with one flit a router and
 * cycle.
 */
#include "bench.h"
#include "lockstep_verbs.h"
#include "network_run.h"
#include "progress.h"

#include <stdlib.h>

/* A network and the job that measures it. The job points into the rig: rigs do not move. */
typedef struct {
  topology_t topology;
  routes_t routes;
  engine_t engine[TOPOLOGY_MAX_ROUTERS];
  places_t places;
  network_job_t job;
} rig_t;

/* A network of one-flit packets under uniform traffic. rate: flits per terminal and cycle. 0, or an
 * exit code after a line; tear_down_network_rig is right in both cases. */
static int set_up_network_rig(rig_t *rig, const char *topology, double rate, uint64_t cycles, engine_t engine) {
  trouble_t trouble = {0};
  *rig = (rig_t){.places = verbs_places()};
  if (!topology_parse(&rig->topology, topology, &trouble) || !routes_new(&rig->routes, &rig->topology, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "bench: %s", trouble.text);
  for (unsigned r = 0; r < rig->topology.routers; r++) rig->engine[r] = engine;
  rig->job = (network_job_t){.topology = &rig->topology,
                             .routes = &rig->routes,
                             .engine = rig->engine,
                             .places = &rig->places,
                             .params = fabric_router_params(&rig->topology, router_params_default()),
                             .traffic = {.rate = rate, .flits_least = 1, .flits_most = 1, .classes = 1, .seed = 1},
                             .measure = {.cycles = cycles}};
  return 0;
}

static void tear_down_network_rig(rig_t *rig) {
  if (rig->routes.port) routes_free(&rig->routes);
  if (rig->topology.port) topology_free(&rig->topology);
}

/* One run. A divergence counts as a failure: a speed of wrong hardware is no speed. */
static int run_network_once(rig_t *rig, double *router_cycles_per_second, double *seconds_per_hop) {
  trouble_t trouble = {0};
  network_result_t r;
  outcome_t outcome = network_run(&rig->job, &r, &trouble);
  if (outcome == OUTCOME_PASS && r.compared.divergences) {
    outcome = OUTCOME_DIVERGED;
    trouble_set(&trouble, TROUBLE_BROKEN, "%s", r.compared.first);
  }
  *router_cycles_per_second = (double)r.router_cycles / r.measured.cpu_seconds;
  *seconds_per_hop = r.measured.cpu_seconds / (double)r.flit_hops;
  network_result_free(&r);
  return outcome == OUTCOME_PASS ? 0 : cli_error(verbs_exit(outcome), "bench: %s", trouble.text);
}

/* Router-cycles per CPU second of one network. */
static int measure_router_speed(bench_t *bench, const char *topology, double rate, uint64_t cycles, engine_t engine,
                                const char *name, double goal) {
  static rig_t rig;
  double value[BENCH_SAMPLES], unused;
  unsigned done = 0;
  progress_t progress;
  int code = set_up_network_rig(&rig, topology, rate, cycles, engine);
  progress_start(&progress, name, "runs", bench->samples);
  for (; !code && done < bench->samples && !cli_interrupted; done += !code) {
    code = run_network_once(&rig, &value[done], &unused);
    progress_update(&progress, done + 1);
  }
  progress_end(&progress);
  tear_down_network_rig(&rig);
  if (!code && !done) return cli_error(EXIT_ENV, "interrupted");
  if (!code) bench_add(bench, name, "router-cycles/s", value, done, GOAL_AT_LEAST, goal);
  return code;
}

/* ---- cost per flit-hop ---- */

enum { SIZES = 3, TRIES = 4 };
static const char *const sizes[SIZES] = {"mesh:4x2", "mesh:8x8", "mesh:32x32"};

/* Hops of a packet on average, over all pairs of terminals. */
static double mean_hops(const rig_t *rig) {
  unsigned n = rig->topology.terminals;
  uint64_t sum = 0;
  for (unsigned i = 0; i < n * n; i++) sum += routes_hops(&rig->routes, &rig->topology, i / n, i % n);
  return (double)sum / n / n;
}

/* A mesh with about one flit-hop a router and cycle, run for FLIT_HOPS flit-hops whatever its
 * size. */
static int set_up_size(rig_t *rig, unsigned size) {
  enum { FLIT_HOPS = 1 << 20 };
  int code = set_up_network_rig(rig, sizes[size], 1, 0, ENGINE_MODEL);
  if (code) return code;
  rig->job.traffic.rate = 1 / mean_hops(rig);
  rig->job.measure.cycles = FLIT_HOPS / rig->topology.routers;
  return 0;
}

/* Does a flit-hop cost the same in a large network? The sizes run in turns; each figure is the
 * least of TRIES runs, which leaves out what else the machine did. */
static int measure_hop_cost(bench_t *bench) {
  static rig_t rig[SIZES];
  double value[SIZES][BENCH_SAMPLES], ratio[BENCH_SAMPLES], unused;
  unsigned done = 0;
  int code = 0;
  progress_t progress;
  for (unsigned k = 0; k < SIZES; k++) code = code ? code : set_up_size(&rig[k], k);
  progress_start(&progress, "cost per flit-hop", "runs", bench->samples);
  for (; !code && done < bench->samples && !cli_interrupted; done += !code) {
    double least = 1e9, most = 0;
    for (unsigned k = 0; k < SIZES; k++) value[k][done] = 1e9;
    /* the least of some tries: what the machine does beside goes out */
    for (unsigned i = 0; !code && i < TRIES * SIZES; i++) {
      double seconds;
      code = run_network_once(&rig[i % SIZES], &unused, &seconds);
      if (1e9 * seconds < value[i % SIZES][done]) value[i % SIZES][done] = 1e9 * seconds;
    }
    for (unsigned k = 0; k < SIZES; k++) {
      if (value[k][done] < least) least = value[k][done];
      if (value[k][done] > most) most = value[k][done];
    }
    ratio[done] = most / least;
    progress_update(&progress, done + 1);
  }
  progress_end(&progress);
  for (unsigned k = 0; k < SIZES; k++) tear_down_network_rig(&rig[k]);
  if (code) return code;
  if (!done) return cli_error(EXIT_ENV, "interrupted");
  bench_add(bench, "flit-hop, 8 routers", "ns", value[0], done, GOAL_NONE, 0);
  bench_add(bench, "flit-hop, 64 routers", "ns", value[1], done, GOAL_NONE, 0);
  bench_add(bench, "flit-hop, 1024 routers", "ns", value[2], done, GOAL_NONE, 0);
  bench_add(bench, "flit-hop, dearest/cheapest", "times", ratio, done, GOAL_AT_MOST, 1.2);
  return 0;
}

int bench_network(bench_t *bench) {
  int code = measure_router_speed(bench, "mesh:8x8", 0.2, 60000, ENGINE_MODEL, "mesh 8x8, models, 0.2", 3.8e6);
  if (!code && !cli_interrupted) code = measure_hop_cost(bench);
  if (!code && !cli_interrupted)
    code =
        measure_router_speed(bench, "hypercube:3", 0.3, 50000, ENGINE_LOCKSTEP, "hypercube 8, lockstep, 0.3", 0.66e6);
  return code;
}
