/* SPDX-License-Identifier: Apache-2.0 */
#include "router_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "router_engine.h"

enum { ROUTERS = 256, KEPT = 64 };

/* Engines of one kind are opened once and kept to the end of the process. */
const block_engine_t *const *router_models(router_params_t params) {
  static struct {
    router_params_t params;
    engines_t *engines;
  } kept[KEPT];
  static const engine_t models[ROUTERS]; /* all ENGINE_MODEL */
  static const places_t places = {LOCKSTACK_SOURCE_DIR, LOCKSTACK_BINARY_DIR "/dut"};
  trouble_t trouble = {0};
  unsigned i = 0;
  while (i < KEPT && kept[i].engines && memcmp(&kept[i].params, &params, sizeof params)) i++;
  if (i < KEPT && kept[i].engines) return engines_table(kept[i].engines);
  engines_config_t config = {.places = &places, .engine = models, .count = ROUTERS};
  if (i == KEPT || !router_engine_config(&config, &params, &trouble) ||
      !engines_open(&kept[i].engines, &config, &trouble)) {
    fprintf(stderr, "no router models: %s\n", i == KEPT ? "too many kinds" : trouble.text);
    exit(3);
  }
  kept[i].params = params;
  return engines_table(kept[i].engines);
}
