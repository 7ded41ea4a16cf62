/* SPDX-License-Identifier: Apache-2.0
 *
 * NSU paper, sections 4 to 7. Each configuration is the paper's machine with one of its
 * decisions, or the GPU alone. No setting is for one workload, except where the paper measured a
 * ratio for one workload only.
 */
#include "figure_tables.h"

static const char *const workloads[] = {"bprop", "bfs", "bicg", "fwt",  "kmn", "minife",
                                        "sp",    "stn", "stcl", "vadd", NULL};

/* S20 to S100 stay together, because a figure asks for the best of them. */
enum {
  BASE,
  MORE,
  S20,
  S40,
  S60,
  S80,
  S100,
  S15,
  DYNAMIC,
  CACHE,
  SLOW,
  TWICE,
  TWICE_CACHE,
  COMPILER,
  TARGETS,
  CONFIGURATIONS
};
#define NAIVE S100

#define RATIO(name, value)                                                            \
  {                                                                                   \
    name, "a block is offloaded with probability " value, FIGURE_SIMULATION, "nsu", { \
      "offload.policy=static", "offload.ratio=" value                                 \
    }                                                                                 \
  }

static const figure_configuration_t configurations[CONFIGURATIONS] = {
    [BASE] = {"base", "the GPU without near-data processing", FIGURE_SIMULATION, "baseline", {0}},
    [MORE] = {"more", "and with as many SMs more as there are NSUs", FIGURE_SIMULATION, "baseline", {"gpu.sms=72"}},
    [S20] = RATIO("0.2", "0.2"),
    [S40] = RATIO("0.4", "0.4"),
    [S60] = RATIO("0.6", "0.6"),
    [S80] = RATIO("0.8", "0.8"),
    [S100] =
        {"naive", "every block is offloaded", FIGURE_SIMULATION, "nsu", {"offload.policy=static", "offload.ratio=1"}},
    [S15] = RATIO("0.15", "0.15"),
    [DYNAMIC] = {"dyn", "Algorithm 1", FIGURE_SIMULATION, "nsu", {"offload.policy=dynamic"}},
    [CACHE] = {"cache",
               "Algorithm 1, of blocks whose benefit is above 0",
               FIGURE_SIMULATION,
               "nsu",
               {"offload.policy=dynamic_cache"}},
    [SLOW] = {"175MHz",
              "and NSUs of half the clock",
              FIGURE_SIMULATION,
              "nsu",
              {"offload.policy=dynamic_cache", "clocks.nsu=175MHz"}},
    [TWICE] = {"twice", "the GPU alone with 128 SMs", FIGURE_SIMULATION, "baseline", {"gpu.sms=128"}},
    [TWICE_CACHE] =
        {"twice-cache", "128 SMs, and NSUs", FIGURE_SIMULATION, "nsu", {"offload.policy=dynamic_cache", "gpu.sms=128"}},
    [COMPILER] = {"compiler", "offload blocks of a workload's kernels", FIGURE_COMPILATION, "", {0}},
    [TARGETS] = {"targets", "random accesses on 8 stacks: of the first one, and the best", FIGURE_TARGETS, "", {"8"}},
};

enum {
  ONE,
  CYCLES,
  ENERGY,
  L2_HITS,
  L2_LOOKUPS,
  STALL_EXEC,
  STALL_DEPENDENCY,
  STALL_IDLE,
  STALLS,
  INVALIDATIONS,
  OFF_CHIP,
  WARPS,
  WARP_SLOTS,
  ICACHE_LINES,
  ICACHE_ROOM,
  PACKET_ENTRIES,
  BLOCK_COUNTS,
  BLOCKS,
  SENT,
  RETURNED,
  MOST_TRAFFIC,
  QUANTITIES
};

static const figure_quantity_t quantities[QUANTITIES] = {
    [ONE] = {"one", ""},
    [CYCLES] = {"cycles", "cycles"},
    [ENERGY] = {"energy, nJ", "energy.total_nj"},
    [L2_HITS] = {"lines that L2 has", "gpu:l2_hits"},
    [L2_LOOKUPS] = {"lines that are asked of L2", "gpu:l2_hits + gpu:l2_misses"},
    [STALL_EXEC] = {"slots without issue: a unit is busy", "gpu:stall_exec"},
    [STALL_DEPENDENCY] = {"slots without issue: operands are missing", "gpu:stall_dependency"},
    [STALL_IDLE] = {"slots without issue: no warp has an instruction", "gpu:stall_idle"},
    [STALLS] = {"slots without issue", "gpu:stall_exec + gpu:stall_dependency + gpu:stall_idle"},
    [INVALIDATIONS] = {"bytes of invalidations", "gpu:got_bytes.INVAL"},
    [OFF_CHIP] = {"bytes over the GPU's links", "gpu:sent_bytes.* + gpu:got_bytes.*"},
    [WARPS] = {"warps of NSUs, summed over cycles", "nsu:warp_cycles"},
    [WARP_SLOTS] = {"warp slots of NSUs, summed over cycles", "nsu:warp_slots"},
    [ICACHE_LINES] = {"lines of NSUs' instruction caches in use", "nsu:icache_lines"},
    [ICACHE_ROOM] = {"lines of NSUs' instruction caches", "nsu:icache_room"},
    [PACKET_ENTRIES] = {"entries of 8 bytes for packets in an SM",
                        "settings.offload.pending_packets + settings.offload.ready_packets"},
    [BLOCK_COUNTS] = {"instructions of each block", "kernels.*.blocks.*.count"},
    [BLOCKS] = {"blocks", "kernels.*.blocks.#"},
    [SENT] = {"registers sent", "kernels.*.blocks.*.sent.#"},
    [RETURNED] = {"registers returned", "kernels.*.blocks.*.returned.#"},
    [MOST_TRAFFIC] = {"largest increase of traffic, %", "targets.most_percent"},
};

enum { TABLE_1, REGISTERS, PLACEMENT, NAIVELY, STATIC, ORACLE, LOCALITY, STALL, USE, TRAFFIC, SAVED, GROUPS };

static const figure_group_t groups[GROUPS] = {
    [TABLE_1] = {"blocks", "instructions of each offload block (Table 1)", ""},
    [REGISTERS] = {"registers", "registers that a block sends and returns, a thread", ""},
    [PLACEMENT] = {"placement", "target of a block: its first access against the best (Fig. 5)", ""},
    [NAIVELY] = {"naive", "more SMs, and every block offloaded (Fig. 7): speed-up, %", ""},
    [STATIC] = {"ratio", "a part of the blocks offloaded (Fig. 9): speed-up, %", ""},
    [ORACLE] = {"bicg", "a ratio between them: speed-up, %", ""},
    [LOCALITY] = {"locality", "the ratio found by Algorithm 1, and with cache locality (Fig. 9): speed-up, %", ""},
    [STALL] = {"stalls", "slots without issue by reason (Fig. 8), % of the GPU alone",
               "Left: the GPU alone. Right: every block offloaded."},
    [USE] = {"use", "what of NSUs is used (Fig. 11), %", ""},
    [TRAFFIC] = {"traffic", "on the GPU's chip and links, %", ""},
    [SAVED] = {"energy", "energy saved (Fig. 10), %", ""},
};

#define BLOCKS_OF(id, workload, reason) \
  { id, TABLE_1, NULL, 1, BLOCK_COUNTS, COMPILER, ONE, COMPILER, reason, FIGURE_LIST, workload, 0, FIGURE_MEAN, false }
#define STALL_SHARE(column, quantity, configuration) \
  SHARE(NULL, STALL, column, quantity, configuration, STALLS, BASE, NULL, ALL)

#define WHY_ENERGY                                                                                                  \
  "The memory network's links take 1.5 pJ a bit when they idle (TOM paper, section 5; the NSU paper does not "      \
  "say), "                                                                                                          \
  "with NSUs that do nothing 7.9 W beside "                                                                         \
  "the SMs' 64: what is gained has to exceed that (harness/systems/energy). Gains at these sizes are smaller than " \
  "the "                                                                                                            \
  "paper's (nsu-03)."

#define WHY_KMN                                                                                                     \
  "The links do not limit the GPU here (four times as fast they make it 1.00 times as fast, a crossbar four times " \
  "as wide 1.82): caches have nine of ten "                                                                         \
  "lines that blocks of kmn ask for, and send them out (docs/nsu-figures.md)."
#define WHY_STN                                                                                                      \
  "stn gains 11 % at 0.2 here and so loses less to the search: the L2 has 39 % of its lines (the paper's: 45), and " \
  "links to the GPU are busy 84 % of the "                                                                           \
  "time (docs/nsu-figures.md)."

/* Why the compiler's blocks differ from Table 1's: firmware/compilers/offload/README.md. */
#define WHY_BLOCKS(text) text " (firmware/compilers/offload)."
#define WHY_FWT_BLOCKS \
  WHY_BLOCKS(          \
      "The product of two spectra multiplies by the other one and by a scale; the paper's has one multiplication less")
#define WHY_BFS_BLOCKS \
  WHY_BLOCKS("No 16 instructions of one basic block can be offloaded in what clang makes of the two kernels")
#define WHY_BPROP_BLOCKS WHY_BLOCKS("Four constants a block, immediates in PTX, make the paper's 29 23")
#define WHY_STN_BLOCKS \
  WHY_BLOCKS("PTX has no fused multiply-subtract, and clang's neg before the fused multiply-add counts")
#define WHY_STCL_BLOCKS \
  WHY_BLOCKS("Distances are to what is in shared memory, so of clang's code nothing more is a block")

#define WHY_MEANS                                                                                                  \
  "kmn and bprop. The paper's kmn gains 67 %, ours loses 4, as its lines are in caches; and bprop loses 54 %, as " \
  "each of its blocks goes to one stack (25 "                                                                      \
  "with offload.target=first_miss). They are 7.0 and 5.4 of the 12.9 points of nsu-03, and more of the others "    \
  "(docs/nsu-figures.md)."
#define WHY_NAIVE                                                                                                  \
  "Of the ten it gives stn alone, -86: nsu-07. What loses least here is stcl (-2: few of its instructions are in " \
  "blocks), vadd (-12) and bfs (-17), which "                                                                      \
  "wait for NSUs' ports and clocks (docs/nsu-figures.md)."
#define WHY_STN_NAIVE                                                                                                \
  "NSUs of four times the clock make it 1.21 times as fast, 32 lanes 1.22, a port of nine flits 1.00: of these the " \
  "paper gives the clock alone, and with a "                                                                         \
  "slower NSU it would lose more (docs/nsu-figures.md)."
#define WHY_BPROP                                                                                                     \
  "bprop: all others gain 3 at most. It waits for links and SMs both: four times as fast they make it 1.21 and 1.12 " \
  "times as fast (docs/nsu-figures.md)."
#define WHY_BFS                                                                                                    \
  "The crossbar limits the GPU here, not the links: four times as fast they make it 1.71 and 1.01 times as fast, " \
  "and the L2 has 84 of 100 lines of bfs, "                                                                        \
  "which an NSU gets over the links (docs/nsu-figures.md)."
#define WHY_VADD                                                                                                     \
  "Links alone limit vadd here (four times as fast: 1.62, all else 1.01 at most), and a share of 0.4 takes a third " \
  "of the bytes from them: 54 % at best, of "                                                                        \
  "which the search gets 49. The paper's best is 37 (docs/nsu-figures.md)."
#define WHY_SEARCH                                                                                               \
  "With more epochs the search costs less: at 8M elements, nine epochs, it is 9 % below the best share, at 50M " \
  "these 3 (docs/nsu-figures.md)."
#define WHY_ICACHE                                                                                             \
  "4 KB are 512 instructions of 8 bytes: the paper's own Table 1 has 14 a workload on average and 52 at most " \
  "(BPROP), 3 and 10 % of them, ours 4 and "                                                                   \
  "6. Its 23.7 needs instructions that are not in its Table 1."
#define WHY_OCCUPANCY                                                                                              \
  "NSUs' ports are ours, a flit a link cycle: with nine flits (nsu.port_flits=9) warps wait less for their data, " \
  "and 58 % of the slots are used. The paper "                                                                     \
  "does not say what its NSU's port carries (docs/nsu-figures.md)."
#define WHY_INVALIDATIONS                                                                                           \
  "An INVAL is 16 bytes here, a header, for each line that an NSU writes: bfs' scattered stores make 2.6 a block. " \
  "The paper does not say how many bytes "                                                                          \
  "it takes one for (docs/nsu-figures.md)."
#define WHY_GAINS                                                                                                   \
  "bicg gains 12 % at 0.2 where the paper has 11.5 at 0.15 (nsu-12); and stn 11 at 0.2, as the L2 has 39 % of its " \
  "lines (the paper's: 45), and links to "                                                                          \
  "the GPU are busy 84 % of the time (docs/nsu-figures.md)."

static const figure_t figures[] = {
    BLOCKS_OF("nsu-31", "vadd", NULL),
    BLOCKS_OF("nsu-32", "sp", NULL),
    BLOCKS_OF("nsu-33", "kmn", NULL),
    BLOCKS_OF("nsu-34", "minife", NULL),
    BLOCKS_OF("nsu-35", "bicg", NULL),
    BLOCKS_OF("nsu-36", "fwt", WHY_FWT_BLOCKS),
    BLOCKS_OF("nsu-37", "bfs", WHY_BFS_BLOCKS),
    BLOCKS_OF("nsu-38", "bprop", WHY_BPROP_BLOCKS),
    BLOCKS_OF("nsu-39", "stn", WHY_STN_BLOCKS),
    BLOCKS_OF("nsu-40", "stcl", WHY_STCL_BLOCKS),
    {"nsu-29", REGISTERS, "sent", 1, SENT, COMPILER, BLOCKS, COMPILER, NULL, FIGURE_QUOTIENT, ALL},
    {"nsu-30", REGISTERS, "returned", 1, RETURNED, COMPILER, BLOCKS, COMPILER, NULL, FIGURE_QUOTIENT, ALL},
    {"nsu-28", PLACEMENT, NULL, 1, MOST_TRAFFIC, TARGETS, ONE, TARGETS, NULL, FIGURE_QUOTIENT, ALL},
    GAIN(NULL, NAIVELY, "72 SMs", BASE, MORE, NULL, ALL),
    GAIN("nsu-04", NAIVELY, NULL, BASE, MORE, WHY_KMN, OF("kmn")),
    GAIN("nsu-05", NAIVELY, NULL, BASE, MORE, WHY_BPROP, WHAT_OF("-kmn", FIGURE_LARGEST)),
    GAIN("nsu-06", NAIVELY, "naive", BASE, NAIVE, WHY_NAIVE, ALL),
    GAIN("nsu-07", NAIVELY, NULL, BASE, NAIVE, WHY_STN_NAIVE, OF("stn")),
    GAIN("nsu-08", NAIVELY, NULL, BASE, NAIVE, NULL, WHAT_OF(NULL, FIGURE_LARGEST)),
    STALL_SHARE("unit busy", STALL_EXEC, BASE),
    STALL_SHARE("dependency", STALL_DEPENDENCY, BASE),
    STALL_SHARE("warp idle", STALL_IDLE, BASE),
    STALL_SHARE("unit busy", STALL_EXEC, NAIVE),
    STALL_SHARE("dependency", STALL_DEPENDENCY, NAIVE),
    STALL_SHARE("warp idle", STALL_IDLE, NAIVE),
    GAIN(NULL, STATIC, "0.2", BASE, S20, NULL, ALL),
    GAIN(NULL, STATIC, "0.4", BASE, S40, NULL, ALL),
    GAIN(NULL, STATIC, "0.6", BASE, S60, NULL, ALL),
    GAIN(NULL, STATIC, "0.8", BASE, S80, NULL, ALL),
    GAIN(NULL, STATIC, "1.0", BASE, S100, NULL, ALL),
    {"nsu-09", STATIC, NULL, 1, CYCLES, BASE, CYCLES, S20, WHY_KMN, FIGURE_GAIN, "kmn", 5, FIGURE_MEAN, FIGURE_BEST},
    GAIN("nsu-10", STATIC, NULL, BASE, S40, WHY_BFS, OF("bfs")),
    {"nsu-11", STATIC, NULL, 1, CYCLES, BASE, CYCLES, S20, WHY_GAINS, FIGURE_GAIN, "bprop bicg stn stcl", 5,
     FIGURE_LARGEST, FIGURE_BEST},
    GAIN("nsu-12", ORACLE, NULL, BASE, S15, NULL, OF("bicg")),
    GAIN("nsu-03", LOCALITY, "dynamic", BASE, DYNAMIC, WHY_MEANS, ALL),
    GAIN("nsu-01", LOCALITY, "and cache", BASE, CACHE, WHY_MEANS, ALL),
    GAIN("nsu-18", LOCALITY, "at 175 MHz", BASE, SLOW, WHY_MEANS, ALL),
    GAIN("nsu-16", LOCALITY, "128 SMs", TWICE, TWICE_CACHE, WHY_MEANS, ALL),
    GAIN("nsu-02", LOCALITY, NULL, BASE, DYNAMIC, WHY_KMN, OF("kmn")),
    GAIN("nsu-13", LOCALITY, NULL, BASE, DYNAMIC, WHY_VADD, OF("vadd")),
    {"nsu-14", LOCALITY, NULL, 1, CYCLES, S20, CYCLES, DYNAMIC, WHY_SEARCH, FIGURE_GAIN, "vadd", 5, FIGURE_MEAN,
     FIGURE_BEST_RIVAL},
    GAIN("nsu-15", LOCALITY, NULL, BASE, DYNAMIC, WHY_STN, OF("stn")),
    GAIN("nsu-17", LOCALITY, NULL, BASE, SLOW, WHY_KMN, OF("kmn")),
    {"nsu-22", USE, NULL, 8.0 / 1024, PACKET_ENTRIES, CACHE, ONE, CACHE, NULL, FIGURE_QUOTIENT, ALL},
    SHARE("nsu-23", USE, "i-cache", ICACHE_LINES, CACHE, ICACHE_ROOM, CACHE, WHY_ICACHE, ALL),
    SHARE("nsu-25", USE, "warp slots", WARPS, CACHE, WARP_SLOTS, CACHE, NULL, ALL),
    SHARE("nsu-24", USE, NULL, WARPS, CACHE, WARP_SLOTS, CACHE, WHY_OCCUPANCY, OF("sp")),
    {"nsu-27", TRAFFIC, "inval", 1, INVALIDATIONS, CACHE, OFF_CHIP, CACHE, WHY_INVALIDATIONS, FIGURE_ADDED, ALL},
    {"nsu-26", TRAFFIC, NULL, 1, INVALIDATIONS, CACHE, OFF_CHIP, CACHE, WHY_INVALIDATIONS, FIGURE_ADDED, NULL, 0,
     FIGURE_LARGEST, FIGURE_BEST},
    SHARE(NULL, TRAFFIC, "L2 hits", L2_HITS, BASE, L2_LOOKUPS, BASE, NULL, ALL),
    SHARE("nsu-41", TRAFFIC, NULL, L2_HITS, BASE, L2_LOOKUPS, BASE, NULL, OF("stn")),
    DROP("nsu-20", SAVED, "dynamic", ENERGY, BASE, DYNAMIC, WHY_ENERGY, ALL),
    DROP("nsu-21", SAVED, "and cache", ENERGY, BASE, CACHE, WHY_ENERGY, ALL),
    {"nsu-19", SAVED, NULL, 1, ENERGY, DYNAMIC, ENERGY, BASE, WHY_ENERGY, FIGURE_DROP, "kmn", 0, FIGURE_MEAN,
     FIGURE_BEST},
};

const figure_system_t figures_nsu = {
    .name = "nsu",
    .rule = "nsu",
    .tolerance = 0.2,
    .small = {0},
    FIGURE_TABLES,
};
