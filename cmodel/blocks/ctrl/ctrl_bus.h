/* SPDX-License-Identifier: Apache-2.0
 *
 * What surrounds the controller's core: ROM, RAM and the registers of ctrl_map.h. A request is
 * taken at once and answered in the next cycle.
 *
 *   ctrl_bus_in(bus, &in);              the core's inputs of this cycle
 *   ... the core's outputs of this cycle, from its model or its RTL
 *   ctrl_bus_step(bus, &in, &out);      the clock edge of the bus
 *   ... the clock edge of the core
 *
 * A caller makes the bus slower by clearing ready or valid bits of `in` between the two calls.
 */
#ifndef CTRL_BUS_H
#define CTRL_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "ctrl_map.h"
#include "rv_core_ports.h"

/* An answer on its way to the core. err: no such address. */
typedef struct {
  bool valid, err;
  uint32_t data;
} ctrl_answer_t;

/* The read-only registers in the order of ctrl_map.h; units as parameters of ofld_ratio.ports. */
typedef struct {
  uint32_t init, step_init, step_min, step_max, window, move_by;
} ctrl_settings_t;

typedef struct {
  const uint32_t *image; /* first words of ROM; the rest is 0, which is no instruction */
  unsigned words;        /* words of image */
  uint32_t ram[CTRL_RAM_BYTES / 4];
  ctrl_settings_t settings;
  uint32_t epoch, count, prev, ratio; /* the registers of ctrl_map.h */
  /* Epochs that have ended; instructions of the last one; epochs that the core missed. */
  uint32_t epochs, last, missed;
  uint32_t decisions;   /* writes to the ratio */
  bool irq;             /* the interrupt to the core */
  ctrl_answer_t im, dm; /* answers to an instruction fetch and to a data access */
} ctrl_bus_t;

/* RAM and registers become 0. The image stays the caller's; asserts that it fits CTRL_ROM_BYTES. */
void ctrl_bus_reset(ctrl_bus_t *b, const uint32_t *image, unsigned words, const ctrl_settings_t *settings);
void ctrl_bus_in(const ctrl_bus_t *b, rv_core_in_t *in);
void ctrl_bus_step(ctrl_bus_t *b, const rv_core_in_t *in, const rv_core_out_t *out);

/* An epoch with `count` instructions has ended: the core is interrupted, or misses the epoch
 * (ctrl_map.h). Call it between two cycles. */
void ctrl_bus_epoch_end(ctrl_bus_t *b, uint32_t count);

#endif
