/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads suites. Errors name file, line and column, which libyaml's documents have of every node.
 */
#include "suite.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "one_line.h"
#include "suite_matrix.h"
#include "utf8.h"
#include "yaml_file.h"

enum { MAX_DEPTH = 8 };

typedef struct {
  suite_t *suite;
  const suite_catalog_t *catalog;
  const uint64_t *seed; /* instead of the file's */
  json_t *keys;         /* of the jobs so far */
  SHA2_CTX sha;
  char *error;
} reader_t;

typedef struct file {
  reader_t *reader;
  const struct file *from; /* that includes this one */
  char path[PATH_MAX];
  yaml_document_t document;
  double limit;
} file_t;

typedef const yaml_node_t node_t;

static bool wrong(file_t *f, node_t *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool wrong(file_t *f, node_t *node, const char *format, ...) {
  char what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  make_one_line(what);
  snprintf(f->reader->error, SUITE_ERROR, "%.400s:%zu:%zu: %s", f->path, node->start_mark.line + 1,
           node->start_mark.column + 1, what);
  return false;
}

static node_t *at(file_t *f, int index) {
  return yaml_document_get_node(&f->document, index);
}
static const char *text(node_t *node) {
  return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static size_t length(node_t *node) {
  return node->type == YAML_SEQUENCE_NODE ? (size_t)(node->data.sequence.items.top - node->data.sequence.items.start)
                                          : 1;
}
/* A single value is a list of one. */
static node_t *item(file_t *f, node_t *node, size_t i) {
  return node->type == YAML_SEQUENCE_NODE ? at(f, node->data.sequence.items.start[i]) : node;
}

/* ---- values ---- */

static bool whole(file_t *f, node_t *node, const char *what, uint64_t least, uint64_t most, uint64_t *value) {
  const char *t = text(node);
  char *end = NULL;
  errno = 0;
  uint64_t n = t && *t >= '0' && *t <= '9' ? strtoull(t, &end, 10) : 0;
  if (!end || *end || errno || n < least || n > most)
    return wrong(f, node, "%s: '%.60s' should be a whole number from %llu to %llu", what, t ? t : "a list",
                 (unsigned long long)least, (unsigned long long)most);
  *value = n;
  return true;
}

/* 90, 90s, 10m, 2h */
static bool duration(file_t *f, node_t *node, double *seconds) {
  const char *t = text(node);
  char *end = NULL;
  double n = t && *t >= '0' && *t <= '9' ? strtod(t, &end) : 0;
  double unit = !end || !*end || !strcmp(end, "s") ? 1 : !strcmp(end, "m") ? 60 : !strcmp(end, "h") ? 3600 : 0;
  if (!end || !(n > 0) || unit == 0 || n * unit > 31 * 86400.0)
    return wrong(f, node, "limit: '%.60s' should be a time such as 90s, 10m or 2h", t ? t : "a list");
  *seconds = n * unit;
  return true;
}

static bool one_of(const char *const *list, const char *name) {
  for (; *list; list++)
    if (!strcmp(*list, name)) return true;
  return false;
}

/* ---- an entry: arguments that are no options ---- */

static axis_t *new_axis(entry_t *e, axis_kind_t kind) {
  if (e->num_axes == ENTRY_AXES) return NULL;
  axis_t *axis = &e->axes[e->num_axes++];
  *axis = (axis_t){.kind = kind, .alternatives = json_array()};
  return axis;
}

typedef struct {
  node_t *names, *family, *has, *except;
} choice_t;

static bool named(file_t *f, node_t *list, const char *name) {
  for (size_t i = 0; list && i < length(list); i++) {
    const char *t = text(item(f, list, i));
    if (t && !strcmp(t, name)) return true;
  }
  return false;
}

static bool in_tree(file_t *f, const char *name) {
  const suite_block_t *b = f->reader->catalog->blocks;
  while (b->name && strcmp(b->name, name) != 0) b++;
  return b->name || strcmp(name, "all") == 0;
}

/* A path of the suite starts beside it. */
static void beside(const file_t *f, const char *name, char path[2 * PATH_MAX]) {
  const char *slash = strrchr(f->path, '/');
  if (*name == '/') snprintf(path, 2 * PATH_MAX, "%s", name);
  else snprintf(path, 2 * PATH_MAX, "%.*s/%s", slash ? (int)(slash - f->path) : 1, slash ? f->path : ".", name);
}

/* A block outside of the tree is its folder; to be freed.
 * NULL: the name is no folder beside the suite. */
static char *own_block(file_t *f, const char *name) {
  char path[2 * PATH_MAX];
  struct stat info;
  beside(f, name, path);
  return !in_tree(f, name) && stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? realpath(path, NULL) : NULL;
}

static bool check_own(file_t *f, node_t *node, const char *name, const char *folder) {
  char pattern[PATH_MAX + 16];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*.ports", folder);
  if (glob(pattern, 0, NULL, &found))
    return wrong(f, node, "%.200s: no port file X.ports in this folder; `lockstack new` makes one", name);
  globfree(&found);
  return true;
}

static bool check_blocks(file_t *f, node_t *list) {
  bool ok = true;
  for (size_t i = 0; ok && list && i < length(list); i++) {
    const char *t = text(item(f, list, i));
    char *folder = t ? own_block(f, t) : NULL;
    if (folder && !utf8_valid(folder))
      ok = wrong(f, item(f, list, i),
                 "%.200s: the folder's path is not UTF-8; another name, or a link to it, would be right", t);
    else if (folder) ok = check_own(f, item(f, list, i), t, folder);
    else if (!t || !in_tree(f, t))
      ok = wrong(
          f, item(f, list, i),
          "no block '%.60s'; `lockstack list blocks` names them, `all` is all of them, and a folder beside the suite "
          "has one of its own",
          t ? t : "of this kind");
    free(folder);
  }
  return ok;
}

static void add_own(file_t *f, axis_t *axis, const choice_t *c) {
  for (size_t i = 0; c->names && i < length(c->names); i++) {
    const char *name = text(item(f, c->names, i));
    char *folder = own_block(f, name);
    if (folder && !named(f, c->except, name)) json_array_append_new(axis->alternatives, json_pack("[s]", folder));
    free(folder);
  }
}

static bool check_families(file_t *f, node_t *list) {
  for (size_t i = 0; list && i < length(list); i++) {
    const char *t = text(item(f, list, i));
    const suite_block_t *b = f->reader->catalog->blocks;
    while (t && b->name && strcmp(b->family, t) != 0) b++;
    if (!t || !b->name)
      return wrong(f, item(f, list, i), "no family '%.60s'; `lockstack list blocks` has them before the slash",
                   t ? t : "");
  }
  return true;
}

static bool chosen(file_t *f, const choice_t *c, const suite_block_t *b) {
  if (named(f, c->except, b->name) || (c->has && !f->reader->catalog->has(b->name, text(c->has)))) return false;
  if (c->family) return named(f, c->family, b->family);
  return !c->names || named(f, c->names, "all") || named(f, c->names, b->name);
}

static bool add_blocks(file_t *f, entry_t *e, node_t *node, const choice_t *c) {
  if (!check_blocks(f, c->names) || !check_blocks(f, c->except) || !check_families(f, c->family)) return false;
  if (c->names && c->family) return wrong(f, c->family, "family and blocks: give one of them");
  if (c->has && (!text(c->has) || !f->reader->catalog->has(NULL, text(c->has))))
    return wrong(f, c->has, "has: 'proof', or a device that can hold the block ('netlist'), would be right");
  axis_t *axis = new_axis(e, AXIS_WORDS);
  for (const suite_block_t *b = f->reader->catalog->blocks; b->name; b++)
    if (chosen(f, c, b)) json_array_append_new(axis->alternatives, json_pack("[s]", b->name));
  add_own(f, axis, c);
  return json_array_size(axis->alternatives) > 0 || wrong(f, node, "no block is left");
}

typedef enum { PLAIN, SYSTEM, WORKLOAD, PATH } positional_t;

/* The whole path of a file beside the suite, or else from the tree's root: a job has a folder of
 * its own. Where there is none, NULL, or with `other` the name as it is: the verb makes it, or
 * misses it. */
static json_t *file_word(file_t *f, node_t *node, const char *name, bool other) {
  char path[2 * PATH_MAX];
  if (*name == '/') return json_string(name);
  beside(f, name, path);
  if (access(path, R_OK)) snprintf(path, sizeof path, "%s/%s", f->reader->catalog->root, name);
  char *real = realpath(path, NULL);
  json_t *word = real && utf8_valid(real) ? json_string(real) : !real && other ? json_string(name) : NULL;
  if (!word)
    wrong(f, node,
          real ? "%.200s: its path is not UTF-8" : "no file '%.200s', neither beside the suite nor in the tree", name);
  free(real);
  return word;
}

static json_t *positional_word(file_t *f, node_t *node, positional_t kind) {
  const suite_catalog_t *c = f->reader->catalog;
  const char *t = text(node);
  if (!t || !*t) return wrong(f, node, "a word expected"), NULL;
  if (kind == SYSTEM && !one_of(c->systems, t))
    return wrong(f, node, "no system '%.60s'; `lockstack list systems` names them", t), NULL;
  if (kind == WORKLOAD && !one_of(c->workloads, t))
    return wrong(f, node, "no workload '%.60s'; `lockstack list workloads` names them", t), NULL;
  return kind == PATH ? file_word(f, node, t, false) : json_string(t);
}

/* A list in the list: several words at once. */
static bool add_positional(file_t *f, entry_t *e, node_t *list, positional_t kind) {
  axis_t *axis = new_axis(e, AXIS_WORDS);
  for (size_t i = 0; axis && i < length(list); i++) {
    node_t *one = item(f, list, i);
    json_t *words = json_array();
    json_array_append_new(axis->alternatives, words);
    for (size_t k = 0; k < length(one); k++) {
      json_t *word = positional_word(f, item(f, one, k), kind);
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

/* --set of "A=1 B=2", of {A: 1, B: 2}, of nothing ("default"). */
static bool set_words(file_t *f, node_t *node, json_t *words) {
  char setting[512];
  if (node->type == YAML_MAPPING_NODE) {
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
      const char *name = text(at(f, p->key)), *value = text(at(f, p->value));
      if (!name || !value) return wrong(f, at(f, p->value), "a setting takes one value; 'Depth: 7' would be right");
      snprintf(setting, sizeof setting, "%.200s=%.300s", name, value);
      add_words(words, "--set", setting);
    }
    return true;
  }
  const char *t = text(node);
  if (!t) return wrong(f, node, "a setting is 'NAME=VALUE', {NAME: VALUE} or 'default'");
  if (!strcmp(t, "default")) return true;
  for (; *t; t += strspn(t, " ")) {
    size_t n = strcspn(t, " ");
    snprintf(setting, sizeof setting, "%.*s", (int)n, t);
    if (!strchr(setting, '=')) return wrong(f, node, "'%.60s' should be NAME=VALUE", setting);
    add_words(words, "--set", setting);
    t += n;
  }
  return true;
}

static bool option_words(file_t *f, node_t *node, const char *option, suite_option_t kind, json_t *words) {
  const char *t = text(node);
  if (kind == SUITE_VALUE && !strcmp(option, "--set")) return set_words(f, node, words);
  if (!t || !*t) return wrong(f, node, "%s takes one value", option);
  json_t *file = kind == SUITE_FILE ? file_word(f, node, t, true) : NULL;
  if (kind == SUITE_FILE && !file) return false;
  bool on = !strcmp(t, "true"), off = !strcmp(t, "false");
  if (kind >= SUITE_VALUE) add_words(words, option, file ? json_string_value(file) : t);
  else if (on) json_array_append_new(words, json_string(option));
  json_decref(file);
  return kind >= SUITE_VALUE || on || off || wrong(f, node, "%s takes no value; true or false would be right", option);
}

static bool add_option(file_t *f, entry_t *e, node_t *list, const char *name, suite_option_t kind) {
  char option[128];
  snprintf(option, sizeof option, "--%s", name);
  axis_t *axis = new_axis(e, AXIS_WORDS);
  for (size_t i = 0; axis && i < length(list); i++) {
    node_t *one = item(f, list, i);
    json_t *words = json_array();
    json_array_append_new(axis->alternatives, words);
    for (size_t k = 0; k < length(one); k++)
      if (!option_words(f, item(f, one, k), option, kind, words)) return false;
  }
  return true;
}

static bool add_seeds(file_t *f, entry_t *e, node_t *node) {
  if (node->type == YAML_SEQUENCE_NODE) return add_option(f, e, node, "seed", SUITE_VALUE);
  uint64_t count;
  if (!whole(f, node, "seeds", 1, 100000, &count)) return false;
  new_axis(e, AXIS_SEEDS)->count = count;
  return true;
}

static bool known_variant(const suite_catalog_t *c, const char *name) {
  if (!strcmp(name, "all") || !strcmp(name, "default")) return true;
  const suite_variant_t *v = c->variants;
  while (v->name && strcmp(v->name, name) != 0) v++;
  return v->name;
}

static bool add_variants(file_t *f, entry_t *e, node_t *list) {
  axis_t *axis = new_axis(e, AXIS_VARIANTS);
  for (size_t i = 0; i < length(list); i++) {
    const char *t = text(item(f, list, i));
    if (!t || !known_variant(f->reader->catalog, t))
      return wrong(f, item(f, list, i),
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
  node_t *blocks_at, *positional[NUM_POSITIONALS], *variants;
} words_t;

/* True when the key is one of the arguments that are no
 * options; the verb's own option of that name goes first. */
static bool keep_word(words_t *w, const char *key, node_t *value) {
  node_t **place = NULL;
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

/* `profiles` is the option --profile when there is no --profiles. */
static suite_option_t find_option(file_t *f, const char *verb, const char *key, char name[128]) {
  suite_option_t (*option)(const char *, const char *) = f->reader->catalog->option;
  snprintf(name, 128, "%s", key);
  suite_option_t kind = option(verb, name);
  size_t n = strlen(name);
  if (kind != SUITE_NO_OPTION || n < 2 || name[n - 1] != 's') return kind;
  if (n > 3 && !strcmp(name + n - 3, "ies")) strcpy(name + n - 3, "y"); /* policies, topologies */
  else name[n - 1] = 0;
  return option(verb, name);
}

static bool load_option(file_t *f, entry_t *e, node_t *key, node_t *value) {
  char name[128];
  suite_option_t kind = find_option(f, e->verb, text(key), name);
  if (kind < SUITE_FLAG || !strcmp(name, "json"))
    return wrong(f, key, "%s has no argument '%.60s'; `lockstack %s --help` lists its options", e->verb, text(key),
                 e->verb);
  if (e->num_axes > ENTRY_AXES - 8) return wrong(f, key, "too many arguments");
  if (!strcmp(text(key), "seeds")) return add_seeds(f, e, value);
  return add_option(f, e, value, name, kind);
}

/* A key by the one name that all its spellings have:
 * `block` and `blocks`, `profile` and `profiles`. */
static void name_of(file_t *f, const char *verb, const char *key, char name[128]) {
  static const char *const same[][2] = {{"block", "blocks"},      {"family", "families"}, {"variant", "variants"},
                                        {"system", "systems"},    {"file", "files"},      {"workload", "workloads"},
                                        {"argument", "arguments"}};
  for (unsigned i = 0; i < sizeof same / sizeof *same; i++)
    if (!strcmp(key, same[i][0]) || !strcmp(key, same[i][1])) return (void)snprintf(name, 128, "%s", same[i][1]);
  find_option(f, verb, key, name);
}

/* The entry's first key that is also above it, as it is or in another spelling. */
static bool given_once(file_t *f, const entry_t *e, node_t *mapping) {
  char name[128], other[128];
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++) {
    node_t *key = at(f, p->key);
    if (!text(key) || !*text(key)) return wrong(f, key, "a word expected");
    name_of(f, e->verb, text(key), name);
    for (const yaml_node_pair_t *q = mapping->data.mapping.pairs.start; q < p; q++) {
      name_of(f, e->verb, text(at(f, q->key)), other);
      if (!strcmp(name, other))
        return wrong(f, key, "'%.60s' is given above; a list would be right", text(at(f, q->key)));
    }
  }
  return true;
}

/* Options keep the file's order; what is not one goes
 * before them, in the order of `positionals`. */
static bool load_words(file_t *f, entry_t *e, node_t *mapping, bool options) {
  words_t w = {0};
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++) {
    node_t *key = at(f, p->key), *value = at(f, p->value);
    if (length(value) == 0) return wrong(f, value, "'%.60s' is an empty list", text(key));
    if (!strcmp(text(key), "limit")) {
      if (!options && !duration(f, value, &e->limit)) return false;
      continue;
    }
    bool own = f->reader->catalog->option(e->verb, text(key)) >= SUITE_FLAG;
    bool word = !own && keep_word(&w, text(key), value);
    if (!word && options && !load_option(f, e, key, value)) return false;
  }
  if (options)
    return !w.variants || w.blocks_at ? true
                                      : wrong(f, w.variants, "variants are of blocks; 'blocks: all' would be right");
  if (w.blocks_at && !add_blocks(f, e, w.blocks_at, &w.blocks)) return false;
  for (unsigned i = 0; i < NUM_POSITIONALS; i++)
    if (w.positional[i] && !add_positional(f, e, w.positional[i], positionals[i].kind)) return false;
  return !w.variants || add_variants(f, e, w.variants);
}

static bool load_entry(file_t *f, node_t *node) {
  static const char form[] = "an entry is one verb and its arguments; '- check: {blocks: all}' would be right";
  if (node->type != YAML_MAPPING_NODE) return wrong(f, node, "%s", form);
  const yaml_node_pair_t *p = node->data.mapping.pairs.start;
  if (node->data.mapping.pairs.top != p + 1 || !text(at(f, p->key))) return wrong(f, node, "%s", form);
  node_t *value = at(f, p->value);
  entry_t e = {.verb = text(at(f, p->key)), .limit = f->limit};
  if (f->reader->catalog->option(e.verb, NULL) == SUITE_NO_VERB)
    return wrong(f, at(f, p->key), "no verb '%.60s'; `lockstack --help` lists them", e.verb);
  bool empty = text(value) && !*text(value);
  if (!empty && value->type != YAML_MAPPING_NODE) return wrong(f, value, "%s", form);
  bool ok = empty || (given_once(f, &e, value) && load_words(f, &e, value, false) && load_words(f, &e, value, true));
  char twice[ENTRY_NAME] = "";
  unsigned combinations = 1;
  if (ok && !entry_expand(f->reader->suite, &e, f->reader->catalog, f->reader->keys, twice, &combinations)) {
    if (*twice) ok = wrong(f, node, "a job of this entry sets %s twice; give it once", twice);
    else ok = wrong(f, node, "over %d jobs, or out of memory", SUITE_MAX_JOBS);
  }
  if (ok && !combinations) ok = wrong(f, node, "the entry makes no job: none of its blocks has one of its variants");
  entry_free(&e);
  return ok;
}

/* ---- a file ---- */

static bool load_file(reader_t *r, const file_t *from, node_t *where, const char *name);

static bool load_includes(file_t *f, node_t *list) {
  for (size_t i = 0; i < length(list); i++) {
    node_t *one = item(f, list, i);
    if (!text(one) || !*text(one)) return wrong(f, one, "a suite's name or path expected");
    if (!load_file(f->reader, f, one, text(one))) return false;
  }
  return true;
}

static bool load_jobs(file_t *f, node_t *list) {
  if (list->type != YAML_SEQUENCE_NODE)
    return wrong(f, list, "jobs: a list expected; '- check: {blocks: all}' would be right");
  for (size_t i = 0; i < length(list); i++)
    if (!load_entry(f, item(f, list, i))) return false;
  return true;
}

static bool load_key(file_t *f, node_t *key, node_t *value) {
  const char *name = text(key);
  reader_t *r = f->reader;
  if (!name) return wrong(f, key, "a word expected");
  if (!strcmp(name, "limit")) return duration(f, value, &f->limit);
  if (!strcmp(name, "include") || !strcmp(name, "jobs"))
    return length(value) > 0 ||
           wrong(f, value, "%s: the list is empty; an entry would be right, or no '%s'", name, name);
  if (!strcmp(name, "help")) {
    if (!text(value)) return wrong(f, value, "help: one line expected");
    if (f->from) return true;
    free(r->suite->help);
    r->suite->help = strdup(text(value));
    return true;
  }
  if (strcmp(name, "seed") != 0)
    return wrong(f, key, "unknown key '%.60s'; a suite has help, seed, limit, include and jobs", name);
  uint64_t seed;
  if (!whole(f, value, "seed", 0, INT64_MAX, &seed)) return false;
  if (!f->from && !r->seed) r->suite->seed = seed;
  return true;
}

/* What holds of all jobs first, then others' jobs, then its own. */
static bool load_document(file_t *f) {
  node_t *root = yaml_document_get_root_node(&f->document);
  static const char form[] = "'jobs:' and a list of entries would be right";
  if (!root) {
    snprintf(f->reader->error, SUITE_ERROR, "%.400s:1: the file is empty; %s", f->path, form);
    return false;
  }
  if (root->type != YAML_MAPPING_NODE) return wrong(f, root, "%s", form);
  node_t *include = NULL, *jobs = NULL;
  for (const yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
    node_t *key = at(f, p->key), *value = at(f, p->value);
    if (!load_key(f, key, value)) return false;
    if (!strcmp(text(key), "include")) include = value;
    if (!strcmp(text(key), "jobs")) jobs = value;
  }
  if (!include && !jobs) return wrong(f, root, "%s", form);
  return (!include || load_includes(f, include)) && (!jobs || load_jobs(f, jobs));
}

static bool parse_file(file_t *f, FILE *file) {
  yaml_parser_t parser;
  unsigned char block[4096];
  if (!yaml_parser_initialize(&parser))
    return snprintf(f->reader->error, SUITE_ERROR, "%.400s: out of memory", f->path), false;
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) SHA256Update(&f->reader->sha, block, n);
  rewind(file);
  yaml_parser_set_input_file(&parser, file);
  bool ok = yaml_load_only(&parser, &f->document);
  if (ok) {
    ok = load_document(f);
    node_t *again = ok ? yaml_key_again(&f->document) : NULL;
    if (again) ok = wrong(f, again, "'%.60s' is given above; give it once", text(again));
    yaml_document_delete(&f->document);
  } else
    snprintf(f->reader->error, SUITE_ERROR, "%.400s:%zu:%zu: %.200s", f->path, parser.problem_mark.line + 1,
             parser.problem_mark.column + 1, parser.problem ? parser.problem : "not YAML");
  yaml_parser_delete(&parser);
  return ok;
}

static bool is_path(const char *name) {
  size_t n = strlen(name);
  return strchr(name, '/') || (n > 5 && !strcmp(name + n - 5, ".yaml"));
}

/* A path from another file starts beside that. */
static void path_of(const reader_t *r, const file_t *from, const char *name, char path[PATH_MAX]) {
  const char *slash = from ? strrchr(from->path, '/') : NULL;
  if (!is_path(name)) snprintf(path, PATH_MAX, "%s/%s.yaml", r->catalog->suites, name);
  else if (*name == '/' || !slash) snprintf(path, PATH_MAX, "%s", name);
  else snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - from->path), from->path, name);
}

static bool cannot_open(reader_t *r, file_t *from, node_t *where, const char *name, const char *path) {
  if (from) return wrong(from, where, "include: %.200s: %s", path, strerror(errno));
  if (is_path(name) || errno != ENOENT) snprintf(r->error, SUITE_ERROR, "%.400s: %s", path, strerror(errno));
  else
    snprintf(r->error, SUITE_ERROR,
             "no suite '%.100s'; `lockstack list suites` names them, and a path of your own ends in .yaml", name);
  return false;
}

static bool load_file(reader_t *r, const file_t *from, node_t *where, const char *name) {
  unsigned depth = 0;
  file_t *f = calloc(1, sizeof *f);
  if (!f) return snprintf(r->error, SUITE_ERROR, "out of memory"), false;
  *f = (file_t){.reader = r, .from = from, .limit = 600};
  path_of(r, from, name, f->path);
  for (const file_t *above = from; above; above = above->from) depth++;
  FILE *file = depth < MAX_DEPTH ? fopen(f->path, "r") : NULL;
  bool ok = file != NULL;
  if (depth == MAX_DEPTH)
    wrong((file_t *)from, where, "include: files include each other, or more than %d deep", MAX_DEPTH);
  else if (!file) cannot_open(r, (file_t *)from, where, name, f->path);
  else {
    ok = parse_file(f, file);
    fclose(file);
  }
  free(f);
  return ok;
}

static void finish_sha(reader_t *r) {
  suite_t *suite = r->suite;
  char number[64];
  snprintf(number, sizeof number, "seed %llu\n", (unsigned long long)suite->seed);
  suite_hash(&r->sha, number);
  for (unsigned i = 0; i < suite->count; i++) {
    snprintf(number, sizeof number, " %g\n", suite->jobs[i].limit);
    suite_hash(&r->sha, suite->jobs[i].key);
    suite_hash(&r->sha, number);
  }
  SHA256End(&r->sha, suite->sha);
}

bool suite_load(suite_t *suite, const char *name, const uint64_t *seed, const suite_catalog_t *catalog,
                trouble_t *trouble) {
  char error[SUITE_ERROR];
  reader_t reader = {.suite = suite, .catalog = catalog, .seed = seed, .keys = json_object(), .error = error};
  *suite = (suite_t){.seed = seed ? *seed : 1, .help = strdup("")};
  SHA256Init(&reader.sha);
  bool ok = load_file(&reader, NULL, NULL, name);
  finish_sha(&reader);
  json_decref(reader.keys);
  if (!ok) suite_free(suite), trouble_set(trouble, TROUBLE_INPUT, "%s", error);
  return ok;
}
