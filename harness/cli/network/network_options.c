/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `lockstack network`. argp calls one parser; it hands a key that it does not know
 * to the next:
 *
 *   parse (run, output) -> parse_traffic -> parse_router -> parse_closed -> ARGP_ERR_UNKNOWN
 */
#include "network_options.h"
#include "names.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPT_VCS = 256,
  OPT_DEPTH,
  OPT_OUT_DEPTH,
  OPT_STAGES,
  OPT_PACKET,
  OPT_POLICY,
  OPT_COMPARE,
  OPT_CLASSES,
  OPT_DIVERGENT,
  OPT_HOTSPOT,
  OPT_EPOCH,
  OPT_BOUND,
  OPT_SEED,
  OPT_CYCLES,
  OPT_WARMUP,
  OPT_PRECISION,
  OPT_CRITICAL,
  OPT_RTL,
  OPT_OUT,
  OPT_DRY,
  OPT_CLOSED,
  OPT_SUBNETS,
  OPT_SMS,
  OPT_WARPS,
  OPT_ISSUE,
  OPT_INSTRUCTIONS,
  OPT_ACCESSES,
  OPT_STORES,
  OPT_MEMORY_LATENCY,
  OPT_SEEDS
};

static const struct argp_option argp_options[] = {
    {0, 0, 0, 0, "The network and its traffic:", 1},
    {"topology", 't', "T", 0,
     "mesh:XxY, torus:XxY[xZ], ring:N, hypercube:N, full:N, tree (the system of the NUPIM paper), tree:AxB, or a YAML "
     "file (default mesh:8x8)",
     1},
    {"pattern", 'p', "P", 0, "uniform, bitcomp, transpose, hotspot or tree-saturation (default uniform)", 1},
    {"rate", 'r', "R", 0,
     "Offered load in flits per terminal and cycle (default 0.1), or a sweep: 0.1,0.2,0.4 or 0.05:0.6:0.05; with %, "
     "as in 90%, of what base "
     "accepts at full load",
     1},
    {"packet", OPT_PACKET, "N|N-M", 0, "Flits a packet (default 1)", 1},
    {"classes", OPT_CLASSES, "N", 0, "Message classes, 1 or 2, on VCs of their own (default 1)", 1},
    {"divergent", OPT_DIVERGENT, "F", 0, "Share of packets that are divergent (default 0.46, NUPIM paper, III-C)", 1},
    {"hotspot", OPT_HOTSPOT, "T[:F]", 0, "Pattern hotspot: a share F of all packets goes to terminal T (default 0:0.2)",
     1},
    {"seed", OPT_SEED, "N", 0, "Seed of the traffic (default 1)", 1},
    {0, 0, 0, 0, "The routers:", 2},
    {"vcs", OPT_VCS, "N", 0, "Virtual channels a port (default 2, or what the datelines of rings and tori need)", 2},
    {"depth", OPT_DEPTH, "N", 0, "Flits a virtual channel (default 8)", 2},
    {"out-depth", OPT_OUT_DEPTH, "N", 0,
     "Flits of an output FIFO, 1 to 16 (default: none, with link widths or --closed 8): where they wait for a narrow "
     "link",
     2},
    {"stages", OPT_STAGES, "N", 0, "4; 3: lookahead routing; 2: lookahead and speculation (default 4, with --closed 3)",
     2},
    {"policy", OPT_POLICY, "P", 0, "What manages congestion:" NETWORK_POLICY_NAMES " (default base)", 2},
    {"epoch", OPT_EPOCH, "N", 0, "Cycles of an epoch (default 100000: 40 us at 2.5 GHz)", 2},
    {"bound", OPT_BOUND, "N", 0, "Prioritised flits in a row while others wait (default 0: no bound)", 2},
    {"set", 's', "PARAM=VALUE", CLI_LIST,
     "Any other parameter of rtl/router/router.ports, such as TrackPct=80 (ListLen: default 8, with --closed 32)", 2},
    {"engine", 'e', "INSTANCE=ENGINE", CLI_LIST,
     "model, rtl or lockstep for router (all of them), router[2] or router[0,4-7] (default model)", 2},
    {"rtl", OPT_RTL, "FOLDER", 0, "Take the router's RTL files of this folder before the tree's", 2},
    {0, 0, 0, 0, "What is measured and shown:", 3},
    {"cycles", OPT_CYCLES, "N", 0, "Measured cycles (default: as many as the precision needs)", 3},
    {"warm-up", OPT_WARMUP, "N", 0, "Cycles before at least (default 0; with crit two epochs, with link widths five)",
     3},
    {"precision", OPT_PRECISION, "F", 0,
     "Half of the mean latency's 95 % confidence interval, as a share (default 0.005)", 3},
    {"compare", OPT_COMPARE, "P,P...", 0,
     "These policies under the same traffic, and latency on the same critical pairs", 3},
    {"critical", OPT_CRITICAL, "WHICH", 0,
     "Critical pairs whose packets are measured apart: own (of this run, after its warm-up), scout (of a run of crit "
     "before), or the JSON "
     "file of another run (default own; with --compare scout)",
     3},
    {"out", OPT_OUT, "FOLDER", 0,
     "Draw the curve and the congestion heat map there, SVG and PNG; replay files of routers that diverge", 3},
    {"dry-run", OPT_DRY, 0, 0, "Check what is asked for, and run nothing", 3},
    {0, 0, 0, 0, "A closed loop: SMs that wait for what they ask memory for", 4},
    {"closed", OPT_CLOSED, 0, 0,
     "Traffic is of SMs and memories at all terminals; instructions a cycle are measured, for 20 epochs behind 2 "
     "unless it is said",
     4},
    {"subnets", OPT_SUBNETS, "N", 0,
     "2: a network for requests and one for answers, each with --vcs (default); 1: one, whose VCs they share", 4},
    {"sms", OPT_SMS, "N", 0, "SMs a terminal (default 4)", 4},
    {"warps", OPT_WARPS, "N", 0, "Warps an SM (default 24)", 4},
    {"issue", OPT_ISSUE, "F", 0, "Instructions an SM and cycle of the network at most (default 0.56: 1.4 GHz of 2.5)",
     4},
    {"instructions", OPT_INSTRUCTIONS, "F", 0, "Instructions of a warp for one that accesses memory (default 60)", 4},
    {"accesses", OPT_ACCESSES, "N", 0, "Accesses of a divergent one: 2 to N (default 8)", 4},
    {"stores", OPT_STORES, "F", 0, "Share of stores, for which no warp waits (default 0.15)", 4},
    {"memory-latency", OPT_MEMORY_LATENCY, "N", 0, "Cycles of a memory (default 200)", 4},
    {"seeds", OPT_SEEDS, "N", 0, "Runs with --seed and those that follow it (default 1)", 4},
    {0},
};

/* A real number from least to most, both included; 0, or EINVAL after a line. */
static error_t parse_real(const struct argp_state *state, const char *option, const char *arg, double least,
                          double most, double *value) {
  char *end;
  *value = strtod(arg, &end);
  if (end != arg && !*end && *value >= least && *value <= most) return 0;
  return cli_usage(state, "%s: '%s' should be a number from %g to %g", option, arg, least, most);
}

/* A whole number into one of the router's parameters, which are long. */
static error_t parse_integer(const struct argp_state *state, const char *option, const char *arg, unsigned least,
                             unsigned most, long *value) {
  uint64_t n = 0;
  error_t e = cli_number(state, option, arg, least, most, &n);
  *value = (long)n;
  return e;
}

/* ---- rates ---- */

/* Adds a rate: above 0, at most 1, or at most 1000 %. */
static error_t add_rate(network_options_t *o, const struct argp_state *state, double rate) {
  if (o->rates == NETWORK_MAX_RATES) return cli_usage(state, "--rate: more than %d rates", NETWORK_MAX_RATES);
  if (!(rate > 0 && rate <= (o->percent ? 1000 : 1)))
    return cli_usage(state, "--rate: %g should be above 0 and at most 1 flit per terminal and cycle", rate);
  o->rate[o->rates++] = rate;
  return 0;
}

/* The line for a rate that is none; always an error. */
static error_t rate_wrong(const struct argp_state *state, const char *arg) {
  return cli_usage(
      state,
      "--rate: '%s' should be a rate such as 0.3, a list such as 0.1,0.2, FROM:TO:STEP, or a share of saturation such "
      "as 90%%",
      arg);
}

/* Reads a number and moves *text behind it. All rates have a % or none has: another mixture is
 * false. */
static bool rate_number(network_options_t *o, char **text, double *rate) {
  char *end;
  *rate = strtod(*text, &end);
  if (end == *text || !isfinite(*rate)) return false;
  bool percent = *end == '%';
  if (o->rates && percent != o->percent) return false;
  o->percent = percent;
  *text = end + percent;
  return true;
}

/* "0.3", "0.1,0.2", "FROM:TO:STEP", each perhaps in per cent. A last step that is beyond TO by
 * rounding alone becomes TO. */
static error_t parse_rate(network_options_t *o, char *arg, const struct argp_state *state) {
  double from, to, step;
  char *text = arg;
  o->rates = 0;
  if (!rate_number(o, &text, &from)) return rate_wrong(state, arg);
  if (*text == ':') {
    text++;
    if (!rate_number(o, &text, &to) || *text++ != ':' || !rate_number(o, &text, &step) || *text || !(step > 0) ||
        to < from)
      return rate_wrong(state, arg);
    o->sweep = true;
    for (unsigned i = 0; from + i * step <= to + step * 1e-6; i++) {
      error_t e = add_rate(o, state, from + i * step > to ? to : from + i * step);
      if (e) return e;
    }
    return 0;
  }
  for (;; text++) {
    error_t e = add_rate(o, state, from);
    if (e) return e;
    if (!*text) break;
    o->sweep = true;
    char *next = text + 1;
    if (*text != ',' || !rate_number(o, &next, &from)) return rate_wrong(state, arg);
    text = next - 1;
  }
  return 0;
}

/* ---- the rest ---- */

/* "N" or "N-M" flits. */
static error_t parse_packet(network_options_t *o, const char *arg, const struct argp_state *state) {
  char *end;
  unsigned long least = strtoul(arg, &end, 10), most = least;
  bool good = end != arg && arg[0] >= '0' && arg[0] <= '9';
  if (good && *end == '-') {
    const char *second = end + 1;
    most = strtoul(second, &end, 10);
    good = end != second && second[0] >= '0' && second[0] <= '9';
  }
  if (!good || *end || least < 1 || most < least || most > FABRIC_MAX_FLITS)
    return cli_usage(state, "--packet: '%s' should be 1 to %d flits, or a range such as 1-5", arg, FABRIC_MAX_FLITS);
  o->traffic.flits_least = (unsigned)least;
  o->traffic.flits_most = (unsigned)most;
  return 0;
}

/* "T" or "T:F": terminal and share of packets. */
static error_t parse_hotspot(network_options_t *o, const char *arg, const struct argp_state *state) {
  char *end;
  unsigned long terminal = strtoul(arg, &end, 10);
  if (end == arg || arg[0] < '0' || arg[0] > '9' || (*end && *end != ':') || terminal >= TOPOLOGY_MAX_TERMINALS)
    return cli_usage(state, "--hotspot: '%s' should be a terminal, or terminal and share such as 3:0.2", arg);
  o->hotspot = true;
  o->traffic.hotspot = (unsigned)terminal;
  return *end ? parse_real(state, "--hotspot", end + 1, 0, 1, &o->traffic.hotspot_share) : 0;
}

/* The policies of --policy (one) or --compare (each once). Cuts the text. */
static error_t parse_policies(network_options_t *o, char *arg, const struct argp_state *state) {
  o->policies = 0;
  for (char *name = strtok(arg, ","); name; name = strtok(NULL, ",")) {
    network_policy_t policy;
    if (!network_policy_find(name, &policy))
      return cli_usage(state, "%s: '%s' should be one of" NETWORK_POLICY_NAMES "%s",
                       o->compare ? "--compare" : "--policy", name, names_nearest("policies", name));
    for (unsigned i = 0; i < o->policies; i++)
      if (o->policy[i] == policy) return cli_usage(state, "--compare: %s is there twice", name);
    o->policy[o->policies++] = policy;
  }
  if (!o->policies) return cli_usage(state, "--compare: it should name policies, such as base,crit,crit+tr");
  if (!o->compare && o->policies > 1) return cli_usage(state, "--policy: one policy; --compare takes several");
  return 0;
}

/* Parameters of the router that have another default when the loop is closed. */
static const struct {
  const char *name;
  long value;
} closed_default[] = {{"FlitBits", CLOSED_FLIT_BITS}, {"ListLen", NETWORK_LIST_LEN}, {"Lookahead", 1}};
enum { CLOSED_DEFAULTS = sizeof closed_default / sizeof *closed_default };

/* Remembers that the user set this parameter, so that no other default replaces it. */
static void mark_given(network_options_t *o, const char *name) {
  for (unsigned i = 0; i < CLOSED_DEFAULTS; i++)
    if (!strcmp(name, closed_default[i].name)) o->given |= 1U << i;
}

/* --set PARAM=VALUE of the router. Parameters that follow from other options are refused by name
 * (`ours`: name, whose it is). Cuts the text. */
static error_t parse_set(network_options_t *o, char *arg, const struct argp_state *state) {
  static const char *const ours[] = {"Ports",    "the topology's", "NumDest", "the topology's", "Crit", "--policy's",
                                     "Tr",       "--policy's",     "Width",   "--policy's",     "Dist", "--policy's",
                                     "OutDepth", "--out-depth's"};
  char *equals = strchr(arg, '='), *end;
  if (!equals || equals == arg) return cli_usage(state, "--set: '%s' should be PARAM=VALUE, such as TrackPct=80", arg);
  *equals = 0;
  errno = 0;
  long value = strtol(equals + 1, &end, 10);
  if (end == equals + 1 || *end || errno)
    return cli_usage(state, "--set %s: '%s' should be a whole number", arg, equals + 1);
  for (unsigned i = 0; i < sizeof ours / sizeof *ours; i += 2)
    if (!strcmp(arg, ours[i])) return cli_usage(state, "--set: %s is %s to say", arg, ours[i + 1]);
  mark_given(o, arg);
  if (cli_set_once(state, arg, o->set, o->sets)) return EINVAL;
  if (o->sets < NETWORK_SETS) o->set[o->sets++] = arg;
  if (router_params_set(&o->params, arg, value)) return 0;
  return cli_usage(state, "--set: the router has no parameter '%s'; rtl/router/router.ports has them", arg);
}

/* --stages: 4 is plain, 3 adds lookahead routing, 2 also speculation. */
static error_t parse_stages(network_options_t *o, const char *arg, const struct argp_state *state) {
  long n;
  error_t e = parse_integer(state, "--stages", arg, 2, 4, &n);
  mark_given(o, "Lookahead");
  o->params.Lookahead = n < 4;
  o->params.Spec = n < 3;
  return e;
}

/* Options that mean something only with --closed. only_closed remembers the last one, for the line
 * that refuses it without. */
static error_t parse_closed(network_options_t *o, int key, char *arg, struct argp_state *state) {
  closed_config_t *c = &o->load;
  uint64_t n = 0;
  error_t e = 0;
  switch (key) {
  case OPT_CLOSED: o->closed = true; return 0;
  case OPT_SUBNETS:
    o->only_closed = "--subnets", e = cli_number(state, "--subnets", arg, 1, 2, &n), o->subnets = (unsigned)n;
    return e;
  case OPT_SMS:
    o->only_closed = "--sms", e = cli_number(state, "--sms", arg, 1, 16, &n), c->sms = (unsigned)n;
    return e;
  case OPT_WARPS:
    o->only_closed = "--warps", e = cli_number(state, "--warps", arg, 1, 64, &n), c->warps = (unsigned)n;
    return e;
  case OPT_ISSUE: o->only_closed = "--issue"; return parse_real(state, "--issue", arg, 0.001, 4, &c->issue);
  case OPT_INSTRUCTIONS:
    o->only_closed = "--instructions";
    return parse_real(state, "--instructions", arg, 1, 1e6, &c->instructions);
  case OPT_ACCESSES:
    o->only_closed = "--accesses", e = cli_number(state, "--accesses", arg, 2, 32, &n), c->accesses = (unsigned)n;
    return e;
  case OPT_STORES: o->only_closed = "--stores"; return parse_real(state, "--stores", arg, 0, 1, &c->stores);
  case OPT_MEMORY_LATENCY:
    o->only_closed = "--memory-latency", e = cli_number(state, "--memory-latency", arg, 0, 65535, &n),
    c->memory_latency = (unsigned)n;
    return e;
  case OPT_SEEDS:
    o->only_closed = "--seeds", e = cli_number(state, "--seeds", arg, 1, CLOSED_MAX_SEEDS, &n), o->seeds = (unsigned)n;
    return e;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* The end of the options of a closed loop. Both ways to load a network share --seed and
 * --divergent: here the closed loop gets them. Subnets have one class each; one network carries
 * two. */
static error_t end_closed(network_options_t *o, const struct argp_state *state) {
  if (o->only_open)
    return cli_usage(state, "%s means nothing with --closed, where traffic is what the SMs ask for", o->only_open);
  o->load.seed = o->traffic.seed, o->load.divergent = o->traffic.divergent;
  o->params.Classes = o->subnets > 1 ? 1 : 2;
  for (unsigned i = 0; i < CLOSED_DEFAULTS; i++)
    if (!(o->given >> i & 1)) router_params_set(&o->params, closed_default[i].name, closed_default[i].value);
  if (!o->params.OutDepth) o->params.OutDepth = NETWORK_OUT_DEPTH; /* so that all policies have the same storage */
  return 0;
}

/* Which options go together. */
static error_t parse_end(network_options_t *o, const struct argp_state *state) {
  if (o->closed) return end_closed(o, state);
  if (o->only_closed) return cli_usage(state, "%s means nothing without --closed", o->only_closed);
  if (o->hotspot && o->traffic.pattern != TRAFFIC_HOTSPOT)
    return cli_usage(state, "--hotspot: pattern %s does not use it", traffic_pattern_name(o->traffic.pattern));
  o->traffic.classes = (unsigned)o->params.Classes;
  return 0;
}

/* Options of the routers. */
static error_t parse_router(network_options_t *o, int key, char *arg, struct argp_state *state) {
  router_params_t *p = &o->params;
  switch (key) {
  case OPT_VCS: o->vcs = true; return parse_integer(state, "--vcs", arg, 1, 16, &p->NumVCs);
  case OPT_DEPTH: return parse_integer(state, "--depth", arg, 1, 64, &p->Depth);
  case OPT_OUT_DEPTH: return parse_integer(state, "--out-depth", arg, 1, 16, &p->OutDepth);
  case OPT_STAGES: return parse_stages(o, arg, state);
  case OPT_CLASSES: o->only_open = "--classes"; return parse_integer(state, "--classes", arg, 1, 2, &p->Classes);
  case OPT_EPOCH: return parse_integer(state, "--epoch", arg, 1, 16777215, &p->EpochCycles);
  case OPT_BOUND: return parse_integer(state, "--bound", arg, 0, 255, &p->Bound);
  case OPT_COMPARE:
    if (o->single) return cli_usage(state, "--policy and --compare do not go together");
    o->compare = true;
    return parse_policies(o, arg, state);
  case OPT_POLICY:
    if (o->compare) return cli_usage(state, "--policy and --compare do not go together");
    o->single = true;
    return parse_policies(o, arg, state);
  case 's': return parse_set(o, arg, state);
  default: return parse_closed(o, key, arg, state);
  }
}

/* Options of the traffic. only_open remembers an option that a closed loop has no use for. */
static error_t parse_traffic(network_options_t *o, int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 't': o->topology = arg; return 0;
  case 'p':
    o->only_open = "--pattern";
    if (traffic_pattern_find(arg, &o->traffic.pattern)) return 0;
    return cli_usage(state, "--pattern: '%s' should be uniform, bitcomp, transpose, hotspot or tree-saturation%s", arg,
                     names_nearest("patterns", arg));
  case 'r': o->only_open = "--rate"; return parse_rate(o, arg, state);
  case OPT_PACKET: o->only_open = "--packet"; return parse_packet(o, arg, state);
  case OPT_DIVERGENT: return parse_real(state, "--divergent", arg, 0, 1, &o->traffic.divergent);
  case OPT_HOTSPOT: o->only_open = "--hotspot"; return parse_hotspot(o, arg, state);
  case OPT_SEED: return cli_number(state, "--seed", arg, 0, UINT64_MAX, &o->traffic.seed);
  default: return parse_router(o, key, arg, state);
  }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  network_options_t *o = state->input;
  switch (key) {
  case 'e':
    if (o->engines == NETWORK_MAX_ENGINES)
      return cli_usage(state, "--engine: given more than %d times", NETWORK_MAX_ENGINES);
    o->engine[o->engines++] = arg;
    return 0;
  case OPT_CYCLES: return cli_number(state, "--cycles", arg, 1, 60000000, &o->cycles);
  case OPT_WARMUP: o->warm = true; return cli_number(state, "--warm-up", arg, 0, 1000000000, &o->warmup);
  case OPT_PRECISION:
    o->only_open = "--precision";
    return parse_real(state, "--precision", arg, 1e-5, 1, &o->precision);
  case OPT_CRITICAL: o->only_open = "--critical", o->critical = arg; return 0;
  case OPT_RTL: o->rtl = arg; return 0;
  case OPT_OUT: o->folder = arg; return 0;
  case OPT_DRY: o->dry = true; return 0;
  case ARGP_KEY_END: return parse_end(o, state);
  default: return parse_traffic(o, key, arg, state);
  }
}

const struct argp network_argp = {
    argp_options,
    parse,
    "",
    "Latency and throughput of a network of routers under synthetic traffic, in the steady state; where it saturates; "
    "which paths are "
    "congested. Latency counts from a packet's generation to the reception of its last flit, in cycles.\v"
    "A sweep also says the saturation throughput (what is accepted at full offered load) and the highest stable "
    "rate.\n\n"
    "Examples:\n"
    "  lockstack network --topology hypercube:3 --rate 0.05:0.65:0.05 --out pictures\n"
    "  lockstack network --topology torus:4x6 --rate 0.1:0.9:0.1\n"
    "  lockstack network --topology hypercube:3 --rate 0.3 --engine router=lockstep\n"
    "  lockstack network --topology tree --pattern tree-saturation --rate 90% --compare base,crit,crit+tr\n"
    "  lockstack network --topology tree --pattern tree-saturation --rate 0.14 --policy crit --out pictures\n"
    "  lockstack network --topology tree --closed --depth 16 --seeds 3 --compare base,crit,crit+tr\n",
    NULL,
    NULL,
    NULL};

network_options_t network_options_default(void) {
  return (network_options_t){
      .topology = "mesh:8x8",
      .traffic = {.flits_least = 1, .flits_most = 1, .divergent = 0.46, .hotspot_share = 0.2, .seed = 1},
      .params = router_params_default(),
      .policy = {POLICY_BASE},
      .policies = 1,
      .rate = {0.1},
      .rates = 1,
      .precision = 0.005,
      .load = closed_config_default(),
      .subnets = 2,
      .seeds = 1,
  };
}

void network_options_fit(network_options_t *o, const routes_t *routes) {
  const long least = (long)routes->vcs * o->params.Classes;
  if (!o->vcs && o->params.NumVCs < least) o->params.NumVCs = least;
}

router_params_t network_options_params(const network_options_t *o, network_policy_t policy,
                                       const topology_t *topology) {
  router_params_t p = o->params;
  network_policy_apply(policy, &p);
  return fabric_router_params(topology, p);
}
