/* SPDX-License-Identifier: Apache-2.0
 *
 * Four papers in one machine; nobody has published this. What do four factors gain on the NSU
 * paper's workloads, alone and together? They are NSUs, a learnt map, a network that manages
 * congestion, and SMs of stacks beside NSUs.
 *
 * Each configuration is there three times, with different seeds: other data, other places of
 * pages, other draws of the decision. No setting is for one workload. Configurations SECOND_...
 * run once, and at full scale with second sizes. At default sizes, runs and epochs are short.
 * Second sizes show whether the results hold at four to nine times the work, with the papers'
 * own epochs.
 */
#include "figure_tables.h"

static const char *const workloads[] = {"bprop", "bfs", "bicg", "fwt",  "kmn", "minife",
                                        "sp",    "stn", "stcl", "vadd", NULL};

static const figure_class_t classes[] = {
    SECOND_SIZE_OF("bprop", "4 times the inputs", "workload.points=320000"),
    SECOND_SIZE_OF("bfs", "4 times the nodes", "workload.nodes=131072"),
    SECOND_SIZE_OF("bicg", "9 times the matrix", "workload.rows=1536", "workload.columns=1536"),
    SECOND_SIZE_OF("fwt", "8 times the data", "workload.log2n=19", "workload.log2kernel=14"),
    SECOND_SIZE_OF("kmn", "all points, half the features", "workload.points=28000", "workload.features=69"),
    SECOND_SIZE_OF("minife", "8 times the elements", "workload.nx=96", "workload.ny=80", "workload.nz=64"),
    SECOND_SIZE_OF("sp", "8 times the vectors' length", "workload.n=16384"),
    SECOND_SIZE_OF("stn", "8 times the points", "workload.nx=512", "workload.ny=256", "workload.nz=32"),
    SECOND_SIZE_OF("stcl", "twice the points, twice the candidates", "workload.points=16384", "workload.candidates=6"),
    SECOND_SIZE_OF("vadd", "4 times the elements", "workload.n=4000000"),
    {0},
};

enum { SEEDS = 3 };

enum {
  GPU,
  GPU_PAGES,
  GPU_NET,
  NSU,
  NSU_MAP,
  NSU_NET,
  ALL_THREE,
  NSU_BMAP,
  NSU_CRIT,
  CACHED,
  SMS_ALONE,
  SMS,
  NARROW_GPU,
  NARROW_NSU,
  NARROW_MAP,
  NARROW_ALL,
  MACHINES,
  SECOND = SEEDS * MACHINES,
  SECOND_GPU = SECOND,
  SECOND_NSU,
  SECOND_MAP,
  SECOND_ALL,
  SECOND_SHORT,
  SECOND_NARROW_GPU,
  SECOND_NARROW_NSU,
  SECOND_NARROW_MAP,
  SECOND_NARROW_ALL,
  SECOND_NARROW_SHORT,
  CONFIGURATIONS
};

/* A machine's first seed. */
#define AT(machine) SEEDS *(machine)

#define SEEDED(seed, name, text, system, ...) \
  {                                           \
    name, text, FIGURE_SIMULATION, system, {  \
      __VA_ARGS__, "system.seed=" #seed       \
    }                                         \
  }
#define MACHINE(machine, name, text, system, ...)                                       \
  [AT(machine)] = SEEDED(1, name, text, system, __VA_ARGS__),                           \
  [AT(machine) + 1] = SEEDED(2, name " 2", text ", another seed", system, __VA_ARGS__), \
  [AT(machine) + 2] = SEEDED(3, name " 3", text ", a third seed", system, __VA_ARGS__)

#define PAGES "map.mode=pages"
#define BASE "network.policy=base"
#define NARROW "network.flit_bytes=8"
#define SHORT "network.epoch=10000", "network.width_delay=250"

static const figure_configuration_t configurations[CONFIGURATIONS] = {
    MACHINE(GPU, "gpu", "the GPU alone, lines round all stacks", "near_gpu", "map.mode=bmap"),
    MACHINE(GPU_PAGES, "gpu, pages", "the same, pages on random stacks", "near_gpu", PAGES),
    MACHINE(GPU_NET, "gpu, crit+w", "the GPU alone, congestion managed", "near_gpu", "network.policy=crit+w"),
    MACHINE(NSU, "nsu", "NSUs, Algorithm 1 decides", "near", PAGES, BASE),
    MACHINE(NSU_MAP, "nsu, map", "and the map is learnt", "near", BASE),
    MACHINE(NSU_NET, "nsu, crit+w", "NSUs, congestion managed", "near", PAGES),
    MACHINE(ALL_THREE, "all", "NSUs, the map is learnt, congestion managed", "near", "map.mode=tmap"),
    MACHINE(NSU_BMAP, "nsu, bmap", "NSUs, lines round all stacks", "near", "map.mode=bmap", BASE),
    MACHINE(NSU_CRIT, "nsu, map, crit", "as all, links keep their widths", "near", "network.policy=crit"),
    MACHINE(CACHED, "cached", "as all, and no blocks whose data caches have", "near", "offload.policy=dynamic_cache"),
    MACHINE(SMS_ALONE, "sms alone", "the map is learnt, congestion managed, loops to SMs of stacks, no NSUs",
            "near_sms", "offload.policy=none"),
    MACHINE(SMS, "sms", "as all, and loops to SMs of stacks", "near_sms", "map.mode=tmap"),
    MACHINE(NARROW_GPU, "narrow gpu", "the GPU alone, links of 20 GB/s", "near_gpu", "map.mode=bmap", NARROW),
    MACHINE(NARROW_NSU, "narrow nsu", "NSUs, links of 20 GB/s", "near", PAGES, BASE, NARROW),
    MACHINE(NARROW_MAP, "narrow nsu, map", "and the map is learnt", "near", BASE, NARROW),
    MACHINE(NARROW_ALL, "narrow all", "and congestion managed", "near", "map.mode=tmap", NARROW),
    [SECOND_GPU] =
        SEEDED(1, "second gpu", "second sizes: the GPU alone, lines round all stacks", "near_gpu", "map.mode=bmap"),
    [SECOND_NSU] = SEEDED(1, "second nsu", "NSUs, Algorithm 1 decides", "near", PAGES, BASE),
    [SECOND_MAP] = SEEDED(1, "second map", "and the map is learnt", "near", BASE),
    [SECOND_ALL] = SEEDED(1, "second all", "and congestion managed", "near", "map.mode=tmap"),
    [SECOND_SHORT] = SEEDED(1, "second short", "the same in epochs of 4 us", "near", "map.mode=tmap", SHORT),
    [SECOND_NARROW_GPU] = SEEDED(1, "second narrow gpu", "second sizes, links of 20 GB/s: the GPU alone", "near_gpu",
                                 "map.mode=bmap", NARROW),
    [SECOND_NARROW_NSU] = SEEDED(1, "second narrow nsu", "NSUs, Algorithm 1 decides", "near", PAGES, BASE, NARROW),
    [SECOND_NARROW_MAP] = SEEDED(1, "second narrow map", "and the map is learnt", "near", BASE, NARROW),
    [SECOND_NARROW_ALL] = SEEDED(1, "second narrow all", "and congestion managed", "near", "map.mode=tmap", NARROW),
    [SECOND_NARROW_SHORT] =
        SEEDED(1, "second narrow short", "the same in epochs of 4 us", "near", "map.mode=tmap", SHORT, NARROW),
};

enum { ONE, CYCLES, ENERGY, LINK_BYTES, GPU_BYTES, LEARNING, WIDTH, SLOTS, OFFLOADED, BLOCKS, QUANTITIES };

static const figure_quantity_t quantities[QUANTITIES] = {
    [ONE] = {"one", ""},
    [CYCLES] = {"cycles", "cycles"},
    [ENERGY] = {"energy, nJ", "energy.total_nj"},
    [LINK_BYTES] = {"bytes over links of the network", "network:link_bytes.*"},
    [GPU_BYTES] = {"bytes between the GPU and memory", "gpu:sent_bytes.* + gpu:got_bytes.*"},
    [LEARNING] = {"cycles of learning", "gpu:learn_cycles"},
    [WIDTH] = {"what links could have carried at their widths, flits", "network:width_slots"},
    [SLOTS] = {"the same at full width", "network:link_slots"},
    [OFFLOADED] = {"blocks that NSUs got", "gpu:blocks_offloaded"},
    [BLOCKS] = {"all blocks", "gpu:blocks_offloaded + gpu:blocks_kept"},
};

enum { SPEED, PARTS, LEAST, MOST, BANDWIDTH, LONGER, LONGER_NARROW, SAVED, SAVED_PARTS, BYTES, OUTSIDE, WHY, GROUPS };

static const figure_group_t groups[GROUPS] = {
    [SPEED] = {"speed", "IPC over the GPU alone, %", "Means of three seeds."},
    [PARTS] = {"parts", "one factor more or less: IPC over the GPU alone, %", "Means of three seeds."},
    [LEAST] = {"least", "IPC over the GPU alone, %: of three seeds the least", ""},
    [MOST] = {"most", "IPC over the GPU alone, %: of three seeds the most", ""},
    [BANDWIDTH] = {"bandwidth", "links of 20 GB/s, as the NSU paper's: IPC over the GPU alone with such links, %",
                   "Means of three seeds."},
    [LONGER] = {"longer", "second sizes: IPC over the GPU alone, %",
                "Seed 1. With --scale small these are default sizes."},
    [LONGER_NARROW] = {"longer-narrow", "second sizes, links of 20 GB/s: IPC over the GPU alone with such links, %",
                       "Seed 1. With --scale small these are default sizes."},
    [SAVED] = {"energy", "energy saved, %", "Means of three seeds."},
    [SAVED_PARTS] = {"energy-parts", "one factor more or less: energy saved, %", "Means of three seeds."},
    [BYTES] = {"bytes", "bytes over links of the network, those of the GPU alone are 100 %", "Means of three seeds."},
    [OUTSIDE] = {"gpu-bytes", "bytes between the GPU and memory, those of the GPU alone are 100 %",
                 "Means of three seeds."},
    [WHY] = {"why", "of cycles, those of learning; mean width of links in time; of blocks, those that NSUs got; %",
             "Of seed 1."},
};

/* The last members of a figure over three seeds. */
#define SEEDS_OF(which) NULL, SEEDS, FIGURE_MEAN, which
#define FASTER(group, column, machine, which) GAIN(NULL, group, column, AT(GPU), AT(machine), NULL, SEEDS_OF(which))
#define SAVING(group, column, machine) \
  DROP(NULL, group, column, ENERGY, AT(GPU), AT(machine), NULL, SEEDS_OF(FIGURE_SEEDS))
#define CARRIED(group, column, quantity, machine) \
  SHARE(NULL, group, column, quantity, AT(machine), quantity, AT(GPU), NULL, SEEDS_OF(FIGURE_SEEDS))
#define ONCE(group, column, rival, machine) GAIN(NULL, group, column, rival, machine, NULL, ALL)
#define OF_ONE(column, over, under, machine) SHARE(NULL, WHY, column, over, AT(machine), under, AT(machine), NULL, ALL)
/* The columns of a group that is of all three alone and together. */
#define TOGETHER(COLUMN, ...)                                                                                       \
  COLUMN("crit+w", GPU_NET, __VA_ARGS__), COLUMN("nsu", NSU, __VA_ARGS__), COLUMN("nsu map", NSU_MAP, __VA_ARGS__), \
      COLUMN("nsu crit+w", NSU_NET, __VA_ARGS__), COLUMN("all", ALL_THREE, __VA_ARGS__),                            \
      COLUMN("all, sms", SMS, __VA_ARGS__)
#define ONE_FACTOR(COLUMN, ...)                                                             \
  COLUMN("pages", GPU_PAGES, __VA_ARGS__), COLUMN("nsu bmap", NSU_BMAP, __VA_ARGS__),       \
      COLUMN("map crit", NSU_CRIT, __VA_ARGS__), COLUMN("all, cache", CACHED, __VA_ARGS__), \
      COLUMN("sms alone", SMS_ALONE, __VA_ARGS__)
#define SPEED_OF(column, machine, group, which) FASTER(group, column, machine, which)
#define SAVED_OF(column, machine, group) SAVING(group, column, machine)
#define CARRIED_OF(column, machine, group, quantity) CARRIED(group, column, quantity, machine)

static const figure_t figures[] = {
    TOGETHER(SPEED_OF, SPEED, FIGURE_SEEDS),
    ONE_FACTOR(SPEED_OF, PARTS, FIGURE_SEEDS),
    TOGETHER(SPEED_OF, LEAST, FIGURE_SEEDS_SMALLEST),
    TOGETHER(SPEED_OF, MOST, FIGURE_SEEDS_LARGEST),
    GAIN(NULL, BANDWIDTH, "nsu", AT(NARROW_GPU), AT(NARROW_NSU), NULL, SEEDS_OF(FIGURE_SEEDS)),
    GAIN(NULL, BANDWIDTH, "nsu map", AT(NARROW_GPU), AT(NARROW_MAP), NULL, SEEDS_OF(FIGURE_SEEDS)),
    GAIN(NULL, BANDWIDTH, "all", AT(NARROW_GPU), AT(NARROW_ALL), NULL, SEEDS_OF(FIGURE_SEEDS)),
    GAIN(NULL, BANDWIDTH, "gpu, 80", AT(NARROW_GPU), AT(GPU), NULL, SEEDS_OF(FIGURE_SEEDS)),
    ONCE(LONGER, "nsu", SECOND_GPU, SECOND_NSU),
    ONCE(LONGER, "nsu map", SECOND_GPU, SECOND_MAP),
    ONCE(LONGER, "all", SECOND_GPU, SECOND_ALL),
    ONCE(LONGER, "all, 4 us", SECOND_GPU, SECOND_SHORT),
    ONCE(LONGER_NARROW, "gpu, 80", SECOND_NARROW_GPU, SECOND_GPU),
    ONCE(LONGER_NARROW, "nsu", SECOND_NARROW_GPU, SECOND_NARROW_NSU),
    ONCE(LONGER_NARROW, "nsu map", SECOND_NARROW_GPU, SECOND_NARROW_MAP),
    ONCE(LONGER_NARROW, "all", SECOND_NARROW_GPU, SECOND_NARROW_ALL),
    ONCE(LONGER_NARROW, "all, 4 us", SECOND_NARROW_GPU, SECOND_NARROW_SHORT),
    TOGETHER(SAVED_OF, SAVED),
    ONE_FACTOR(SAVED_OF, SAVED_PARTS),
    TOGETHER(CARRIED_OF, BYTES, LINK_BYTES),
    TOGETHER(CARRIED_OF, OUTSIDE, GPU_BYTES),
    OF_ONE("learning", LEARNING, CYCLES, ALL_THREE),
    OF_ONE("width", WIDTH, SLOTS, ALL_THREE),
    OF_ONE("nsu blocks", OFFLOADED, BLOCKS, NSU),
    OF_ONE("all blocks", OFFLOADED, BLOCKS, ALL_THREE),
};

/* Runs at default sizes are a tenth as long as the papers' runs, so epochs are a tenth, too. */
static const figure_small_t small_of[] = {
    {"near", "ratio.epoch_cycles=3000"}, {"near_sms", "ratio.epoch_cycles=3000"}, {0}};

const figure_system_t figures_near = {
    .name = "near",
    .rule = "",
    .tolerance = 0.2,
    .small = {SHORT},
    .small_of = small_of,
    .classes = classes,
    .second_sizes = SECOND,
    FIGURE_TABLES,
};
