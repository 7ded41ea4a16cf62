/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads files as words, and follows the words that lead to other files:
 *
 *   Verilog   a word X       X.sv of the block's folder, its libraries or rtl/lib
 *             X_pkg          the lists of rtl/X
 *             a string       a file beside the source, in the block's folder or in a folder of
 *                            `include; `include names Verilog, any other string an image
 *   C         "x.h"          a header beside the file or in a folder of golden models; the X.c
 *                            beside the header is compiled in (so does harness/lockstep/objects)
 *             "x_ports.h"    x.ports
 *             other names    behind #include: a file beside, in the model's folder, or a list
 *   proofs                   parts in tests/formal/parts
 */
#include "fingerprint.h"

#include "file.h"
#include "hash.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { FILES_MOST = 512, WORD_MOST = 128, WORDS = 1 << 15 };

/* How to read a file: by its ending, or as its referrer says. */
typedef enum { BY_ENDING, VERILOG, C_SOURCE, IMAGE } language_t;

typedef struct {
  const block_t *block;
  const places_t *places;
  char folder[BUILD_PATH]; /* of the RTL */
  char *files[FILES_MOST];
  language_t language[FILES_MOST];
  unsigned count;
  fingerprint_of_t of;
  bool too_many;
  bool including;    /* the word before was include */
  bool system;       /* the name is in < >, almost always a system header */
  uint64_t *words;   /* hashes of the Verilog words looked up so far */
  block_file_t *see; /* NULL: nobody asks */
  void *context;
} sources_t;

static void tell_file(const sources_t *s, const char *path, bool there) {
  if (s->see) s->see(s->context, path, there);
}

/* Adds a file. True: the file exists. */
static bool add_as(sources_t *s, const char *path, language_t language) {
  for (unsigned i = 0; i < s->count; i++)
    if (strcmp(s->files[i], path) == 0) return true;
  if (access(path, R_OK) != 0) return false;
  s->too_many |= s->count == FILES_MOST;
  if (s->count == FILES_MOST || !(s->files[s->count] = strdup(path))) return true;
  s->language[s->count++] = language;
  tell_file(s, path, true);
  return true;
}

static bool add_source(sources_t *s, const char *path) {
  return add_as(s, path, BY_ENDING);
}

/* Adds all files that match the pattern, read by their endings. */
static void add_all(sources_t *s, const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) add_source(s, found.gl_pathv[i]);
  globfree(&found);
}

static void add_all_as(sources_t *s, const char *pattern, language_t language) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) add_as(s, found.gl_pathv[i], language);
  globfree(&found);
}

/* The position behind the comment at `p`, or p itself if there is none. */
static const char *after_comment(const char *p) {
  if (p[0] == '/' && p[1] == '/') return strchrnul(p, '\n');
  const char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

/* --- what a word leads to */

/* The package X_pkg is made from the lists of rtl/X. */
static bool package_lists(sources_t *s, const char *word) {
  static const char ending[] = "_pkg";
  char pattern[BUILD_PATH];
  const int stem = (int)strlen(word) - (int)(sizeof ending - 1);
  if (stem <= 0 || strcmp(word + stem, ending) != 0) return false;
  const unsigned before = s->count;
  snprintf(pattern, sizeof pattern, "%s/rtl/%.*s/*.def", s->places->source, stem, word);
  add_all(s, pattern);
  return s->count > before;
}

/* True if this word was looked up before. */
static bool looked_for(sources_t *s, const char *word) {
  const uint64_t hash = hash_text(HASH_EMPTY, word) | 1;
  if (!s->words) return false;
  for (unsigned i = 0, at = hash % WORDS; i < 64; i++, at = (at + 1) % WORDS) {
    if (s->words[at] == hash) return true;
    if (!s->words[at]) return s->words[at] = hash, false;
  }
  return false;
}

/* Adds the module X of a folder: X.sv, or X.v where the block may have such files. */
static bool add_module(sources_t *s, const char *folder, const char *word, bool verilog) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%s/%s.sv", folder, word);
  bool found = add_source(s, path);
  if (verilog) snprintf(path, sizeof path, "%s/%s.v", folder, word), found |= add_source(s, path);
  return found;
}

/* Notes the module as absent in a folder that comes before the folder that has it. */
static void absent_module(const sources_t *s, const char *folder, const char *word) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%s/%s.sv", folder, word);
  tell_file(s, path, false);
  snprintf(path, sizeof path, "%s/%s.v", folder, word);
  if (*s->block->folder) tell_file(s, path, false);
}

/* Notes the module as absent in all folders before the first one that has it. */
static void absent_before(const sources_t *s, const char *word, unsigned first) {
  char library[BUILD_PATH];
  unsigned i = 0;
  if (!*s->block->folder) return absent_module(s, s->folder, word);
  for (const char *at = s->block->read.libraries; i < first && rtl_next(&at, library, sizeof library); i++)
    absent_module(s, library, word);
}

/* Looks a word up in the block's libraries. For a block outside of the tree, its folder and rtl/lib
 * come last. */
static void verilog_word(sources_t *s, const char *word) {
  char library[BUILD_PATH];
  unsigned i = 0, first = UINT_MAX;
  if (looked_for(s, word)) return;
  const bool package = package_lists(s, word), here = add_module(s, s->folder, word, *s->block->folder != 0);
  for (const char *at = s->block->read.libraries; rtl_next(&at, library, sizeof library); i++)
    if (add_module(s, library, word, true) && first == UINT_MAX) first = i;
  snprintf(library, sizeof library, "%s/rtl/lib", s->places->source);
  const bool last = add_module(s, library, word, false);
  if (first != UINT_MAX || ((last || package) && !here)) absent_before(s, word, first);
}

/* --- texts that name files */

static bool is_regular(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Adds the file of this name in a folder, or notes it as absent there. */
static bool add_named(sources_t *s, int length, const char *folder, const char *name, language_t language) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%.*s%s%s", length, folder, length ? "/" : "", name);
  if (is_regular(path)) return add_as(s, path, language);
  if (s->including && !s->system) tell_file(s, path, false);
  return false;
}

static int folder_of(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? (int)(slash - file) : 0;
}

/* Adds a file named by a string. `include searches beside the file, then in folders. An image may
 * also be opened from the current folder. */
static void verilog_text(sources_t *s, const char *file, const char *name) {
  const block_t *b = s->block;
  const language_t language = s->including ? VERILOG : IMAGE;
  char folder[BUILD_PATH];
  if (!strpbrk(name, "./") && !s->including) return;
  if (*name == '/') {
    add_named(s, 0, "", name, language);
    return;
  }
  bool found = add_named(s, folder_of(file), file, name, language) ||
               add_named(s, (int)strlen(s->folder), s->folder, name, language);
  const char *const lists[] = {b->read.libraries, b->read.includes};
  for (unsigned i = 0; i < 2; i++)
    for (const char *at = lists[i]; !found && rtl_next(&at, folder, sizeof folder);)
      found = add_named(s, (int)strlen(folder), folder, name, language);
  if (!found && !s->including) add_named(s, 0, "", name, language);
}

static void proof_part(sources_t *s, const char *name) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%s/tests/formal/%s", s->places->source, name);
  add_source(s, path);
}

/* Adds a header from beside the file or from a folder of golden models, with the X.c beside the
 * header. For x_ports.h adds the port file. */
static void c_header(sources_t *s, const char *file, const char *name) {
  char pattern[BUILD_PATH];
  int stem = (int)strlen(name) - 2, folder = folder_of(file);
  if (stem <= 0 || strchr(name, '/') || strpbrk(name, "*?[")) return;
  snprintf(pattern, sizeof pattern, "%.*s/%s", folder, file, name);
  add_source(s, pattern);
  for (const char *end = "h"; end; end = *end == 'h' ? "c" : NULL) {
    snprintf(pattern, sizeof pattern, "%s/cmodel/blocks/*/%.*s.%s", s->places->source, stem, name, end);
    add_all(s, pattern);
  }
  if (stem <= 6 || strcmp(name + stem - 6, "_ports.h") != 0) return;
  snprintf(pattern, sizeof pattern, "%s/rtl/*/%.*s.ports", s->places->source, stem - 6, name);
  add_all(s, pattern);
}

/* Adds X.c beside a header X.h of the block's own folder, since it is compiled in. */
static void add_sibling(sources_t *s, const char *header) {
  char path[BUILD_PATH];
  const size_t n = strlen(s->block->folder), stem = strlen(header) - 2;
  if (!n || strncmp(header, s->block->folder, n) || strcmp(header + stem, ".h")) return;
  snprintf(path, sizeof path, "%.*s.c", (int)stem, header);
  if (!add_as(s, path, C_SOURCE)) tell_file(s, path, false);
}

/* Adds the file of an #include, whatever its ending. A header that is not found belongs to the
 * engine or the system. */
static void c_include(sources_t *s, const char *file, const char *name) {
  const char *model = s->block->model;
  char pattern[BUILD_PATH];
  bool found = *name == '/' ? add_named(s, 0, "", name, C_SOURCE)
                            : add_named(s, folder_of(file), file, name, C_SOURCE) ||
                                  add_named(s, folder_of(model), model, name, C_SOURCE);
  const size_t n = strlen(name);
  if (found || strpbrk(name, "*?[/") || (n > 2 && strcmp(name + n - 2, ".h") == 0)) return;
  for (const char *const *where = (const char *const[]){"cmodel/blocks", "rtl", NULL}; *where; where++) {
    snprintf(pattern, sizeof pattern, "%s/%s/*/%s", s->places->source, *where, name);
    add_all_as(s, pattern, C_SOURCE);
  }
}

/* --- reading */

static size_t word_length(const char *p) {
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '$') n++;
  return n;
}

static bool has_ending(const char *file, const char *ending) {
  const size_t n = strlen(file), k = strlen(ending);
  return n >= k && strcmp(file + n - k, ending) == 0;
}

static bool is_verilog(const sources_t *s, unsigned index) {
  static const char *const endings[] = {".sv", ".v", ".svh", ".vh", NULL};
  bool is = s->language[index] == VERILOG;
  for (const char *const *e = endings; *e && s->language[index] == BY_ENDING; e++)
    is |= has_ending(s->files[index], *e);
  return is;
}

static bool is_c(const sources_t *s, unsigned index) {
  const char *file = s->files[index];
  return s->language[index] == C_SOURCE ||
         (s->language[index] == BY_ENDING &&
          (has_ending(file, ".c") || has_ending(file, ".h") || has_ending(file, ".def")));
}

/* Handles a quoted string, or a name in < > behind #include. */
static void take_text(sources_t *s, unsigned index, const char *name) {
  const char *file = s->files[index];
  if (!*name) return;
  if (is_verilog(s, index)) {
    if (s->of == FINGERPRINT_PROVE) proof_part(s, name);
    verilog_text(s, file, name);
  } else if (is_c(s, index)) {
    if (strlen(name) > 2 && has_ending(name, ".h")) c_header(s, file, name);
    if (s->including) c_include(s, file, name);
    else if (strpbrk(name, "./")) add_named(s, folder_of(file), file, name, IMAGE);
  }
}

/* Takes one word, number or sign: adds its file, and mixes it into the checksum. */
static const char *mix_word(sources_t *s, unsigned index, const char *p, uint32_t *sum) {
  char word[BUILD_PATH];
  size_t n = word_length(p), text = 0;
  if (!n && *p == '"') n = strcspn(p + 1, "\"\n") + (p[1 + strcspn(p + 1, "\"\n")] == '"') + 1, text = n;
  else if (*p == '<' && s->including) text = strcspn(p, ">\n") + 1;
  if (!n) n = 1;
  *sum = (uint32_t)crc32_z(crc32_z(*sum, (const Bytef *)p, n), (const Bytef *)" ", 1);
  if (text > 2 && text < sizeof word) {
    snprintf(word, sizeof word, "%.*s", (int)text - 2, p + 1);
    s->system = *p == '<';
    take_text(s, index, word);
  } else if (!text && n < WORD_MOST && is_verilog(s, index) && (isalpha((unsigned char)*p) || *p == '_')) {
    snprintf(word, sizeof word, "%.*s", (int)n, p);
    verilog_word(s, word);
  }
  s->including = n == 7 && strncmp(p, "include", n) == 0;
  return p + n;
}

/* The position behind a part that only proofs read, if one begins at `p`. Such parts do
 * not nest. */
static const char *after_formal(const sources_t *s, const char *p) {
  static const char begins[] = "`ifdef FORMAL", ends[] = "`endif";
  if (s->of == FINGERPRINT_MUTATE || s->of == FINGERPRINT_PROVE || strncmp(p, begins, sizeof begins - 1)) return p;
  const char *end = strstr(p, ends);
  return end ? end + sizeof ends - 1 : p + strlen(p);
}

/* The position behind a rule across parameters of a port file, if one begins at `p`. It says which
 * sets there are, and nothing of the set that was measured. */
static const char *after_rule(const sources_t *s, unsigned index, const char *p) {
  static const char begins[] = "PARAM_RULE(";
  unsigned depth = 1;
  bool quoted = false;
  if (strncmp(p, begins, sizeof begins - 1) || !has_ending(s->files[index], ".ports")) return p;
  for (p += sizeof begins - 1; *p && depth; p++) {
    quoted ^= *p == '"';
    if (!quoted) depth += (*p == '(') - (*p == ')');
  }
  return p;
}

/* Reads a file word by word and mixes the words into a checksum of its own. */
static bool read_file(sources_t *s, unsigned index, uint32_t *sum) {
  if (s->language[index] == IMAGE) return file_crc32(s->files[index], sum);
  char *text = file_read(s->files[index]);
  if (!text) return false;
  *sum = (uint32_t)crc32_z(0, NULL, 0);
  s->including = false;
  for (const char *p = text; *p;) {
    const char *behind = after_rule(s, index, after_formal(s, p));
    if (behind > p) p = behind;
    else if (isspace((unsigned char)*p)) p++;
    else if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) p = after_comment(p);
    else p = mix_word(s, index, p, sum);
  }
  free(text);
  if (is_c(s, index)) add_sibling(s, s->files[index]);
  return true;
}

/* Adds X.waive or X.env.sv, from the tree's tests or from the block's own folder. */
static void add_test(sources_t *s, const char *tests, const char *ending) {
  char path[BUILD_PATH];
  const block_t *b = s->block;
  snprintf(path, sizeof path, "%s%s/%s.%s", *b->folder ? b->folder : s->places->source, *b->folder ? "" : tests,
           b->name, ending);
  if (!add_source(s, path)) tell_file(s, path, false);
}

/* Adds a model in Python, X.py, and its imports from the same folder. */
static void python_model(sources_t *s) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%s/%s.py", s->block->folder, s->block->name);
  if (!add_source(s, path)) return;
  snprintf(path, sizeof path, "%s/*.py", s->block->folder);
  add_all(s, path);
}

/* Parameter values may name images. */
static void params_files(sources_t *s) {
  char value[sizeof s->block->params];
  for (const char *p = s->block->params; (p = strchr(p, '=')); p++) {
    snprintf(value, sizeof value, "%.*s", (int)strcspn(p + 1, ","), p + 1);
    const size_t n = strlen(value);
    const bool quoted = n > 1 && *value == '"' && value[n - 1] == '"';
    if (quoted) value[n - 1] = 0;
    if (*value) verilog_text(s, s->block->rtl, value + quoted);
  }
}

/* For a block outside of the tree: its RTL sources, and the wrapper of its proof. */
static void own_files(sources_t *s) {
  const block_t *b = s->block;
  char path[BUILD_PATH], pattern[BUILD_PATH + 16];
  for (const char *at = b->read.files; rtl_next(&at, path, sizeof path);) add_source(s, path);
  for (const char *at = b->read.includes; rtl_next(&at, path, sizeof path);) {
    snprintf(pattern, sizeof pattern, "%s/*.*h", path);
    add_all(s, pattern);
  }
  if (*b->map) add_source(s, b->map);
  snprintf(path, sizeof path, "%s/%s_proof.sv", b->folder, b->name);
  if (s->of == FINGERPRINT_PROVE) add_source(s, path);
}

/* The files that the search starts from: RTL, port file, model, stimulus, and those of the
 * measurement. */
static void first_files(sources_t *s) {
  static const char *const of_tree[] = {"sv", "prove", NULL}, *const of_folder[] = {"prove", NULL};
  char pattern[BUILD_PATH];
  const block_t *b = s->block;
  snprintf(s->folder, sizeof s->folder, "%.*s", (int)(strrchr(b->rtl, '/') - b->rtl), b->rtl);
  add_source(s, b->rtl);
  if (s->of == FINGERPRINT_COVER || s->of == FINGERPRINT_MUTATE || s->of == FINGERPRINT_CHECK) {
    add_source(s, b->ports);
    add_source(s, b->model);
    if (*b->stim) add_source(s, b->stim);
    if (*b->folder) python_model(s);
  }
  if (s->of == FINGERPRINT_COVER) add_test(s, "/tests/cover", "waive");
  if (s->of == FINGERPRINT_MUTATE || s->of == FINGERPRINT_PROVE) add_test(s, "/tests/formal", "env.sv");
  const char *const *proof = *b->folder ? of_folder : of_tree;
  for (; *proof && s->of == FINGERPRINT_PROVE; proof++) add_test(s, "/tests/formal", *proof);
  if (*b->folder) own_files(s);
  snprintf(pattern, sizeof pattern, "%s/*.def", s->folder);
  add_all(s, pattern);
  params_files(s);
}

/* The file's name, with the slash before it if there is one. */
static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash : path;
}

/* Reads all files while the list grows. The order of the files does not matter. */
static bool sum_sources(sources_t *s, uint32_t *all, trouble_t *trouble) {
  uint32_t sum = 0;
  bool ok = true;
  s->words = calloc(WORDS, sizeof *s->words); /* without memory, words are looked up repeatedly */
  first_files(s);
  for (unsigned i = 0; ok && i < s->count; i++) {
    ok = read_file(s, i, &sum);
    if (!ok) trouble_set(trouble, TROUBLE_INPUT, "%s: %s", s->files[i], strerror(errno));
    const char *name = base_name(s->files[i]);
    *all += (uint32_t)crc32_z(sum, (const Bytef *)name, strlen(name));
  }
  if (ok && s->too_many)
    trouble_set(trouble, TROUBLE_INPUT, "%s: is made of more than %u files", s->block->rtl, (unsigned)FILES_MOST);
  for (unsigned i = 0; i < s->count; i++) free(s->files[i]);
  free(s->words);
  return ok && !s->too_many;
}

bool block_fingerprint(const block_t *block, const places_t *places, fingerprint_of_t of, char text[FINGERPRINT_TEXT],
                       trouble_t *trouble) {
  sources_t s = {.block = block, .places = places, .of = of};
  uint32_t all = *block->params ? (uint32_t)crc32_z(0, (const Bytef *)block->params, strlen(block->params)) : 0;
  const bool ok = sum_sources(&s, &all, trouble);
  snprintf(text, FINGERPRINT_TEXT, "%08x", all);
  return ok;
}

bool block_files(const block_t *block, const places_t *places, fingerprint_of_t of, block_file_t *see_file,
                 void *context, trouble_t *trouble) {
  sources_t s = {.block = block, .places = places, .of = of, .see = see_file, .context = context};
  uint32_t all = 0;
  return sum_sources(&s, &all, trouble);
}
