/* SPDX-License-Identifier: Apache-2.0
 *
 * A netlist's ports as the device's table names them, and a profile run on lanes of mutants beside
 * the golden model.
 *
 * Lane 0 has no fault: it is the control. As in lockstep, fields whose valid bit is 0 keep their
 * old value on an input port and are not compared on an output; a reset is two cycles with inputs
 * zero.
 */
#ifndef BED_H
#define BED_H

#include "feed.h"
#include "lanes.h"
#include "trouble.h"

typedef struct {
  const netlist_bit_t *bits; /* NULL: the netlist has no such port */
  unsigned num;
  uint32_t valid; /* offset of the field that says whether it is valid; BED_ALWAYS: always */
} bed_port_t;

enum { BED_ALWAYS = 0xffffffff };

/* Of a register in a lane: never seen not to be what
 * it is in lane 0; seen; nothing depends on it. */
enum { BED_SAME, BED_SEEN, BED_UNUSED };

typedef struct {
  const dut_t *dut;
  const netlist_t *netlist;
  bed_port_t *ports; /* as dut->ports */
  uint32_t reset;    /* node; 0: nothing depends on it */
  bool reset_high;
} bed_t;

/* reset_name: of the port file. False: a port is not in the netlist, or out of memory. */
bool bed_open(bed_t *bed, const dut_t *dut, const netlist_t *netlist, const char *reset_name, bool reset_high,
              trouble_t *trouble);
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
  unsigned char *const *diverged; /* by fault, by register of the netlist: BED_SEEN is added; NULL: not asked for */
  uint64_t *probe_cycles;         /* by lane and port, the first cycle in which it differs, + 1; NULL: not asked for */
  bool (*stop)(void *context);
  void *context;
  uint64_t out_of_reset;     /* out: cycles that were not in reset */
  uint64_t compared;         /* out: those in which an output or probe was compared */
  uint64_t reached;          /* out: cycles to the end of the run, which comes early when all faults are seen */
  const void *const *inputs; /* before the profile these cycles (NULL: a reset) */
  uint64_t num_inputs;
} bed_run_t;

typedef enum { BED_DONE, BED_STOPPED, BED_MEMORY, BED_MODEL, BED_CRASH, BED_KIND, BED_ENVIRONMENT } bed_end_t;

/* MODEL: an assertion of the golden model failed, text says which; KIND: it is not Moore as its
 * port file says, text says where; ENVIRONMENT: an assumption (X.env.sv) does not hold. */
bed_end_t bed_run(const bed_t *bed, bed_run_t *run, char *text, size_t size);

#endif
