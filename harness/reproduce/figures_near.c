/* SPDX-License-Identifier: Apache-2.0
 *
 * Four papers in one machine: what NSUs, a map that is learnt, a network that manages its congestion, and SMs of stacks beside NSUs gain alone and together,
 * on the workloads of the NSU paper. Nobody has published it. Each configuration is there three times, with another seed: other data, other places of pages,
 * other draws of the decision. No setting is for one workload.
 */
#include "figure_tables.h"

static const char *const workloads[] = {"bprop", "bfs", "bicg", "fwt", "kmn", "minife", "sp", "stn", "stcl", "vadd", NULL};

enum { SEEDS = 3 };

enum { GPU, GPU_PAGES, GPU_NET, NSU, NSU_MAP, NSU_NET, ALL_THREE, NSU_BMAP, NSU_CRIT, CACHED, SMS_ALONE, SMS, MACHINES, CONFIGURATIONS = SEEDS * MACHINES };

/* A machine's first one. */
#define AT(machine) SEEDS *(machine)

#define SEEDED(seed, name, text, system, ...) \
  {                                           \
    name, text, FIGURE_SIMULATION, system, {  \
      __VA_ARGS__, "system.seed=" #seed       \
    }                                         \
  }
#define MACHINE(machine, name, text, system, ...)                                                                                                   \
  [AT(machine)] = SEEDED(1, name, text, system, __VA_ARGS__), [AT(machine) + 1] = SEEDED(2, name " 2", text ", another seed", system, __VA_ARGS__), \
  [AT(machine) + 2] = SEEDED(3, name " 3", text ", a third seed", system, __VA_ARGS__)

#define PAGES "map.mode=pages"
#define BASE "network.policy=base"

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
    MACHINE(SMS_ALONE, "sms alone", "the map is learnt, congestion managed, loops to SMs of stacks, no NSUs", "near_sms", "offload.policy=none"),
    MACHINE(SMS, "sms", "as all, and loops to SMs of stacks", "near_sms", "map.mode=tmap"),
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

enum { SPEED, PARTS, LEAST, MOST, SAVED, SAVED_PARTS, BYTES, OUTSIDE, WHY, GROUPS };

static const figure_group_t groups[GROUPS] = {
    [SPEED] = {"speed", "IPC over the GPU alone, %", "Means of three seeds."},
    [PARTS] = {"parts", "one factor more or less: IPC over the GPU alone, %", "Means of three seeds."},
    [LEAST] = {"least", "IPC over the GPU alone, %: of three seeds the least", ""},
    [MOST] = {"most", "IPC over the GPU alone, %: of three seeds the most", ""},
    [SAVED] = {"energy", "energy saved, %", "Means of three seeds."},
    [SAVED_PARTS] = {"energy-parts", "one factor more or less: energy saved, %", "Means of three seeds."},
    [BYTES] = {"bytes", "bytes over links of the network, those of the GPU alone are 100 %", "Means of three seeds."},
    [OUTSIDE] = {"gpu-bytes", "bytes between the GPU and memory, those of the GPU alone are 100 %", "Means of three seeds."},
    [WHY] = {"why", "of cycles, those of learning; mean width of links in time; of blocks, those that NSUs got; %", "Of seed 1."},
};

/* Over three seeds. */
#define SEEDS_OF(which) NULL, SEEDS, FIGURE_MEAN, which
#define FASTER(group, column, machine, which) GAIN(NULL, group, column, AT(GPU), AT(machine), NULL, SEEDS_OF(which))
#define SAVING(group, column, machine) DROP(NULL, group, column, ENERGY, AT(GPU), AT(machine), NULL, SEEDS_OF(FIGURE_SEEDS))
#define CARRIED(group, column, quantity, machine) SHARE(NULL, group, column, quantity, AT(machine), quantity, AT(GPU), NULL, SEEDS_OF(FIGURE_SEEDS))
#define OF_ONE(column, over, under, machine) SHARE(NULL, WHY, column, over, AT(machine), under, AT(machine), NULL, ALL)
/* The columns of a group that is of all three alone and together. */
#define TOGETHER(COLUMN, ...)                                                                                       \
  COLUMN("crit+w", GPU_NET, __VA_ARGS__), COLUMN("nsu", NSU, __VA_ARGS__), COLUMN("nsu map", NSU_MAP, __VA_ARGS__), \
      COLUMN("nsu crit+w", NSU_NET, __VA_ARGS__), COLUMN("all", ALL_THREE, __VA_ARGS__), COLUMN("all, sms", SMS, __VA_ARGS__)
#define ONE_FACTOR(COLUMN, ...)                                                                                                  \
  COLUMN("pages", GPU_PAGES, __VA_ARGS__), COLUMN("nsu bmap", NSU_BMAP, __VA_ARGS__), COLUMN("map crit", NSU_CRIT, __VA_ARGS__), \
      COLUMN("all, cache", CACHED, __VA_ARGS__), COLUMN("sms alone", SMS_ALONE, __VA_ARGS__)
#define SPEED_OF(column, machine, group, which) FASTER(group, column, machine, which)
#define SAVED_OF(column, machine, group) SAVING(group, column, machine)
#define CARRIED_OF(column, machine, group, quantity) CARRIED(group, column, quantity, machine)

static const figure_t figures[] = {
    TOGETHER(SPEED_OF, SPEED, FIGURE_SEEDS),
    ONE_FACTOR(SPEED_OF, PARTS, FIGURE_SEEDS),
    TOGETHER(SPEED_OF, LEAST, FIGURE_SEEDS_SMALLEST),
    TOGETHER(SPEED_OF, MOST, FIGURE_SEEDS_LARGEST),
    TOGETHER(SAVED_OF, SAVED),
    ONE_FACTOR(SAVED_OF, SAVED_PARTS),
    TOGETHER(CARRIED_OF, BYTES, LINK_BYTES),
    TOGETHER(CARRIED_OF, OUTSIDE, GPU_BYTES),
    OF_ONE("learning", LEARNING, CYCLES, ALL_THREE),
    OF_ONE("width", WIDTH, SLOTS, ALL_THREE),
    OF_ONE("nsu blocks", OFFLOADED, BLOCKS, NSU),
    OF_ONE("all blocks", OFFLOADED, BLOCKS, ALL_THREE),
};

/* Runs of default sizes are a tenth as long as those that the papers' epochs are for: so are epochs. */
static const figure_small_t small_of[] = {{"near", "ratio.epoch_cycles=3000"}, {"near_sms", "ratio.epoch_cycles=3000"}, {0}};

const figure_system_t figures_near = {
    .name = "near",
    .rule = "",
    .tolerance = 0.2,
    .small = {"network.epoch=10000", "network.width_delay=250"},
    .small_of = small_of,
    FIGURE_TABLES,
};
