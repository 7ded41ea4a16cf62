/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes the LSU-Extensions of a machine: the golden model, the RTL, or both in lockstep, each near-bank unit its own choice.
 *
 *   lsu_ext_engines_t *e;
 *   outcome_t outcome = lsu_ext_engines_open(&e, &(lsu_ext_engines_config_t){.places = &places, .engine = engine, .units = n}, error, size);
 *   mpu_new(&config, lsu_ext_engines_table(e), &err) ... mpu_core_tick ...
 *   lsu_ext_engines_settle(e);
 *   for each unit: lsu_ext_engines_report(e, unit, &report)
 *   mpu_free; lsu_ext_engines_close(e);
 *
 * Unit is core * 4 + number in the core. The loadable objects are built when they are missing (lockstep/build.h): models alone need no Verilator.
 */
#ifndef LSU_EXT_ENGINES_H
#define LSU_EXT_ENGINES_H

#include "build.h"
#include "instance.h"
#include "lsu_ext_engine.h"

enum { LSU_EXT_ENGINES_UNITS = 512 };

typedef struct lsu_ext_engines_config {
  const places_t *places;
  const char *rtl;               /* RTL files of this folder are taken first; NULL: none */
  const engine_t *engine;        /* [units] */
  unsigned units;
} lsu_ext_engines_config_t;

typedef struct lsu_ext_engines lsu_ext_engines_t;

/* BAD_INPUT, INFRA: error is one line. build: makes the objects that are missing and loads nothing. */
outcome_t lsu_ext_engines_build(const lsu_ext_engines_config_t *config, char *error, size_t size);
outcome_t lsu_ext_engines_open(lsu_ext_engines_t **engines, const lsu_ext_engines_config_t *config, char *error, size_t size);
void lsu_ext_engines_close(lsu_ext_engines_t *engines); /* after the machine */

const lsu_ext_engine_t *const *lsu_ext_engines_table(const lsu_ext_engines_t *engines); /* [units] */

typedef struct lsu_ext_report {
  uint64_t compared;         /* cycles in lockstep */
  bool diverged;
  uint64_t first_cycle;      /* diverged: in which of them */
  char first[512];           /* diverged: outcome and port, or the assertion */
} lsu_ext_report_t;

void lsu_ext_engines_settle(lsu_ext_engines_t *engines); /* the RTL catches up with the models */
void lsu_ext_engines_report(const lsu_ext_engines_t *engines, unsigned unit, lsu_ext_report_t *report);

/* After a divergence: the replay file of that unit alone; its path in `path`. NULL, or what failed. */
const char *lsu_ext_engines_capture(lsu_ext_engines_t *engines, unsigned unit, const capture_t *capture, char *path, size_t size);

#endif
