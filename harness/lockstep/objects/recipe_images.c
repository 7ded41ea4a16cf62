/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes images.h of an object (harness/lockstep/dut/variant.c). The header lists strings of the
 * RTL that may name a file opened at run time, each with the folder of its source. The folders of
 * all sources follow, for names that are put together. READS lists the calls that read files, from
 * the C++ that Verilator made: name, hexadecimal, bits of a word, words, lowest address, from, to.
 *
 * Kind lint has no device and gets images.txt with the same content, for image_check.h of lockstep:
 * "image SOURCE NAME FOLDER", "read NAME 1 8 4 0 0 3".
 */
#include "recipe.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MOST = 255 };

typedef struct {
  recipe_t *r;
  /* images: "1 NAME FOLDER" (1: in a source, 0: in an include file); reads: "NAME 1 8 4 0 0 3". */
  words_t images, reads;
} found_t;

void recipe_c_text(FILE *to, const char *text, size_t length) {
  putc('"', to);
  for (size_t i = 0; i < length; i++) {
    if (strchr("\"\\", text[i])) putc('\\', to);
    putc(text[i], to);
  }
  putc('"', to);
}

/* Notes a text. `folder`: the path of the source, of which the first `length` characters are its
 * folder. */
static void add_image(found_t *f, const char *name, size_t length, const char *folder, size_t folder_length) {
  const char *dot = strrchr(folder, '.');
  const int source = dot && (strcmp(dot, ".sv") == 0 || strcmp(dot, ".v") == 0);
  words_add_new(&f->images, recipe_text(f->r, "%d %.*s %.*s", source, (int)length, name, (int)folder_length, folder));
}

/* The end of the string constant that begins at `p`. */
static const char *text_end(const char *p) {
  for (p++; *p && *p != '"' && *p != '\n'; p++)
    if (*p == '\\' && p[1]) p++;
  return p;
}

/* True if the text may be a file name: no blanks, and nothing that $sformat replaces. */
static bool may_name_file(const char *text, size_t length) {
  return length && length <= NAME_MOST && strcspn(text, " \t%\\\"\n") >= length;
}

static const char *after_comment(const char *p) {
  if (p[1] == '/') return strchrnul(p, '\n');
  const char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

static void add_texts(found_t *f, const char *source, const char *text) {
  const size_t folder = (size_t)(strrchr(source, '/') - source);
  for (const char *p = text; *p;) {
    if (*p == '/' && (p[1] == '/' || p[1] == '*')) p = after_comment(p);
    else if (*p == '"') {
      const char *end = text_end(p);
      if (*end == '"' && may_name_file(p + 1, (size_t)(end - p - 1)))
        add_image(f, p + 1, (size_t)(end - p - 1), source, folder);
      p = end + (*end == '"');
    } else p++;
  }
}

/* Finds a word of a constant longer than 64 bits, the highest word first: "T[0U] = 0x2e686578U;",
 * or "VL_CONST_W_3X(88,T,0x006e6f74,...)". */
static bool word_of(const char *begin, const char *call, const char *constant, unsigned count, unsigned index,
                    uint32_t *word) {
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

/* The file name at `p`, std::string{"x.hex"} or VL_CVT_PACK_STR_NW(3, T), and the end of the
 * expression. NULL: the name is computed at run time. */
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

/* A call such as VL_READMEM_N(true, 8, 4, 0, NAME , &(vlSelf->m), 1U, ~0ULL); */
static void add_memory(found_t *f, const char *begin, const char *p) {
  char name[NAME_MOST + 1], hex[8], start[32], end[32];
  unsigned bits, depth, first;
  int at = 0;
  if (sscanf(p, "(%7[a-z], %u, %u, %u, %n", hex, &bits, &depth, &first, &at) != 4 || !at) return;
  const char *after = name_of(begin, p + at, name), *close = after ? strstr(after, ");") : NULL;
  const char *comma = close ? memrchr(after, ',', (size_t)(close - after)) : NULL;
  const char *before = comma ? memrchr(after, ',', (size_t)(comma - after)) : NULL;
  if (!before || sscanf(before, ", %31[0-9]", start) != 1 || sscanf(comma, ", %31[~0-9]", end) != 1 ||
      !may_name_file(name, strlen(name)))
    return;
  const uint64_t last = *end == '~' ? UINT64_MAX : strtoull(end, NULL, 10);
  words_add_new(&f->reads, recipe_text(f->r, "%s %d %u %u %u %s %" PRIu64, name, strcmp(hex, "true") == 0, bits, depth,
                                       first, start, last));
}

/* A call such as VL_FOPEN_NN(NAME, std::string{"r"}). */
static void add_file(found_t *f, const char *begin, const char *p) {
  char name[NAME_MOST + 1];
  const char *after = *p == '(' ? name_of(begin, p + 1, name) : NULL,
             *mode = after ? strstr(after, "std::string{\"r") : NULL;
  if (!mode || strcspn(after, ";") <= (size_t)(mode - after) || !may_name_file(name, strlen(name))) return;
  words_add_new(&f->reads, recipe_text(f->r, "%s 1 0 0 0 0 0", name));
}

static void add_calls(found_t *f, const char *text) {
  static const char memory[] = "VL_READMEM_N", file[] = "VL_FOPEN_NN";
  for (const char *p = text; (p = strstr(p, memory)); p += sizeof memory - 1)
    add_memory(f, text, p + sizeof memory - 1);
  for (const char *p = text; (p = strstr(p, file)); p += sizeof file - 1) add_file(f, text, p + sizeof file - 1);
}

/* The files of Verilator's own list of outputs: `T ... "verilated/x.cpp"`. Files of an earlier
 * build may be there, too. */
void recipe_made(recipe_t *r, words_t *files) {
  words_t lines = {0};
  /* For a device that is not Verilated RTL: the list of the run that read the ports. */
  const char *list =
      recipe_text(r, "%s/Vdut_%s__verFiles.dat", r->ports_read.count ? "ports" : "verilated", r->ask->block);
  char *text = access(recipe_text(r, "%s/%s", r->work, list), R_OK) ? NULL : recipe_read(r, list);
  if (text) words_split(&lines, text, "\n");
  for (size_t i = 0; i < lines.count; i++) {
    const char *name = strchr(lines.at[i], '"'), *end = name ? text_end(name) : NULL;
    if (*lines.at[i] == 'T' && end && end - name >= 5 && strncmp(end - 4, ".cpp", 4) == 0)
      words_add(files, "%.*s", (int)(end - name - 1), name + 1);
  }
  free(text);
  words_free(&lines);
}

static void add_reads(found_t *f) {
  words_t files = {0};
  if (!recipe_is(f->r, "model")) recipe_made(f->r, &files);
  for (size_t i = 0; i < files.count; i++) {
    char *text = recipe_read(f->r, files.at[i]);
    if (text) add_calls(f, text);
    free(text);
  }
  words_free(&files);
}

/* Notes images that do not exist. Yosys cannot read the RTL without them, and its verdict is part
 * of the object. */
static void add_missing(found_t *f) {
  for (size_t i = 0; i < f->reads.count; i++) {
    const int length = (int)strcspn(f->reads.at[i], " ");
    for (size_t k = 0; k < f->images.count; k++) {
      const char *name = f->images.at[k] + 2, *folder = strchr(name, ' ') + 1;
      if (strncmp(name, f->reads.at[i], (size_t)length + 1)) continue;
      const char *path =
          *name == '/' ? recipe_text(f->r, "%.*s", length, name) : recipe_text(f->r, "%s/%.*s", folder, length, name);
      if (access(path, F_OK)) words_add_new(&f->r->absent, path);
    }
  }
}

static void find(found_t *f) {
  words_t read = {0};
  words_add_all(&read, &f->r->ports_read), words_add_all(&read, &f->r->rtl_read);
  for (size_t i = 0; i < read.count; i++) {
    const content_file_t *source = snapshot_original(&f->r->snapshot, read.at[i]);
    char *text = source ? recipe_read(f->r, read.at[i]) : NULL;
    if (text) add_texts(f, source->path, text);
    free(text);
  }
  for (size_t i = 0; i < read.count; i++) {
    const content_file_t *source = snapshot_original(&f->r->snapshot, read.at[i]);
    if (source) add_image(f, "", 0, source->path, (size_t)(strrchr(source->path, '/') - source->path));
  }
  add_reads(f);
  add_missing(f);
  words_free(&read);
}

static void print_header(FILE *to, const found_t *f) {
  fputs("#define IMAGES", to);
  for (size_t i = 0; i < f->images.count; i++) {
    const char *name = f->images.at[i] + 2, *folder = strchr(name, ' ') + 1;
    fputs(" \\\n  IMAGE(", to);
    recipe_c_text(to, name, (size_t)(folder - name - 1));
    fputs(", ", to);
    recipe_c_text(to, folder, strlen(folder));
    fprintf(to, ", %c)", f->images.at[i][0]);
  }
  fputs("\n#define READS", to);
  for (size_t i = 0; i < f->reads.count; i++) {
    const char *name = f->reads.at[i], *blank = strchr(name, ' ');
    unsigned hex, bits, depth, first;
    uint64_t start, end;
    if (sscanf(blank, "%u %u %u %u %" SCNu64 " %" SCNu64, &hex, &bits, &depth, &first, &start, &end) != 6) continue;
    fputs(" \\\n  MEMORY(", to);
    recipe_c_text(to, name, (size_t)(blank - name));
    fprintf(to, ", %u, %u, %u, %u, %" PRIu64 "u, %" PRIu64 "u)", hex, bits, depth, first, start, end);
  }
  fputs("\n", to);
}

static void print_lines(FILE *to, const found_t *f) {
  for (size_t i = 0; i < f->images.count; i++) fprintf(to, "image %s\n", f->images.at[i]);
  for (size_t i = 0; i < f->reads.count; i++) fprintf(to, "read %s\n", f->reads.at[i]);
}

bool recipe_images(recipe_t *r) {
  found_t f = {.r = r};
  bool ok = true;
  find(&f);
  for (int plain = 0; ok && plain < 2; plain++) {
    char *made = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&made, &size);
    if (to) (plain ? print_lines : print_header)(to, &f);
    ok = to && fclose(to) == 0 ? recipe_write(r, plain ? "images.txt" : "images.h", made)
                               : trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "out of memory");
    free(made);
  }
  words_free(&f.images), words_free(&f.reads);
  return ok;
}
