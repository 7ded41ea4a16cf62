/* SPDX-License-Identifier: Apache-2.0
 *
 * A block as gates, and the points in it where a fault can be.
 *
 * Memories (sram_*) are not inside. Their ports are ports of the netlist: "i_mem.wr_en_i" is an
 * output, "i_mem.rd_data_o" an input.
 */
#ifndef NETLIST_H
#define NETLIST_H

#include "gates.h"
#include "trouble.h"

/* What a fault does to its bit: invert it, make it constant, or invert it while another bit of
 * the port is 0 or 1. */
typedef enum { FAULT_INV, FAULT_CONST0, FAULT_CONST1, FAULT_CNOT0, FAULT_CNOT1 } fault_kind_t;

/* Of bit `bit` of cut `cut` (cut.h), or there dependent on bit `other`. */
typedef struct {
  fault_kind_t kind;
  unsigned cut, bit, other;
  /* the node; 0: the fault closes a loop of gates, or nothing depends on it */
  uint32_t point;
  lit_t control; /* CNOT0, CNOT1 */
} fault_t;

typedef struct {
  char *name; /* "gnt_o", "i_mem.wr_addr_i" */
  unsigned bit;
  lit_t lit; /* an input's node, or an output's literal */
} netlist_bit_t;

typedef struct {
  gates_t gates;
  netlist_bit_t *inputs, *outputs; /* sorted by name and bit; without the clock */
  unsigned num_inputs, num_outputs;
  uint32_t *latches; /* nodes */
  unsigned num_latches;
  lit_t *asserts, *assumes; /* high: an assertion fires, an assumption does not hold */
  unsigned num_asserts, num_assumes;
} netlist_t;

/* Reads what Yosys wrote, BLIF of simple gates, and finds the point of each fault. faults are
 * sorted by cut. False: trouble says why; netlist_free is due all the same. */
bool netlist_read(netlist_t *netlist, const char *path, fault_t *faults, unsigned num_faults, trouble_t *trouble);
void netlist_free(netlist_t *netlist);

/* The bits of a port: returns how many, and sets *first to the lowest. 0: there is no such port. */
unsigned netlist_port(const netlist_bit_t *bits, unsigned num, const char *name, const netlist_bit_t **first);

#endif
