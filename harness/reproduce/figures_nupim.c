/* SPDX-License-Identifier: Apache-2.0
 *
 * NUPIM paper, sections II and V: the policies of Fig. 12 on the machine of Table I, and the centralised one. Three workloads share few pages and have
 * theirs where a profile says, the others' go round all stacks in chunks, as the paper has it (IV-B); no other setting is for one workload.
 */
#include "figures.h"

static const char *const workloads[] = {"bfs", "cfd", "srad", "lulesh", "sc", "bp", "btree", "nn", "pf", "h3d", NULL};

#define LOW "nn pf h3d"
#define HIGH "-nn pf h3d"

static const figure_class_t classes[] = {
    {LOW, "low sharing: pages where a profile says (IV-B)", false, {"map.mode=pages", "map.bit=0", "map.homes=profile"}},
    {"cfd", "the paper's 0.2M, an iteration of three stages", true, {"workload.cells=232536", "workload.iterations=1"}},
    {0},
};

enum {
  BASE,
  CRIT,
  CRIT_TR,
  CRIT_TR_W,
  CRIT_W,
  DIST,
  DOUBLE,
  CENTRAL,
  BASE_PATH,
  K_10,
  K_25,
  K_75,
  BASE_DEPTH_8,
  DEPTH_8,
  BASE_DEPTH_32,
  DEPTH_32,
  BASE_LATENCY_8,
  LATENCY_8,
  BASE_ONE,
  ONE_NET,
  BASE_ROUND,
  ROUND,
  CONFIGURATIONS
};

#define NUPIM(name, text, ...)                \
  {                                           \
    name, text, FIGURE_SIMULATION, "nupim", { \
      __VA_ARGS__                             \
    }                                         \
  }
#define BEST "network.policy=crit+tr"

static const figure_configuration_t configurations[CONFIGURATIONS] = {
    [BASE] = NUPIM("base", "no congestion management", "network.policy=base"),
    [CRIT] = NUPIM("crit", "critical paths first", "network.policy=crit"),
    [CRIT_TR] = NUPIM("crit+tr", "and what is not divergent", BEST),
    [CRIT_TR_W] = NUPIM("crit+tr+w", "and link widths", "network.policy=crit+tr+w"),
    [CRIT_W] = NUPIM("crit+w", "critical paths first, and link widths", "network.policy=crit+w"),
    [DIST] = NUPIM("dist", "what has come farther first", "network.policy=dist"),
    [DOUBLE] = NUPIM("double", "twice the VCs, each as deep", "network.policy=double"),
    [CENTRAL] = NUPIM("central", "base, all SMs in the central module", "network.policy=base", "gpu.node_sms=8*8,0*8"),
    [BASE_PATH] = NUPIM("base, path", "base, packets keep their order and SMs wait for none", "network.policy=base", "network.order=path"),
    [K_10] = NUPIM("k 10", "crit+tr, critical from 10 % of the highest stalls on", BEST, "network.track=10"),
    [K_25] = NUPIM("k 25", "the same from 25 %", BEST, "network.track=25"),
    [K_75] = NUPIM("k 75", "the same from 75 %", BEST, "network.track=75"),
    [BASE_DEPTH_8] = NUPIM("base, depth 8", "base, VCs of 8 flits", "network.policy=base", "network.depth=8"),
    [DEPTH_8] = NUPIM("depth 8", "crit+tr, VCs of 8 flits", BEST, "network.depth=8"),
    [BASE_DEPTH_32] = NUPIM("base, depth 32", "base, VCs of 32 flits", "network.policy=base", "network.depth=32"),
    [DEPTH_32] = NUPIM("depth 32", "crit+tr, VCs of 32 flits", BEST, "network.depth=32"),
    [BASE_LATENCY_8] = NUPIM("base, latency 8", "base, links of 8 cycles", "network.policy=base", "network.link_latency=8"),
    [LATENCY_8] = NUPIM("latency 8", "crit+tr, links of 8 cycles", BEST, "network.link_latency=8"),
    [BASE_ONE] = NUPIM("base, one network", "base, requests and answers share links, a VC each", "network.policy=base", "network.subnets=1", "network.vcs=1"),
    [ONE_NET] = NUPIM("one network", "crit+tr, the same", BEST, "network.subnets=1", "network.vcs=1"),
    [BASE_ROUND] = NUPIM("base, round", "base, CTAs go round all SMs", "network.policy=base", "gpu.cta_order=round"),
    [ROUND] = NUPIM("round", "crit+tr, CTAs go round all SMs", BEST, "gpu.cta_order=round"),
};

enum { ONE, CYCLES, ENERGY, IO_ENERGY, WIDTH, SLOTS, LINK_BYTES, NET_BYTES, ALL_BYTES, LOADS, DIVERGENT, ACCESSES, FOUR, ANSWERED, LATE, QUANTITIES };

#define FROM_4(list) list ".4to7 + " list ".8to15 + " list ".16to32"

static const figure_quantity_t quantities[QUANTITIES] = {
    [ONE] = {"one", ""},
    [CYCLES] = {"cycles", "cycles"},
    [ENERGY] = {"energy, nJ", "energy.total_nj"},
    [IO_ENERGY] = {"energy of links between modules: 2 pJ a bit that is sent, 1.5 one that could be", "0.5 * network:link_flits + 1.5 * network:width_slots"},
    [WIDTH] = {"what links could have carried at their widths, flits", "network:width_slots"},
    [SLOTS] = {"the same at full width", "network:link_slots"},
    [LINK_BYTES] = {"bytes over links between modules", "network:link_bytes.*"},
    [NET_BYTES] = {"bytes between nodes", "gpu:net_bytes"},
    [ALL_BYTES] = {"bytes between SMs and the L2", "gpu:net_bytes + gpu:node_bytes"},
    [LOADS] = {"loads of warps", "gpu:load_lines.*"},
    [DIVERGENT] = {"of more than one access", "gpu:load_lines.2 + gpu:load_lines.3 + " FROM_4("gpu:load_lines")},
    [ACCESSES] = {"memory instructions of warps", "gpu:load_lines.* + gpu:store_lines.*"},
    [FOUR] = {"of four accesses or more", FROM_4("gpu:load_lines") " + " FROM_4("gpu:store_lines")},
    [ANSWERED] = {"loads that L1 did not have", "gpu:load_spread.*"},
    [LATE] = {"whose last answer came more than 20 cycles behind the first", "gpu:load_spread.21to100 + gpu:load_spread.101to500 + gpu:load_spread.more"},
};

enum { SPEED, RIVALS, WIDTHS, SAVED, TRAFFIC, DIVERGENCE, TRACKING, SENSITIVITY, MACHINE, GROUPS };

static const figure_group_t groups[GROUPS] = {
    [SPEED] = {"speed", "congestion management (Fig. 12): IPC over base, %", ""},
    [RIVALS] = {"rivals", "crit+tr over the others: IPC, %", ""},
    [WIDTHS] = {"widths", "mean width of links between modules in time, % of W", ""},
    [SAVED] = {"energy", "energy saved with link widths: of links, of the system, %", "Last: crit+w, of links."},
    [TRAFFIC] = {"traffic", "SMs at all modules over SMs at the central one (Fig. 4): IPC, bytes between modules, %", ""},
    [DIVERGENCE] = {"divergence", "of loads more than one access; of memory instructions four or more (Fig. 6), %",
                    "Last: of loads that L1 did not have, those whose last answer came more than 20 cycles behind the first (Fig. 7: up to 27)."},
    [TRACKING] = {"tracking", "from which share of the highest stalls on a pair is critical (k): IPC of crit+tr over base, %", ""},
    [SENSITIVITY] = {"sensitivity", "what the paper does not say: IPC of crit+tr over base of the same machine, %", ""},
    [MACHINE] = {"machine", "of bytes between SMs and the L2, those between nodes; path order over the guard, IPC; %", ""},
};

#define ALL_OF(workloads) workloads, 0, FIGURE_MEAN, false
#define GAIN_OVER(id, group, column, base, ours) \
  { id, group, column, 1, CYCLES, base, CYCLES, ours, NULL, FIGURE_GAIN, ALL_OF(NULL) }
#define GAIN(id, group, column, ours) GAIN_OVER(id, group, column, BASE, ours)
#define MEAN(id, base, ours, workloads) \
  { id, SPEED, NULL, 1, CYCLES, base, CYCLES, ours, NULL, FIGURE_GAIN, ALL_OF(workloads) }
#define MOST(id, base, ours) \
  { id, SPEED, NULL, 1, CYCLES, base, CYCLES, ours, NULL, FIGURE_GAIN, HIGH, 0, FIGURE_LARGEST, false }
#define DROP(id, column, quantity, ours, compared) \
  { id, SAVED, column, 1, quantity, ours, quantity, BASE, NULL, FIGURE_DROP, NULL, 0, compared, false }
#define SHARE(id, group, column, over, under, in, workloads) \
  { id, group, column, 100, over, in, under, in, NULL, FIGURE_QUOTIENT, ALL_OF(workloads) }

static const figure_t figures[] = {
    GAIN(NULL, SPEED, "crit", CRIT),
    GAIN(NULL, SPEED, "crit+tr", CRIT_TR),
    GAIN(NULL, SPEED, "crit+tr+w", CRIT_TR_W),
    GAIN(NULL, SPEED, "crit+w", CRIT_W),
    GAIN(NULL, SPEED, "dist", DIST),
    GAIN(NULL, SPEED, "double", DOUBLE),
    MEAN("nupim-01", BASE, CRIT, HIGH),
    MOST("nupim-02", BASE, CRIT),
    MEAN("nupim-03", BASE, CRIT_TR, HIGH),
    MOST("nupim-04", BASE, CRIT_TR),
    MEAN("nupim-05", DIST, CRIT_TR, HIGH),
    MOST("nupim-06", DIST, CRIT_TR),
    MEAN("nupim-07", DOUBLE, CRIT_TR, HIGH),
    MOST("nupim-08", BASE, DIST),
    MEAN("nupim-09", BASE, CRIT_TR_W, HIGH),
    MOST("nupim-10", BASE, CRIT_TR_W),
    MEAN("nupim-11", BASE, CRIT_TR, LOW),
    MEAN("nupim-12", BASE, CRIT_TR, "srad"),
    GAIN_OVER(NULL, RIVALS, "dist", DIST, CRIT_TR),
    GAIN_OVER(NULL, RIVALS, "double", DOUBLE, CRIT_TR),
    SHARE(NULL, WIDTHS, "crit+tr+w", WIDTH, SLOTS, CRIT_TR_W, NULL),
    SHARE(NULL, WIDTHS, "crit+w", WIDTH, SLOTS, CRIT_W, NULL),
    DROP("nupim-13", "links", IO_ENERGY, CRIT_TR_W, FIGURE_MEAN),
    DROP("nupim-14", "system", ENERGY, CRIT_TR_W, FIGURE_MEAN),
    DROP("nupim-15", NULL, ENERGY, CRIT_TR_W, FIGURE_LARGEST),
    DROP(NULL, "crit+w", IO_ENERGY, CRIT_W, FIGURE_MEAN),
    GAIN_OVER(NULL, TRAFFIC, "IPC", CENTRAL, BASE),
    {NULL, TRAFFIC, "bytes", 1, LINK_BYTES, BASE, LINK_BYTES, CENTRAL, NULL, FIGURE_GAIN, ALL_OF(NULL)},
    {"nupim-19", TRAFFIC, NULL, 1, CYCLES, CENTRAL, CYCLES, BASE, NULL, FIGURE_GAIN, HIGH, 0, FIGURE_SMALLEST, false},
    {"nupim-20", TRAFFIC, NULL, 1, LINK_BYTES, BASE, LINK_BYTES, CENTRAL, NULL, FIGURE_GAIN, HIGH, 0, FIGURE_LARGEST, false},
    SHARE("nupim-16", DIVERGENCE, "2 or more", DIVERGENT, LOADS, BASE, NULL),
    SHARE(NULL, DIVERGENCE, "4 or more", FOUR, ACCESSES, BASE, NULL),
    SHARE(NULL, DIVERGENCE, "late", LATE, ANSWERED, BASE, NULL),
    SHARE("nupim-17", DIVERGENCE, NULL, FOUR, ACCESSES, BASE, "bfs"),
    SHARE("nupim-18", DIVERGENCE, NULL, FOUR, ACCESSES, BASE, "cfd"),
    GAIN(NULL, TRACKING, "k 10", K_10),
    GAIN(NULL, TRACKING, "k 25", K_25),
    GAIN(NULL, TRACKING, "k 50", CRIT_TR),
    GAIN(NULL, TRACKING, "k 75", K_75),
    GAIN_OVER(NULL, SENSITIVITY, "depth 8", BASE_DEPTH_8, DEPTH_8),
    GAIN_OVER(NULL, SENSITIVITY, "depth 32", BASE_DEPTH_32, DEPTH_32),
    GAIN_OVER(NULL, SENSITIVITY, "latency 8", BASE_LATENCY_8, LATENCY_8),
    GAIN_OVER(NULL, SENSITIVITY, "one network", BASE_ONE, ONE_NET),
    GAIN_OVER(NULL, SENSITIVITY, "round", BASE_ROUND, ROUND),
    SHARE(NULL, MACHINE, "far", NET_BYTES, ALL_BYTES, BASE, NULL),
    GAIN(NULL, MACHINE, "path order", BASE_PATH),
};

const figure_system_t figures_nupim = {
    .name = "nupim",
    .rule = "",
    .tolerance = 0.2,
    .small = {"network.epoch=5000", "network.width_delay=125"},
    .workloads = workloads,
    .classes = classes,
    .configurations = configurations,
    .quantities = quantities,
    .groups = groups,
    .figures = figures,
    .num_workloads = sizeof workloads / sizeof *workloads - 1,
    .num_configurations = CONFIGURATIONS,
    .num_quantities = QUANTITIES,
    .num_groups = GROUPS,
    .num_figures = sizeof figures / sizeof *figures,
};
