/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole controller: an instance of its core with the bus around it. block_engine.h says what
 * computes the core: its golden model, its RTL, or both. A cycle is a cycle of the core's clock.
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

/* A trap: address of its instruction, mcause, mtval. */
typedef struct {
  uint32_t pc, cause, tval;
} ctrl_trap_t;

typedef struct {
  const block_engine_t *engine; /* of rv_core */
  void *core;                   /* the engine's state */
  ctrl_bus_t bus;
  uint32_t pc;      /* of the instruction under way, a byte address */
  bool trapped;     /* by anything but an interrupt */
  ctrl_trap_t trap; /* the first trap, valid with `trapped` */
} ctrl_t;

/* core is the engine's state, just opened; it stays the caller's. The other arguments are those of
 * ctrl_bus_reset. */
void ctrl_reset(ctrl_t *c, const block_engine_t *engine, void *core, const uint32_t *image, unsigned words,
                const ctrl_settings_t *settings);
void ctrl_cycle(ctrl_t *c);                     /* one cycle of the bus and the core */
void ctrl_epoch_end(ctrl_t *c, uint32_t count); /* as ctrl_bus_epoch_end; between two cycles */
unsigned ctrl_ratio(const ctrl_t *c);           /* the offload ratio in twentieths, 0 .. 20 */
uint64_t ctrl_instructions(const ctrl_t *c);    /* minstret: instructions over without a trap */
bool ctrl_deciding(const ctrl_t *c);            /* an epoch has ended and its interrupt is not over */
bool ctrl_idle(const ctrl_t *c);                /* until an epoch ends, cycles change only mcycle */
bool ctrl_failed(const ctrl_t *c);              /* the firmware is broken: it trapped, other than by an interrupt */
const char *ctrl_core_failed(const ctrl_t *c);  /* NULL, or why the core's outputs can no longer be trusted */

#endif
