/* SPDX-License-Identifier: Apache-2.0
 *
 * Memories (rtl/lib/sram_1r1w) beside the lanes: what each memory holds in each lane.
 */
#ifndef LANE_SRAM_H
#define LANE_SRAM_H

#include "lanes.h"

struct lane_sram {
  lit_t wr_en, rd_en;
  const netlist_bit_t *wr_addr, *wr_mask, *wr_data, *rd_addr, *rd_data;
  unsigned address, masks, width; /* bits of an address, a write mask, a row */
  uint64_t *rows;                 /* by row, bit and word */
  uint64_t *read;                 /* data read at this edge, by bit and word */
  bool reads;
};

/* find: once, from the netlist's ports. False: out of memory, or a memory lacks the ports of
 * sram_1r1w. power_up: sets all rows to 0. False: out of memory. clock: reads and writes of this
 * clock edge, in the lanes of `live`. */
bool lane_srams_find(lanes_t *lanes);
void lane_srams_free(lanes_t *lanes);
bool lane_srams_power_up(lanes_t *lanes);
void lane_srams_clock(lanes_t *lanes, const uint64_t *live);

#endif
