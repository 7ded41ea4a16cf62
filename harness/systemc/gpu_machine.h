/* SPDX-License-Identifier: Apache-2.0
 *
 * What the GPU with its memory stacks tells of a run (systems nsu and baseline).
 */
#ifndef GPU_MACHINE_H
#define GPU_MACHINE_H

#include "gpu.h"
#include "nsu_node.h"

enum { GPU_MACHINE_STACKS = 8 };

typedef struct {
  gpu_stats_t die;
  uint64_t network_bytes[16];            /* by packet type, injected */
  uint64_t network_link_flits;
  uint64_t row_hits, row_misses, row_conflicts, refreshes, vault_reads, vault_writes;
  uint64_t read_bursts, write_bursts;    /* 64 bytes each */
  nsu_node_stats_t nsu[GPU_MACHINE_STACKS];
  unsigned nsus;                         /* how many there are; of a stack without one all counts are 0 */
  uint64_t nsu_cycles;                   /* clock cycles of all of them in the run */
} gpu_machine_stats_t;

#endif
