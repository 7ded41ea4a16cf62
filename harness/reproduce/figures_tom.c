/* SPDX-License-Identifier: Apache-2.0
 *
 * TOM paper, section 6: the GPU of 68 SMs, and 64 with one in each stack; what is offloaded with control and without; where memory lives, by the GPU's map
 * or by two bits of an address. No setting is for one workload.
 */
#include "figures.h"

static const char *const workloads[] = {"bp", "bfs32", "km", "lib", "ray", "cfd", "hw", "fwt32", "sp32", "rd", NULL};

/* FIX7 to FIX16 are one after the other: the best of them is asked for. */
enum { BASE, CTRL, ALWAYS, FIX7, FIX8, FIX9, FIX10, FIX11, FIX12, FIX13, FIX14, FIX15, FIX16, CONFIGURATIONS };
enum { MAPS = FIX16 - FIX7 + 1 };

#define FIXED(bit)                                                                                              \
  {                                                                                                             \
    "bit " bit, "control, the stack is the two bits of an address from " bit " on", FIGURE_SIMULATION, "tom", { \
      "tom.offload=ctrl", "map.mode=fixed", "map.bit=" bit                                                      \
    }                                                                                                           \
  }

static const figure_configuration_t configurations[CONFIGURATIONS] = {
    [BASE] = {"base", "the GPU alone, of 68 SMs", FIGURE_SIMULATION, "tom_gpu", {0}},
    [CTRL] = {"ctrl", "control, the GPU's map", FIGURE_SIMULATION, "tom", {"tom.offload=ctrl"}},
    [ALWAYS] = {"no-ctrl", "all candidates go, the GPU's map", FIGURE_SIMULATION, "tom", {"tom.offload=always"}},
    [FIX7] = FIXED("7"),
    [FIX8] = FIXED("8"),
    [FIX9] = FIXED("9"),
    [FIX10] = FIXED("10"),
    [FIX11] = FIXED("11"),
    [FIX12] = FIXED("12"),
    [FIX13] = FIXED("13"),
    [FIX14] = FIXED("14"),
    [FIX15] = FIXED("15"),
    [FIX16] = FIXED("16"),
};

enum { ONE, CYCLES, ENERGY, AT_STACKS, OWN_STACK, GPU_LINKS, CROSS_LINKS, LINKS, QUANTITIES };

static const figure_quantity_t quantities[QUANTITIES] = {
    [ONE] = {"one", ""},
    [CYCLES] = {"cycles", "cycles"},
    [ENERGY] = {"energy, nJ", "energy.total_nj"},
    [AT_STACKS] = {"share of thread instructions executed at stacks", "shares.at_stacks"},
    [OWN_STACK] = {"share of lines that blocks found in their stack", "shares.own_stack"},
    [GPU_LINKS] = {"bytes over the GPU's links", "gpu:sent_bytes.* + gpu:got_bytes.*"},
    [CROSS_LINKS] = {"bytes over links between stacks", "network:link_bytes.*"},
    [LINKS] = {"bytes over all links", "gpu:sent_bytes.* + gpu:got_bytes.* + network:link_bytes.*"},
};

enum { SPEED, LOW_BITS, HIGH_BITS, OFFLOADED, TRAFFIC, SAVED, GROUPS };

static const figure_group_t groups[GROUPS] = {
    [SPEED] = {"speed", "control and without, the GPU's map (Fig. 8): speed-up, %", ""},
    [LOW_BITS] = {"low", "control, two bits of an address from this one on are the stack: speed-up, %", ""},
    [HIGH_BITS] = {"high", "the same of higher bits: speed-up, %", ""},
    [OFFLOADED] = {"offloaded", "of thread instructions at stacks, and of lines that blocks found in their own stack, %", "Left: control. Right: without."},
    [TRAFFIC] = {"traffic", "bytes over all links, and over those between stacks (Fig. 9), % of the GPU alone", "Left: control. Right: without."},
    [SAVED] = {"energy", "energy saved (Fig. 10), %", ""},
};

#define ALL NULL, 0, FIGURE_MEAN, false
#define GAIN(id, group, column, ours) \
  { id, group, column, 1, CYCLES, BASE, CYCLES, ours, NULL, FIGURE_GAIN, ALL }
#define GAIN_OF(id, ours, workloads) \
  { id, SPEED, NULL, 1, CYCLES, BASE, CYCLES, ours, NULL, FIGURE_GAIN, workloads, 0, FIGURE_MEAN, false }
#define SHARE(id, group, column, over, over_in, under, under_in) \
  { id, group, column, 100, over, over_in, under, under_in, NULL, FIGURE_QUOTIENT, ALL }
#define DROP(id, column, ours) \
  { id, SAVED, column, 1, ENERGY, ours, ENERGY, BASE, NULL, FIGURE_DROP, ALL }

static const figure_t figures[] = {
    GAIN(NULL, SPEED, "control", CTRL),
    GAIN("tom-11", SPEED, "without", ALWAYS),
    GAIN_OF("tom-03", CTRL, "rd"),
    GAIN_OF("tom-05", CTRL, "km"),
    GAIN_OF("tom-06", CTRL, "bfs32"),
    GAIN(NULL, LOW_BITS, "bit 7", FIX7),
    GAIN(NULL, LOW_BITS, "bit 8", FIX8),
    GAIN(NULL, LOW_BITS, "bit 9", FIX9),
    GAIN(NULL, LOW_BITS, "bit 10", FIX10),
    GAIN(NULL, LOW_BITS, "bit 11", FIX11),
    GAIN(NULL, HIGH_BITS, "bit 12", FIX12),
    GAIN(NULL, HIGH_BITS, "bit 13", FIX13),
    GAIN(NULL, HIGH_BITS, "bit 14", FIX14),
    GAIN(NULL, HIGH_BITS, "bit 15", FIX15),
    GAIN(NULL, HIGH_BITS, "bit 16", FIX16),
    {"tom-08", HIGH_BITS, NULL, 1, CYCLES, BASE, CYCLES, FIX7, NULL, FIGURE_GAIN, "bfs32", MAPS, FIGURE_MEAN, false},
    SHARE(NULL, OFFLOADED, "at stacks", AT_STACKS, CTRL, ONE, CTRL),
    SHARE(NULL, OFFLOADED, "own stack", OWN_STACK, CTRL, ONE, CTRL),
    SHARE(NULL, OFFLOADED, "at stacks", AT_STACKS, ALWAYS, ONE, ALWAYS),
    SHARE(NULL, OFFLOADED, "own stack", OWN_STACK, ALWAYS, ONE, ALWAYS),
    SHARE(NULL, TRAFFIC, "all", LINKS, CTRL, GPU_LINKS, BASE),
    SHARE(NULL, TRAFFIC, "cross", CROSS_LINKS, CTRL, GPU_LINKS, BASE),
    SHARE(NULL, TRAFFIC, "all", LINKS, ALWAYS, GPU_LINKS, BASE),
    SHARE("tom-19", TRAFFIC, "cross", CROSS_LINKS, ALWAYS, GPU_LINKS, BASE),
    DROP(NULL, "control", CTRL),
    DROP("tom-22", "without", ALWAYS),
};

const figure_system_t figures_tom = {
    .name = "tom",
    .rule = "tom",
    .tolerance = 0.2,
    .small = {0},
    .workloads = workloads,
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
