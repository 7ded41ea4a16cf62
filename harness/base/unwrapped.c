/* SPDX-License-Identifier: Apache-2.0 */
#include "unwrapped.h"

#include "file.h"
#include "surroundings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_led(void) {
  static const char *const variables[] = {"VERILATOR_ROOT", "VERILATOR_BIN", "VERILATOR_TEST_FLAGS"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (getenv(variables[i])) return true;
  return false;
}

/* A script that a user wrote may do more before it starts Verilator. */
static bool is_verilators(const char *path) {
  char *text = file_read(path);
  const bool perl = text && strncmp(text, "#!", 2) == 0 && memmem(text, strcspn(text, "\n"), "perl", 4);
  const bool own =
      perl && strstr(text, "by Wilson Snyder") && strstr(text, "run(ulimit_stack_unlimited() . verilator_bin()");
  free(text);
  return own;
}

bool unwrapped_program(const char *program, char behind[PLAIN_PATH]) {
  char found[PLAIN_PATH], path[PATH_MAX];
  if (strcmp(program, "verilator") || is_led() || !surroundings_find(program, found) || !realpath(found, path))
    return false;
  if (strcmp(strrchr(path, '/'), "/verilator") || !is_verilators(path)) return false;
  return snprintf(behind, PLAIN_PATH, "%s_bin", path) < PLAIN_PATH && access(behind, X_OK) == 0;
}
