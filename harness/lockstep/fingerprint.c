/* SPDX-License-Identifier: Apache-2.0
 *
 * Files are read as words. A word of Verilog that is the name of a file X.sv of the block's folder or of rtl/lib is one of its
 * parts; X_pkg is made of the lists of rtl/X; "x.h" in C is a header beside the file or in any folder of golden models, and the X.c beside that header is
 * compiled in (harness/objects does the same); "x_ports.h" is made of x.ports. A proof's parts are in tests/formal/parts.
 */
#include "fingerprint.h"

#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { FILES_MOST = 512, WORD_MOST = 128 };

typedef struct {
  const block_t *block;
  const places_t *places;
  char folder[BUILD_PATH]; /* of the RTL */
  char *files[FILES_MOST];
  unsigned count;
  fingerprint_of_t of;
  bool too_many;
} sources_t;

static void add(sources_t *s, const char *path) {
  for (unsigned i = 0; i < s->count; i++)
    if (strcmp(s->files[i], path) == 0) return;
  if (access(path, R_OK) != 0) return;
  s->too_many |= s->count == FILES_MOST;
  if (s->count < FILES_MOST && (s->files[s->count] = strdup(path))) s->count++;
}

static void add_all(sources_t *s, const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) add(s, found.gl_pathv[i]);
  globfree(&found);
}

/* The rest of a comment that begins at `p`, or of nothing: where reading goes on. */
static const char *after_comment(const char *p) {
  if (p[0] == '/' && p[1] == '/') return strchrnul(p, '\n');
  const char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

/* --- what a word leads to */

/* X_pkg is made of the lists of rtl/X. */
static void package_lists(sources_t *s, const char *word) {
  static const char ending[] = "_pkg";
  char pattern[BUILD_PATH];
  const int stem = (int)strlen(word) - (int)(sizeof ending - 1);
  if (stem <= 0 || strcmp(word + stem, ending) != 0) return;
  snprintf(pattern, sizeof pattern, "%s/rtl/%.*s/*.def", s->places->source, stem, word);
  add_all(s, pattern);
}

static void verilog_word(sources_t *s, const char *word) {
  char path[BUILD_PATH];
  package_lists(s, word);
  snprintf(path, sizeof path, "%s/%s.sv", s->folder, word);
  add(s, path);
  if (*s->block->folder) snprintf(path, sizeof path, "%s/%s.v", s->folder, word), add(s, path);
  snprintf(path, sizeof path, "%s/rtl/lib/%s.sv", s->places->source, word);
  add(s, path);
}

static void proof_part(sources_t *s, const char *name) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%s/tests/formal/%s", s->places->source, name);
  add(s, path);
}

static void c_header(sources_t *s, const char *file, const char *name) {
  char pattern[BUILD_PATH];
  int stem = (int)strlen(name) - 2, folder = (int)(strrchr(file, '/') - file);
  if (stem <= 0 || strchr(name, '/') || strpbrk(name, "*?[")) return;
  snprintf(pattern, sizeof pattern, "%.*s/%s", folder, file, name);
  add(s, pattern);
  for (const char *end = "h"; end; end = *end == 'h' ? "c" : NULL) {
    snprintf(pattern, sizeof pattern, "%s/cmodel/*/%.*s.%s", s->places->source, stem, name, end);
    add_all(s, pattern);
  }
  if (stem <= 6 || strcmp(name + stem - 6, "_ports.h") != 0) return;
  snprintf(pattern, sizeof pattern, "%s/rtl/*/%.*s.ports", s->places->source, stem - 6, name);
  add_all(s, pattern);
}

/* --- reading */

static size_t word_length(const char *p) {
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '$') n++;
  return n;
}

/* One word, number or sign of the text, what it leads to, and its place in the checksum. */
static const char *take(sources_t *s, const char *file, const char *p, uint32_t *sum) {
  char word[WORD_MOST];
  size_t n = word_length(p), length = strlen(file);
  bool verilog = strcmp(file + length - 3, ".sv") == 0 || strcmp(file + length - 2, ".v") == 0,
       c = strcmp(file + length - 2, ".c") == 0 || strcmp(file + length - 2, ".h") == 0;
  if (!n && *p == '"') n = strcspn(p + 1, "\"\n") + (p[1 + strcspn(p + 1, "\"\n")] == '"') + 1;
  if (!n) n = 1;
  *sum = (uint32_t)crc32_z(crc32_z(*sum, (const Bytef *)p, n), (const Bytef *)" ", 1);
  snprintf(word, sizeof word, "%.*s", (int)n, p);
  if (verilog && n > 1 && *p != '"') verilog_word(s, word);
  if (verilog && n > 2 && *p == '"' && n < sizeof word && s->of == FINGERPRINT_PROVE) {
    word[n - 1] = 0;
    proof_part(s, word + 1);
  }
  if (c && *p == '"' && n > 4 && n < sizeof word && strcmp(word + n - 3, ".h\"") == 0) {
    word[n - 1] = 0;
    c_header(s, file, word + 1);
  }
  return p + n;
}

/* The rest of a part that only proofs read, if one begins at `p`: where reading goes on. None of them has another inside. */
static const char *after_formal(const sources_t *s, const char *p) {
  static const char begins[] = "`ifdef FORMAL", ends[] = "`endif";
  if (s->of == FINGERPRINT_MUTATE || s->of == FINGERPRINT_PROVE || strncmp(p, begins, sizeof begins - 1)) return p;
  const char *end = strstr(p, ends);
  return end ? end + sizeof ends - 1 : p + strlen(p);
}

static bool read_file(sources_t *s, unsigned index, uint32_t *sum) {
  const char *file = s->files[index];
  char *text = file_read(file);
  if (!text) return false;
  *sum = (uint32_t)crc32_z(0, NULL, 0);
  for (const char *p = text; *p;) {
    const char *formal = after_formal(s, p);
    if (formal > p) p = formal;
    else if (isspace((unsigned char)*p)) p++;
    else if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) p = after_comment(p);
    else p = take(s, file, p, sum);
  }
  free(text);
  return true;
}

/* X.waive, X.env.sv: of the tree's tests, or in the block's own folder. */
static void add_test(sources_t *s, const char *tests, const char *ending) {
  char path[BUILD_PATH];
  const block_t *b = s->block;
  snprintf(path, sizeof path, "%s%s/%s.%s", *b->folder ? b->folder : s->places->source, *b->folder ? "" : tests, b->name, ending);
  add(s, path);
}

/* Of a block outside of the tree: what its RTL is read from, and the wrapper of its proof. */
static void own_files(sources_t *s) {
  const block_t *b = s->block;
  char path[BUILD_PATH], pattern[BUILD_PATH + 16];
  for (const char *at = b->read.files; rtl_next(&at, path, sizeof path);) add(s, path);
  for (const char *at = b->read.includes; rtl_next(&at, path, sizeof path);) {
    snprintf(pattern, sizeof pattern, "%s/*.*h", path);
    add_all(s, pattern);
  }
  if (*b->map) add(s, b->map);
  snprintf(path, sizeof path, "%s/%s_proof.sv", b->folder, b->name);
  if (s->of == FINGERPRINT_PROVE) add(s, path);
}

static void first_files(sources_t *s) {
  static const char *const of_tree[] = {"sv", "prove", NULL}, *const of_folder[] = {"prove", NULL};
  char pattern[BUILD_PATH];
  const block_t *b = s->block;
  snprintf(s->folder, sizeof s->folder, "%.*s", (int)(strrchr(b->rtl, '/') - b->rtl), b->rtl);
  add(s, b->rtl);
  if (s->of == FINGERPRINT_COVER || s->of == FINGERPRINT_MUTATE) {
    add(s, b->ports);
    add(s, b->model);
    if (*b->stim) add(s, b->stim);
  }
  if (s->of == FINGERPRINT_COVER) add_test(s, "/tests/cover", "waive");
  if (s->of == FINGERPRINT_MUTATE || s->of == FINGERPRINT_PROVE) add_test(s, "/tests/formal", "env.sv");
  const char *const *proof = *b->folder ? of_folder : of_tree;
  for (; *proof && s->of == FINGERPRINT_PROVE; proof++) add_test(s, "/tests/formal", *proof);
  if (*b->folder) own_files(s);
  snprintf(pattern, sizeof pattern, "%s/*.def", s->folder);
  add_all(s, pattern);
}

bool block_fingerprint(const block_t *block, const places_t *places, fingerprint_of_t of, char text[FINGERPRINT_TEXT], char *error, size_t size) {
  sources_t s = {.block = block, .places = places, .of = of};
  uint32_t sum = 0, all = *block->params ? (uint32_t)crc32_z(0, (const Bytef *)block->params, strlen(block->params)) : 0;
  bool ok = true;
  first_files(&s);
  for (unsigned i = 0; ok && i < s.count; i++) { /* the list grows; the order of the files is of no matter */
    ok = read_file(&s, i, &sum);
    if (!ok) snprintf(error, size, "%s: %s", s.files[i], strerror(errno));
    const char *name = strrchr(s.files[i], '/');
    all += (uint32_t)crc32_z(sum, (const Bytef *)name, strlen(name));
  }
  if (ok && s.too_many) snprintf(error, size, "%s: is made of more than %u files", block->rtl, (unsigned)FILES_MOST);
  ok &= !s.too_many;
  for (unsigned i = 0; i < s.count; i++) free(s.files[i]);
  snprintf(text, FINGERPRINT_TEXT, "%08x", all);
  return ok;
}
