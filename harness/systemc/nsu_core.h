/* SPDX-License-Identifier: Apache-2.0
 *
 * One NSU of a system, as its golden model, its RTL, or both in lockstep; all three behind the same cycle.
 *
 * nsu_core_cycle is one clock cycle: inputs in, this cycle's outputs out (fields whose valid bit is 0 are 0), clock edge. In lockstep the
 * model's outputs drive the system; the RTL's are compared every cycle.
 */
#ifndef NSU_CORE_H
#define NSU_CORE_H

#include <stdbool.h>

#include "dut.h"
#include "nsu_node.h"
#include "nsu_ports.h"

typedef struct {
  engine_t engine;
  const dut_t *dut;
  void *model, *device;
  uint64_t cycles, compared, divergences;
  uint64_t first_cycle;           /* of the first divergence or failed assertion */
  char first[NSU_NODE_TEXT];      /* which ports differed then */
} nsu_core_t;

const char *nsu_core_init(nsu_core_t *core, const dut_t *dut, engine_t engine); /* NULL, or what failed */
void nsu_core_free(nsu_core_t *core);

void nsu_core_cycle(nsu_core_t *core, const nsu_in_t *in, nsu_out_t *out);
bool nsu_core_idle(const nsu_core_t *core); /* the cycle may be left out while inputs are quiet; never true with RTL */

#endif
