/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a profile on lanes of mutants beside the golden model. bed_t has the netlist's ports in
 * the order of the device's table.
 *
 * Lane 0 has no fault: it is the control. The rules are those of lockstep. A field whose valid
 * bit is 0 keeps its old value on an input port and is not compared on an output. A reset is two
 * cycles with all inputs zero, but for those that count in it.
 */
#ifndef BED_H
#define BED_H

#include "clocking.h"
#include "dut_table.h"
#include "feed.h"
#include "lanes.h"
#include "trouble.h"

typedef struct {
  const netlist_bit_t *bits; /* NULL: the netlist has no such port */
  unsigned num;
  /* What says together when the port is valid. Inputs of elements are driven as they are, and have
   * no terms. */
  dut_term_t terms[DUT_TERMS_MOST];
  unsigned num_terms;
  unsigned element; /* bits of an element, bit k of the terms' ports is about the k-th; 0: no elements */
} bed_port_t;

/* Bit k of a port, an output of X_out_t or an input of X_in_t, has a meaning. */
bool bed_bit_valid(const dut_t *dut, const bed_port_t *port, unsigned k, const void *fields);

/* What a run has seen of a register in a lane: always as in lane 0; different once; nothing
 * depends on it. */
enum { BED_SAME, BED_SEEN, BED_UNUSED };

typedef struct {
  uint32_t node;
  bool high; /* active */
} bed_reset_t;

typedef struct {
  const dut_t *dut;
  const netlist_t *netlist;
  bed_port_t *ports; /* as dut->ports */
  bed_reset_t resets[CLOCKING_RESETS];
  unsigned num_resets;
} bed_t;

/* False: a port of the table differs from the netlist's, or out of memory. Call bed_close in
 * either case. */
bool bed_open(bed_t *bed, const dut_t *dut, const netlist_t *netlist, trouble_t *trouble);
/* Adds a reset by its name in the RTL. One on which nothing depends is none. */
void bed_add_reset(bed_t *bed, const char *name, bool high);
void bed_close(bed_t *bed);

/* What a lane shows first. */
typedef struct {
  bool seen, out_seen; /* something differs; one of the outputs differs */
  uint64_t cycle, out_cycle;
  int port, out_port; /* -1: an assertion of the RTL fired */
} bed_lane_t;

typedef struct {
  uint64_t seed, cycles;
  unsigned profile;
  bool outputs_only;            /* go on until the outputs have seen it too */
  const fault_t *const *faults; /* of lanes 1.. */
  unsigned num_faults;
  bed_lane_t *lanes;              /* num_faults + 1 */
  unsigned char *const *diverged; /* by fault and register of the netlist: gets BED_SEEN; NULL: not wanted */
  uint64_t *probe_cycles;         /* by lane and port: first differing cycle + 1; NULL: not wanted */
  bool (*stop)(void *context);
  void *context;
  uint64_t out_of_reset; /* out: cycles that were not in reset */
  uint64_t compared;     /* out: those in which an output or probe was compared */
  uint64_t reached;      /* out: cycles of the run, which ends when all faults are seen */
  /* Cycles before the profile, and which of them are resets. An entry NULL: all inputs are 0. */
  const void *const *inputs;
  const bool *resets;
  uint64_t num_inputs;
} bed_run_t;

/* How a run ends: DONE, stopped by stop(), out of memory, then the cases that bed_run explains. */
typedef enum { BED_DONE, BED_STOPPED, BED_MEMORY, BED_MODEL, BED_CRASH, BED_KIND, BED_ENVIRONMENT } bed_end_t;

/* Runs the inputs, then the profile, run->cycles in all. It ends early when lane 0 differs or
 * when all faults are seen. MODEL: an assertion of the golden model failed; text says which.
 * CRASH: the model crashed. KIND: the model is not Moore, as its port file says; text says
 * where. ENVIRONMENT: an assumption (X.env.sv) does not hold. */
bed_end_t bed_run(const bed_t *bed, bed_run_t *run, char *text, size_t size);

#endif
