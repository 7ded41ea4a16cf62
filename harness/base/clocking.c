/* SPDX-License-Identifier: Apache-2.0 */
#include "clocking.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_clock(const char *line, clocking_t *clocking) {
  char name[sizeof clocking->clock];
  const size_t used = strlen(clocking->clocks);
  if (sscanf(line, " CLOCK( %255[A-Za-z0-9_$] )", name) != 1 || !strcmp(name, "none")) return;
  if (!used) strcpy(clocking->clock, name);
  snprintf(clocking->clocks + used, sizeof clocking->clocks - used, "%s%s", used ? " " : "", name);
}

static void read_reset(const char *line, unsigned number, clocking_t *clocking) {
  clocking_reset_t reset = {.line = number};
  char level[16] = "", kind[16] = "";
  const int words = sscanf(line, " RESET( %255[A-Za-z0-9_$] , %15[a-z] , %15[a-z]", reset.name, level, kind);
  if (words < 1 || clocking->num_resets == CLOCKING_RESETS) return;
  if (!clocking->reset_line) clocking->reset_line = number;
  clocking->initial |= words == 1 && !strcmp(reset.name, "initial");
  if (words < 3) return; /* none, or initial */
  reset.low = !strcmp(level, "low"), reset.async = !strcmp(kind, "async");
  clocking->resets[clocking->num_resets++] = reset;
}

void clocking_read(const char *text, clocking_t *clocking) {
  unsigned number = 1;
  *clocking = (clocking_t){0};
  for (const char *line = text; line && *line; number++) {
    read_clock(line, clocking), read_reset(line, number, clocking);
    line = strchr(line, '\n');
    if (line) line++;
  }
}

void clocking_of_file(const char *path, clocking_t *clocking) {
  char *text = file_read(path);
  clocking_read(text, clocking);
  free(text);
}
