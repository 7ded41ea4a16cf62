/* SPDX-License-Identifier: Apache-2.0
 *
 * Ports that are unpacked arrays. The Verilated class has them as arrays of C++, whose type does
 * not say how many bits an element has. The declarations in the class, and nothing else, get types
 * that do (verilated_array.h):
 *
 *   VL_IN8((&data_i)[4],6,0);          lockstack::array<7, CData[4]> data_i;
 *   VL_OUTW((&q_o)[2][3],69,0,3);      lockstack::array<70, VlWide<3>[2][3]> q_o;
 *
 * A class without such ports stays as it is.
 */
#include "recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The type that Verilator's macro stands for: 8 of VL_IN8. */
static const char *element_type(const char *size, unsigned words, char text[32]) {
  static const char *const types[][2] = {{"8(", "CData"}, {"16(", "SData"}, {"(", "IData"}, {"64(", "QData"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp(size, types[i][0], strlen(types[i][0])) == 0) return types[i][1];
  snprintf(text, 32, "VlWide<%u>", words);
  return *size == 'W' ? text : NULL;
}

/* Where the name of an array begins that the line declares; NULL: it declares none. */
static const char *array_of(const char *line) {
  line += strspn(line, " ");
  if (strncmp(line, "VL_IN", 5) && strncmp(line, "VL_OUT", 6)) return NULL;
  line += strcspn(line, "(\n");
  return strncmp(line, "((&", 3) ? NULL : line + 3;
}

/* Writes the declaration of an array in the other form. False: the line declares none. */
static bool write_array(FILE *to, const char *line) {
  char name[512], elements[256], text[32];
  int left, right;
  unsigned words = 0;
  const char *at = array_of(line), *size = line + strcspn(line, "V");
  if (!at || sscanf(at, "%511[^)])%255[][0-9],%d,%d,%u", name, elements, &left, &right, &words) < 4) return false;
  const char *type = element_type(size + (strncmp(size, "VL_IN", 5) ? 6 : 5), words, text);
  if (!type) return false;
  fprintf(to, "    lockstack::array<%u, %s%s> %s;", (unsigned)abs(left - right) + 1, type, elements, name);
  return true;
}

static bool write_class(recipe_t *r, FILE *to, const char *class) {
  const char *header = recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut/verilated_array.h", r->ask->tree));
  bool any = false;
  fprintf(to, "#include \"%s%s\"\n", *header == '/' ? "" : "../", header);
  for (const char *line = class, *end; *line; line = *end ? end + 1 : end) {
    end = strchrnul(line, '\n');
    const bool array = write_array(to, line);
    if (!array) fwrite(line, 1, (size_t)(end - line), to);
    if (*end) fputc('\n', to);
    any |= array;
  }
  return any;
}

bool recipe_has_arrays(recipe_t *r) {
  char *class = recipe_read(r, recipe_text(r, "ports/Vdut_%s.h", r->ask->block));
  bool any = false;
  for (const char *line = class; line && *line && !any; line = *strchrnul(line, '\n') ? strchrnul(line, '\n') + 1 : "")
    any = array_of(line);
  free(class);
  return any;
}

bool recipe_arrays(recipe_t *r) {
  const char *path = recipe_text(r, "verilated/Vdut_%s.h", r->ask->block);
  char *class = recipe_read(r, path), *text = NULL;
  size_t size = 0;
  if (!class) return false;
  FILE *to = open_memstream(&text, &size);
  const bool any = to && write_class(r, to, class);
  bool ok = to && fclose(to) == 0;
  if (!ok) trouble_memory(r->trouble);
  if (ok && any) ok = recipe_write(r, path, text);
  free(class), free(text);
  return ok;
}
