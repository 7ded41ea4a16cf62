/* SPDX-License-Identifier: Apache-2.0
 *
 * The controller whole: an instance of its core, whatever computes it (block_engine.h: its golden
 * model, RTL, both), with what is around it. A cycle is the core's clock.
 *
 *   ctrl_reset(&c, engine, core, image, words, &settings);
 *   for (;;) {
 *     if (an epoch has ended) ctrl_epoch_end(&c, its instructions);
 *     ctrl_cycle(&c);
 *     ... ctrl_ratio(&c)
 *   }
 */
#ifndef CTRL_H
#define CTRL_H

#include "block_engine.h"
#include "ctrl_bus.h"

typedef struct {
  uint32_t pc, cause, tval;
} ctrl_trap_t;

typedef struct {
  const block_engine_t *engine; /* of rv_core */
  void *core;
  ctrl_bus_t bus;
  uint32_t pc;      /* of the instruction under way */
  bool trapped;     /* by anything but an interrupt */
  ctrl_trap_t trap; /* the first one */
} ctrl_t;

/* core: the engine's state, just opened; it stays the caller's. The rest as ctrl_bus_reset. */
void ctrl_reset(ctrl_t *c, const block_engine_t *engine, void *core, const uint32_t *image, unsigned words,
                const ctrl_settings_t *settings);
void ctrl_cycle(ctrl_t *c);
void ctrl_epoch_end(ctrl_t *c, uint32_t count);
unsigned ctrl_ratio(const ctrl_t *c);          /* twentieths, 0 to 20 */
uint64_t ctrl_instructions(const ctrl_t *c);   /* that were over without a trap: minstret */
bool ctrl_deciding(const ctrl_t *c);           /* an epoch has ended whose interrupt is not over */
bool ctrl_idle(const ctrl_t *c);               /* cycles change nothing but mcycle until an epoch ends */
bool ctrl_failed(const ctrl_t *c);             /* the firmware is broken: there was a trap that is no interrupt */
const char *ctrl_core_failed(const ctrl_t *c); /* NULL, or why what the core computes is worth nothing any more */

#endif
