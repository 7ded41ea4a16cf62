/* SPDX-License-Identifier: Apache-2.0
 *
 * A walk through files, depth first: from the top to what it names, to what that names.
 */
#include "needs.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

/* A file that was read. `given`: of the list. */
typedef struct {
  char *path;
  bool given, spare, visited, declares, of_index, macros;
} known_t;

/* Something that a file declares or names. */
typedef struct {
  unit_t kind;
  char *name;
  unsigned file, line;
} fact_t;

typedef struct {
  needs_t *needs;
  known_t *files;
  fact_t *facts;
  size_t num_files, file_room, num_facts, fact_room;
  words_t macros;
} walk_t;

/* ---- reading */

static bool grow(void **at, size_t *room, size_t count, size_t size) {
  if (count < *room) return true;
  void *more = realloc(*at, (*room ? 2 * *room : 256) * size);
  if (!more) return false;
  *at = more, *room = *room ? 2 * *room : 256;
  return true;
}

static void see(void *context, unit_t kind, const char *name, unsigned line) {
  walk_t *w = context;
  const unsigned file = (unsigned)w->num_files - 1;
  for (size_t i = w->num_facts; i-- && w->facts[i].file == file;)
    if (w->facts[i].kind == kind && strcmp(w->facts[i].name, name) == 0) return;
  if (!grow((void **)&w->facts, &w->fact_room, w->num_facts, sizeof *w->facts)) return;
  w->facts[w->num_facts++] = (fact_t){kind, strdup(name), file, line};
  if (kind == UNIT_MODULE || kind == UNIT_PACKAGE) w->files[file].declares = true;
}

/* The number of a file, which is read if it is new. SIZE_MAX: no memory. */
static size_t read_file(walk_t *w, const char *path, known_t how) {
  for (size_t i = 0; i < w->num_files; i++)
    if (strcmp(w->files[i].path, path) == 0) return i;
  if (!grow((void **)&w->files, &w->file_room, w->num_files, sizeof *w->files)) return SIZE_MAX;
  how.path = strdup(path);
  w->files[w->num_files++] = how;
  rtl_units_read(path, &w->macros, see, w);
  return w->num_files - 1;
}

/* ---- the walk */

static void visit(walk_t *w, size_t file);

/* Visits the files of the list that declare it; true: there is one. */
static bool visit_declared(walk_t *w, unit_t kind, const char *name) {
  bool found = false;
  for (size_t i = 0; i < w->num_facts; i++) {
    if (w->facts[i].kind != kind || strcmp(w->facts[i].name, name)) continue;
    if (found && w->files[w->facts[i].file].spare) continue;
    found = true;
    visit(w, w->facts[i].file);
  }
  return found;
}

/* Visits a file of one of the folders; true: it is there. */
static bool visit_in(walk_t *w, const words_t *folders, const char *name, const char *ending) {
  char path[PATH];
  for (size_t i = 0; folders && i < folders->count; i++) {
    if (snprintf(path, sizeof path, "%s/%s%s", folders->at[i], name, ending) >= PATH || access(path, R_OK)) continue;
    return visit(w, read_file(w, path, (known_t){0})), true;
  }
  return false;
}

static bool visit_include(walk_t *w, const char *name, const char *by) {
  char path[PATH];
  snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(by, '/') - by), by, name);
  if (access(path, R_OK) == 0) return visit(w, read_file(w, path, (known_t){0})), true;
  return visit_in(w, w->needs->includes, name, "") || visit_in(w, w->needs->libraries, name, "");
}

static bool is_noted(const needs_t *n, unit_t kind, const char *name) {
  for (size_t i = 0; i < n->count; i++)
    if (n->missing[i].kind == kind && strcmp(n->missing[i].name, name) == 0) return true;
  return false;
}

/* How near two files are: folders that they share, then the fewest folders below those. */
static int nearness(const char *path, const char *by) {
  int shared = 0, below = 0;
  size_t i = 0;
  for (; path[i] && path[i] == by[i]; i++) shared += path[i] == '/';
  for (; path[i]; i++) below += path[i] == '/';
  return shared * PATH - below;
}

/* The nearest file of the list, or SIZE_MAX if several are. */
static size_t find_nearest(const words_t *files, const char *by) {
  int best = INT_MIN;
  size_t at = SIZE_MAX;
  for (size_t i = 0; i < files->count; i++) {
    const int near = nearness(files->at[i], by);
    if (near >= best) at = near > best ? i : SIZE_MAX, best = near;
  }
  return at;
}

/* The file of the list that is in a folder called generic, or SIZE_MAX if none or several are. */
static size_t find_generic(const words_t *files) {
  size_t at = SIZE_MAX;
  for (size_t i = 0; i < files->count; i++) {
    const char *word = strstr(files->at[i], "generic"), *slash = strrchr(files->at[i], '/');
    if (!word || word > slash) continue;
    if (at != SIZE_MAX) return SIZE_MAX;
    at = i;
  }
  return at;
}

/* Leaves one file of several alone, if one counts. */
static void keep_one(need_t *need, const char *by) {
  if (need->in.count < 2) return;
  size_t at = find_nearest(&need->in, by);
  if (at == SIZE_MAX) at = find_generic(&need->in);
  if (at == SIZE_MAX) return;
  words_t one = {0};
  words_add(&one, "%s", need->in.at[at]);
  need->more = (unsigned)need->in.count - 1;
  words_free(&need->in);
  need->in = one;
}

/* Notes what is missing, and goes on in the only file of the index that has it. */
static void note_missing(walk_t *w, unit_t kind, const char *name, const char *place) {
  needs_t *n = w->needs;
  if (is_noted(n, kind, name) || !grow((void **)&n->missing, &n->room, n->count, sizeof *n->missing)) return;
  need_t need = {.kind = kind, .name = strdup(name), .place = strdup(place)};
  if (n->index) rtl_index_find(n->index, kind, name, &need.in);
  keep_one(&need, place);
  n->missing[n->count++] = need;
  if (need.in.count != 1) return;
  const char *path = need.in.at[0];
  visit(w, read_file(w, path, (known_t){.of_index = true, .macros = kind == UNIT_MACRO}));
  if (kind != UNIT_INCLUDES) return;
  char folder[PATH];
  snprintf(folder, sizeof folder, "%.*s", (int)(strlen(path) - strlen(name) - 1), path);
  words_add_new(&n->folders, folder);
}

static void follow(walk_t *w, const fact_t *fact) {
  static const char *const endings[] = {".v", ".sv"};
  char place[PATH + 16], name[256], by[PATH];
  const unit_t kind = fact->kind;
  snprintf(name, sizeof name, "%s", fact->name); /* the list of facts grows */
  snprintf(by, sizeof by, "%s", w->files[fact->file].path);
  snprintf(place, sizeof place, "%s:%u", by, fact->line);
  if (kind == UNIT_INCLUDES) {
    if (!visit_include(w, name, by)) note_missing(w, UNIT_INCLUDES, name, place);
  } else if (kind == UNIT_NAMES_PACKAGE) {
    if (!visit_declared(w, UNIT_PACKAGE, name)) note_missing(w, UNIT_PACKAGE, name, place);
  } else if (kind == UNIT_NAMES_MODULE && !visit_declared(w, UNIT_MODULE, name)) {
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
      if (visit_in(w, w->needs->libraries, name, endings[i])) return;
    note_missing(w, UNIT_MODULE, name, place);
  }
}

static void visit(walk_t *w, size_t file) {
  if (file == SIZE_MAX || w->files[file].visited) return;
  w->files[file].visited = true;
  for (size_t i = 0; i < w->num_facts; i++)
    if (w->facts[i].file == file) follow(w, &w->facts[i]);
  const known_t *f = &w->files[file];
  const char *dot = strrchr(f->path, '.');
  const bool source = dot && (strcmp(dot, ".v") == 0 || strcmp(dot, ".sv") == 0);
  const bool found = f->of_index && (f->macros || (f->declares && source));
  if (found) words_add(&w->needs->found, "%s", f->path);
  if (f->given || found) words_add(&w->needs->order, "%s", f->path);
}

void needs_find(needs_t *n, const char *top) {
  walk_t w = {.needs = n};
  for (size_t i = 0; n->defines && i < n->defines->count; i++)
    words_add(&w.macros, "%.*s", (int)strcspn(n->defines->at[i], "="), n->defines->at[i]);
  words_add(&w.macros, "VERILATOR");
  for (size_t i = 0; n->files && i < n->files->count; i++) read_file(&w, n->files->at[i], (known_t){.given = true});
  for (size_t i = 0; n->spare && i < n->spare->count; i++)
    read_file(&w, n->spare->at[i], (known_t){.given = true, .spare = true});
  for (size_t i = 0; i < w.num_files; i++) /* macros and types of all */
    if (!w.files[i].declares && !w.files[i].spare) visit(&w, i);
  if (n->macro) note_missing(&w, UNIT_MACRO, n->macro, n->macro_place);
  visit(&w, read_file(&w, top, (known_t){.given = true}));
  for (size_t i = 0; i < w.num_files; i++)
    if (w.files[i].given && w.files[i].visited) words_add(&n->used, "%s", w.files[i].path);
  for (size_t i = 0; i < w.num_facts; i++) free(w.facts[i].name);
  for (size_t i = 0; i < w.num_files; i++) free(w.files[i].path);
  free(w.facts), free(w.files);
  words_free(&w.macros);
}

void needs_free(needs_t *n) {
  for (size_t i = 0; i < n->count; i++)
    free(n->missing[i].name), free(n->missing[i].place), words_free(&n->missing[i].in);
  free(n->missing);
  words_free(&n->used), words_free(&n->found), words_free(&n->order), words_free(&n->folders);
  n->missing = NULL, n->count = n->room = 0;
}
