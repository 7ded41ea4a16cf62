/* SPDX-License-Identifier: Apache-2.0
 *
 * A regression's suite, with a small catalog.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "suite.h"

static suite_option_t option(const char *verb, const char *name) {
  static const char *const verbs[] = {"check", "run", "list", "prove", "memory"}, *const values[] = {"cycles", "seed",
                                                                                                     "set", "engine",
                                                                                                     "limit"};
  bool known = false;
  for (unsigned i = 0; i < 5; i++) known = known || !strcmp(verb, verbs[i]);
  if (!known) return SUITE_NO_VERB;
  for (unsigned i = 0; name && i < 5; i++)
    if (!strcmp(name, values[i])) return SUITE_VALUE;
  return name && !strcmp(name, "first") ? SUITE_FLAG : SUITE_NO_OPTION;
}

static bool has(const char *block, const char *what) {
  return !strcmp(what, "netlist") || (!strcmp(what, "proof") && (!block || strcmp(block, "three") != 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const suite_block_t blocks[] = {{"one", "a"}, {"two", "a"}, {"three", "b"}, {0}};
  static const suite_variant_t variants[] = {{"one", "big", "N=9 M=9"}, {"three", "small", "N=1"}, {0}};
  static const char *const systems[] = {"x", "y", NULL}, *const workloads[] = {"w", NULL};
  static const suite_catalog_t catalog = {.blocks = blocks,
                                          .variants = variants,
                                          .systems = systems,
                                          .workloads = workloads,
                                          .option = option,
                                          .has = has,
                                          .root = "/nowhere",
                                          .suites = "/nowhere"};
  trouble_t trouble = {0};
  suite_t suite;
  if (!suite_load(&suite, fuzz_file(data, size), NULL, &catalog, &trouble)) {
    fuzz_check_error(trouble.text);
    return 0;
  }
  for (unsigned i = 0; i < suite.count; i++) {
    char *command = suite_command(suite.jobs[i].args);
    fuzz_check(command && !strcmp(command, suite.jobs[i].key), "a job's key is its command");
    free(command);
  }
  suite_free(&suite);
  return 0;
}
