/* SPDX-License-Identifier: Apache-2.0
 *
 * Bender.yml: groups of sources, each with a condition on targets, and the packages that this one
 * depends on, which come first. They are looked for below the project's root, where `bender
 * checkout` and `bender vendor` put them, and by their paths.
 *
 * The targets are rtl, verilator and synthesis, or those of --target. Defines of a group hold for
 * all files here.
 */
#include "file_list.h"
#include "rtl_index.h"
#include "yaml_file.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 256 };

typedef struct {
  const words_t *targets;
  file_list_t *list;
  words_t packages; /* "NAME FILE" of each Bender.yml below the root */
  words_t done;
  char root[LIST_PATH];
  bool indexed;
  trouble_t *trouble;
} search_t;

typedef struct {
  search_t *search;
  const char *path;
  char folder[LIST_PATH];
  yaml_file_t *file;
} package_t;

static bool read_package(search_t *s, const char *path);

/* ---- conditions: NAME, all(...), any(...), not(...), * */

static bool is_target(const search_t *s, const char *name) {
  static const char *const usual[] = {"rtl", "verilator", "synthesis", NULL};
  if (strcmp(name, "*") == 0) return true;
  for (const char *const *u = usual; !s->targets->count && *u; u++)
    if (strcmp(name, *u) == 0) return true;
  return words_has(s->targets, name);
}

static void skip_blanks(const char **at) {
  while (isspace((unsigned char)**at) || **at == ',') ++*at;
}

/* Evaluates the condition at *at and moves behind it. */
static bool holds(const search_t *s, const char **at) {
  char name[NAME];
  skip_blanks(at);
  const size_t n = strcspn(*at, "(), \t\n");
  snprintf(name, sizeof name, "%.*s", (int)n, *at);
  *at += n;
  skip_blanks(at);
  if (**at != '(') return is_target(s, name);
  bool any = false, all = true;
  for (++*at, skip_blanks(at); **at && **at != ')'; skip_blanks(at)) {
    const char *before = *at;
    const bool is = holds(s, at);
    any |= is, all &= is;
    if (*at == before) break;
  }
  *at += **at == ')';
  if (strcmp(name, "any") == 0) return any;
  return strcmp(name, "not") == 0 ? !any : all;
}

/* ---- sources */

static void place_of(const package_t *p, const yaml_node_t *node, char place[LIST_PATH]) {
  snprintf(place, LIST_PATH, "%.4000s:%zu", p->path, node->start_mark.line + 1);
}

static const yaml_node_t *node_of(package_t *p, yaml_node_item_t item) {
  return yaml_document_get_node(&p->file->document, item);
}

static const yaml_node_t *value_of(package_t *p, const yaml_node_t *mapping, const char *name) {
  if (!mapping || mapping->type != YAML_MAPPING_NODE) return NULL;
  for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top;
       pair++) {
    const char *key = yaml_scalar(node_of(p, pair->key));
    if (key && strcmp(key, name) == 0) return node_of(p, pair->value);
  }
  return NULL;
}

static bool add_path(package_t *p, const yaml_node_t *node, const char *text, bool folder) {
  char path[LIST_PATH + NAME], place[LIST_PATH];
  bool ok = true;
  glob_t found;
  place_of(p, node, place);
  snprintf(path, sizeof path, "%s%s%s", *text == '/' ? "" : p->folder, *text == '/' ? "" : "/", text);
  if (folder) return file_list_add_folder(&p->search->list->includes, place, path, p->search->trouble);
  if (!strpbrk(text, "*?[") || glob(path, 0, NULL, &found))
    return file_list_add(p->search->list, place, path, p->search->trouble);
  for (size_t i = 0; ok && i < found.gl_pathc; i++)
    ok = file_list_add(p->search->list, place, found.gl_pathv[i], p->search->trouble);
  globfree(&found);
  return ok;
}

static bool add_folders(package_t *p, const yaml_node_t *folders) {
  const yaml_node_t *item;
  for (size_t i = 0; folders && folders->type == YAML_SEQUENCE_NODE && (item = yaml_file_item(p->file, folders, i));
       i++)
    if (yaml_scalar(item) && !add_path(p, item, yaml_scalar(item), true)) return false;
  return true;
}

/* {NAME: VALUE, NAME: ~} */
static void add_defines(package_t *p, const yaml_node_t *defines) {
  if (!defines || defines->type != YAML_MAPPING_NODE) return;
  for (const yaml_node_pair_t *pair = defines->data.mapping.pairs.start; pair < defines->data.mapping.pairs.top;
       pair++) {
    const char *name = yaml_scalar(node_of(p, pair->key)), *value = yaml_scalar(node_of(p, pair->value));
    char define[2 * NAME];
    const bool bare = !value || !*value || strcmp(value, "~") == 0 || strcmp(value, "null") == 0;
    if (!name) continue;
    snprintf(define, sizeof define, "%.200s%s%.200s", name, bare ? "" : "=", bare ? "" : value);
    words_add_new(&p->search->list->defines, define);
  }
}

/* A path, a group, or a list of them. */
static bool read_sources(package_t *p, const yaml_node_t *node) {
  const yaml_node_t *item;
  if (yaml_scalar(node)) return add_path(p, node, yaml_scalar(node), false);
  for (size_t i = 0; node->type == YAML_SEQUENCE_NODE && (item = yaml_file_item(p->file, node, i)); i++)
    if (!read_sources(p, item)) return false;
  if (node->type != YAML_MAPPING_NODE) return true;
  const yaml_node_t *target = value_of(p, node, "target"), *files = value_of(p, node, "files");
  const char *condition = target ? yaml_scalar(target) : NULL;
  if (condition && !holds(p->search, &condition)) return true;
  add_defines(p, value_of(p, node, "defines"));
  if (!files) return yaml_file_wrong(p->file, node, "a group of sources should have `files`");
  return add_folders(p, value_of(p, node, "include_dirs")) && read_sources(p, files);
}

/* ---- dependencies */

static void note_package(search_t *s, const char *path) {
  trouble_t none = {0};
  yaml_file_t file;
  package_t p = {.search = s, .path = path, .file = &file};
  if (!yaml_file_open(&file, path, &none)) return;
  const yaml_node_t *name = value_of(&p, value_of(&p, yaml_file_root(&file), "package"), "name");
  if (name && yaml_scalar(name)) words_add(&s->packages, "%s %s", yaml_scalar(name), path);
  yaml_file_close(&file);
}

static void find_packages(search_t *s) {
  rtl_index_t index;
  if (s->indexed) return;
  rtl_index_lists(&index, s->root);
  for (size_t i = 0; i < index.lists.count; i++)
    if (strcmp(strrchr(index.lists.at[i], '/'), "/Bender.yml") == 0) note_package(s, index.lists.at[i]);
  rtl_index_close(&index);
  s->indexed = true;
}

static bool read_dependency(package_t *p, const char *name, const yaml_node_t *about) {
  search_t *s = p->search;
  const yaml_node_t *path = value_of(p, about, "path");
  char file[LIST_PATH + NAME];
  if (path && yaml_scalar(path)) {
    const char *text = yaml_scalar(path);
    snprintf(file, sizeof file, "%s%s%s/Bender.yml", *text == '/' ? "" : p->folder, *text == '/' ? "" : "/", text);
    char *real = realpath(file, NULL);
    const bool ok = !real || read_package(s, real);
    if (!real) words_add_new(&s->list->absent, name);
    free(real);
    return ok;
  }
  find_packages(s);
  const size_t n = strlen(name);
  for (size_t i = 0; i < s->packages.count; i++)
    if (strncmp(s->packages.at[i], name, n) == 0 && s->packages.at[i][n] == ' ')
      return read_package(s, s->packages.at[i] + n + 1);
  words_add_new(&s->list->absent, name);
  return true;
}

static bool read_dependencies(package_t *p, const yaml_node_t *all) {
  if (!all || all->type != YAML_MAPPING_NODE) return true;
  for (const yaml_node_pair_t *pair = all->data.mapping.pairs.start; pair < all->data.mapping.pairs.top; pair++) {
    const char *name = yaml_scalar(node_of(p, pair->key));
    if (name && !read_dependency(p, name, node_of(p, pair->value))) return false;
  }
  return true;
}

static bool read_package(search_t *s, const char *path) {
  yaml_file_t file;
  package_t p = {.search = s, .path = path, .file = &file};
  if (!words_add_new(&s->done, path)) return true;
  words_add_new(&s->list->read, path);
  snprintf(p.folder, sizeof p.folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  if (!yaml_file_open(&file, path, s->trouble)) return false;
  const yaml_node_t *root = yaml_file_root(&file), *sources = value_of(&p, root, "sources");
  const bool ok = read_dependencies(&p, value_of(&p, root, "dependencies")) &&
                  add_folders(&p, value_of(&p, root, "export_include_dirs")) && (!sources || read_sources(&p, sources));
  yaml_file_close(&file);
  return ok;
}

bool list_bender_read(const char *path, const words_t *targets, file_list_t *list, trouble_t *trouble) {
  search_t s = {.targets = targets, .list = list, .trouble = trouble};
  rtl_index_root(path, s.root);
  const bool ok = read_package(&s, path);
  words_free(&s.packages), words_free(&s.done);
  return ok;
}
