/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists absent files that a tool would take if they existed. A dependency list cannot name such
 * files.
 *
 * The tools report the files that they read. Each file lies in a folder that its tool searches, so
 * the rest of its path is a name that the tool may have looked for. This name is a candidate in
 * each earlier folder and beside each source, whatever wrote it: an include, a macro, or a module's
 * name. Only `__has_include` asks for a file without reading it; its names are in the text.
 */
#include "recipe.h"

#include "file.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

/* The search of one tool: its folders in order, the folders of sources, which come first, and the
 * endings that the tool tries ("" first). */
typedef struct {
  recipe_t *r;
  words_t *absent;
  words_t folders, beside, endings;
  const words_t *read;
  bool harness; /* the harness' own source: includes of the machine's files stand in < > */
} search_t;

static void search_free(search_t *s) {
  words_free(&s->folders), words_free(&s->beside), words_free(&s->endings);
}

/* ---- candidates */

/* Notes the first part of the path that does not exist; it stands for every file below. The
 * machine's own folders do not count: only packages put files there. */
static void add(const recipe_t *r, words_t *absent, const char *path) {
  char part[RECIPE_PATH];
  if (object_is_of_machine(path, r->ask->folder)) return;
  for (const char *at = path + 1; *path == '/' && *at; at += *at == '/') {
    at += strcspn(at, "/");
    snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
    if (access(part, F_OK) == 0) continue;
    words_add_new(absent, part);
    return;
  }
}

/* Notes folder/name with one of the tool's endings, if no such file exists. */
static void add_in(const search_t *s, const char *folder, const char *name, const char *ending) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  add(s->r, s->absent, path);
}

/* The name without an ending that the tool adds itself. */
static const char *stem_of(const search_t *s, const char *name, char stem[RECIPE_PATH]) {
  const size_t n = strlen(name);
  snprintf(stem, RECIPE_PATH, "%s", name);
  for (size_t i = 0; i < s->endings.count; i++) {
    const size_t m = strlen(s->endings.at[i]);
    if (m && n > m && strcmp(name + n - m, s->endings.at[i]) == 0) return stem[n - m] = 0, stem;
  }
  return stem;
}

/* Notes the candidates before the place where the name was found: index `found`, 0 beside a source,
 * past the end nowhere. */
static void add_name(const search_t *s, const char *name, size_t found, bool beside) {
  char stem[RECIPE_PATH];
  stem_of(s, name, stem);
  for (size_t i = 0; beside && i < s->beside.count; i++) add_in(s, s->beside.at[i], name, "");
  for (size_t i = 0; i < s->folders.count && i <= found; i++) {
    if (i < found) add_in(s, s->folders.at[i], name, "");
    for (size_t k = 0; k < s->endings.count; k++) add_in(s, s->folders.at[i], stem, s->endings.at[k]);
  }
}

/* ---- files that were read */

/* True if the file is neither the machine's nor the cache's. */
static bool is_own(const recipe_t *r, const char *path) {
  return *path == '/' && !object_is_of_machine(path, r->ask->folder) && !file_within(path, r->ask->cache);
}

/* Notes the candidates for one file that was read: its name relative to each search folder that it
 * lies in. */
static void add_read(const search_t *s, const char *path) {
  const bool beside = !s->harness || is_own(s->r, path);
  for (size_t i = 0; i < s->beside.count; i++)
    if (file_within(path, s->beside.at[i])) add_name(s, file_within(path, s->beside.at[i]), 0, beside);
  for (size_t i = 0; i < s->folders.count; i++)
    if (file_within(path, s->folders.at[i])) add_name(s, file_within(path, s->folders.at[i]), i, beside);
}

/* The build's own files are in its folder or in gen. C searches gen before everything but the
 * source's own folder, Verilog behind the block's folders. */
static void add_made(const search_t *s, const char *name) {
  const char *file = file_within(name, "gen") ? file_within(name, "gen") : name;
  if (words_has(&s->r->packages, name)) return; /* named to the tools */
  if (!strchr(file, '/')) add_name(s, file, s->endings.count ? s->folders.count : 0, true);
}

static void find_beside(search_t *s) {
  for (size_t i = 0; i < s->read->count; i++) {
    const char *path = recipe_original(s->r, s->read->at[i]);
    if (is_own(s->r, path))
      words_add_new(&s->beside, recipe_text(s->r, "%.*s", (int)(strrchr(path, '/') - path), path));
  }
}

static void add_all(search_t *s) {
  find_beside(s);
  for (size_t i = 0; i < s->read->count; i++) {
    const char *path = recipe_original(s->r, s->read->at[i]);
    if (*path == '/') add_read(s, path);
    else add_made(s, path);
  }
}

/* ---- Verilog */

static void find_rtl(recipe_t *r, const words_t *read, search_t *s) {
  *s = (search_t){.r = r, .absent = &r->absent, .read = read};
  words_add_all(&s->folders, &r->folders);
  if (recipe_in_tree(r)) words_add_all(&s->folders, &r->lists);
  words_add_all(&s->folders, &r->includes);
  words_add(&s->endings, "%s", ""), words_add(&s->endings, ".v"), words_add(&s->endings, ".sv");
}

/* ---- one of two files that a name could mean */

/* The names, without endings, by which a file may have been found. */
static void names_of(const search_t *s, const char *path, words_t *names) {
  char stem[RECIPE_PATH];
  const words_t *const lists[] = {&s->beside, &s->folders};
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; i < lists[k]->count; i++)
      if (file_within(path, lists[k]->at[i]))
        words_add_new(names, stem_of(s, file_within(path, lists[k]->at[i]), stem));
}

/* A file of `of`, but not of `not_in`, that may have been found by one of this file's names; NULL:
 * none. */
static const char *namesake(search_t *s, const char *path, const words_t *of, const words_t *not_in) {
  words_t names = {0};
  const char *found = NULL;
  names_of(s, path, &names);
  for (size_t i = 0; i < of->count && !found; i++) {
    words_t others = {0};
    if (strcmp(of->at[i], path) && !words_has(not_in, of->at[i])) names_of(s, of->at[i], &others);
    for (size_t k = 0; k < others.count && !found; k++)
      if (words_has(&names, others.at[k])) found = of->at[i];
    words_free(&others);
  }
  words_free(&names);
  return found;
}

static void originals(recipe_t *r, const words_t *read, words_t *paths) {
  for (size_t i = 0; i < read->count; i++) {
    const char *path = recipe_original(r, read->at[i]);
    if (is_own(r, path)) words_add_new(paths, path);
  }
}

/* Compares the files that two tools read for the same names. An error if they took
 * different ones. */
bool recipe_same_files(recipe_t *r, const words_t *read, const char *tool) {
  search_t s;
  words_t here = {0}, there = {0};
  bool ok = true;
  find_rtl(r, read, &s);
  find_beside(&s);
  originals(r, read, &here), originals(r, r->ports_read.count ? &r->ports_read : &r->rtl_read, &there);
  for (size_t i = 0; i < here.count && ok; i++) {
    const char *other = words_has(&there, here.at[i]) ? NULL : namesake(&s, here.at[i], &there, &here);
    if (other)
      ok = trouble_set(r->trouble, TROUBLE_INPUT,
                       "%s: %s reads this file where Verilator reads %s: one name for two files; remove or rename one",
                       here.at[i], tool, other);
  }
  words_free(&here), words_free(&there);
  search_free(&s);
  return ok;
}

/* ---- C */

/* The compiler's own folders, with those of CPATH, and the folders that the compiler reports as
 * missing. */
static void find_system(recipe_t *r, const char *program, search_t *s) {
  words_t command = {0}, lines = {0};
  const trouble_t before = *r->trouble;
  bool listed = false;
  words_split(&command, "env LC_ALL=C", " ");
  words_add(&command, "%s", program);
  words_split(&command, "-E -v -o /dev/null -x", " ");
  words_add(&command, "%s", strcmp(program, "g++") ? "c" : "c++"), words_add(&command, "/dev/null");
  if (recipe_run(r, &command)) words_split(&lines, r->said, "\n");
  *r->trouble = before;
  for (size_t i = 0; i < lines.count; i++) {
    static const char none[] = "ignoring nonexistent directory \"";
    char plain[SNAPSHOT_PATH];
    const char *line = lines.at[i], *path = strncmp(line, none, sizeof none - 1) ? line + 1 : line + sizeof none - 1;
    snapshot_plain(recipe_text(r, "%.*s", (int)strcspn(path, "\"\n"), path), plain);
    if (*path == '/' && path > line + 1) add(s->r, s->absent, plain);
    if (strncmp(line, "#include <", 10) == 0) listed = true;
    else if (strncmp(line, "End of", 6) == 0) listed = false;
    else if (listed && *line == ' ' && *path == '/') words_add_new(&s->folders, plain);
  }
  words_free(&command), words_free(&lines);
}

static const char *after_blanks(const char *p) {
  while (isspace((unsigned char)*p) || (p[0] == '\\' && p[1] == '\n')) p++;
  return p;
}

/* The name that an __has_include asks for, if it stands in the text. NULL: the name is computed,
 * and may be any. */
static const char *asked_name(recipe_t *r, const char *p, bool *asks, bool *quoted) {
  p = after_blanks(p);
  *asks = *p == '(' || (p[0] == '/' && p[1] == '*');
  if (*p != '(') return NULL;
  p = after_blanks(p + 1);
  *quoted = *p == '"';
  if (*p != '"' && *p != '<') return NULL;
  const size_t n = strcspn(p + 1, "\">\n");
  return n ? recipe_text(r, "%.*s", (int)n, p + 1) : NULL;
}

/* Notes a file that exists like a file that was read; true: it exists. */
static bool add_path(const search_t *s, const char *path) {
  char plain[SNAPSHOT_PATH];
  snapshot_plain(path, plain);
  add(s->r, s->absent, plain);
  if (access(plain, F_OK)) return false;
  if (is_own(s->r, plain)) words_add_new(&s->r->read, plain);
  return true;
}

/* Looks for the header of an __has_include in the compiler's order, and notes each absent
 * candidate. */
static void add_asked(const search_t *s, const char *source, const char *name, bool quoted) {
  const char *beside = recipe_text(s->r, "%.*s/%s", (int)(strrchr(source, '/') - source), source, name);
  bool found = (*name == '/' && (add_path(s, name), true)) || (quoted && add_path(s, beside));
  for (size_t i = 0; i < s->folders.count && !found; i++)
    found = add_path(s, recipe_text(s->r, "%s/%s", s->folders.at[i], name));
}

/* With a computed name, the source may ask for any header beside it. Notes "/" as absent, which
 * always exists, so the object is never fresh. */
static void add_any(const search_t *s, const char *source) {
  glob_t found;
  words_add_new(s->absent, "/");
  if (glob(recipe_text(s->r, "%.*s/*.h", (int)(strrchr(source, '/') - source), source), 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) words_add_new(&s->r->read, found.gl_pathv[i]);
  globfree(&found);
}

static void add_has_include(const search_t *s, const char *path) {
  static const char *const words[] = {"__has_include", "__has_embed"};
  char *text = file_read(path);
  for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
    for (const char *p = text; (p = strstr(p, words[i]));) {
      bool asks, quoted;
      p += strlen(words[i]);
      if (strncmp(p, "_next", 5) == 0) p += 5;
      const char *name = asked_name(s->r, p, &asks, &quoted);
      if (name) add_asked(s, path, name, quoted);
      else if (asks && is_own(s->r, path)) add_any(s, path);
    }
  free(text);
}

static void find_c(recipe_t *r, bool cxx, search_t *s) {
  if (!cxx) words_add_all(&s->folders, &r->c_folders);
  else if (r->verilator_root)
    words_add(&s->folders, "%s/include", r->verilator_root),
        words_add(&s->folders, "%s/include/vltstd", r->verilator_root);
  find_system(r, cxx ? "g++" : "gcc", s);
  if (cxx) words_add_all(&s->folders, &r->c_folders);
}

void recipe_absent_c(recipe_t *r, const words_t *read, bool cxx, words_t *absent) {
  search_t s = {.r = r, .absent = absent, .read = read, .harness = cxx};
  if (!read->count) return;
  find_c(r, cxx, &s);
  add_all(&s);
  for (size_t i = 0; i < read->count; i++) {
    const char *path = recipe_original(r, read->at[i]);
    if (*path == '/') add_has_include(&s, path);
  }
  search_free(&s);
}

/* A library in a folder of LIBRARY_PATH is linked before the machine's. */
static void add_libraries(recipe_t *r) {
  words_t folders = {0};
  words_split(&folders, getenv("LIBRARY_PATH") ? getenv("LIBRARY_PATH") : "", ":");
  for (size_t i = 0; i < r->read.count; i++) {
    const char *name = strrchr(r->read.at[i], '/');
    if (!name || strncmp(name, "/lib", 4) || !strstr(name, ".so")) continue;
    for (size_t k = 0; k < folders.count; k++) {
      const int n = (int)(strstr(name, ".so") - name);
      add(r, &r->absent, recipe_text(r, "%s%.*s.so", folders.at[k], n, name));
      add(r, &r->absent, recipe_text(r, "%s%.*s.a", folders.at[k], n, name));
    }
  }
  words_free(&folders);
}

/* ---- all */

void recipe_absent(recipe_t *r) {
  search_t s;
  for (size_t i = 0; i < r->ports_read.count; i++) words_add_new(&r->rtl_read, r->ports_read.at[i]);
  find_rtl(r, &r->rtl_read, &s);
  add_all(&s);
  search_free(&s);
  recipe_absent_c(r, &r->c_read, false, &r->absent);
  recipe_absent_c(r, &r->cxx_read, true, &r->absent);
  add_libraries(r);
  const char *model = r->ask->model;
  const int length = (int)(strrchr(model, '/') - model);
  if (!*r->ask->stim && !recipe_in_tree(r))
    add(r, &r->absent, recipe_text(r, "%.*s/%s_stim.c", length, model, r->ask->block));
  if (!*r->ask->map && !recipe_in_tree(r))
    add(r, &r->absent, recipe_text(r, "%.*s/%s.yaml", length, model, r->ask->block));
}
