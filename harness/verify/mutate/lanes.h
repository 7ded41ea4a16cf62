/* SPDX-License-Identifier: Apache-2.0
 *
 * One circuit in many lanes, with a different fault in each: a lane is a bit of a machine word.
 * One pass over the gates steps 64 to 512 lanes.
 *
 *   values[node * words + w], bit k  is the node's value in lane 64 * w + k
 *
 * Two-valued. Registers and memories are 0 at power-up, as in the Verilated device.
 */
#ifndef LANES_H
#define LANES_H

#include "netlist.h"

enum { LANES_FEW = 1, LANES_MANY = 8 }; /* words: 64 to 512 lanes, a power of two of them */

/* One step of lanes_settle. */
typedef struct {
  uint32_t kind; /* node_kind_t */
  uint32_t to;   /* node */
  lit_t a, b, c;
  uint32_t fixes; /* POINT: the first of its faults, */
  uint32_t last;  /* up to this one, not included */
} lane_op_t;

/* A fault in its lane; control: the bit that it depends on, if any. */
typedef struct {
  const fault_t *fault;
  lit_t control;
  unsigned lane;
} lane_fix_t;

typedef struct lane_sram lane_sram_t;

typedef struct {
  const netlist_t *netlist;
  unsigned words;
  uint64_t *values; /* of nodes, `words` each */
  uint64_t *next;   /* of registers, while the clock rises */
  lane_op_t *ops;
  unsigned num_ops;
  lane_fix_t *fixes;
  unsigned num_fixes;
  lit_t *stands_for; /* by node: itself, or the input of a point without faults */
  uint32_t *latches; /* nodes of registers that matter, */
  uint32_t *places;  /* and their places among the netlist's */
  unsigned num_latches;
  lane_sram_t *srams;
  unsigned num_srams;
} lanes_t;

/* faults: one for each lane, NULL for none; num_faults <= 64 * words. words: a power of two up
 * to LANES_MANY. False: out of memory, or a memory that is no sram_1r1w. Call lanes_close in
 * either case. */
bool lanes_open(lanes_t *lanes, const netlist_t *netlist, unsigned words, const fault_t *const *faults,
                unsigned num_faults);
void lanes_close(lanes_t *lanes);

bool lanes_power_up(lanes_t *lanes);                       /* false: out of memory */
void lanes_set(lanes_t *lanes, uint32_t node, bool value); /* sets an input in all lanes */
void lanes_settle(lanes_t *lanes);
void lanes_clock(lanes_t *lanes, const uint64_t *live); /* memories follow only the lanes of `live` */
/* Lanes whose value is not `expected`: added to `differ`. */
void lanes_differ(const lanes_t *lanes, lit_t lit, bool expected, uint64_t *differ);
bool lanes_value(const lanes_t *lanes, lit_t lit, unsigned lane);

#endif
