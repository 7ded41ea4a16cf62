/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology file and its routes; and the input's first line as a specification (mesh:8x8).
 */
#include "topology.h"

#include "fuzz.h"
#include "routes.h"

#include <string.h>

enum { ERROR_SIZE = 512 };

static void check_routes(const topology_t *t) {
  routes_t routes;
  trouble_t trouble = {0};
  if (!routes_new(&routes, t, &trouble)) {
    fuzz_check_error(trouble.text);
    return;
  }
  fuzz_check(routes_check(&routes, t, &trouble), "routes that were made have no cycle");
  for (unsigned i = 0; i < t->terminals && i < 16; i++)
    for (unsigned k = 0; k < t->terminals && k < 16; k++)
      fuzz_check(routes_hops(&routes, t, i, k) <= t->routers, "a way passes no router twice");
  routes_free(&routes);
}

static void read_spec(const uint8_t *data, size_t size) {
  topology_t t;
  trouble_t trouble = {0};
  char spec[64];
  size_t n = 0;
  while (n < size && n < sizeof spec - 1 && data[n] && data[n] != '\n') n++;
  if (n) memcpy(spec, data, n);
  spec[n] = 0;
  /* Only what names no file of this machine; large ones
   * are read but not routed: that takes seconds. */
  if (!strchr(spec, ':') && strcmp(spec, "tree")) return;
  if (!topology_parse(&t, spec, &trouble)) {
    fuzz_check_error(trouble.text);
    return;
  }
  if (t.routers <= 64) check_routes(&t);
  topology_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  topology_t t;
  trouble_t trouble = {0};
  read_spec(data, size);
  if (!topology_file(&t, fuzz_file(data, size), &trouble)) {
    fuzz_check_error(trouble.text);
    return 0;
  }
  check_routes(&t);
  topology_free(&t);
  return 0;
}
