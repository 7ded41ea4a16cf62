/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are not there and would be taken if they were: a dependency list cannot name them. A module in a folder that is searched
 * before the one that has it now, a header beside the source that includes another one of this name, a stimulus that is new.
 */
#include "recipe.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static void add(recipe_t *r, const char *folder, int length, const char *name, const char *ending) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%.*s/%s%s", length, folder, name, ending);
  if (access(path, F_OK)) words_add_new(&r->absent, path);
}

/* A module by the name of its file: in the folders before its own, and there with the other ending. */
static void add_module(recipe_t *r, const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  const int length = (int)(slash - path);
  if (!dot || (strcmp(dot, ".sv") && strcmp(dot, ".v"))) return;
  const char *stem = recipe_text(r, "%.*s", (int)(dot - slash - 1), slash + 1);
  for (size_t i = 0; i < r->folders.count; i++) {
    const char *folder = r->folders.at[i];
    if (strncmp(folder, path, (size_t)length) == 0 && !folder[length]) break;
    add(r, folder, (int)strlen(folder), stem, ".sv"), add(r, folder, (int)strlen(folder), stem, ".v");
  }
  add(r, path, length, stem, ".sv"), add(r, path, length, stem, ".v");
}

static bool was_read(const content_t *inputs, const char *folder, int length, const char *name) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%.*s/%s", length, folder, name);
  return content_find(inputs, path) != NULL;
}

/* In a folder that the tool searches by itself, behind all others. */
static bool was_read_elsewhere(const content_t *inputs, const char *name) {
  const size_t n = strlen(name);
  for (size_t i = 0; i < inputs->count; i++) {
    const size_t length = strlen(inputs->files[i].path);
    if (length > n && inputs->files[i].path[length - n - 1] == '/' && strcmp(inputs->files[i].path + length - n, name) == 0) return true;
  }
  return false;
}

/* The folders that an `include or #include goes through, up to the one that has the file. */
static void add_included(recipe_t *r, const content_t *inputs, const char *source, const char *name, const words_t *folders, bool beside) {
  const int length = (int)(strrchr(source, '/') - source);
  size_t found = 0;
  if (*name == '/') return;
  if (beside && was_read(inputs, source, length, name)) return;
  while (found < folders->count && !was_read(inputs, folders->at[found], (int)strlen(folders->at[found]), name)) found++;
  if (found == folders->count && !was_read_elsewhere(inputs, name)) return; /* made by the build */
  if (beside) add(r, source, length, name, "");
  for (size_t i = 0; i < found; i++) add(r, folders->at[i], (int)strlen(folders->at[i]), name, "");
}

/* The name after an include directive at `p`; NULL: it is none. */
static const char *included_name(recipe_t *r, const char *p, bool verilog, bool *quoted) {
  static const char word[] = "include";
  p += strspn(p, " \t");
  if (*p != (verilog ? '`' : '#')) return NULL;
  p++;
  p += strspn(p, " \t");
  if (strncmp(p, word, sizeof word - 1)) return NULL;
  p += sizeof word - 1;
  p += strspn(p, " \t");
  *quoted = *p == '"';
  if (*p != '"' && *p != '<') return NULL;
  const size_t n = strcspn(p + 1, "\">\n");
  return n ? recipe_text(r, "%.*s", (int)n, p + 1) : NULL;
}

static void add_includes(recipe_t *r, const content_t *inputs, const char *source, const char *copy, bool verilog) {
  static const char *const paths[] = {"CPATH", "C_INCLUDE_PATH"};
  char *text = recipe_read(r, copy);
  words_t folders = {0};
  if (verilog) words_add_all(&folders, &r->folders), words_add_all(&folders, &r->lists), words_add_all(&folders, &r->includes);
  else {
    words_add_all(&folders, &r->c_folders);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) words_split(&folders, getenv(paths[i]) ? getenv(paths[i]) : "", ":");
  }
  for (const char *line = text; line && *line; line = *strchrnul(line, '\n') ? strchrnul(line, '\n') + 1 : NULL) {
    bool quoted;
    const char *name = included_name(r, line, verilog, &quoted);
    if (name) add_included(r, inputs, source, name, &folders, quoted && !verilog);
  }
  words_free(&folders);
  free(text);
}

static bool has_ending(const char *path, const char *const *endings) {
  const char *dot = strrchr(path, '.');
  for (; dot && *endings; endings++)
    if (strcmp(dot, *endings) == 0) return true;
  return false;
}

void recipe_absent(recipe_t *r, const content_t *inputs) {
  static const char *const verilog[] = {".sv", ".v", ".svh", ".vh", ".inc", NULL}, *const c[] = {".c", ".h", NULL};
  const size_t count = inputs->count;
  for (size_t i = 0; i < count; i++) {
    const char *path = inputs->files[i].path;
    if (!content_find(&r->snapshot.taken, path)) continue;
    if (has_ending(path, verilog)) add_module(r, path), add_includes(r, inputs, path, recipe_copy(r, path), true);
    else if (has_ending(path, c)) add_includes(r, inputs, path, recipe_copy(r, path), false);
  }
  const char *model = r->ask->model;
  const int length = (int)(strrchr(model, '/') - model);
  if (!*r->ask->stim && !recipe_in_tree(r)) add(r, model, length, r->ask->block, "_stim.c");
  if (!*r->ask->map && !recipe_in_tree(r)) add(r, model, length, r->ask->block, ".yaml");
}
