/* SPDX-License-Identifier: Apache-2.0
 *
 * FuseSoC's CAPI2: filesets, targets, and the cores that filesets depend on, which come first.
 *
 *   vendor:library:name:version     a core's name; a dependency may begin with >=
 *   "tool_verilator ? (a b)"        a and b where the flag holds, "!flag ? (a)" where it does not
 *
 * Flags are tool_verilator, target_NAME of the target, and what --target names besides. Cores are
 * looked for below the project's root. Generators are programs, and are not run.
 */
#include "file_list.h"
#include "rtl_index.h"
#include "yaml_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };

typedef struct {
  const words_t *targets;
  file_list_t *list;
  words_t names; /* "NAME FILE" of each core below the root */
  words_t done;  /* files of cores that were read */
  char root[LIST_PATH];
  bool indexed;
  trouble_t *trouble;
} search_t;

/* One core while it is read. */
typedef struct {
  search_t *search;
  yaml_file_t file;
  const char *path, *target;
  char folder[LIST_PATH];
  bool top;
} core_t;

static bool read_core(search_t *search, const char *path, bool top);

/* ---- YAML */

/* The value of a key of a mapping; NULL: there is none. */
static const yaml_node_t *value_of(core_t *c, const yaml_node_t *mapping, const char *name) {
  if (!mapping || mapping->type != YAML_MAPPING_NODE) return NULL;
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++) {
    const char *key = yaml_scalar(yaml_document_get_node(&c->file.document, p->key));
    if (key && strcmp(key, name) == 0) return yaml_document_get_node(&c->file.document, p->value);
  }
  return NULL;
}

static const char *text_of(core_t *c, const yaml_node_t *mapping, const char *name) {
  const yaml_node_t *value = value_of(c, mapping, name);
  const char *text = value ? yaml_scalar(value) : NULL;
  return text ? text : "";
}

static void place_of(const core_t *c, const yaml_node_t *node, char place[LIST_PATH]) {
  snprintf(place, LIST_PATH, "%.4000s:%zu", c->path, node->start_mark.line + 1);
}

/* ---- conditions */

static bool holds(const core_t *c, const char *flag, size_t n) {
  char name[NAME];
  const bool wanted = *flag != '!';
  snprintf(name, sizeof name, "%.*s", (int)(n - !wanted), flag + !wanted);
  const bool is = strcmp(name, "tool_verilator") == 0 ||
                  (strncmp(name, "target_", 7) == 0 && strcmp(name + 7, c->target) == 0) ||
                  words_has(c->search->targets, name);
  return is == wanted;
}

/* Appends the words of a text that hold, "a flag ? (b c)". */
static void add_words(const core_t *c, const char *text, words_t *words) {
  for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
    const size_t n = strcspn(text, " \t\n?");
    const char *after = text + n + strspn(text + n, " \t\n");
    if (*after != '?') {
      words_add(words, "%.*s", (int)n, text);
      text += n;
      continue;
    }
    after += 1 + strspn(after + 1, " \t\n");
    const char *open = after;
    unsigned depth = 0;
    do depth += *after == '(', depth -= *after == ')' && depth;
    while (*after++ && depth && *after);
    if (*open == '(' && holds(c, text, n)) {
      char inner[LIST_PATH];
      snprintf(inner, sizeof inner, "%.*s", (int)(after - open) - 2, open + 1);
      add_words(c, inner, words);
    }
    text = after;
  }
}

/* ---- names of cores */

/* "vendor:library:name" and the version of a name. The signs before the name are dropped. */
static void split_name(const char *text, char name[NAME], char version[NAME], bool *exact) {
  const size_t signs = strspn(text, "><=~^");
  *exact = signs == 1 && *text == '=';
  text += signs;
  const char *colon = text;
  for (unsigned i = 0; i < 3 && colon; i++) colon = strchr(colon + (i > 0), ':');
  snprintf(name, NAME, "%.*s", (int)(colon ? (size_t)(colon - text) : strlen(text)), text);
  snprintf(version, NAME, "%s", colon ? colon + 1 : "");
}

static void note_name(search_t *s, const char *text, const char *path) {
  char name[NAME], version[NAME];
  bool exact;
  split_name(text, name, version, &exact);
  if (*name) words_add(&s->names, "%s %s", name, path);
}

/* Reads the names of a core file. One that cannot be read is somebody else's. */
static void note_core(search_t *s, const char *path) {
  trouble_t none = {0};
  core_t c = {.search = s, .path = path};
  if (!yaml_file_open(&c.file, path, &none)) return;
  const yaml_node_t *root = yaml_file_root(&c.file), *item, *virtual = value_of(&c, root, "virtual");
  note_name(s, text_of(&c, root, "name"), path);
  for (size_t i = 0; virtual && virtual->type == YAML_SEQUENCE_NODE && (item = yaml_file_item(&c.file, virtual, i));
       i++)
    if (yaml_scalar(item)) note_name(s, yaml_scalar(item), path);
  yaml_file_close(&c.file);
}

static void find_cores(search_t *s) {
  rtl_index_t index;
  if (s->indexed) return;
  rtl_index_lists(&index, s->root);
  for (size_t i = 0; i < index.lists.count; i++) {
    const char *ending = strrchr(index.lists.at[i], '.');
    if (ending && strcmp(ending, ".core") == 0) note_core(s, index.lists.at[i]);
  }
  rtl_index_close(&index);
  s->indexed = true;
}

/* ---- filesets */

static bool read_depend(core_t *c, const char *text, const yaml_node_t *node) {
  search_t *s = c->search;
  char name[NAME], version[NAME], place[LIST_PATH];
  bool exact;
  words_t found = {0};
  find_cores(s);
  split_name(text, name, version, &exact);
  place_of(c, node, place);
  const size_t n = strlen(name);
  for (size_t i = 0; i < s->names.count; i++)
    if (strncmp(s->names.at[i], name, n) == 0 && s->names.at[i][n] == ' ')
      words_add_new(&found, s->names.at[i] + n + 1);
  bool ok = true;
  if (!found.count) words_add_new(&s->list->absent, name);
  else if (found.count > 1) /* a virtual core for several technologies: nobody can tell which */
    words_add(&s->list->left_out, "%s: %s: %zu cores are this, as %s and %s; --file says which files", place, name,
              found.count, found.at[0], found.at[1]);
  else ok = read_core(s, found.at[0], false);
  words_free(&found);
  return ok;
}

static bool is_verilog(const char *type) {
  return strncmp(type, "verilogSource", 13) == 0 || strncmp(type, "systemVerilogSource", 19) == 0;
}

/* A file by its path, "a.sv" or {a.svh: {is_include_file: true}}. */
static bool read_file(core_t *c, const yaml_node_t *item, const char *usual) {
  const yaml_node_t *key = item, *about = NULL;
  char path[LIST_PATH + NAME], place[LIST_PATH];
  if (item->type == YAML_MAPPING_NODE && item->data.mapping.pairs.start < item->data.mapping.pairs.top) {
    key = yaml_document_get_node(&c->file.document, item->data.mapping.pairs.start->key);
    about = yaml_document_get_node(&c->file.document, item->data.mapping.pairs.start->value);
  }
  const char *text = yaml_scalar(key), *type = text_of(c, about, "file_type"),
             *folder = text_of(c, about, "include_path");
  const bool header = strcmp(text_of(c, about, "is_include_file"), "true") == 0;
  words_t words = {0};
  bool ok = true;
  place_of(c, item, place);
  if (!text) return yaml_file_wrong(&c->file, item, "the path of a file would be right");
  if (!*type) type = usual;
  add_words(c, text, &words);
  for (size_t i = 0; ok && i < words.count; i++) {
    snprintf(path, sizeof path, "%s/%s", c->folder, words.at[i]);
    if (*type && !is_verilog(type) && !header && strncmp(type, "vhdl", 4)) continue; /* scripts, constraints */
    if (strncmp(type, "vhdl", 4) == 0) file_list_add_vhdl(c->search->list, path);
    if (*type && !is_verilog(type) && !header)
      words_add(&c->search->list->left_out, "%s: %s: its type is %s", place, words.at[i], type);
    else if (!header) ok = file_list_add(c->search->list, place, path, c->search->trouble);
    else {
      if (*folder) snprintf(path, sizeof path, "%s/%s", c->folder, folder);
      else *strrchr(path, '/') = 0;
      ok = file_list_add_folder(&c->search->list->includes, place, path, c->search->trouble);
    }
  }
  words_free(&words);
  return ok;
}

/* Calls each() for the elements of a list; a single value is a list of one. */
static bool each(core_t *c, const yaml_node_t *value, bool (*take)(core_t *, const yaml_node_t *, const char *),
                 const char *usual) {
  const yaml_node_t *item;
  if (!value) return true;
  if (value->type != YAML_SEQUENCE_NODE) return !yaml_scalar(value) || !*yaml_scalar(value) || take(c, value, usual);
  for (size_t i = 0; (item = yaml_file_item(&c->file, value, i)); i++)
    if (!take(c, item, usual)) return false;
  return true;
}

static bool take_depend(core_t *c, const yaml_node_t *item, const char *unused) {
  words_t words = {0};
  bool ok = true;
  (void)unused;
  if (yaml_scalar(item)) add_words(c, yaml_scalar(item), &words);
  for (size_t i = 0; ok && i < words.count; i++) {
    const bool sign = !words.at[i][strspn(words.at[i], "><=~^")] && i + 1 < words.count; /* ">= a:b:c:1" */
    if (!sign) ok = read_depend(c, words.at[i], item);
  }
  words_free(&words);
  return ok;
}

static bool read_fileset(core_t *c, const char *name, const yaml_node_t *node) {
  const yaml_node_t *set = value_of(c, value_of(c, yaml_file_root(&c->file), "filesets"), name);
  if (!set) return yaml_file_wrong(&c->file, node, "there is no fileset %.60s", name);
  return each(c, value_of(c, set, "depend"), take_depend, "") &&
         each(c, value_of(c, set, "files"), read_file, text_of(c, set, "file_type"));
}

static bool take_fileset(core_t *c, const yaml_node_t *item, const char *unused) {
  words_t words = {0};
  bool ok = true;
  (void)unused;
  if (yaml_scalar(item)) add_words(c, yaml_scalar(item), &words);
  for (size_t i = 0; ok && i < words.count; i++) ok = read_fileset(c, words.at[i], item);
  words_free(&words);
  return ok;
}

/* ---- parameters: those of kind vlogdefine are macros */

static bool take_parameter(core_t *c, const yaml_node_t *item, const char *unused) {
  const yaml_node_t *all = value_of(c, yaml_file_root(&c->file), "parameters");
  words_t words = {0};
  char place[LIST_PATH], name[NAME];
  bool ok = true;
  (void)unused;
  place_of(c, item, place);
  if (yaml_scalar(item)) add_words(c, yaml_scalar(item), &words);
  for (size_t i = 0; ok && i < words.count; i++) {
    const char *equals = strchr(words.at[i], '=');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(words.at[i], "="), words.at[i]);
    const yaml_node_t *about = value_of(c, all, name);
    const char *value = equals ? equals + 1 : text_of(c, about, "default"), *kind = text_of(c, about, "paramtype");
    if (!about) ok = yaml_file_wrong(&c->file, item, "there is no parameter %.60s in `parameters`", name);
    else if (strcmp(kind, "vlogdefine"))
      words_add(&c->search->list->left_out, "%s: %s: a %s; --set is for parameters of the module", place, name, kind);
    else if (strcmp(text_of(c, about, "datatype"), "bool") == 0) {
      if (strcmp(value, "true") == 0 || strcmp(value, "1") == 0) words_add_new(&c->search->list->defines, name);
    } else if (*value) words_add(&c->search->list->defines, "%s=%s", name, value);
  }
  words_free(&words);
  return ok;
}

/* ---- a core */

/* The target of the top core: the first of --target that the core has; without one `default`. */
static const char *choose_target(core_t *c, const yaml_node_t *targets) {
  for (size_t i = 0; c->top && i < c->search->targets->count; i++)
    if (value_of(c, targets, c->search->targets->at[i])) return c->search->targets->at[i];
  return c->top && c->search->targets->count ? c->search->targets->at[0] : "default";
}

static void list_keys(core_t *c, const yaml_node_t *mapping, char *text, size_t size) {
  size_t n = 0;
  *text = 0;
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top && n < size;
       p++) {
    const char *key = yaml_scalar(yaml_document_get_node(&c->file.document, p->key));
    n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", key ? key : "");
  }
}

static bool read_all_filesets(core_t *c) {
  const yaml_node_t *sets = value_of(c, yaml_file_root(&c->file), "filesets");
  if (!sets || sets->type != YAML_MAPPING_NODE) return true;
  for (const yaml_node_pair_t *p = sets->data.mapping.pairs.start; p < sets->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = yaml_document_get_node(&c->file.document, p->key);
    if (yaml_scalar(key) && !read_fileset(c, yaml_scalar(key), key)) return false;
  }
  return true;
}

static bool read_target(core_t *c) {
  const yaml_node_t *root = yaml_file_root(&c->file), *targets = value_of(c, root, "targets");
  char names[256];
  if (!targets || targets->type != YAML_MAPPING_NODE) return read_all_filesets(c);
  c->target = choose_target(c, targets);
  const yaml_node_t *target = value_of(c, targets, c->target);
  if (!target && !c->top) return true;
  if (!target) {
    list_keys(c, targets, names, sizeof names);
    return yaml_file_wrong(&c->file, targets, "there is no target %s; --target NAME, of %s, would be right", c->target,
                           names);
  }
  const yaml_node_t *generate = value_of(c, target, "generate");
  char place[LIST_PATH];
  if (generate)
    place_of(c, generate, place), words_add(&c->search->list->left_out, "%s: generate: generators are not run", place);
  return each(c, value_of(c, target, "filesets"), take_fileset, "") &&
         each(c, value_of(c, target, "filesets_append"), take_fileset, "") &&
         (!c->top || each(c, value_of(c, target, "parameters"), take_parameter, ""));
}

static bool read_core(search_t *s, const char *path, bool top) {
  core_t c = {.search = s, .path = path, .target = "default", .top = top};
  if (!words_add_new(&s->done, path)) return true;
  words_add_new(&s->list->read, path);
  snprintf(c.folder, sizeof c.folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  if (!yaml_file_open(&c.file, path, s->trouble)) return false;
  const yaml_node_t *root = yaml_file_root(&c.file);
  const bool capi2 = value_of(&c, root, "CAPI=2") || value_of(&c, root, "filesets");
  const bool ok =
      capi2 ? read_target(&c) : yaml_file_wrong(&c.file, root, "a core of CAPI2 would be right, with filesets");
  yaml_file_close(&c.file);
  return ok;
}

bool list_core_read(const char *path, const words_t *targets, file_list_t *list, trouble_t *trouble) {
  search_t s = {.targets = targets, .list = list, .trouble = trouble};
  rtl_index_root(path, s.root);
  const bool ok = read_core(&s, path, true);
  words_free(&s.names), words_free(&s.done);
  return ok;
}
