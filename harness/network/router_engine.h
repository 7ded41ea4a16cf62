/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes the routers of a fabric: the golden model, the RTL, or both in lockstep, each router its own choice.
 *
 *   router_engines_t *e;
 *   outcome_t outcome = router_engines_open(&e, &(router_engines_config_t){.places = &places, .params = &p, .engine = engine,
 *                                           .routers = n}, error, sizeof error);
 *   fabric_config.engine = router_engines_table(e);
 *   ... fabric_new, fabric_cycle ...
 *   router_engines_settle(e);
 *   for each router: router_report(e, r, &report)
 *   fabric_free; router_engines_close(e);
 *
 * The loadable objects for these parameters are built when they are missing (lockstep/build.h): models alone need no Verilator.
 */
#ifndef ROUTER_ENGINE_H
#define ROUTER_ENGINE_H

#include "build.h"
#include "fabric.h"
#include "instance.h"

typedef struct router_engines_config {
  const places_t *places;
  const char *rtl;               /* RTL files of this folder are taken first; NULL: none */
  const router_params_t *params;
  const engine_t *engine;        /* [routers] */
  unsigned routers;
} router_engines_config_t;

typedef struct router_engines router_engines_t;

/* BAD_INPUT, INFRA: error is one line. build: makes the objects that are missing and loads nothing. */
outcome_t router_engines_build(const router_engines_config_t *config, char *error, size_t size);
outcome_t router_engines_open(router_engines_t **engines, const router_engines_config_t *config, char *error, size_t size);
void router_engines_close(router_engines_t *engines); /* after the fabric */

const router_engine_t *const *router_engines_table(const router_engines_t *engines); /* [routers], for fabric_config_t */

typedef struct router_report {
  engine_t engine;
  uint64_t cycles, compared; /* cycles computed; compared with the RTL, those of writing the route table counted */
  bool diverged;
  uint64_t first_cycle;      /* diverged: in which of the compared */
  char first[512];           /* diverged: outcome and port, or the assertion */
} router_report_t;

void router_engines_settle(router_engines_t *engines); /* the RTL catches up with the models */
void router_engines_report(const router_engines_t *engines, unsigned router, router_report_t *report);
uint64_t router_engines_divergences(const router_engines_t *engines); /* routers that diverged */

/* After a divergence: the replay file of that router alone; its path in `path`. NULL, or what failed. */
const char *router_engines_capture(router_engines_t *engines, unsigned router, const capture_t *capture, char *path, size_t size);

#endif
