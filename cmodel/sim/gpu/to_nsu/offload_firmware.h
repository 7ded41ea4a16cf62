/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware that decides the dynamic offload ratio (NSU paper, section 7.2): an engine
 * (block_engine.h) in place of ofld_ratio, with the same ports.
 *
 *   offload_firmware_init(&f, &config);
 *   offload_firmware_core(&f, engines);       computes the core, instance 0 of rv_core
 *   ... one machine opens, steps and closes &f.engine ...
 *   f.decision[0 .. f.decisions - 1]
 *   offload_firmware_deinit(&f);
 *
 *   epoch ends --> counters, interrupt --> firmware runs --> store of the ratio
 *   (epoch_end)         on the controller's clock             in force one cycle later
 *
 * Epochs are counted as in ofld_ratio, with `epoch_end` in the same cycle. The controller
 * (cmodel/blocks/ctrl/ctrl.h) decides. Its core is an instance of rv_core, which executes an image.
 * At the end of an epoch the controller gets the counters and an interrupt. A store to the ratio
 * register takes effect in the next cycle; before the first store the ratio is 0. An epoch that
 * ends during the interrupt of another is missed (ctrl_map.h). The probes direction, step and
 * history are 0: the firmware keeps them.
 *
 * at_once: the firmware takes no time, and ratios are in force as with ofld_ratio. The core must
 * then sleep (WFI) when idle.
 *
 * `failed` reports a trap, a failure of the core's engine, or an overrun. An overrun is more than
 * `limit` controller cycles from an epoch's end to the interrupt's end. With at_once, the core must
 * sleep within `limit` cycles, after a reset, too.
 */
#ifndef OFFLOAD_FIRMWARE_H
#define OFFLOAD_FIRMWARE_H

#include "block_engine.h"
#include "ctrl.h"
#include "gpu_stats.h"
#include "offload_instance.h"
#include "ofld_ratio_ports.h"

/* Settings of the firmware. */
typedef struct {
  const uint32_t *image; /* the caller's; at most CTRL_ROM_BYTES */
  unsigned words;
  ctrl_settings_t settings;
  unsigned epoch_cycles; /* core cycles of an epoch, at least 1 */
  bool at_once;
  unsigned divider; /* core cycles of a controller cycle, at least 1 */
  uint64_t limit;   /* controller cycles for a decision */
} offload_firmware_config_t;

/* State of the engine. */
typedef struct offload_firmware {
  offload_firmware_config_t config;
  block_engine_t engine;
  const block_engine_t *const *cores; /* NULL: the engine cannot be opened */
  offload_instance_t core;
  ctrl_t ctrl;
  unsigned phase; /* core cycles since the last controller cycle */
  ofld_ratio_out_t out;
  /* of the current epoch so far: cycles, instructions; instructions of the last epoch */
  uint64_t cycles, count, last;
  bool ended;    /* the epoch ended in the cycle before */
  bool deciding; /* a decision (`now`) is under way */
  gpu_decision_t now;
  uint64_t since;           /* core cycles of the decision so far */
  uint64_t executed;        /* instructions that the core had executed before */
  uint32_t written, missed; /* counts of the bus before */
  gpu_decision_t *decision; /* [decisions], finished ones */
  unsigned decisions, room;
  char failure[512]; /* "": no failure */
} offload_firmware_t;

void offload_firmware_init(offload_firmware_t *f, const offload_firmware_config_t *config);
/* Engines of rv_core; NULL: none. */
void offload_firmware_core(offload_firmware_t *f, const block_engine_t *const *engines);
void offload_firmware_deinit(offload_firmware_t *f);

/* The firmware behind an engine, or behind a copy of it. NULL: another engine. */
offload_firmware_t *offload_firmware_of(const block_engine_t *engine);

#endif
