/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BUS_REGS_MODEL_H
#define BUS_REGS_MODEL_H

#include <stdbool.h>

#include "bus_regs_ports.h"

typedef struct bus_regs_state {
  uint64_t regs[3];
  uint64_t word[2]; /* of each lane, while it has one */
  bool full[2];
} bus_regs_t;

void bus_regs_reset(bus_regs_t *state);
void bus_regs_eval(const bus_regs_t *state, const bus_regs_in_t *in, bus_regs_out_t *out);
void bus_regs_step(bus_regs_t *state, const bus_regs_in_t *in);

#endif
