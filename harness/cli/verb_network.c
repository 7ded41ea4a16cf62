/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack network: latency and throughput of a network of routers under synthetic traffic.
 */
#include "cli.h"
#include "lockstep_verbs.h"
#include "network_run.h"
#include "progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_VCS = 256, OPT_DEPTH, OPT_STAGES, OPT_PACKET, OPT_POLICY, OPT_CLASSES, OPT_DIVERGENT, OPT_SEED, OPT_CYCLES, OPT_EPOCH, OPT_BOUND };
enum { MAX_SETS = 32, MAX_ENGINES = 64, MAX_RATES = 64 };

typedef struct {
  const char *topology;
  traffic_config_t traffic;
  network_policy_t policy;
  router_params_t params;
  double rate[MAX_RATES];
  unsigned rates, engines;
  const char *engine[MAX_ENGINES];
  uint64_t cycles;
} options_t;

static const struct argp_option argp_options[] = {
    {"topology", 't', "T", 0, "mesh:XxY, hypercube:N, tree, tree:AxB, or a YAML file (default mesh:8x8)", 0},
    {"pattern", 'p', "P", 0, "uniform, bitcomp, transpose, hotspot or tree-saturation (default uniform)", 0},
    {"rate", 'r', "R", 0, "Flits per terminal and cycle (default 0.1)", 0},
    {"engine", 'e', "INSTANCE=ENGINE", 0, "router=model, rtl or lockstep", 0},
    {"vcs", OPT_VCS, "N", 0, "Virtual channels a port (default 2)", 0},
    {"depth", OPT_DEPTH, "N", 0, "Flits a virtual channel (default 8)", 0},
    {"stages", OPT_STAGES, "N", 0, "4; 3: lookahead; 2: lookahead and speculation (default 4)", 0},
    {"packet", OPT_PACKET, "N", 0, "Flits a packet (default 1)", 0},
    {"policy", OPT_POLICY, "P", 0, "base, crit, crit+tr, crit+tr+w, dist or double (default base)", 0},
    {"divergent", OPT_DIVERGENT, "F", 0, "Share of packets that are divergent (default 0.46)", 0},
    {"seed", OPT_SEED, "N", 0, "Seed of the traffic (default 1)", 0},
    {"cycles", OPT_CYCLES, "N", 0, "Measured cycles (default: as many as the precision needs)", 0},
    {0}};

static error_t parse_real(const struct argp_state *state, const char *option, const char *arg, double *value) {
  char *end;
  *value = strtod(arg, &end);
  if (end != arg && !*end) return 0;
  return cli_usage(state, "%s: '%s' should be a number", option, arg);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  uint64_t n;
  error_t e;
  switch (key) {
  case 't': o->topology = arg; return 0;
  case 'p': return traffic_pattern_find(arg, &o->traffic.pattern) ? 0 : cli_usage(state, "--pattern: '%s'", arg);
  case 'r': o->rates = 1; return parse_real(state, "--rate", arg, &o->rate[0]);
  case 'e': o->engine[o->engines++] = arg; return 0;
  case OPT_VCS: if ((e = cli_number(state, "--vcs", arg, 1, 16, &n))) return e; o->params.NumVCs = (long)n; return 0;
  case OPT_DEPTH: if ((e = cli_number(state, "--depth", arg, 1, 64, &n))) return e; o->params.Depth = (long)n; return 0;
  case OPT_STAGES: if ((e = cli_number(state, "--stages", arg, 2, 4, &n))) return e; o->params.Lookahead = n < 4; o->params.Spec = n < 3; return 0;
  case OPT_PACKET: if ((e = cli_number(state, "--packet", arg, 1, 1023, &n))) return e; o->traffic.flits_least = o->traffic.flits_most = (unsigned)n; return 0;
  case OPT_POLICY: return network_policy_find(arg, &o->policy) ? 0 : cli_usage(state, "--policy: '%s'", arg);
  case OPT_DIVERGENT: return parse_real(state, "--divergent", arg, &o->traffic.divergent);
  case OPT_SEED: return cli_number(state, "--seed", arg, 0, UINT64_MAX, &o->traffic.seed);
  case OPT_CYCLES: return cli_number(state, "--cycles", arg, 1000, 1000000000, &o->cycles);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static int run(cli_t *cli, int argc, char **argv) {
  static const struct argp argp = {argp_options, parse, "", "Network.", NULL, NULL, NULL};
  options_t o = {.topology = "mesh:8x8", .traffic = {.flits_least = 1, .flits_most = 1, .classes = 1, .divergent = 0.46, .seed = 1},
                 .params = router_params_default(), .rate = {0.1}, .rates = 1};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  char error[4096];
  topology_t t;
  routes_t routes;
  if (!topology_parse(&t, o.topology, error, sizeof error)) return cli_error(EXIT_BAD, "--topology: %s", error);
  if (!routes_new(&routes, &t, error, sizeof error)) return cli_error(EXIT_BAD, "--topology: %s", error);
  network_policy_apply(o.policy, &o.params);
  engine_t *engine = calloc(t.routers, sizeof *engine);
  if (o.engines && !engine_parse(strchr(o.engine[0], '=') + 1, &engine[0])) return cli_error(EXIT_BAD, "engine");
  for (unsigned r = 1; r < t.routers; r++) engine[r] = engine[0];
  const places_t places = verbs_places();
  o.traffic.rate = o.rate[0];
  network_job_t job = {.topology = &t, .routes = &routes, .params = fabric_router_params(&t, o.params), .engine = engine,
                       .places = &places, .traffic = o.traffic, .measure = {.cycles = o.cycles}};
  if (o.params.Crit) job.measure.warmup = 3 * (uint64_t)o.params.EpochCycles;
  network_result_t r;
  outcome_t outcome = network_run(&job, &r, error, sizeof error);
  if (outcome != OUTCOME_PASS) return cli_error(EXIT_BROKEN, "%s", error);
  const measure_result_t *m = &r.measured;
  fprintf(cli->out, "latency mean %.3f +- %.3f p50 %lu p99 %lu max %lu  accepted %.4f hops %.2f stable %d cycles %lu warmup %lu\n",
          histogram_mean(&m->latency[0]), m->half_width, histogram_quantile(&m->latency[0], 0.5), histogram_quantile(&m->latency[0], 0.99),
          m->latency[0].max, m->accepted, m->hops, m->stable, m->cycles, m->warmup);
  fprintf(cli->out, "nondivergent %.3f  cpu %.2f s  %.2f M router-cycles/s  %.1f ns/flit-hop, divergences %lu %s pairs %u\n", histogram_mean(&m->latency[1]), m->cpu_seconds,
          (double)m->cycles * t.routers / m->cpu_seconds / 1e6, m->cpu_seconds / (double)r.flit_hops * 1e9, r.divergences, r.first_divergence, r.pairs);
  network_result_free(&r);
  return 0;
}

const verb_t verb_network = {"network", "latency and throughput of a network of routers", run};
