/* SPDX-License-Identifier: Apache-2.0
 *
 * NUPIM paper, sections II and V: the policies of Fig. 12 on the machine of Table I, and the
 * centralised machine.
 *
 * Three workloads share few pages; their pages are where a profile says. The pages of all others
 * go round all stacks in chunks, as in the paper (IV-B). A profile holds only while CTAs run on
 * the same nodes as before. In these three workloads, each node therefore has a range of CTAs.
 * No other setting is for one workload.
 */
#include "figure_tables.h"

static const char *const workloads[] = {"bfs", "cfd", "srad", "lulesh", "sc", "bp", "btree", "nn", "pf", "h3d", NULL};

#define LOW "nn pf h3d"
#define HIGH "-nn pf h3d"

/* Second sizes take 19 to 27 epochs; bp's full one takes 8. */
static const figure_class_t classes[] = {
    {LOW,
     "low sharing: pages where a profile says (IV-B), CTAs where they were then",
     FIGURE_ANY_SCALE,
     {"map.mode=pages", "map.bit=0", "map.homes=profile", "gpu.cta_order=ranges"}},
    {"cfd",
     "the paper's 0.2M, an iteration of three stages",
     FIGURE_FULL_SCALE,
     {"workload.cells=232536", "workload.iterations=1"}},
    SECOND_SIZE_OF("bfs", "an eighth of the graph", "workload.nodes=131072"),
    SECOND_SIZE_OF("cfd", "an eighth of the mesh", "workload.cells=30000", "workload.iterations=1"),
    SECOND_SIZE_OF("srad", "8 iterations of 22", "workload.iterations=8"),
    SECOND_SIZE_OF("lulesh", "a third of the elements", "workload.edge=30"),
    SECOND_SIZE_OF("sc", "3 candidates of 12", "workload.candidates=3"),
    SECOND_SIZE_OF("btree", "3 batches of 7", "workload.batches=3"),
    {0},
};

/* Policies. They also run at second sizes, with three seeds. */
enum { BASE, CRIT, CRIT_TR, CRIT_TR_W, DIST, DOUBLE, POLICIES };

/* Policies without widths, on another machine: their places behind that machine's base. */
enum { FIVE_DIST = CRIT_TR + 1, FIVE_DOUBLE, FIVES };

enum {
  CRIT_W = POLICIES,
  CENTRAL,
  BASE_RANGES,
  RANGES,
  SECOND_SIZES,
  BASE_PATH = SECOND_SIZES,
  K_10,
  K_25,
  K_75,
  BASE_DEPTH_8,
  DEPTH_8,
  BASE_DEPTH_32,
  DEPTH_32,
  BASE_LATENCY_8,
  LATENCY_8,
  TENTH,
  TENTH_WIDTHS,
  ONE_NETWORK = TENTH_WIDTHS + 1,
  TWO_ITERATIONS = ONE_NETWORK + FIVES,
  SEEDED = TWO_ITERATIONS + FIVES,
  SEEDS = 3,
  CONFIGURATIONS = SEEDED + SEEDS * POLICIES
};

/* The first seed of a policy at second sizes. */
#define AT(policy) (SEEDED + SEEDS * (policy))

#define NUPIM(name, text, ...)                \
  {                                           \
    name, text, FIGURE_SIMULATION, "nupim", { \
      __VA_ARGS__                             \
    }                                         \
  }
#define THREE(policy, name, setting)                                                                          \
  [AT(policy)] = NUPIM(name ", second size", name " at second sizes", setting),                               \
  [AT(policy) + 1] = NUPIM(name ", seed 2", name " at second sizes, another seed", setting, "system.seed=2"), \
  [AT(policy) + 2] = NUPIM(name ", seed 3", name " at second sizes, a third seed", setting, "system.seed=3")
#define FIVE(first, name, text, ...)                                                                             \
  [(first) + BASE] = NUPIM("base, " name, "base, " text, NO_POLICY, __VA_ARGS__),                                \
             [(first) + CRIT] = NUPIM("crit, " name, "crit, the same", "network.policy=crit", __VA_ARGS__),      \
             [(first) + CRIT_TR] = NUPIM(name, "crit+tr, the same", BEST, __VA_ARGS__),                          \
             [(first) + FIVE_DIST] = NUPIM("dist, " name, "dist, the same", "network.policy=dist", __VA_ARGS__), \
             [(first) + FIVE_DOUBLE] =                                                                           \
                 NUPIM("double, " name, "double, the same", "network.policy=double", __VA_ARGS__)
#define NO_POLICY "network.policy=base"
#define BEST "network.policy=crit+tr"
#define TENTH_EPOCHS "network.epoch=10000", "network.width_delay=250"

static const figure_configuration_t configurations[CONFIGURATIONS] = {
    [BASE] = NUPIM("base", "no congestion management", NO_POLICY),
    [CRIT] = NUPIM("crit", "critical paths first", "network.policy=crit"),
    [CRIT_TR] = NUPIM("crit+tr", "and what is not divergent", BEST),
    [CRIT_TR_W] = NUPIM("crit+tr+w", "and link widths", "network.policy=crit+tr+w"),
    [DIST] = NUPIM("dist", "what has come farther first", "network.policy=dist"),
    [DOUBLE] = NUPIM("double", "twice the VCs, each as deep", "network.policy=double"),
    [CRIT_W] = NUPIM("crit+w", "critical paths first, and link widths", "network.policy=crit+w"),
    [CENTRAL] = NUPIM("central", "base, all SMs in the central module", NO_POLICY, "gpu.node_sms=8*8,0*8"),
    [BASE_RANGES] = NUPIM("base, ranges", "base, each node has a range of CTAs and takes no other", NO_POLICY,
                          "gpu.cta_order=ranges"),
    [RANGES] = NUPIM("ranges", "crit+tr, the same", BEST, "gpu.cta_order=ranges"),
    [BASE_PATH] =
        NUPIM("base, path", "base, packets keep their order and SMs wait for none", NO_POLICY, "network.order=path"),
    [K_10] = NUPIM("k 10", "crit+tr, critical from 10 % of the highest stalls on", BEST, "network.track=10"),
    [K_25] = NUPIM("k 25", "the same from 25 %", BEST, "network.track=25"),
    [K_75] = NUPIM("k 75", "the same from 75 %", BEST, "network.track=75"),
    [BASE_DEPTH_8] = NUPIM("base, depth 8", "base, VCs of 8 flits", NO_POLICY, "network.depth=8"),
    [DEPTH_8] = NUPIM("depth 8", "crit+tr, VCs of 8 flits", BEST, "network.depth=8"),
    [BASE_DEPTH_32] = NUPIM("base, depth 32", "base, VCs of 32 flits", NO_POLICY, "network.depth=32"),
    [DEPTH_32] = NUPIM("depth 32", "crit+tr, VCs of 32 flits", BEST, "network.depth=32"),
    [BASE_LATENCY_8] = NUPIM("base, latency 8", "base, links of 8 cycles", NO_POLICY, "network.link_latency=8"),
    [LATENCY_8] = NUPIM("latency 8", "crit+tr, links of 8 cycles", BEST, "network.link_latency=8"),
    [TENTH] = NUPIM("epochs of 4 us", "crit+tr, epochs of a tenth of the paper's", BEST, TENTH_EPOCHS),
    [TENTH_WIDTHS] = NUPIM("widths, epochs of 4 us", "crit+tr+w, the same, and widths change in a tenth of the time",
                           "network.policy=crit+tr+w", TENTH_EPOCHS),
    FIVE(ONE_NETWORK, "one network", "requests and answers share links, a VC each", "network.subnets=1",
         "network.vcs=1"),
    FIVE(TWO_ITERATIONS, "two iterations", "switch allocators of two iterations", "network.iterations=2"),
    THREE(BASE, "base", NO_POLICY),
    THREE(CRIT, "crit", "network.policy=crit"),
    THREE(CRIT_TR, "crit+tr", BEST),
    THREE(CRIT_TR_W, "crit+tr+w", "network.policy=crit+tr+w"),
    THREE(DIST, "dist", "network.policy=dist"),
    THREE(DOUBLE, "double", "network.policy=double"),
};

enum {
  ONE,
  CYCLES,
  ENERGY,
  IO_ENERGY,
  WIDTH,
  SLOTS,
  LINK_BYTES,
  NET_BYTES,
  ALL_BYTES,
  LOADS,
  DIVERGENT,
  ACCESSES,
  FOUR,
  ANSWERED,
  LATE,
  SENT_BYTES,
  DIVERGENT_BYTES,
  QUANTITIES
};

#define FROM_4(list) list ".4to7 + " list ".8to15 + " list ".16to32"

static const figure_quantity_t quantities[QUANTITIES] = {
    [ONE] = {"one", ""},
    [CYCLES] = {"cycles", "cycles"},
    [ENERGY] = {"energy, nJ", "energy.total_nj"},
    [IO_ENERGY] =
        {"energy of links between modules, flits times pJ a bit: 1.5 of each that could go at the width, and 0.5 "
         "more, so 2, of each that goes",
         "0.5 * network:link_flits + 1.5 * network:width_slots"},
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
    [LATE] = {"whose last answer came more than 20 cycles behind the first",
              "gpu:load_spread.21to100 + gpu:load_spread.101to500 + gpu:load_spread.more"},
    [SENT_BYTES] = {"bytes that nodes send", "network:bytes.*"},
    [DIVERGENT_BYTES] = {"of instructions with more than one access", "network:divergent_bytes"},
};

enum {
  SPEED,
  AGAIN,
  RIVALS,
  WIDTHS,
  SAVED,
  TRAFFIC,
  DIVERGENCE,
  TRACKING,
  SENSITIVITY,
  EPOCHS,
  SHARED,
  ALLOCATOR,
  MACHINE,
  GROUPS
};

static const figure_group_t groups[GROUPS] = {
    [SPEED] = {"speed", "congestion management (Fig. 12): IPC over base, %", ""},
    [AGAIN] = {"seeds", "second sizes of the high-sharing workloads, about 20 epochs: IPC over base, %",
               "Means of three seeds."},
    [RIVALS] = {"rivals", "crit+tr over the others: IPC, %", ""},
    [WIDTHS] = {"widths", "mean width of links between modules in time, % of W", ""},
    [SAVED] = {"energy", "energy saved with link widths: of links, of the system, %", "Last: crit+w, of links."},
    [TRAFFIC] =
        {"traffic", "SMs at all modules over SMs at the central one (Fig. 4): IPC, bytes between modules, %",
         "High-sharing workloads: with SMs at M0 alone the others' pages would all be at M0's stacks, as ours hold "
         "more than the footprint."},
    [DIVERGENCE] =
        {"divergence", "of loads more than one access; of memory instructions four or more (Fig. 6), %",
         "Last: of loads that L1 did not have, those whose last answer came more than 20 cycles behind the first "
         "(Fig. 7: up to 27)."},
    [TRACKING] = {"tracking",
                  "from which share of the highest stalls on a pair is critical (k): IPC of crit+tr over base, %",
                  "Second sizes, seed 1."},
    [SENSITIVITY] = {"sensitivity", "what the paper does not say: IPC of crit+tr over base of the same machine, %",
                     "Second sizes, seed 1."},
    [EPOCHS] =
        {"epochs", "epochs of 4 us instead of 40: IPC over base, energy of links saved, %",
         "tr: crit+tr; tr+w: crit+tr+w, whose links save energy. Second sizes, seed 1. With epochs of 4 us widths "
         "change in 0.1 us, not 1."},
    [SHARED] = {"one-network",
                "requests and answers share links, which have Table I's bandwidth together: IPC over base, %",
                "Second sizes, seed 1."},
    [ALLOCATOR] =
        {"allocator",
         "switch allocators of two iterations instead of one: IPC over base of the same machine, traffic, %",
         "Second sizes, seed 1. Base: over base of one iteration. Last: of the bytes that nodes send, those of "
         "instructions with more than one access."},
    [MACHINE] = {"machine", "of bytes between SMs and the L2, those between nodes; path order over the guard, IPC; %",
                 "Ranges: crit+tr over base where each node has a range of CTAs. Path order: second sizes."},
};

/* Why a figure may be off; docs/nupim-figures.md has the measurements. */
#define WHY_LINKS                                                                                                     \
  "Answers from M2 and M4 to M0 fill 0.6 to 0.7 flits a cycle of their links and wait in 3 of 4 cycles; bfs and cfd " \
  "gain 18 and 16 %, whose nodes then "                                                                               \
  "do as much as they are answered, the others at most 6 (docs/nupim-figures.md)."
#define WHY_PRIORITY                                                                                                  \
  "The buffers' rank inside their port costs an allocator of one iteration its matches: at second sizes crit+tr has " \
  "3.6 %, without a rank 5.6, with two "                                                                              \
  "iterations 4.9. Then it is crit (5.8): that a third VC gives no more, as it does in a closed loop, was not "       \
  "explained (docs/nupim-figures.md)."
#define WHY_DIST                                                                                                    \
  "dist gains at M0, where what has come over links goes before the answers of M0's own stacks: by that alone cfd " \
  "gains 12 and bp 11 % at default sizes, by "                                                                      \
  "the rest of its order they lose 4 and 9 (docs/nupim-figures.md)."
#define WHY_WIDTH                                                                                                    \
  "Each router sends a tracker at its most congested output in each epoch, which marks the port critical for 64 "    \
  "epochs: nearly all links are, and a "                                                                             \
  "width holds for 40 us whatever comes: critical links lose by that in srad, the others in sc and bp. With epochs " \
  "of 4 us widths cost 7 points, not 19 "                                                                            \
  "(docs/nupim-figures.md)."
#define WHY_GRAPH                                                                                                 \
  "By the graph: at an eighth of the size three seeds give 17.7 to 19.7 %; and by what the compiler loads anew: " \
  "with a node's bounds loaded in each turn of "                                                                  \
  "the loop 1.7 points less (docs/nupim-figures.md)."
#define WHY_MESH                                                                                                     \
  "Cells are numbered at random here. With workload.window=80, a mesh numbered for locality, it is 22.9 %, and cfd " \
  "gains 17 by crit and 15 by crit+tr "                                                                              \
  "(docs/nupim-figures.md)."
#define WHY_CENTRAL                                                                                              \
  "What limits both machines are the links of M2 and M4 to M0, which carry 3 of 16 parts of all answers in the " \
  "centralised machine and 3/16 of "                                                                             \
  "13/16 in each direction in this one (docs/nupim-figures.md)."

/* Figures of the high-sharing workloads at second sizes: of seed 1, or the mean over three. */
#define SMALLER_GAIN(group, column, rival, ours) GAIN(NULL, group, column, rival, ours, NULL, OF(HIGH))
#define FOUR_GAINS(group, first)                                                                                \
  SMALLER_GAIN(group, "crit", first, (first) + CRIT), SMALLER_GAIN(group, "crit+tr", first, (first) + CRIT_TR), \
      SMALLER_GAIN(group, "dist", first, (first) + FIVE_DIST),                                                  \
      SMALLER_GAIN(group, "double", first, (first) + FIVE_DOUBLE)
#define MEAN_GAIN(column, policy) \
  GAIN(NULL, AGAIN, column, AT(BASE), AT(policy), NULL, HIGH, SEEDS, FIGURE_MEAN, FIGURE_SEEDS)

static const figure_t figures[] = {
    GAIN(NULL, SPEED, "crit", BASE, CRIT, NULL, ALL),
    GAIN(NULL, SPEED, "crit+tr", BASE, CRIT_TR, NULL, ALL),
    GAIN(NULL, SPEED, "crit+tr+w", BASE, CRIT_TR_W, NULL, ALL),
    GAIN(NULL, SPEED, "crit+w", BASE, CRIT_W, NULL, ALL),
    GAIN(NULL, SPEED, "dist", BASE, DIST, NULL, ALL),
    GAIN(NULL, SPEED, "double", BASE, DOUBLE, NULL, ALL),
    GAIN("nupim-01", SPEED, NULL, BASE, CRIT, WHY_LINKS, OF(HIGH)),
    GAIN("nupim-02", SPEED, NULL, BASE, CRIT, WHY_LINKS, WHAT_OF(HIGH, FIGURE_LARGEST)),
    GAIN("nupim-03", SPEED, NULL, BASE, CRIT_TR, WHY_PRIORITY, OF(HIGH)),
    GAIN("nupim-04", SPEED, NULL, BASE, CRIT_TR, WHY_PRIORITY, WHAT_OF(HIGH, FIGURE_LARGEST)),
    GAIN("nupim-05", SPEED, NULL, DIST, CRIT_TR, WHY_DIST, OF(HIGH)),
    GAIN("nupim-06", SPEED, NULL, DIST, CRIT_TR, WHY_DIST, WHAT_OF(HIGH, FIGURE_LARGEST)),
    GAIN("nupim-07", SPEED, NULL, DOUBLE, CRIT_TR, WHY_PRIORITY, OF(HIGH)),
    GAIN("nupim-08", SPEED, NULL, BASE, DIST, WHY_DIST, WHAT_OF(HIGH, FIGURE_LARGEST)),
    GAIN("nupim-09", SPEED, NULL, BASE, CRIT_TR_W, WHY_WIDTH, OF(HIGH)),
    GAIN("nupim-10", SPEED, NULL, BASE, CRIT_TR_W, WHY_WIDTH, WHAT_OF(HIGH, FIGURE_LARGEST)),
    GAIN("nupim-11", SPEED, NULL, BASE, CRIT_TR, NULL, WHAT_OF(LOW, FIGURE_FARTHEST)),
    GAIN("nupim-12", SPEED, NULL, BASE, CRIT_TR, NULL, OF("srad")),
    GAIN(NULL, RIVALS, "dist", DIST, CRIT_TR, NULL, ALL),
    GAIN(NULL, RIVALS, "double", DOUBLE, CRIT_TR, NULL, ALL),
    SHARE(NULL, WIDTHS, "crit+tr+w", WIDTH, CRIT_TR_W, SLOTS, CRIT_TR_W, NULL, ALL),
    SHARE(NULL, WIDTHS, "crit+w", WIDTH, CRIT_W, SLOTS, CRIT_W, NULL, ALL),
    DROP("nupim-13", SAVED, "links", IO_ENERGY, BASE, CRIT_TR_W, WHY_WIDTH, ALL),
    DROP("nupim-14", SAVED, "system", ENERGY, BASE, CRIT_TR_W, WHY_WIDTH, ALL),
    DROP("nupim-15", SAVED, NULL, ENERGY, BASE, CRIT_TR_W, WHY_WIDTH, WHAT_OF(NULL, FIGURE_LARGEST)),
    DROP(NULL, SAVED, "crit+w", IO_ENERGY, BASE, CRIT_W, NULL, ALL),
    GAIN(NULL, TRAFFIC, "IPC", CENTRAL, BASE, NULL, OF(HIGH)),
    {NULL, TRAFFIC, "bytes", 1, LINK_BYTES, BASE, LINK_BYTES, CENTRAL, NULL, FIGURE_GAIN, OF(HIGH)},
    GAIN("nupim-19", TRAFFIC, NULL, CENTRAL, BASE, WHY_CENTRAL, WHAT_OF(HIGH, FIGURE_SMALLEST)),
    {"nupim-20", TRAFFIC, NULL, 1, LINK_BYTES, BASE, LINK_BYTES, CENTRAL, NULL, FIGURE_GAIN, HIGH, 0, FIGURE_LARGEST,
     FIGURE_BEST},
    SHARE("nupim-16", DIVERGENCE, "2 or more", DIVERGENT, BASE, LOADS, BASE, NULL, ALL),
    SHARE(NULL, DIVERGENCE, "4 or more", FOUR, BASE, ACCESSES, BASE, NULL, ALL),
    SHARE(NULL, DIVERGENCE, "late", LATE, BASE, ANSWERED, BASE, NULL, ALL),
    SHARE("nupim-17", DIVERGENCE, NULL, FOUR, BASE, ACCESSES, BASE, WHY_GRAPH, OF("bfs")),
    SHARE("nupim-18", DIVERGENCE, NULL, FOUR, BASE, ACCESSES, BASE, WHY_MESH, OF("cfd")),
    MEAN_GAIN("crit", CRIT),
    MEAN_GAIN("crit+tr", CRIT_TR),
    MEAN_GAIN("crit+tr+w", CRIT_TR_W),
    MEAN_GAIN("dist", DIST),
    MEAN_GAIN("double", DOUBLE),
    SMALLER_GAIN(TRACKING, "k 10", AT(BASE), K_10),
    SMALLER_GAIN(TRACKING, "k 25", AT(BASE), K_25),
    SMALLER_GAIN(TRACKING, "k 50", AT(BASE), AT(CRIT_TR)),
    SMALLER_GAIN(TRACKING, "k 75", AT(BASE), K_75),
    SMALLER_GAIN(SENSITIVITY, "depth 8", BASE_DEPTH_8, DEPTH_8),
    SMALLER_GAIN(SENSITIVITY, "depth 16", AT(BASE), AT(CRIT_TR)),
    SMALLER_GAIN(SENSITIVITY, "depth 32", BASE_DEPTH_32, DEPTH_32),
    SMALLER_GAIN(SENSITIVITY, "latency 8", BASE_LATENCY_8, LATENCY_8),
    SMALLER_GAIN(EPOCHS, "tr", AT(BASE), AT(CRIT_TR)),
    SMALLER_GAIN(EPOCHS, "tr, 4 us", AT(BASE), TENTH),
    SMALLER_GAIN(EPOCHS, "tr+w", AT(BASE), AT(CRIT_TR_W)),
    SMALLER_GAIN(EPOCHS, "tr+w, 4 us", AT(BASE), TENTH_WIDTHS),
    DROP(NULL, EPOCHS, "links", IO_ENERGY, AT(BASE), AT(CRIT_TR_W), NULL, OF(HIGH)),
    DROP(NULL, EPOCHS, "links, 4 us", IO_ENERGY, AT(BASE), TENTH_WIDTHS, NULL, OF(HIGH)),
    FOUR_GAINS(SHARED, ONE_NETWORK),
    SMALLER_GAIN(ALLOCATOR, "base", AT(BASE), TWO_ITERATIONS),
    FOUR_GAINS(ALLOCATOR, TWO_ITERATIONS),
    SHARE(NULL, ALLOCATOR, "divergent", DIVERGENT_BYTES, TWO_ITERATIONS, SENT_BYTES, TWO_ITERATIONS, NULL, OF(HIGH)),
    GAIN(NULL, MACHINE, "ranges", BASE_RANGES, RANGES, NULL, OF(HIGH)),
    SHARE(NULL, MACHINE, "far", NET_BYTES, BASE, ALL_BYTES, BASE, NULL, ALL),
    SMALLER_GAIN(MACHINE, "path order", AT(BASE), BASE_PATH),
};

const figure_system_t figures_nupim = {
    .name = "nupim",
    .rule = "",
    .tolerance = 0.2,
    .small = {"network.epoch=5000", "network.width_delay=125"},
    .classes = classes,
    .second_sizes = SECOND_SIZES,
    FIGURE_TABLES,
};
