/* SPDX-License-Identifier: Apache-2.0
 *
 * What is around the controller's core: ROM, RAM and the registers of ctrl_map.h. Requests are
 * taken at once, and answered in the next cycle; who clears a ready or valid bit of `in` between
 * the two calls makes it slower.
 *
 *   ctrl_bus_in(bus, &in);              the core's inputs of this cycle
 *   ... the core's outputs of this cycle, whoever computes it
 *   ctrl_bus_step(bus, &in, &out);      the clock edge of this side
 *   ... the core's
 */
#ifndef CTRL_BUS_H
#define CTRL_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "ctrl_map.h"
#include "rv_core_ports.h"

typedef struct {
  bool valid, err;
  uint32_t data;
} ctrl_answer_t;

typedef struct {
  uint32_t init, step_init, step_min, step_max, window, move_by;
} ctrl_settings_t; /* in the order of ctrl_map.h */

typedef struct {
  const uint32_t *image; /* the first words of ROM; the others are 0, which is no instruction */
  unsigned words;
  uint32_t ram[CTRL_RAM_BYTES / 4];
  ctrl_settings_t settings;
  uint32_t epoch, count, prev, ratio; /* the registers */
  /* that have ended; instructions of the last of them; those that the core was not told of */
  uint32_t epochs, last, missed;
  uint32_t decisions; /* that were written to the ratio */
  bool irq;
  ctrl_answer_t im, dm; /* on their way to the core */
} ctrl_bus_t;

/* Image: at most CTRL_ROM_BYTES; it stays the caller's. RAM and registers are 0. */
void ctrl_bus_reset(ctrl_bus_t *b, const uint32_t *image, unsigned words, const ctrl_settings_t *settings);
void ctrl_bus_in(const ctrl_bus_t *b, rv_core_in_t *in);
void ctrl_bus_step(ctrl_bus_t *b, const rv_core_in_t *in, const rv_core_out_t *out);

/* An epoch has ended in which so many instructions were executed: the
 * core is interrupted, or misses it (ctrl_map.h). Between two cycles. */
void ctrl_bus_epoch_end(ctrl_bus_t *b, uint32_t count);

#endif
