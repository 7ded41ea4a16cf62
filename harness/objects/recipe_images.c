/* SPDX-License-Identifier: Apache-2.0
 *
 * images.h of an object (harness/dut/images.c): the texts of the RTL that may name a file which the RTL opens when it runs, each with the
 * folder of the source that it stands in; after them the folders of all sources, for names that are put together. READS: the calls that
 * read files, as they are in what Verilator made of the RTL: name, hexadecimal, bits of a word, words, the lowest address, from, to.
 */
#include "recipe.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* The words of a constant that is longer than 64 bits, the highest first: "T[0U] = 0x2e686578U;", or "VL_CONST_W_3X(88,T,0x006e6f74,...)". */
static bool word_of(const char *begin, const char *call, const char *constant, unsigned count, unsigned index, uint32_t *word) {
  char wanted[320], *end;
  const char *at = NULL;
  snprintf(wanted, sizeof wanted, "%s[%uU] = ", constant, index);
  for (const char *p = begin; (p = strstr(p, wanted)) && p < call; p++) at = p + strlen(wanted);
  if (!at) {
    snprintf(wanted, sizeof wanted, ",%s,", constant);
    for (const char *p = begin; (p = strstr(p, wanted)) && p < call; p++) at = p + strlen(wanted);
    for (unsigned i = count - 1; at && i > index; i--) at = strchr(at, ','), at += at != NULL;
  }
  if (!at) return false;
  *word = (uint32_t)strtoul(at, &end, 16);
  return end > at;
}

/* The name at `p`, std::string{"x.hex"} or VL_CVT_PACK_STR_NW(3, T), and where it ends; NULL: it is put together when the RTL runs. */
static const char *name_of(const char *begin, const char *p, char name[NAME_MOST + 1]) {
  static const char plain[] = "std::string{\"";
  char constant[256];
  unsigned count, n = 0;
  int at = 0;
  if (strncmp(p, plain, sizeof plain - 1) == 0) {
    const char *end = text_end(p + sizeof plain - 2);
    snprintf(name, NAME_MOST + 1, "%.*s", (int)(end - p - (ptrdiff_t)sizeof plain + 1), p + sizeof plain - 1);
    return end;
  }
  if (sscanf(p, "VL_CVT_PACK_STR_NW(%u, %255[A-Za-z0-9_])%n", &count, constant, &at) != 2 || !at) return NULL;
  for (unsigned i = count; i-- > 0;) {
    uint32_t word;
    if (!word_of(begin, p, constant, count, i, &word)) return NULL;
    for (int shift = 24; shift >= 0; shift -= 8)
      if (word >> shift & 255 && n < NAME_MOST) name[n++] = (char)(word >> shift & 255);
  }
  name[n] = 0;
  return p + at;
}

static void add_read(FILE *to, words_t *seen, recipe_t *r, const char *name, const char *numbers) {
  const char *one = recipe_text(r, "%s %s", name, numbers);
  if (!may_name_file(name, strlen(name)) || !words_add_new(seen, one)) return;
  fputs(" \\\n  MEMORY(", to);
  recipe_c_text(to, name, strlen(name));
  fprintf(to, ", %s)", numbers);
}

/* VL_READMEM_N(true, 8, 4, 0, NAME , &(vlSelf->m), 1U, ~0ULL); */
static void add_memory(FILE *to, words_t *seen, recipe_t *r, const char *begin, const char *p) {
  char name[NAME_MOST + 1], hex[8], start[32], end[32];
  unsigned bits, depth, first;
  int at = 0;
  if (sscanf(p, "(%7[a-z], %u, %u, %u, %n", hex, &bits, &depth, &first, &at) != 4 || !at) return;
  const char *after = name_of(begin, p + at, name), *close = after ? strstr(after, ");") : NULL;
  const char *comma = close ? memrchr(after, ',', (size_t)(close - after)) : NULL;
  const char *before = comma ? memrchr(after, ',', (size_t)(comma - after)) : NULL;
  if (!before || sscanf(before, ", %31[0-9UL]", start) != 1 || sscanf(comma, ", %31[~0-9UL]", end) != 1) return;
  add_read(to, seen, r, name, recipe_text(r, "%s, %u, %u, %u, %s, %s", hex, bits, depth, first, start, end));
}

/* VL_FOPEN_NN(NAME, std::string{"r"}) */
static void add_file(FILE *to, words_t *seen, recipe_t *r, const char *begin, const char *p) {
  char name[NAME_MOST + 1];
  const char *after = *p == '(' ? name_of(begin, p + 1, name) : NULL, *mode = after ? strstr(after, "std::string{\"r") : NULL;
  if (mode && strcspn(after, ";") > (size_t)(mode - after)) add_read(to, seen, r, name, "true, 0, 0, 0, 0, 0");
}

static void add_calls(recipe_t *r, FILE *to, words_t *seen, const char *text) {
  static const char memory[] = "VL_READMEM_N", file[] = "VL_FOPEN_NN";
  for (const char *p = text; (p = strstr(p, memory)); p += sizeof memory - 1) add_memory(to, seen, r, text, p + sizeof memory - 1);
  for (const char *p = text; (p = strstr(p, file)); p += sizeof file - 1) add_file(to, seen, r, text, p + sizeof file - 1);
}

/* The files that Verilator says it wrote: those of an earlier build may be there still. `T ... "verilated/x.cpp"` */
void recipe_made(recipe_t *r, words_t *files) {
  words_t lines = {0};
  /* Of a device that is not the RTL, Verilated, its reading of the ports. */
  const char *list = recipe_text(r, "%s/Vdut_%s__verFiles.dat", r->ports_read.count ? "ports" : "verilated", r->ask->block);
  char *text = access(recipe_text(r, "%s/%s", r->work, list), R_OK) ? NULL : recipe_read(r, list);
  if (text) words_split(&lines, text, "\n");
  for (size_t i = 0; i < lines.count; i++) {
    const char *name = strchr(lines.at[i], '"'), *end = name ? text_end(name) : NULL;
    if (*lines.at[i] == 'T' && end && end - name >= 5 && strncmp(end - 4, ".cpp", 4) == 0) words_add(files, "%.*s", (int)(end - name - 1), name + 1);
  }
  free(text);
  words_free(&lines);
}

static void add_reads(recipe_t *r, FILE *to) {
  words_t seen = {0}, files = {0};
  fputs("#define READS", to);
  if (!recipe_is(r, "model")) recipe_made(r, &files);
  for (size_t i = 0; i < files.count; i++) {
    char *text = recipe_read(r, files.at[i]);
    if (text) add_calls(r, to, &seen, text);
    free(text);
  }
  words_free(&seen), words_free(&files);
  fputs("\n", to);
}

bool recipe_images(recipe_t *r) {
  char *made = NULL;
  size_t size = 0;
  words_t seen = {0}, read = {0};
  FILE *to = open_memstream(&made, &size);
  if (!to) return recipe_bad(r, TROUBLE_ENVIRONMENT, "out of memory");
  fputs("#define IMAGES", to);
  words_add_all(&read, &r->ports_read), words_add_all(&read, &r->rtl_read);
  for (size_t i = 0; i < read.count; i++) {
    const content_file_t *source = snapshot_original(&r->snapshot, read.at[i]);
    char *text = source ? recipe_read(r, read.at[i]) : NULL;
    if (text) add_texts(r, to, &seen, source->path, text);
    free(text);
  }
  for (size_t i = 0; i < read.count; i++) {
    const content_file_t *source = snapshot_original(&r->snapshot, read.at[i]);
    if (source) add_image(to, &seen, r, "", 0, source->path, (size_t)(strrchr(source->path, '/') - source->path));
  }
  fputs("\n", to);
  add_reads(r, to);
  fclose(to);
  words_free(&seen), words_free(&read);
  const bool ok = recipe_write(r, "images.h", made);
  free(made);
  return ok;
}
