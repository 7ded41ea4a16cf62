/* SPDX-License-Identifier: Apache-2.0
 *
 * The dynamic offload ratio decided by firmware (NSU paper, section 7.2): an engine
 * (block_engine.h) in the place of one of ofld_ratio, with its ports.
 *
 *   offload_firmware_init(&f, &config);
 *   offload_firmware_core(&f, engines);       what computes the core, instance 0 of rv_core
 *   ... &f.engine is opened, stepped, looked at and closed, by one machine ...
 *   f.decision[0 .. f.decisions - 1]
 *   offload_firmware_deinit(&f);
 *
 * Epochs are counted as ofld_ratio does; `epoch_end` comes in the same cycle. Who decides is the
 * controller (cmodel/blocks/ctrl/ctrl.h), whose core, an instance of rv_core that any engine
 * computes, executes an image: from that cycle on it has the epoch's counters and is interrupted,
 * and what it stores to its register is the ratio from the next cycle on. Before its first store,
 * that is 0. An epoch that ends while the interrupt of another is not over is missed (ctrl_map.h).
 * Of the probes, direction, step and history are 0: they are the firmware's own.
 *
 * at_once: all that takes no time, and ratios are in force when ofld_ratio's are; the core must
 * then sleep (WFI) when it has nothing to do.
 *
 * `failed` says so when the firmware has trapped, or when the controller has taken more than
 * `limit` of its cycles from an epoch's end to that of the interrupt (at_once: until it sleeps,
 * after a reset, too); or what the core's engine says.
 */
#ifndef OFFLOAD_FIRMWARE_H
#define OFFLOAD_FIRMWARE_H

#include "block_engine.h"
#include "ctrl.h"
#include "gpu_stats.h"
#include "offload_instance.h"
#include "ofld_ratio_ports.h"

typedef struct {
  const uint32_t *image; /* at most CTRL_ROM_BYTES; it stays the caller's */
  unsigned words;
  ctrl_settings_t settings;
  unsigned epoch_cycles; /* from 1 on */
  bool at_once;
  unsigned divider; /* cycles of the SMs' clock that one of the controller takes, from 1 on */
  uint64_t limit;
} offload_firmware_config_t;

typedef struct offload_firmware {
  offload_firmware_config_t config;
  block_engine_t engine;
  const block_engine_t *const *cores; /* NULL: the engine cannot be opened */
  offload_instance_t core;
  ctrl_t ctrl;
  unsigned phase; /* of the divider */
  ofld_ratio_out_t out;
  uint64_t cycles, count, last; /* of the epoch under way so far; instructions of the one that has ended */
  bool ended;                   /* in the cycle before */
  bool deciding;                /* `now` is under way */
  gpu_decision_t now;
  uint64_t since;           /* its cycles of the SMs' clock so far */
  uint64_t executed;        /* instructions before it */
  uint32_t written, missed; /* the bus's counts before it */
  gpu_decision_t *decision; /* [decisions], whose interrupts are over */
  unsigned decisions, room;
  char failure[512]; /* "": none */
} offload_firmware_t;

void offload_firmware_init(offload_firmware_t *f, const offload_firmware_config_t *config);
/* of rv_core; NULL: there is none */
void offload_firmware_core(offload_firmware_t *f, const block_engine_t *const *engines);
void offload_firmware_deinit(offload_firmware_t *f);

/* whose engine that is, or a copy of it; NULL: none's */
offload_firmware_t *offload_firmware_of(const block_engine_t *engine);

#endif
