/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors name file, line and column; libyaml's documents have these for each node. An entry
 * becomes axes (suite_matrix.h): words of the verb first, then options in the order of the file.
 */
#include "suite_entry.h"

#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite_matrix.h"
#include "utf8.h"

/* libyaml counts lines and columns from 0, editors from 1. */
bool suite_wrong(suite_file_t *f, suite_node_t *node, const char *format, ...) {
  char what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return trouble_set(&f->reader->trouble, TROUBLE_INPUT, "%s:%zu:%zu: %s", f->path, node->start_mark.line + 1,
                     node->start_mark.column + 1, what);
}

suite_node_t *suite_at(suite_file_t *f, int index) {
  return yaml_document_get_node(&f->document, index);
}

const char *suite_text(suite_node_t *node) {
  return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

size_t suite_length(suite_node_t *node) {
  return node->type == YAML_SEQUENCE_NODE ? (size_t)(node->data.sequence.items.top - node->data.sequence.items.start)
                                          : 1;
}

suite_node_t *suite_item(suite_file_t *f, suite_node_t *node, size_t i) {
  return node->type == YAML_SEQUENCE_NODE ? suite_at(f, node->data.sequence.items.start[i]) : node;
}

/* ---- values ---- */

/* strtoull takes signs and leading spaces, so the first character must be a digit. */
bool suite_whole(suite_file_t *f, suite_node_t *node, const char *what, uint64_t least, uint64_t most,
                 uint64_t *value) {
  const char *t = suite_text(node);
  char *end = NULL;
  errno = 0;
  uint64_t n = t && *t >= '0' && *t <= '9' ? strtoull(t, &end, 10) : 0;
  if (!end || *end || errno || n < least || n > most)
    return suite_wrong(f, node, "%s: '%.60s' should be a whole number from %llu to %llu", what, t ? t : "a list",
                       (unsigned long long)least, (unsigned long long)most);
  *value = n;
  return true;
}

/* The longest limit is 31 days. A number without a unit is seconds. */
bool suite_duration(suite_file_t *f, suite_node_t *node, double *seconds) {
  const char *t = suite_text(node);
  char *end = NULL;
  double n = t && *t >= '0' && *t <= '9' ? strtod(t, &end) : 0;
  double unit = 0;
  if (!end || !*end || !strcmp(end, "s")) unit = 1;
  else if (!strcmp(end, "m")) unit = 60;
  else if (!strcmp(end, "h")) unit = 3600;
  if (!end || !(n > 0) || unit == 0 || n * unit > 31 * 86400.0)
    return suite_wrong(f, node, "limit: '%.60s' should be a time such as 90s, 10m or 2h", t ? t : "a list");
  *seconds = n * unit;
  return true;
}

/* The list ends with NULL. */
static bool is_listed(const char *const *list, const char *name) {
  for (; *list; list++)
    if (!strcmp(*list, name)) return true;
  return false;
}

/* ---- an entry: arguments that are no options ---- */

/* NULL: the entry has too many axes. */
static axis_t *new_axis(entry_t *e, axis_kind_t kind) {
  if (e->num_axes == ENTRY_AXES) return NULL;
  axis_t *axis = &e->axes[e->num_axes++];
  *axis = (axis_t){.kind = kind, .alternatives = json_array()};
  return axis;
}

typedef struct {
  suite_node_t *names, *family, *has, *except;
} choice_t;

/* Does a list of the file have this word? A NULL list has none. */
static bool is_named(suite_file_t *f, suite_node_t *list, const char *name) {
  for (size_t i = 0; list && i < suite_length(list); i++) {
    const char *t = suite_text(suite_item(f, list, i));
    if (t && !strcmp(t, name)) return true;
  }
  return false;
}

/* A block of the tree, or "all". */
static bool in_tree(suite_file_t *f, const char *name) {
  const suite_block_t *b = f->reader->catalog->blocks;
  while (b->name && strcmp(b->name, name) != 0) b++;
  return b->name || strcmp(name, "all") == 0;
}

/* A path in a suite starts beside the suite. */
static void path_beside(const suite_file_t *f, const char *name, char path[2 * PATH_MAX]) {
  const char *slash = strrchr(f->path, '/');
  if (*name == '/') snprintf(path, 2 * PATH_MAX, "%s", name);
  else snprintf(path, 2 * PATH_MAX, "%.*s/%s", slash ? (int)(slash - f->path) : 1, slash ? f->path : ".", name);
}

/* A block outside the tree is its folder; the caller frees it. NULL: no folder of that name
 * beside the suite. */
static char *own_block(suite_file_t *f, const char *name) {
  char path[2 * PATH_MAX];
  struct stat info;
  path_beside(f, name, path);
  return !in_tree(f, name) && stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? realpath(path, NULL) : NULL;
}

/* The folder has a port file. */
static bool check_own(suite_file_t *f, suite_node_t *node, const char *name, const char *folder) {
  char pattern[PATH_MAX + 16];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*.ports", folder);
  if (glob(pattern, 0, NULL, &found))
    return suite_wrong(f, node, "%.200s: no port file X.ports in this folder; `lockstack new` makes one", name);
  globfree(&found);
  return true;
}

/* Each word is a block of the tree or a folder with one. */
static bool check_blocks(suite_file_t *f, suite_node_t *list) {
  bool ok = true;
  for (size_t i = 0; ok && list && i < suite_length(list); i++) {
    const char *t = suite_text(suite_item(f, list, i));
    char *folder = t ? own_block(f, t) : NULL;
    if (folder && !utf8_valid(folder))
      ok = suite_wrong(f, suite_item(f, list, i),
                       "%.200s: the folder's path is not UTF-8; another name, or a link to it, would be right", t);
    else if (folder) ok = check_own(f, suite_item(f, list, i), t, folder);
    else if (!t || !in_tree(f, t))
      ok = suite_wrong(
          f, suite_item(f, list, i),
          "no block '%.60s'; `lockstack list blocks` names them, `all` is all of them, and a folder beside the suite "
          "has one of its own",
          t ? t : "of this kind");
    free(folder);
  }
  return ok;
}

/* Adds blocks outside the tree by their folders' paths. */
static void add_own(suite_file_t *f, axis_t *axis, const choice_t *c) {
  for (size_t i = 0; c->names && i < suite_length(c->names); i++) {
    const char *name = suite_text(suite_item(f, c->names, i));
    char *folder = own_block(f, name);
    if (folder && !is_named(f, c->except, name)) json_array_append_new(axis->alternatives, json_pack("[s]", folder));
    free(folder);
  }
}

static bool check_families(suite_file_t *f, suite_node_t *list) {
  for (size_t i = 0; list && i < suite_length(list); i++) {
    const char *t = suite_text(suite_item(f, list, i));
    const suite_block_t *b = f->reader->catalog->blocks;
    while (t && b->name && strcmp(b->family, t) != 0) b++;
    if (!t || !b->name)
      return suite_wrong(f, suite_item(f, list, i),
                         "no family '%.60s'; `lockstack list blocks` has them before the slash", t ? t : "");
  }
  return true;
}

/* except and has reduce what blocks or family choose. Without both, all blocks are chosen. */
static bool is_chosen(suite_file_t *f, const choice_t *c, const suite_block_t *b) {
  if (is_named(f, c->except, b->name) || (c->has && !f->reader->catalog->has(b->name, suite_text(c->has))))
    return false;
  if (c->family) return is_named(f, c->family, b->family);
  return !c->names || is_named(f, c->names, "all") || is_named(f, c->names, b->name);
}

/* The alternatives are blocks in the tree's order, then folders in the file's order. A choice
 * that leaves no block is an error: such an entry would pass without a job. */
static bool add_blocks(suite_file_t *f, entry_t *e, suite_node_t *node, const choice_t *c) {
  if (!check_blocks(f, c->names) || !check_blocks(f, c->except) || !check_families(f, c->family)) return false;
  if (c->names && c->family) return suite_wrong(f, c->family, "family and blocks: give one of them");
  if (c->has && (!suite_text(c->has) || !f->reader->catalog->has(NULL, suite_text(c->has))))
    return suite_wrong(f, c->has,
                       "has: 'proof', 'parameters', or a device that can hold the block ('netlist'), would be right");
  axis_t *axis = new_axis(e, AXIS_WORDS);
  for (const suite_block_t *b = f->reader->catalog->blocks; b->name; b++)
    if (is_chosen(f, c, b)) json_array_append_new(axis->alternatives, json_pack("[s]", b->name));
  add_own(f, axis, c);
  return json_array_size(axis->alternatives) > 0 || suite_wrong(f, node, "no block is left");
}

typedef enum { PLAIN, SYSTEM, WORKLOAD, PATH } positional_t;

/* The whole path of a file beside the suite, else in the tree: each job runs in a folder of its
 * own. A file that does not exist gives NULL; with `other` it gives the name as it is, for a
 * verb that makes the file or misses it. */
static json_t *file_word(suite_file_t *f, suite_node_t *node, const char *name, bool other) {
  char path[2 * PATH_MAX];
  if (*name == '/') return json_string(name);
  path_beside(f, name, path);
  if (access(path, R_OK)) snprintf(path, sizeof path, "%s/%s", f->reader->catalog->root, name);
  char *real = realpath(path, NULL);
  json_t *word = NULL;
  if (real && utf8_valid(real)) word = json_string(real);
  else if (!real && other) word = json_string(name);
  if (!word)
    suite_wrong(f, node,
                real ? "%.200s: its path is not UTF-8" : "no file '%.200s', neither beside the suite nor in the tree",
                name);
  free(real);
  return word;
}

/* NULL: the catalog has no such system or workload, or there is no such file. */
static json_t *positional_word(suite_file_t *f, suite_node_t *node, positional_t kind) {
  const suite_catalog_t *c = f->reader->catalog;
  const char *t = suite_text(node);
  if (!t || !*t) return suite_wrong(f, node, "a word expected"), NULL;
  if (kind == SYSTEM && !is_listed(c->systems, t))
    return suite_wrong(f, node, "no system '%.60s'; `lockstack list systems` names them", t), NULL;
  if (kind == WORKLOAD && !is_listed(c->workloads, t))
    return suite_wrong(f, node, "no workload '%.60s'; `lockstack list workloads` names them", t), NULL;
  return kind == PATH ? file_word(f, node, t, false) : json_string(t);
}

/* A list inside the list is one alternative of several words. */
static bool add_positional(suite_file_t *f, entry_t *e, suite_node_t *list, positional_t kind) {
  axis_t *axis = new_axis(e, AXIS_WORDS);
  for (size_t i = 0; axis && i < suite_length(list); i++) {
    suite_node_t *one = suite_item(f, list, i);
    json_t *words = json_array();
    json_array_append_new(axis->alternatives, words);
    for (size_t k = 0; k < suite_length(one); k++) {
      json_t *word = positional_word(f, suite_item(f, one, k), kind);
      if (!word) return false;
      json_array_append_new(words, word);
    }
  }
  return true;
}

/* ---- an entry: options ---- */

static void add_words(json_t *words, const char *option, const char *value) {
  json_array_append_new(words, json_string(option));
  json_array_append_new(words, json_string(value));
}

/* --set words from "A=1 B=2" or {A: 1, B: 2}; "default" gives none. */
static bool set_words(suite_file_t *f, suite_node_t *node, json_t *words) {
  char setting[512];
  if (node->type == YAML_MAPPING_NODE) {
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
      const char *name = suite_text(suite_at(f, p->key)), *value = suite_text(suite_at(f, p->value));
      if (!name || !value)
        return suite_wrong(f, suite_at(f, p->value), "a setting takes one value; 'Depth: 7' would be right");
      snprintf(setting, sizeof setting, "%.200s=%.300s", name, value);
      add_words(words, "--set", setting);
    }
    return true;
  }
  const char *t = suite_text(node);
  if (!t) return suite_wrong(f, node, "a setting is 'NAME=VALUE', {NAME: VALUE} or 'default'");
  if (!strcmp(t, "default")) return true;
  for (; *t; t += strspn(t, " ")) {
    size_t n = strcspn(t, " ");
    snprintf(setting, sizeof setting, "%.*s", (int)n, t);
    if (!strchr(setting, '=')) return suite_wrong(f, node, "'%.60s' should be NAME=VALUE", setting);
    add_words(words, "--set", setting);
    t += n;
  }
  return true;
}

/* Words of one value of an option; a flag takes true or false. */
static bool option_words(suite_file_t *f, suite_node_t *node, const char *option, suite_option_t kind, json_t *words) {
  const char *t = suite_text(node);
  if (kind == SUITE_VALUE && !strcmp(option, "--set")) return set_words(f, node, words);
  if (!t || !*t) return suite_wrong(f, node, "%s takes one value", option);
  json_t *file = kind == SUITE_FILE ? file_word(f, node, t, true) : NULL;
  if (kind == SUITE_FILE && !file) return false;
  bool on = !strcmp(t, "true"), off = !strcmp(t, "false");
  if (kind >= SUITE_VALUE) add_words(words, option, file ? json_string_value(file) : t);
  else if (on) json_array_append_new(words, json_string(option));
  json_decref(file);
  return kind >= SUITE_VALUE || on || off ||
         suite_wrong(f, node, "%s takes no value; true or false would be right", option);
}

/* An axis of the option's values. */
static bool add_option(suite_file_t *f, entry_t *e, suite_node_t *list, const char *name, suite_option_t kind) {
  char option[128];
  snprintf(option, sizeof option, "--%s", name);
  axis_t *axis = new_axis(e, AXIS_WORDS);
  for (size_t i = 0; axis && i < suite_length(list); i++) {
    suite_node_t *one = suite_item(f, list, i);
    json_t *words = json_array();
    json_array_append_new(axis->alternatives, words);
    for (size_t k = 0; k < suite_length(one); k++)
      if (!option_words(f, suite_item(f, one, k), option, kind, words)) return false;
  }
  return true;
}

/* A number of seeds to derive, or a list of seeds. */
static bool add_seeds(suite_file_t *f, entry_t *e, suite_node_t *node) {
  if (node->type == YAML_SEQUENCE_NODE) return add_option(f, e, node, "seed", SUITE_VALUE);
  uint64_t count;
  if (!suite_whole(f, node, "seeds", 1, 100000, &count)) return false;
  new_axis(e, AXIS_SEEDS)->count = count;
  return true;
}

static bool known_variant(const suite_catalog_t *c, const char *name) {
  if (!strcmp(name, "all") || !strcmp(name, "default")) return true;
  const suite_variant_t *v = c->variants;
  while (v->name && strcmp(v->name, name) != 0) v++;
  return v->name;
}

/* An axis of names. Which variants a block has is only known when the blocks' axis is expanded. */
static bool add_variants(suite_file_t *f, entry_t *e, suite_node_t *list) {
  axis_t *axis = new_axis(e, AXIS_VARIANTS);
  for (size_t i = 0; i < suite_length(list); i++) {
    const char *t = suite_text(suite_item(f, list, i));
    if (!t || !known_variant(f->reader->catalog, t))
      return suite_wrong(f, suite_item(f, list, i),
                         "no block has a variant '%.60s'; blocks.cmake names them, and there are `default` and `all`",
                         t ? t : "");
    json_array_append_new(axis->alternatives, json_string(t));
  }
  return true;
}

/* ---- an entry ---- */

/* Word of an entry that is not an option, whose kind is `kind`. */
static const struct {
  const char *one, *many;
  positional_t kind;
} positionals[] = {{"system", "systems", SYSTEM},
                   {"workload", "workloads", WORKLOAD},
                   {"file", "files", PATH},
                   {"argument", "arguments", PLAIN}};
enum { NUM_POSITIONALS = sizeof positionals / sizeof *positionals };

typedef struct {
  choice_t blocks;
  suite_node_t *blocks_at, *positional[NUM_POSITIONALS], *variants;
} words_t;

/* True: the key is an argument that is no option. The caller asks first whether the verb has an
 * option of that name. */
static bool keep_word(words_t *w, const char *key, suite_node_t *value) {
  suite_node_t **place = NULL;
  if (!strcmp(key, "block") || !strcmp(key, "blocks")) place = &w->blocks.names;
  else if (!strcmp(key, "family") || !strcmp(key, "families")) place = &w->blocks.family;
  else if (!strcmp(key, "except")) place = &w->blocks.except;
  else if (!strcmp(key, "has")) place = &w->blocks.has;
  if (place) {
    *place = w->blocks_at = value;
    return true;
  }
  if (!strcmp(key, "variants") || !strcmp(key, "variant")) place = &w->variants;
  for (unsigned i = 0; i < NUM_POSITIONALS; i++)
    if (!strcmp(key, positionals[i].one) || !strcmp(key, positionals[i].many)) place = &w->positional[i];
  if (place) *place = value;
  return place;
}

/* `profiles` means --profile, unless the verb has --profiles. name gets the option's own name. */
static suite_option_t find_option(suite_file_t *f, const char *verb, const char *key, char name[128]) {
  suite_option_t (*option)(const char *, const char *) = f->reader->catalog->option;
  snprintf(name, 128, "%s", key);
  suite_option_t kind = option(verb, name);
  size_t n = strlen(name);
  if (kind != SUITE_NO_OPTION || n < 2 || name[n - 1] != 's') return kind;
  if (n > 3 && !strcmp(name + n - 3, "ies")) strcpy(name + n - 3, "y"); /* policies, topologies */
  else name[n - 1] = 0;
  return option(verb, name);
}

/* --json is the regression's own: each job has one. Eight axes stay free for the words. */
static bool load_option(suite_file_t *f, entry_t *e, suite_node_t *key, suite_node_t *value) {
  char name[128];
  suite_option_t kind = find_option(f, e->verb, suite_text(key), name);
  if (kind < SUITE_FLAG || !strcmp(name, "json"))
    return suite_wrong(f, key, "%s has no argument '%.60s'; `lockstack %s --help` lists its options", e->verb,
                       suite_text(key), e->verb);
  if (e->num_axes > ENTRY_AXES - 8) return suite_wrong(f, key, "too many arguments");
  if (!strcmp(suite_text(key), "seeds")) return add_seeds(f, e, value);
  return add_option(f, e, value, name, kind);
}

/* The one name for all spellings of a key: `block` and `blocks`, `profile` and `profiles`. */
static void canonical_key(suite_file_t *f, const char *verb, const char *key, char name[128]) {
  static const char *const same[][2] = {{"block", "blocks"},      {"family", "families"}, {"variant", "variants"},
                                        {"system", "systems"},    {"file", "files"},      {"workload", "workloads"},
                                        {"argument", "arguments"}};
  for (unsigned i = 0; i < sizeof same / sizeof *same; i++)
    if (!strcmp(key, same[i][0]) || !strcmp(key, same[i][1])) return (void)snprintf(name, 128, "%s", same[i][1]);
  find_option(f, verb, key, name);
}

/* False: a key comes a second time, as it is or in another spelling. */
static bool given_once(suite_file_t *f, const entry_t *e, suite_node_t *mapping) {
  char name[128], other[128];
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++) {
    suite_node_t *key = suite_at(f, p->key);
    if (!suite_text(key) || !*suite_text(key)) return suite_wrong(f, key, "a word expected");
    canonical_key(f, e->verb, suite_text(key), name);
    for (const yaml_node_pair_t *q = mapping->data.mapping.pairs.start; q < p; q++) {
      canonical_key(f, e->verb, suite_text(suite_at(f, q->key)), other);
      if (!strcmp(name, other))
        return suite_wrong(f, key, "'%.60s' is given above; a list would be right", suite_text(suite_at(f, q->key)));
    }
  }
  return true;
}

/* Reads an entry in two passes: first words that are no options, in the order of `positionals`,
 * then options in the file's order. Words come first in a command line. */
static bool load_words(suite_file_t *f, entry_t *e, suite_node_t *mapping, bool options) {
  words_t w = {0};
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++) {
    suite_node_t *key = suite_at(f, p->key), *value = suite_at(f, p->value);
    if (suite_length(value) == 0) return suite_wrong(f, value, "'%.60s' is an empty list", suite_text(key));
    if (!strcmp(suite_text(key), "limit")) {
      if (!options && !suite_duration(f, value, &e->limit)) return false;
      continue;
    }
    bool own = f->reader->catalog->option(e->verb, suite_text(key)) >= SUITE_FLAG;
    bool word = !own && keep_word(&w, suite_text(key), value);
    if (!word && options && !load_option(f, e, key, value)) return false;
  }
  if (options)
    return !w.variants || w.blocks_at
               ? true
               : suite_wrong(f, w.variants, "variants are of blocks; 'blocks: all' would be right");
  if (w.blocks_at && !add_blocks(f, e, w.blocks_at, &w.blocks)) return false;
  for (unsigned i = 0; i < NUM_POSITIONALS; i++)
    if (w.positional[i] && !add_positional(f, e, w.positional[i], positionals[i].kind)) return false;
  return !w.variants || add_variants(f, e, w.variants);
}

/* An entry without arguments is one job. */
bool suite_entry(suite_file_t *f, suite_node_t *node) {
  static const char form[] = "an entry is one verb and its arguments; '- check: {blocks: all}' would be right";
  if (node->type != YAML_MAPPING_NODE) return suite_wrong(f, node, "%s", form);
  const yaml_node_pair_t *p = node->data.mapping.pairs.start;
  if (node->data.mapping.pairs.top != p + 1 || !suite_text(suite_at(f, p->key)))
    return suite_wrong(f, node, "%s", form);
  suite_node_t *value = suite_at(f, p->value);
  entry_t e = {.verb = suite_text(suite_at(f, p->key)), .limit = f->limit};
  if (f->reader->catalog->option(e.verb, NULL) == SUITE_NO_VERB)
    return suite_wrong(f, suite_at(f, p->key), "no verb '%.60s'; `lockstack --help` lists them", e.verb);
  bool empty = suite_text(value) && !*suite_text(value);
  if (!empty && value->type != YAML_MAPPING_NODE) return suite_wrong(f, value, "%s", form);
  bool ok = empty || (given_once(f, &e, value) && load_words(f, &e, value, false) && load_words(f, &e, value, true));
  char twice[ENTRY_NAME] = "";
  unsigned combinations = 1;
  if (ok && !entry_expand(f->reader->suite, &e, f->reader->catalog, f->reader->keys, twice, &combinations)) {
    if (*twice) ok = suite_wrong(f, node, "a job of this entry sets %s twice; give it once", twice);
    else ok = suite_wrong(f, node, "over %d jobs, or out of memory", SUITE_MAX_JOBS);
  }
  if (ok && !combinations)
    ok = suite_wrong(f, node, "the entry makes no job: none of its blocks has one of its variants");
  entry_free(&e);
  return ok;
}
