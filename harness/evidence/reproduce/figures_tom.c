/* SPDX-License-Identifier: Apache-2.0
 *
 * TOM paper, section 6: the GPU with 68 SMs, and with 64 SMs and one SM in each stack.
 * Configurations differ in what is offloaded, with control or without, and in where memory is:
 * by the GPU's map, or by two bits of an address. No setting is for one workload, except for
 * sizes at the small scale.
 */
#include "figure_tables.h"

static const char *const workloads[] = {"bp", "bfs32", "km", "lib", "ray", "cfd", "hw", "fwt32", "sp32", "rd", NULL};

/* The small scale takes minutes in all. */
static const figure_class_t classes[] = {
    {"cfd", "one of two iterations", FIGURE_SMALL_SCALE, {"workload.iterations=1"}},
    {"bfs32", "half of its default size", FIGURE_SMALL_SCALE, {"workload.nodes=16384"}},
    {"km", "two thirds of its default size", FIGURE_SMALL_SCALE, {"workload.points=8000"}},
    {"hw", "one image behind the first", FIGURE_SMALL_SCALE, {"workload.frames=2"}},
    {0},
};

/* FIX7 to FIX16 stay together, because a figure asks for the best of them. */
enum {
  BASE,
  CTRL,
  CTRL_LEARNT,
  ALWAYS,
  ALWAYS_LEARNT,
  WARPS_96,
  WARPS_192,
  CROSS_8,
  CROSS_4,
  CROSS_1,
  BASE_INSIDE_1,
  INSIDE_1,
  BUSY_50,
  BUSY_70,
  BUSY_95,
  WINDOW_256,
  WINDOW_4096,
  LINKS_HALF,
  BASE_LINKS_HALF,
  LOOPS,
  FREE_COHERENCE,
  IDEAL,
  WATCH,
  FIX7,
  FIX8,
  FIX9,
  FIX10,
  FIX11,
  FIX12,
  FIX13,
  FIX14,
  FIX15,
  FIX16,
  COMPILER,
  EXAMPLE,
  CONFIGURATIONS
};
enum { MAPS = FIX16 - FIX7 + 1 };

#define TOM(name, text, ...)                \
  {                                         \
    name, text, FIGURE_SIMULATION, "tom", { \
      __VA_ARGS__                           \
    }                                       \
  }
#define CONTROL "tom.offload=ctrl"
#define LEARNT "map.mode=tmap"
#define FIXED(bit)                                                                                               \
  TOM("bit " bit, "control, the stack is the two bits of an address from " bit " on", CONTROL, "map.mode=fixed", \
      "map.bit=" bit)
/* A burst's 64 bytes in eight cycles: 80 GB/s a stack, as its link to the GPU. */
#define HALF_INSIDE "dram.BL=8", "dram.tCCD=8"

static const figure_configuration_t configurations[CONFIGURATIONS] = {
    [BASE] = {"base", "the GPU alone, of 68 SMs", FIGURE_SIMULATION, "tom_gpu", {0}},
    [CTRL] = TOM("ctrl", "control, the GPU's map", CONTROL),
    [CTRL_LEARNT] = TOM("ctrl-tmap", "control, the learnt map", CONTROL, LEARNT),
    [ALWAYS] = TOM("no-ctrl", "all candidates go, the GPU's map", "tom.offload=always"),
    [ALWAYS_LEARNT] = TOM("no-ctrl-tmap", "all candidates go, the learnt map", "tom.offload=always", LEARNT),
    [WARPS_96] = TOM("96 warps", "control, the learnt map, stacks' SMs of 96 warps", CONTROL, LEARNT, "tom.warps=96"),
    [WARPS_192] = TOM("192 warps", "the same of 192", CONTROL, LEARNT, "tom.warps=192"),
    [CROSS_8] = TOM("cross 0.125", "control, the learnt map, links between stacks of an eighth of the GPU's", CONTROL,
                    LEARNT, "network.flit_bytes=8"),
    [CROSS_4] = TOM("cross 0.25", "the same of a quarter", CONTROL, LEARNT, "network.flit_bytes=16"),
    [CROSS_1] = TOM("cross 1", "the same, as wide as these", CONTROL, LEARNT, "network.flit_bytes=64"),
    [BASE_INSIDE_1] = {"base inside 1",
                       "the GPU alone, stacks as fast inside as their links",
                       FIGURE_SIMULATION,
                       "tom_gpu",
                       {HALF_INSIDE}},
    [INSIDE_1] =
        TOM("inside 1", "control, the learnt map, stacks as fast inside as their links", CONTROL, LEARNT, HALF_INSIDE),
    [BUSY_50] = TOM("busy 0.5", "control, the learnt map, links are busy from half of what they carry on", CONTROL,
                    LEARNT, "tom.busy=0.5"),
    [BUSY_70] = TOM("busy 0.7", "the same from 70 %", CONTROL, LEARNT, "tom.busy=0.7"),
    [BUSY_95] = TOM("busy 0.95", "the same from 95 %", CONTROL, LEARNT, "tom.busy=0.95"),
    [WINDOW_256] = TOM("window 256", "control, the learnt map, links watched for 256 cycles at a time", CONTROL, LEARNT,
                       "tom.window=256"),
    [WINDOW_4096] = TOM("window 4096", "the same for 4,096", CONTROL, LEARNT, "tom.window=4096"),
    [LINKS_HALF] = TOM("half links", "control, the learnt map, links of the GPU's of 40 GB/s each way", CONTROL, LEARNT,
                       "link.flits=2"),
    [BASE_LINKS_HALF] = {"base, half links",
                         "the GPU alone, of 68 SMs, the same links",
                         FIGURE_SIMULATION,
                         "tom_gpu",
                         {"link.flits=2"}},
    [LOOPS] = TOM("loops", "control, the learnt map, loops alone are candidates", CONTROL, LEARNT, "tom.regions=loops"),
    [FREE_COHERENCE] =
        TOM("no lists", "control, the learnt map, coherence for nothing", CONTROL, LEARNT, "tom.free=coherence"),
    [IDEAL] = TOM("ideal", "control, all of offloading for nothing, data where blocks are", CONTROL, "tom.free=all"),
    [WATCH] = TOM("watch", "no candidate goes, all are looked at", "tom.offload=watch"),
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
    [COMPILER] = {"compiler", "candidates of a workload's kernels", FIGURE_COMPILATION, "", {0}},
    [EXAMPLE] = {"example",
                 "the compiler, on the paper's own example",
                 FIGURE_COMPILATION,
                 "",
                 {"tests/unit/firmware/libor.ptx"}},
};

enum {
  ONE,
  CYCLES,
  ENERGY,
  AT_STACKS,
  OWN_STACK,
  GPU_LINKS,
  CROSS_LINKS,
  LINKS,
  LEARNING,
  TOGETHER,
  TOGETHER_BEST,
  TOGETHER_LEARNT,
  ONE_TRIP,
  FOUR_TRIPS,
  CANDIDATES,
  FIXED_SOME,
  FIXED_ALL,
  FIXED_STEPS,
  QUANTITIES
};

static const figure_quantity_t quantities[QUANTITIES] = {
    [ONE] = {"one", ""},
    [CYCLES] = {"cycles", "cycles"},
    [ENERGY] = {"energy, nJ", "energy.total_nj"},
    [AT_STACKS] = {"share of thread instructions executed at stacks", "shares.at_stacks"},
    [OWN_STACK] = {"share of lines that blocks found in their stack", "shares.own_stack"},
    [GPU_LINKS] = {"bytes over the GPU's links", "gpu:sent_bytes.* + gpu:got_bytes.*"},
    [CROSS_LINKS] = {"bytes over links between stacks", "network:link_bytes.*"},
    [LINKS] = {"bytes over all links", "gpu:sent_bytes.* + gpu:got_bytes.* + network:link_bytes.*"},
    [LEARNING] = {"cycles of learning", "tom.learning.cycles"},
    [TOGETHER] = {"share of accesses to the stack of their instance's first", "tom.watched.together"},
    [TOGETHER_BEST] = {"the same by the best two bits", "tom.watched.together_best"},
    [TOGETHER_LEARNT] = {"the same by two bits that the first instances say", "tom.watched.together_learnt"},
    [ONE_TRIP] = {"change of bandwidth when a loop is offloaded for one trip, words",
                  "kernels.0.candidates.0.condition.changes.0"},
    [FOUR_TRIPS] = {"for four", "kernels.0.candidates.0.condition.changes.3"},
    [CANDIDATES] = {"candidates", "fixed_offsets.candidates"},
    [FIXED_SOME] = {"candidates with accesses at a fixed offset to each other", "fixed_offsets.some"},
    [FIXED_ALL] = {"candidates with no others", "fixed_offsets.all"},
    [FIXED_STEPS] = {"candidates with accesses at a fixed offset to each other or to themselves a trip later",
                     "fixed_offsets.or_steps"},
};

enum {
  SPEED,
  LOW_BITS,
  HIGH_BITS,
  WARPS,
  MORE,
  CROSS,
  INSIDE,
  COSTS,
  LIMITS,
  CHOICES,
  LIMITS_AWAY,
  CHOICES_AWAY,
  OFFLOADED,
  FOUND,
  TRAFFIC,
  BETWEEN,
  SAVED,
  OFFSETS,
  TOGETHERNESS,
  EQUATIONS,
  GROUPS
};

static const figure_group_t groups[GROUPS] = {
    [SPEED] = {"speed", "control and without, the GPU's map and the learnt one (Fig. 8): speed-up, %",
               "Last: learning, % of the cycles with it."},
    [LOW_BITS] = {"low", "control, two bits of an address from this one on are the stack: speed-up, %", ""},
    [HIGH_BITS] = {"high", "the same of higher bits: speed-up, %", ""},
    [WARPS] = {"warps", "warps of a stack's SM (Fig. 11): speed-up with control and the learnt map, %", ""},
    [MORE] = {"more", "the same: bytes over all links (Fig. 12), change to the GPU alone, %", ""},
    [CROSS] = {"cross",
               "links between stacks, as shares of the GPU's links (6.5): speed-up with control and the learnt map, %",
               ""},
    [INSIDE] =
        {"inside",
         "bandwidth inside a stack, as of its link to the GPU (Fig. 13): speed-up with control and the learnt map, %",
         ""},
    [COSTS] = {"ideal", "what costs nothing in an ideal machine (2, 4.4.2; Fig. 2): speed-up with control, %",
               "Coherence: over the same with it."},
    [LIMITS] =
        {"limits",
         "what is ours: from which share of a window on, of how many cycles, links are busy: speed-up with control "
         "and the learnt map, %",
         ""},
    [CHOICES] =
        {"choices",
         "what is ours: 80 GB/s of the GPU's links are each way's, regions without loops are candidates: the same, %",
         "Half links: over the GPU alone with these."},
    [LIMITS_AWAY] = {"limits-offloaded", "busy from, in windows of: of thread instructions at stacks, %", ""},
    [CHOICES_AWAY] = {"choices-offloaded", "half links, loops alone: of thread instructions at stacks, %", ""},
    [OFFLOADED] = {"offloaded", "of thread instructions at stacks, %", ""},
    [FOUND] = {"found", "of lines that blocks accessed in their own stack, %", ""},
    [TRAFFIC] = {"traffic", "bytes over all links (Fig. 9), change to the GPU alone, %", ""},
    [BETWEEN] = {"between", "bytes over links between stacks, % of all of the GPU alone", ""},
    [SAVED] = {"energy", "energy saved (Fig. 10), %", ""},
    [OFFSETS] = {"offsets", "candidates with accesses at a fixed offset to each other (Fig. 5), %",
                 "Last: or to themselves a trip later."},
    [TOGETHERNESS] = {"together", "accesses of an instance to the stack of its first one (3.2), %", ""},
    [EQUATIONS] = {"equations",
                   "a loop of LIBOR Monte Carlo (Fig. 4) by equations 3 and 4, as the compiler works them out", ""},
};

/* Why a figure may be off; docs/tom-figures.md has the measurements. */
#define WHY_CACHED                                                                                                \
  "hw and ray find their data in the GPU's caches (99 and 96 of 100 in the L1) and use 4 and 16 % of its links, " \
  "while a block begins with "                                                                                    \
  "an empty L1 at its stack (docs/tom-figures.md)."
#define WHY_ALL                                                                                                   \
  "Three quarters of all thread instructions go to the four SMs of stacks, whose warps are all in use and whose " \
  "units are busy in half "                                                                                       \
  "of their slots (docs/tom-figures.md)."
#define WHY_RD                                                                                                \
  "320 of its 512 warps stay, which fill the links at 433 cycles a trip as all do at 684: 57 % is the most; " \
  "learning takes 9 % of the "                                                                                \
  "cycles, and the last blocks of threads begin behind it (docs/tom-figures.md)."
#define WHY_LIB                                                                                                  \
  "Stacks' SMs have 40 of 48 warps in use, for 34,000 cycles a block: four instances of five find no warp free " \
  "(docs/tom-figures.md)."

#define WHY_KM                                                                                                      \
  "Without offloading km uses 25 % of the links; it waits for the crossbar between L2 and SMs (97 % busy), behind " \
  "that for the L2. With both "                                                                                     \
  "wide enough control gains 1 % and the learnt map nothing (docs/tom-figures.md)."
#define WHY_BFS                                                                                                   \
  "By each of the ten pairs of bits blocks find 30 to 31 % of their lines in their own stack: no two bits put a " \
  "random graph's neighbours "                                                                                    \
  "together. Links to the GPU are used 36 % and do not limit it (docs/tom-figures.md)."
#define WHY_FIRST                                                                                                     \
  "rd, with 3.1 of 100 instructions before its map is learnt, whose lines come over the GPU's links; with the GPU's " \
  "map, from the start, its links "                                                                                   \
  "carry 0.3 % of what they did (docs/tom-figures.md)."
#define WHY_SHARE                                                                                                 \
  "A stack's SM gets through as much as ten of the GPU's in cfd, sp32 and rd, and as 3 to 7 in five others (the " \
  "paper: 3); in rd and sp32 it "                                                                                 \
  "issues 0.9 and 1.5 instructions a cycle, those, which wait for links, 0.07 and 0.15 (docs/tom-figures.md)."
#define WHY_CROSS                                                                                                \
  "hw and ray lose most; blocks of km, sp32 and rd, which the learnt map leaves in one stack, hardly use these " \
  "links (docs/tom-figures.md)."
#define WHY_MAP                                                                                                       \
  "rd and sp32 pay 9 % for learning and gain less by the learnt map than by the GPU's, by which an SM has its lines " \
  "over all links of its stack; km "                                                                                  \
  "gains 25 % (docs/tom-figures.md)."
#define WHY_INSIDE                                                                                                  \
  "Vaults limit both machines then, and offloading takes nothing from them: a stack's SM reads more lines (km 4.8 " \
  "times as many), and the learnt "                                                                                 \
  "map leaves a block of rd in one vault (docs/tom-figures.md)."
#define WHY_WARPS                                                                                                    \
  "Four times as many blocks share a stack's SM of two instructions a cycle, and control lets them come as long as " \
  "a warp is free "                                                                                                  \
  "(docs/tom-figures.md)."

#define BYTES_IN(id, group, column, ours, why) \
  { id, group, column, 1, LINKS, ours, GPU_LINKS, BASE, why, FIGURE_GAIN, ALL }
#define BYTES(id, column, ours, why) BYTES_IN(id, TRAFFIC, column, ours, why)

#define WORDS(id, change) \
  { id, EQUATIONS, NULL, 1, change, EXAMPLE, ONE, EXAMPLE, NULL, FIGURE_EXACT, "lib", 0, FIGURE_MEAN, false }

static const figure_t figures[] = {
    GAIN(NULL, SPEED, "ctrl", BASE, CTRL, NULL, ALL),
    GAIN("tom-01", SPEED, "ctrl, tmap", BASE, CTRL_LEARNT, WHY_CACHED, ALL),
    GAIN("tom-11", SPEED, "all", BASE, ALWAYS, WHY_ALL, ALL),
    GAIN("tom-10", SPEED, "all, tmap", BASE, ALWAYS_LEARNT, WHY_ALL, ALL),
    SHARE(NULL, SPEED, "learning", LEARNING, CTRL_LEARNT, CYCLES, CTRL_LEARNT, NULL, ALL),
    GAIN("tom-09", SPEED, NULL, CTRL, CTRL_LEARNT, WHY_MAP, ALL),
    GAIN("tom-02", SPEED, NULL, BASE, CTRL_LEARNT, WHY_RD, OF("rd")),
    GAIN("tom-03", SPEED, NULL, BASE, CTRL, WHY_RD, OF("rd")),
    GAIN("tom-04", SPEED, NULL, BASE, CTRL_LEARNT, WHY_KM, OF("km")),
    GAIN("tom-05", SPEED, NULL, BASE, CTRL, WHY_KM, OF("km")),
    GAIN("tom-06", SPEED, NULL, BASE, CTRL, WHY_BFS, OF("bfs32")),
    GAIN("tom-07", SPEED, NULL, BASE, CTRL_LEARNT, WHY_BFS, OF("bfs32")),
    GAIN("tom-12", SPEED, NULL, BASE, CTRL_LEARNT, WHY_LIB, OF("lib")),
    GAIN("tom-13", SPEED, NULL, BASE, ALWAYS_LEARNT, WHY_ALL, OF("lib")),
    GAIN(NULL, LOW_BITS, "bit 7", BASE, FIX7, NULL, ALL),
    GAIN(NULL, LOW_BITS, "bit 8", BASE, FIX8, NULL, ALL),
    GAIN(NULL, LOW_BITS, "bit 9", BASE, FIX9, NULL, ALL),
    GAIN(NULL, LOW_BITS, "bit 10", BASE, FIX10, NULL, ALL),
    GAIN(NULL, LOW_BITS, "bit 11", BASE, FIX11, NULL, ALL),
    GAIN(NULL, HIGH_BITS, "bit 12", BASE, FIX12, NULL, ALL),
    GAIN(NULL, HIGH_BITS, "bit 13", BASE, FIX13, NULL, ALL),
    GAIN(NULL, HIGH_BITS, "bit 14", BASE, FIX14, NULL, ALL),
    GAIN(NULL, HIGH_BITS, "bit 15", BASE, FIX15, NULL, ALL),
    GAIN(NULL, HIGH_BITS, "bit 16", BASE, FIX16, NULL, ALL),
    {"tom-08", HIGH_BITS, NULL, 1, CYCLES, BASE, CYCLES, FIX7, WHY_BFS, FIGURE_GAIN, "bfs32", MAPS, FIGURE_MEAN,
     FIGURE_BEST},
    GAIN(NULL, WARPS, "48", BASE, CTRL_LEARNT, NULL, ALL),
    GAIN(NULL, WARPS, "96", BASE, WARPS_96, NULL, ALL),
    GAIN("tom-24", WARPS, "192", BASE, WARPS_192, WHY_WARPS, ALL),
    BYTES_IN(NULL, MORE, "48", CTRL_LEARNT, NULL),
    BYTES_IN(NULL, MORE, "96", WARPS_96, NULL),
    BYTES_IN("tom-23", MORE, "192", WARPS_192, WHY_CACHED),
    GAIN("tom-26", CROSS, "0.125", BASE, CROSS_8, WHY_CROSS, ALL),
    GAIN("tom-27", CROSS, "0.25", BASE, CROSS_4, WHY_CROSS, ALL),
    GAIN(NULL, CROSS, "0.5", BASE, CTRL_LEARNT, NULL, ALL),
    GAIN("tom-28", CROSS, "1", BASE, CROSS_1, WHY_CROSS, ALL),
    GAIN(NULL, INSIDE, "2", BASE, CTRL_LEARNT, NULL, ALL),
    GAIN("tom-25", INSIDE, "1", BASE_INSIDE_1, INSIDE_1, WHY_INSIDE, ALL),
    GAIN(NULL, INSIDE, "1, over 2", BASE, INSIDE_1, NULL, ALL),
    GAIN(NULL, LIMITS, "0.5", BASE, BUSY_50, NULL, ALL),
    GAIN(NULL, LIMITS, "0.7", BASE, BUSY_70, NULL, ALL),
    GAIN(NULL, LIMITS, "0.9, 1024", BASE, CTRL_LEARNT, NULL, ALL),
    GAIN(NULL, LIMITS, "0.95", BASE, BUSY_95, NULL, ALL),
    GAIN(NULL, LIMITS, "256", BASE, WINDOW_256, NULL, ALL),
    GAIN(NULL, LIMITS, "4096", BASE, WINDOW_4096, NULL, ALL),
    GAIN(NULL, CHOICES, "half links", BASE_LINKS_HALF, LINKS_HALF, NULL, ALL),
    GAIN(NULL, CHOICES, "loops", BASE, LOOPS, NULL, ALL),
    SHARE(NULL, LIMITS_AWAY, "0.5", AT_STACKS, BUSY_50, ONE, BUSY_50, NULL, ALL),
    SHARE(NULL, LIMITS_AWAY, "0.7", AT_STACKS, BUSY_70, ONE, BUSY_70, NULL, ALL),
    SHARE(NULL, LIMITS_AWAY, "0.9, 1024", AT_STACKS, CTRL_LEARNT, ONE, CTRL_LEARNT, NULL, ALL),
    SHARE(NULL, LIMITS_AWAY, "0.95", AT_STACKS, BUSY_95, ONE, BUSY_95, NULL, ALL),
    SHARE(NULL, LIMITS_AWAY, "256", AT_STACKS, WINDOW_256, ONE, WINDOW_256, NULL, ALL),
    SHARE(NULL, LIMITS_AWAY, "4096", AT_STACKS, WINDOW_4096, ONE, WINDOW_4096, NULL, ALL),
    SHARE(NULL, CHOICES_AWAY, "half links", AT_STACKS, LINKS_HALF, ONE, LINKS_HALF, NULL, ALL),
    SHARE(NULL, CHOICES_AWAY, "loops", AT_STACKS, LOOPS, ONE, LOOPS, NULL, ALL),
    GAIN("tom-33", COSTS, "coherence", CTRL_LEARNT, FREE_COHERENCE, NULL, ALL),
    GAIN(NULL, COSTS, "all", BASE, IDEAL, NULL, ALL),
    {"tom-37", COSTS, NULL, 1, CYCLES, BASE, CYCLES, IDEAL, NULL, FIGURE_QUOTIENT, ALL},
    SHARE(NULL, OFFLOADED, "ctrl", AT_STACKS, CTRL, ONE, CTRL, NULL, ALL),
    SHARE("tom-15", OFFLOADED, "ctrl, tmap", AT_STACKS, CTRL_LEARNT, ONE, CTRL_LEARNT, WHY_SHARE, ALL),
    SHARE(NULL, OFFLOADED, "all", AT_STACKS, ALWAYS, ONE, ALWAYS, NULL, ALL),
    SHARE("tom-14", OFFLOADED, "all, tmap", AT_STACKS, ALWAYS_LEARNT, ONE, ALWAYS_LEARNT, WHY_ALL, ALL),
    SHARE(NULL, FOUND, "ctrl", OWN_STACK, CTRL, ONE, CTRL, NULL, ALL),
    SHARE(NULL, FOUND, "ctrl, tmap", OWN_STACK, CTRL_LEARNT, ONE, CTRL_LEARNT, NULL, ALL),
    SHARE(NULL, FOUND, "all", OWN_STACK, ALWAYS, ONE, ALWAYS, NULL, ALL),
    SHARE(NULL, FOUND, "all, tmap", OWN_STACK, ALWAYS_LEARNT, ONE, ALWAYS_LEARNT, NULL, ALL),
    BYTES(NULL, "ctrl", CTRL, NULL),
    BYTES("tom-18", "ctrl, tmap", CTRL_LEARNT, WHY_CACHED),
    BYTES(NULL, "all", ALWAYS, NULL),
    BYTES("tom-16", "all, tmap", ALWAYS_LEARNT, WHY_CACHED),
    {"tom-17", TRAFFIC, NULL, 1, LINKS, ALWAYS_LEARNT, GPU_LINKS, BASE, WHY_FIRST, FIGURE_GAIN, NULL, 0,
     FIGURE_SMALLEST, FIGURE_BEST},
    SHARE(NULL, BETWEEN, "ctrl", CROSS_LINKS, CTRL, GPU_LINKS, BASE, NULL, ALL),
    SHARE(NULL, BETWEEN, "ctrl, tmap", CROSS_LINKS, CTRL_LEARNT, GPU_LINKS, BASE, NULL, ALL),
    SHARE("tom-19", BETWEEN, "all", CROSS_LINKS, ALWAYS, GPU_LINKS, BASE, WHY_CACHED, ALL),
    SHARE("tom-20", BETWEEN, "all, tmap", CROSS_LINKS, ALWAYS_LEARNT, GPU_LINKS, BASE, WHY_CACHED, ALL),
    DROP(NULL, SAVED, "ctrl", ENERGY, BASE, CTRL, NULL, ALL),
    DROP("tom-21", SAVED, "ctrl, tmap", ENERGY, BASE, CTRL_LEARNT, WHY_CACHED, ALL),
    DROP("tom-22", SAVED, "all", ENERGY, BASE, ALWAYS, WHY_ALL, ALL),
    DROP(NULL, SAVED, "all, tmap", ENERGY, BASE, ALWAYS_LEARNT, NULL, ALL),
    SHARE("tom-32", OFFSETS, "some", FIXED_SOME, COMPILER, CANDIDATES, COMPILER, NULL, ALL),
    SHARE(NULL, OFFSETS, "all", FIXED_ALL, COMPILER, CANDIDATES, COMPILER, NULL, ALL),
    SHARE(NULL, OFFSETS, "or steps", FIXED_STEPS, COMPILER, CANDIDATES, COMPILER, NULL, ALL),
    SHARE("tom-29", TOGETHERNESS, "GPU's map", TOGETHER, WATCH, ONE, WATCH, NULL, ALL),
    SHARE("tom-30", TOGETHERNESS, "best bits", TOGETHER_BEST, WATCH, ONE, WATCH, NULL, ALL),
    SHARE("tom-31", TOGETHERNESS, "learnt", TOGETHER_LEARNT, WATCH, ONE, WATCH, NULL, ALL),
    WORDS("tom-35", ONE_TRIP),
    WORDS("tom-36", FOUR_TRIPS),
};

const figure_system_t figures_tom = {
    .name = "tom",
    .rule = "tom",
    .tolerance = 0.2,
    .small = {0},
    .classes = classes,
    FIGURE_TABLES,
};
