/* SPDX-License-Identifier: Apache-2.0
 *
 * The controller whole: the golden model of its core with what is around it, for whoever wants a decision of its firmware and not an instance of
 * the core to look at. A cycle is the core's clock.
 *
 *   ctrl_reset(&c, image, words, &settings);
 *   for (;;) {
 *     if (an epoch has ended) ctrl_epoch_end(&c, its instructions);
 *     ctrl_cycle(&c);
 *     ... ctrl_ratio(&c)
 *   }
 */
#ifndef CTRL_H
#define CTRL_H

#include "ctrl_bus.h"
#include "rv_core.h"

typedef struct {
  uint32_t pc, cause, tval;
} ctrl_trap_t;

typedef struct {
  rv_core_t core;
  ctrl_bus_t bus;
  bool trapped;     /* by anything but an interrupt */
  ctrl_trap_t trap; /* the first one */
} ctrl_t;

void ctrl_reset(ctrl_t *c, const uint32_t *image, unsigned words, const ctrl_settings_t *settings); /* as ctrl_bus_reset; registers are 0, too */
void ctrl_cycle(ctrl_t *c);
void ctrl_rest(ctrl_t *c, uint64_t cycles); /* so many of them at once, while it is idle */
void ctrl_epoch_end(ctrl_t *c, uint32_t count);
unsigned ctrl_ratio(const ctrl_t *c); /* twentieths, 0 to 20 */
bool ctrl_deciding(const ctrl_t *c);  /* an epoch has ended whose interrupt is not over */
bool ctrl_idle(const ctrl_t *c);      /* cycles change nothing but mcycle until an epoch ends */
bool ctrl_failed(const ctrl_t *c);    /* the firmware is broken: there was a trap that is no interrupt */

#endif
