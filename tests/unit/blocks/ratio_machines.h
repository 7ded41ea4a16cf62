/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines for whatever decides on the offload ratio: those of ratio_machines.def, and one of any
 * number of epochs, which takes it to each ratio.
 */
#ifndef RATIO_MACHINES_H
#define RATIO_MACHINES_H

#include "unit_test.h"

#define MACHINE(name, instructions, ...)                           \
  static unsigned machine_##name(unsigned ratio, unsigned epoch) { \
    (void)ratio, (void)epoch;                                      \
    return instructions;                                           \
  }
#include "ratio_machines.def"

static const struct {
  unsigned (*instructions)(unsigned ratio, unsigned epoch);
  unsigned epochs, ratio[16];
} ratio_machines[] = {
#define MACHINE(name, instructions, ...) \
  {machine_##name, sizeof(unsigned[]){__VA_ARGS__} / sizeof(unsigned), {__VA_ARGS__}},
#include "ratio_machines.def"
};

enum { RATIO_MACHINES = sizeof ratio_machines / sizeof *ratio_machines };

/* Instructions of epoch `epoch` of a machine at random, from those of the epoch before, 1000 before
 * the first: they go up for 100 epochs, stay about as they are, go down. */
static inline unsigned ratio_machine_drifts(uint64_t *seed, unsigned epoch, unsigned instrs) {
  static const unsigned down[] = {2, 8, 13};
  instrs += (unsigned)(test_random(seed) % 16);
  instrs -= down[epoch / 100 % 3];
  return instrs < 100 || instrs > 100000 ? 1000 : instrs;
}

#endif
