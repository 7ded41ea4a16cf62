/* SPDX-License-Identifier: Apache-2.0
 *
 * One circuit with a different fault in each lane, all lanes at once: a bit of a machine word for
 * each, 64 or 512 of them.
 *
 * Two-valued; registers and memories are 0 at power-up, as in the Verilated device.
 */
#ifndef LANES_H
#define LANES_H

#include "netlist.h"

enum { LANES_FEW = 1, LANES_MANY = 8 }; /* words: 64 to 512 lanes, a power of two of them */

typedef struct {
  uint32_t kind; /* node_kind_t */
  uint32_t to;   /* node */
  lit_t a, b, c;
  uint32_t fixes; /* POINT: the first of its faults, */
  uint32_t last;  /* up to this one, not included */
} lane_op_t;

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
  lit_t *stands_for; /* by node: itself, or what a point without a fault passes on */
  uint32_t *latches; /* those that matter: nodes, */
  uint32_t *places;  /* and their places among the netlist's */
  unsigned num_latches;
  lane_sram_t *srams;
  unsigned num_srams;
} lanes_t;

/* faults: of each lane, NULL for none. False: out of memory. */
bool lanes_open(lanes_t *lanes, const netlist_t *netlist, unsigned words, const fault_t *const *faults,
                unsigned num_faults);
void lanes_close(lanes_t *lanes);

bool lanes_power_up(lanes_t *lanes);                       /* false: out of memory */
void lanes_set(lanes_t *lanes, uint32_t node, bool value); /* an input, in all lanes */
void lanes_settle(lanes_t *lanes);
void lanes_clock(lanes_t *lanes, const uint64_t *live); /* memories follow the lanes of `live` alone */
/* Lanes whose value is not `expected`: added to `differ`. */
void lanes_differ(const lanes_t *lanes, lit_t lit, bool expected, uint64_t *differ);
bool lanes_value(const lanes_t *lanes, lit_t lit, unsigned lane);

#endif
