/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of a netlist's memories, sram_1r1w.
 *
 * Each clock edge that finds rd_en_i at 1 is a read, and each that finds wr_en_i at 1 is a
 * write. A write counts a whole row, whatever its mask says. Energies and leakage are fits
 * (sram_area.h) at the node of their data.
 *
 *   power_memories_t memories;
 *   if (!power_memories(&memories, &loads, netlist, &toggles, &fit, &trouble)) ...
 *   power_memories_free(&memories);
 */
#ifndef POWER_MEMORY_H
#define POWER_MEMORY_H

#include "loads.h"
#include "sram_area.h"
#include "toggles.h"

typedef struct {
  const char *name; /* OpenSTA's name, owned by the loads */
  unsigned long rows, width;
  double reads, writes;       /* accesses in the run */
  double read, write, joules; /* joules of one read, one write, the whole run */
  double leakage;             /* watt */
  bool extrapolated;          /* the memory is outside the range of the data */
} power_memory_t;

typedef struct {
  power_memory_t *list;
  unsigned count, extrapolated;
  double joules, leakage; /* sums over all memories */
} power_memories_t;

bool power_is_memory(const loads_instance_t *instance);

/* netlist: its text, whose defparams give the sizes. The list is sorted, the most energy first.
 * False: INPUT, a memory without a size or with an enable that was not counted; or out of
 * memory. */
bool power_memories(power_memories_t *memories, const loads_t *loads, const char *netlist, const toggles_t *toggles,
                    const sram_fit_t *fit, trouble_t *trouble);
void power_memories_free(power_memories_t *memories);

#endif
