/* SPDX-License-Identifier: Apache-2.0
 *
 * images.h of an object (harness/dut/images.c): the texts of the RTL that may name a file which the RTL opens when it runs, each with the
 * folder of the source that it stands in; after them the folders of all sources, for names that are put together. READS: the calls that
 * read files, as they are in what Verilator made of the RTL: name, hexadecimal, bits of a word, words, the lowest address, from, to.
 */
#include "recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 255 };

void recipe_c_text(FILE *to, const char *text, size_t length) {
  putc('"', to);
  for (size_t i = 0; i < length; i++) {
    if (strchr("\"\\", text[i])) putc('\\', to);
    putc(text[i], to);
  }
  putc('"', to);
}

/* folder: the path of the source, of which that much is its folder. */
static void add_image(FILE *to, words_t *seen, recipe_t *r, const char *name, size_t length, const char *folder, size_t folder_length) {
  const char *both = recipe_text(r, "%.*s\n%.*s", (int)length, name, (int)folder_length, folder), *dot = strrchr(folder, '.');
  if (!words_add_new(seen, both)) return;
  fputs(" \\\n  IMAGE(", to);
  recipe_c_text(to, name, length);
  fputs(", ", to);
  recipe_c_text(to, folder, folder_length);
  fprintf(to, ", %d)", dot && (strcmp(dot, ".sv") == 0 || strcmp(dot, ".v") == 0));
}

/* The text constant at `p`, a quote; its length, and where reading goes on. */
static const char *text_end(const char *p) {
  for (p++; *p && *p != '"' && *p != '\n'; p++)
    if (*p == '\\' && p[1]) p++;
  return p;
}

/* A name has no blank and nothing that $sformat replaces. */
static bool may_name_file(const char *text, size_t length) {
  return length && length <= NAME_MOST && strcspn(text, " \t%\\\"\n") >= length;
}

static const char *after_comment(const char *p) {
  if (p[1] == '/') return strchrnul(p, '\n');
  const char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

static void add_texts(recipe_t *r, FILE *to, words_t *seen, const char *source, const char *text) {
  const size_t folder = (size_t)(strrchr(source, '/') - source);
  for (const char *p = text; *p;) {
    if (*p == '/' && (p[1] == '/' || p[1] == '*')) p = after_comment(p);
    else if (*p == '"') {
      const char *end = text_end(p);
      if (*end == '"' && may_name_file(p + 1, (size_t)(end - p - 1))) add_image(to, seen, r, p + 1, (size_t)(end - p - 1), source, folder);
      p = end + (*end == '"');
    } else p++;
  }
}

static bool is_rtl(const char *path) {
  static const char *const endings[] = {".sv", ".v", ".svh", ".vh", ".inc", ".svi"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0) return true;
  return false;
}

/* VL_READMEM_N(true, 8, 4, 0, std::string{"x.hex"}\n , &(vlSelf->m), 1U, ~0ULL); a name that is put together is no constant. */
static void add_memory(FILE *to, words_t *seen, recipe_t *r, const char *p) {
  char hex[8], start[32], end[32];
  unsigned bits, depth, first;
  int at = 0;
  if (sscanf(p, "(%7[a-z], %u, %u, %u, std::string{\"%n", hex, &bits, &depth, &first, &at) != 4 || !at) return;
  const char *name = p + at, *name_end = text_end(name - 1), *close = strstr(name_end, ");");
  const char *comma = close ? memrchr(name_end, ',', (size_t)(close - name_end)) : NULL;
  const char *before = comma ? memrchr(name_end, ',', (size_t)(comma - name_end)) : NULL;
  if (!before || sscanf(before, ", %31[0-9UL]", start) != 1 || sscanf(comma, ", %31[~0-9UL]", end) != 1) return;
  const char *one = recipe_text(r, " \\\n  MEMORY(\"%.*s\", %s, %u, %u, %u, %s, %s)", (int)(name_end - name), name, hex, bits, depth, first, start, end);
  if (words_add_new(seen, one)) fputs(one, to);
}

/* VL_FOPEN_NN(std::string{"x.txt"},\n std::string{"r"}) */
static void add_file(FILE *to, words_t *seen, recipe_t *r, const char *p) {
  static const char begin[] = "(std::string{\"";
  if (strncmp(p, begin, sizeof begin - 1)) return;
  const char *name = p + sizeof begin - 1, *name_end = text_end(name - 1), *mode = strstr(name_end, "std::string{\"r");
  if (!mode || strcspn(name_end, ";") < (size_t)(mode - name_end) || (size_t)(mode - name_end) > strcspn(name_end, ")")) return;
  const char *one = recipe_text(r, " \\\n  MEMORY(\"%.*s\", true, 0, 0, 0, 0, 0)", (int)(name_end - name), name);
  if (words_add_new(seen, one)) fputs(one, to);
}

static void add_calls(recipe_t *r, FILE *to, words_t *seen, const char *text) {
  static const char memory[] = "VL_READMEM_N", file[] = "VL_FOPEN_NN";
  for (const char *p = text; (p = strstr(p, memory)); p += sizeof memory - 1) add_memory(to, seen, r, p + sizeof memory - 1);
  for (const char *p = text; (p = strstr(p, file)); p += sizeof file - 1) add_file(to, seen, r, p + sizeof file - 1);
}

/* In the files that Verilator says it wrote: those of an earlier build may be there still. `T ... "verilated/x.cpp"` */
static void add_reads(recipe_t *r, FILE *to) {
  words_t seen = {0}, lines = {0};
  const char *folder = !r->verilated || r->gates ? "ports" : "verilated"; /* of a device that is not the RTL, Verilated, its reading of the ports */
  char *list = recipe_is(r, "model") ? NULL : recipe_read(r, recipe_text(r, "%s/Vdut_%s__verFiles.dat", folder, r->ask->block));
  fputs("#define READS", to);
  if (list) words_split(&lines, list, "\n");
  for (size_t i = 0; i < lines.count; i++) {
    const char *name = strchr(lines.at[i], '"'), *end = name ? text_end(name) : NULL;
    if (*lines.at[i] != 'T' || !end || end - name < 5 || strncmp(end - 4, ".cpp", 4)) continue;
    char *text = recipe_read(r, recipe_text(r, "%.*s", (int)(end - name - 1), name + 1));
    if (text) add_calls(r, to, &seen, text);
    free(text);
  }
  free(list);
  words_free(&seen), words_free(&lines);
  fputs("\n", to);
}

bool recipe_images(recipe_t *r) {
  char *made = NULL;
  size_t size = 0;
  words_t seen = {0};
  FILE *to = open_memstream(&made, &size);
  if (!to) return recipe_bad(r, TROUBLE_ENVIRONMENT, "out of memory");
  fputs("#define IMAGES", to);
  for (size_t i = 0; i < r->read.count; i++) {
    const content_file_t *source = snapshot_original(&r->snapshot, r->read.at[i]);
    char *text = source && is_rtl(source->path) ? recipe_read(r, r->read.at[i]) : NULL;
    if (text) add_texts(r, to, &seen, source->path, text);
    free(text);
  }
  for (size_t i = 0; i < r->read.count; i++) {
    const content_file_t *source = snapshot_original(&r->snapshot, r->read.at[i]);
    if (source && is_rtl(source->path)) add_image(to, &seen, r, "", 0, source->path, (size_t)(strrchr(source->path, '/') - source->path));
  }
  fputs("\n", to);
  add_reads(r, to);
  fclose(to);
  words_free(&seen);
  const bool ok = recipe_write(r, "images.h", made);
  free(made);
  return ok;
}
