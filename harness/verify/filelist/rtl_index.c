/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders are read one after another from a list that grows, so that the search is in order of
 * depth and needs no recursion.
 */
#include "rtl_index.h"

#include "clock.h"
#include "content.h"
#include "file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, FILE_MOST_BYTES = 4 << 20, FOLDERS = 50000 };

/* ---- files */

static bool ends_in(const char *name, const char *const *endings) {
  const char *dot = strrchr(name, '.');
  for (; dot && *endings; endings++)
    if (strcmp(dot, *endings) == 0) return true;
  return false;
}

static bool is_list(const char *name) {
  const size_t n = strlen(name);
  return strcmp(name, "Bender.yml") == 0 || (n > 5 && strcmp(name + n - 5, ".core") == 0);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder in the order of the alphabet, so that a search has the same result
 * everywhere. */
static void read_names(const char *folder, words_t *names) {
  DIR *open = opendir(folder);
  for (const struct dirent *entry; open && (entry = readdir(open));) {
    const bool hidden = *entry->d_name == '.' && strcmp(entry->d_name, ".bender");
    if (!hidden) words_add(names, "%s", entry->d_name);
  }
  if (open) closedir(open);
  if (names->count) qsort(names->at, names->count, sizeof *names->at, by_text);
}

static void read_folder(rtl_index_t *index, const char *folder, words_t *folders) {
  static const char *const verilog[] = {".sv", ".v", ".svh", ".vh", ".svi", ".inc", ".h", ".vp", ".svp", NULL};
  static const char *const vhdl[] = {".vhd", ".vhdl", NULL};
  words_t names = {0};
  struct stat info;
  read_names(folder, &names);
  for (size_t i = 0; i < names.count; i++) {
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, names.at[i]) >= PATH || lstat(path, &info)) continue;
    if (S_ISDIR(info.st_mode)) words_add(folders, "%s", path);
    else if (S_ISLNK(info.st_mode) && (stat(path, &info) || !S_ISREG(info.st_mode))) continue;
    else if (is_list(names.at[i])) words_add(&index->lists, "%s", path);
    else if (ends_in(names.at[i], vhdl)) words_add(&index->vhdl, "%s", path);
    else if (ends_in(names.at[i], verilog) && info.st_size < FILE_MOST_BYTES) words_add(&index->files, "%s", path);
  }
  words_free(&names);
}

/* ---- what they declare */

typedef struct {
  rtl_index_t *index;
  unsigned file;
} seeing_t;

static void see(void *context, unit_t kind, const char *name, unsigned line) {
  const seeing_t *s = context;
  rtl_index_t *index = s->index;
  (void)line;
  if (kind != UNIT_MODULE && kind != UNIT_PACKAGE) return;
  if (index->count == index->room) {
    const size_t room = index->room ? 2 * index->room : 1024;
    rtl_index_unit_t *more = realloc(index->units, room * sizeof *more);
    if (!more) return;
    index->units = more, index->room = room;
  }
  char *copy = strdup(name);
  if (copy) index->units[index->count++] = (rtl_index_unit_t){copy, kind, s->file};
}

static int by_name(const void *a, const void *b) {
  const rtl_index_unit_t *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : (int)x->file - (int)y->file;
}

static bool is_header(const char *path) {
  static const char *const headers[] = {".h", ".inc", NULL}; /* mostly of C; what they declare is not looked at */
  return ends_in(path, headers);
}

static void walk(rtl_index_t *index, const char *root, double end) {
  words_t folders = {0};
  *index = (rtl_index_t){0};
  words_add(&folders, "%s", root);
  for (size_t i = 0; i < folders.count && !index->cut; i++) { /* the list grows */
    read_folder(index, folders.at[i], &folders);
    index->cut =
        index->files.count + index->vhdl.count > RTL_INDEX_FILES || folders.count > FOLDERS || clock_seconds() > end;
  }
  words_free(&folders);
}

void rtl_index_lists(rtl_index_t *index, const char *root) {
  walk(index, root, clock_seconds() + RTL_INDEX_SECONDS);
}

void rtl_index_open(rtl_index_t *index, const char *root) {
  const double end = clock_seconds() + RTL_INDEX_SECONDS;
  walk(index, root, end);
  for (size_t i = 0; i < index->files.count; i++) {
    words_t macros = {0};
    seeing_t seeing = {index, (unsigned)i};
    if (!is_header(index->files.at[i])) rtl_units_read(index->files.at[i], &macros, see, &seeing);
    words_free(&macros);
    if (clock_seconds() <= end) continue;
    index->cut = true;
    break;
  }
  if (index->count) qsort(index->units, index->count, sizeof *index->units, by_name);
}

void rtl_index_close(rtl_index_t *index) {
  for (size_t i = 0; i < index->count; i++) free(index->units[i].name);
  free(index->units);
  words_free(&index->files), words_free(&index->vhdl), words_free(&index->lists);
  *index = (rtl_index_t){0};
}

/* ---- questions */

/* Adds the path, unless a file with the same bytes is there already. */
static void add_other(words_t *paths, const char *path) {
  char sum[CONTENT_SUM], other[CONTENT_SUM];
  if (words_has(paths, path)) return;
  for (size_t i = 0; i < paths->count; i++)
    if (content_sum(path, sum) && content_sum(paths->at[i], other) && strcmp(sum, other) == 0) return;
  words_add(paths, "%s", path);
}

static void find_named(const rtl_index_t *index, const char *name, words_t *paths) {
  const size_t n = strlen(name);
  for (size_t i = 0; i < index->files.count; i++) {
    const char *path = index->files.at[i];
    const size_t m = strlen(path);
    if (m > n && path[m - n - 1] == '/' && strcmp(path + m - n, name) == 0) add_other(paths, path);
  }
}

static bool defines_macro(const char *text, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, "`define"));) {
    at += strlen("`define");
    at += strspn(at, " \t");
    if (strncmp(at, name, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_' && at[n] != '$') return true;
  }
  return false;
}

static void find_macro(const rtl_index_t *index, const char *name, words_t *paths) {
  for (size_t i = 0; i < index->files.count; i++) {
    char *text = file_read(index->files.at[i]);
    if (text && defines_macro(text, name)) add_other(paths, index->files.at[i]);
    free(text);
  }
}

void rtl_index_find(const rtl_index_t *index, unit_t kind, const char *name, words_t *paths) {
  size_t low = 0, high = index->count;
  if (kind == UNIT_INCLUDES) return find_named(index, name, paths);
  if (kind == UNIT_MACRO) return find_macro(index, name, paths);
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (strcmp(index->units[middle].name, name) < 0) low = middle + 1;
    else high = middle;
  }
  for (; low < index->count && strcmp(index->units[low].name, name) == 0; low++)
    if (index->units[low].kind == kind) add_other(paths, index->files.at[index->units[low].file]);
}

void rtl_index_root(const char *file, char *root) {
  char folder[PATH], git[PATH + 8], here[PATH];
  snprintf(folder, sizeof folder, "%s", file);
  for (char *slash; (slash = strrchr(folder, '/'));) {
    *slash = 0;
    snprintf(git, sizeof git, "%s/.git", folder);
    if (*folder && access(git, F_OK) == 0) {
      snprintf(root, PATH, "%s", folder);
      return;
    }
  }
  const bool inside = getcwd(here, sizeof here) && file_within(file, here);
  if (inside) snprintf(root, PATH, "%s", here);
  else snprintf(root, PATH, "%.*s", (int)(strrchr(file, '/') - file), file);
}
