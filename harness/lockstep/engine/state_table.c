/* SPDX-License-Identifier: Apache-2.0 */
#include "state_table.h"

#include "source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t state_storage(uint32_t width) {
  for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
    if (width <= 8 * bytes) return bytes;
  return (width + 31) / 32 * 4;
}

size_t *state_offsets(const dut_t *dut) {
  size_t *offset = calloc(dut->num_states + 1, sizeof *offset), size = 0;
  for (unsigned i = 0; offset && i < dut->num_states; i++) {
    offset[i] = size;
    size += state_storage(dut->states[i].width) * dut->states[i].elements;
  }
  if (offset) offset[dut->num_states] = size;
  if (size == dut->state_size) return offset;
  free(offset);
  return NULL;
}

bool state_lines(const char *text, const char *name, char *where, size_t size) {
  const size_t n = strlen(name);
  char path[4096];
  for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    if (strncmp(line, name, n) || line[n] != ' ') continue;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(line + n + 1, "\n"), line + n + 1);
    snprintf(where, size, "%s", source_short(path));
    return true;
  }
  return false;
}
