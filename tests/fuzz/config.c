/* SPDX-License-Identifier: Apache-2.0
 *
 * A system's file, and a file of values for each system of the tree; what was taken can be written
 * and read again.
 */
#include "composition.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"

/* Each value in range can be printed and set again. */
static void check_keys(composition_t *c) {
  char text[CONFIG_TEXT_SIZE];
  trouble_t trouble = {0};
  const config_key_t *key;
  const void *values;
  for (unsigned i = 0; (key = composition_key(c, i, &values)); i++) {
    config_text(key, values, text, sizeof text);
    if (key->type == CONFIG_TEXT || config_value(key, values) < 1e9) /* as many digits as are written */
      fuzz_check(composition_set(c, key->key, text, &trouble), "a value in range can be set again");
  }
}

/* A system that was taken can be printed and read again. */
static void check_again(const composition_t *c) {
  static composition_t again;
  char path[] = "/tmp/fuzz_composition_XXXXXX";
  trouble_t trouble = {0};
  const int fd = mkstemp(path);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (!file) return;
  composition_print(c, file);
  fclose(file);
  fuzz_check(composition_load(&again, path, &trouble) && composition_settle(&again, &trouble),
             "a system that was taken can be read again");
  unlink(path);
}

static void settle_and_check(composition_t *c) {
  trouble_t trouble = {0};
  if (!composition_settle(c, &trouble)) fuzz_check_error(trouble.text);
  else check_again(c);
  check_keys(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const systems[] = {"nsu", "mpu"};
  static composition_t c;
  const char *path = fuzz_file(data, size);
  char own[512];
  trouble_t trouble = {0};
  if (!composition_load(&c, path, &trouble)) fuzz_check_error(trouble.text);
  else settle_and_check(&c);
  for (unsigned i = 0; i < 2; i++) {
    snprintf(own, sizeof own, "%s/harness/systems/configs/%s.yaml", LOCKSTACK_SOURCE_DIR, systems[i]);
    fuzz_check(composition_load(&c, own, &trouble), "the tree's own systems are good");
    if (!composition_values_of(&c, path, false, &trouble)) fuzz_check_error(trouble.text);
    else settle_and_check(&c);
  }
  return 0;
}
