/* SPDX-License-Identifier: Apache-2.0
 *
 * One NSU of a system, as its golden model, its RTL, or both in lockstep; all three behind the same cycle.
 *
 * nsu_core_cycle is one clock cycle: inputs in, this cycle's outputs out (fields whose valid bit is 0 are 0), clock edge. In lockstep the
 * engine compares every output and probe and keeps what was put in; the model's outputs drive the system. The first
 * difference ends the comparison, and the system goes on with the model alone; nsu_core_capture then makes a replay file of the block.
 */
#ifndef NSU_CORE_H
#define NSU_CORE_H

#include "lockstep.h"
#include "nsu_node.h"
#include "nsu_ports.h"
#include "run.h"

typedef struct {
  uint64_t cycle;
  nsu_in_t in;
} nsu_core_input_t;

typedef struct {
  engine_t engine;
  const dut_t *dut;
  void *model, *device;     /* engines model and rtl */
  lockstep_t ls;            /* engine lockstep */
  bool open, diverged;
  uint64_t cycles, compared;
  nsu_core_input_t *input;  /* lockstep: the cycles in which something came in */
  size_t inputs, room;
  uint64_t stack_id;
  failure_t failure;        /* diverged: the first */
} nsu_core_t;

const char *nsu_core_init(nsu_core_t *core, const dut_t *dut, engine_t engine); /* NULL, or what failed */
void nsu_core_free(nsu_core_t *core);

/* NULL, or what failed: an assertion of the RTL (in lockstep that is a divergence, and not told here), memory. */
const char *nsu_core_cycle(nsu_core_t *core, const nsu_in_t *in, nsu_out_t *out);
bool nsu_core_idle(const nsu_core_t *core); /* the cycle may be left out while inputs are quiet; never true with RTL */

/* After a divergence: the recorded inputs, made as small as the time allows, as a replay file. NULL, or what failed. */
const char *nsu_core_capture(nsu_core_t *core, const char *path, const capture_t *capture);

#endif
