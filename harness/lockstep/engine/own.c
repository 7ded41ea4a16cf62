/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths in X.yaml are relative to its folder. Paths inside of the folder are kept, so that a folder
 * of any name works through a link (build.c). Paths outside must consist of characters that all
 * tools accept.
 */
#include "own.h"

#include "judged.h"
#include "nearest.h"
#include "plain.h"
#include "yaml_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over BUILD_PATH fail when they are opened */

typedef struct {
  block_t *block;
} reader_t;

/* ---- words of a list */

typedef bool take_t(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text);

/* Calls take() for each word; a single value is a list of one. */
static bool each_word(reader_t *r, yaml_file_t *f, const yaml_node_t *value, take_t *take) {
  const yaml_node_t *node = value;
  bool good = true;
  for (size_t i = 0; good; i++) {
    if (value->type == YAML_SEQUENCE_NODE && !(node = yaml_file_item(f, value, i))) return true;
    const char *text = yaml_scalar(node);
    if (!text || !*text) return yaml_file_wrong(f, node, "a word, or a list of words, would be right");
    good = take(r, f, node, text);
    if (value->type != YAML_SEQUENCE_NODE) break;
  }
  return good;
}

static bool add_list_word(yaml_file_t *f, const yaml_node_t *node, char list[RTL_LIST], const char *word) {
  return rtl_add(list, word) ||
         yaml_file_wrong(f, node, "'%.60s' should be in one line, and all of them at most %d characters", word,
                         RTL_LIST);
}

/* ---- paths */

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Adds the path without links, . and .. ; a path inside of the folder keeps its name. */
static bool add_path(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text, bool folder,
                     char list[RTL_LIST]) {
  const block_t *b = r->block;
  const size_t n = strlen(b->folder);
  char path[BUILD_PATH], named[BUILD_PATH + 2], real[BUILD_PATH];
  if (*text == '/') snprintf(path, sizeof path, "%s", text);
  else snprintf(path, sizeof path, "%s/%s", b->folder, text);
  if (!realpath(path, real) || access(real, R_OK))
    return yaml_file_wrong(f, node, "no %s '%.200s' here; paths start at the folder of this file",
                           folder ? "folder" : "file", text);
  snprintf(named, sizeof named, "%s%s", path, folder ? "/" : "");
  judged_file(named); /* by this name, which may be a link */
  if (is_folder(real) != folder)
    return yaml_file_wrong(f, node, "'%.200s' should be a %s", text, folder ? "folder" : "file");
  const bool inside = strncmp(real, b->folder, n) == 0 && (real[n] == '/' || !real[n]);
  if (inside && plain_path(real + n)) return add_list_word(f, node, list, real);
  return plain_file(real, path, sizeof path, f->trouble) && add_list_word(f, node, list, path);
}

/* Also a header, whose macros no file includes. */
static bool is_verilog(const char *text) {
  static const char *const endings[] = {".v", ".sv", ".vh", ".svh"};
  const char *dot = strrchr(text, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0) return true;
  return false;
}

static bool take_file(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text) {
  if (!is_verilog(text))
    return yaml_file_wrong(f, node, "'%.200s' should end in .v or .sv; folders of `include files go under `includes`",
                           text);
  return add_path(r, f, node, text, false, r->block->read.files);
}

static bool take_library(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text) {
  return add_path(r, f, node, text, true, r->block->read.libraries);
}

static bool take_include(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text) {
  return add_path(r, f, node, text, true, r->block->read.includes);
}

/* ---- other words */

static size_t name_length(const char *text) {
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
  return isdigit((unsigned char)*text) ? 0 : n;
}

/* True if the list has a word with this beginning: "data_i=" of "data_i=tx_data". */
static bool begins_with(const char *list, const char *start, size_t length) {
  char one[RTL_LIST];
  while (rtl_next(&list, one, sizeof one))
    if (strncmp(one, start, length) == 0 && (one[length] == '=' || !one[length])) return true;
  return false;
}

bool own_define(const char *text, trouble_t *trouble) {
  const size_t n = name_length(text);
  const char *value = text + n + (text[n] == '=');
  const bool good = n && (!text[n] || text[n] == '=') &&
                    !value[strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_'.+-")];
  return good || trouble_set(trouble, TROUBLE_INPUT,
                             "'%.60s' should be NAME or NAME=VALUE, the value a number or a word", text);
}

/* NAME or NAME=VALUE; each name once. */
static bool take_define(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text) {
  const size_t n = name_length(text);
  trouble_t why;
  if (!own_define(text, &why)) return yaml_file_wrong(f, node, "%s", why.text);
  if (begins_with(r->block->read.defines, text, n))
    return yaml_file_wrong(f, node, "'%.*s' is already defined above; give it once", (int)n, text);
  return add_list_word(f, node, r->block->read.defines, text);
}

static bool starts_with(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Says where an option belongs that only one device would see. */
static const char *place_of_flag(const char *text) {
  static const struct {
    const char *option, *place;
  } places[] = {{"-D", "`defines` is for all devices"},
                {"+define+", "`defines` is for all devices"},
                {"-U", "`defines` names what is defined, on all devices"},
                {"-I", "`includes` is for all devices"},
                {"+incdir+", "`includes` is for all devices"},
                {"-y", "`libraries` is for all devices"},
                {"-v", "`files` is for all devices"},
                {"+libext+", "`libraries` has files that end in .sv and .v"},
                {"-G", "PARAM of the port file, or --set, is for all devices"},
                {"-pvalue+", "PARAM of the port file, or --set, is for all devices"},
                {"--no-assert", "`ifdef around an assertion of the RTL is for all devices"},
                {"+1", "`language` is for all devices"},
                {"+verilog", "`language` is for all devices"},
                {"+systemverilogext+", "`language` is for all devices"},
                {"-sv", "`language` is for all devices"},
                {"--language", "`language` is for all devices"},
                {"--default-language", "`language` is for all devices"},
                {"--cc", "the build says that itself"},
                {"-f", "the keys of this file say it"},
                {"-F", "the keys of this file say it"}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (starts_with(text, places[i].option)) return places[i].place;
  return "the build says what is made, and all devices read the same RTL; options of warnings (-W), --public and "
         "optimisation (-O, -fno-) would be right";
}

bool own_flag(const char *text, trouble_t *trouble) {
  static const char *const harmless[] = {"-W",          "-O",         "-fno-",     "--public",
                                         "--no-timing", "--assert",   "--flatten", "--report-unoptflat",
                                         "--stats",     "--autoflush"};
  if ((*text != '-' && *text != '+') || strchr(text, ';'))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "'%.60s' should be an option of Verilator, such as -Wno-WIDTH or --public-flat", text);
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (starts_with(text, harmless[i])) return true;
  return trouble_set(trouble, TROUBLE_INPUT, "'%.60s': %s", text, place_of_flag(text));
}

static bool take_flag(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text) {
  trouble_t why;
  if (!own_flag(text, &why)) return yaml_file_wrong(f, node, "%s", why.text);
  return add_list_word(f, node, r->block->read.flags, text);
}

static bool take_language(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text) {
  r->block->read.verilog = strcmp(text, "verilog") == 0;
  if (r->block->read.verilog || strcmp(text, "systemverilog") == 0) return true;
  return yaml_file_wrong(f, node, "language '%.60s' should be verilog (its .v files are Verilog 2005) or systemverilog",
                         text);
}

static bool take_suffixes(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text) {
  r->block->read.bare = strcmp(text, "none") == 0;
  if (r->block->read.bare || strcmp(text, "yes") == 0) return true;
  return yaml_file_wrong(
      f, node, "suffixes '%.60s' should be none (ports are named as in the port file) or yes (they have _i and _o)",
      text);
}

/* Verilog allows all printable characters in a name but a blank. */
static bool is_rtl_name(const char *name) {
  for (const char *p = name; *p; p++)
    if (isspace((unsigned char)*p) || iscntrl((unsigned char)*p)) return false;
  return *name;
}

/* An entry RTL name: port, such as "tx_data: add_i". */
static bool visit_port(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                       const yaml_node_t *value) {
  reader_t *r = context;
  const char *text = yaml_scalar(value);
  char pin[512];
  const size_t n = text ? name_length(text) : 0;
  if (!is_rtl_name(name)) return yaml_file_wrong(f, key, "'%.60s' should be the name of a port of the RTL", name);
  if (!n || text[n])
    return yaml_file_wrong(f, value,
                           "%.60s: should be its name in the port file, of an input with _i and of an output with _o "
                           "behind it, such as data_i",
                           name);
  snprintf(pin, sizeof pin, "%.200s=%.200s", text, name);
  if (begins_with(r->block->read.pins, text, n))
    return yaml_file_wrong(f, value, "%.60s is another port of the RTL already; each has a name of its own", text);
  return add_list_word(f, value, r->block->read.pins, pin);
}

/* An entry RTL name: parameter, such as "IN: IN_". */
static bool visit_param(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                        const yaml_node_t *value) {
  reader_t *r = context;
  const char *text = yaml_scalar(value);
  char named[512];
  const size_t n = text ? name_length(text) : 0;
  if (!is_rtl_name(name)) return yaml_file_wrong(f, key, "'%.60s' should be the name of a parameter of the RTL", name);
  if (!n || text[n])
    return yaml_file_wrong(f, value, "%.60s: should be its name in the port file, such as IN_ for IN", name);
  snprintf(named, sizeof named, "%.200s=%.200s", text, name);
  if (begins_with(r->block->read.params, text, n))
    return yaml_file_wrong(f, value, "%.60s is another parameter of the RTL already; each has a name of its own", text);
  return add_list_word(f, value, r->block->read.params, named);
}

/* Reads the names of parameters in the RTL (`parameters:`). */
static bool take_params(reader_t *r, yaml_file_t *f, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE)
    return yaml_file_wrong(f, node, "parameters: {NAME IN THE RTL: NAME HERE} would be right, such as {IN: IN_}");
  return yaml_file_each(f, node, visit_param, r);
}

/* Reads the names of ports in the RTL (`ports:`). */
static bool take_ports(reader_t *r, yaml_file_t *f, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE)
    return yaml_file_wrong(f, node, "ports: {NAME IN THE RTL: NAME HERE} would be right, such as {tx_data: data_i}");
  return yaml_file_each(f, node, visit_port, r);
}

static bool visit_key(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                      const yaml_node_t *value) {
  static const struct {
    const char *name;
    take_t *take;
    bool one;
  } keys[] = {{"files", take_file, false},      {"libraries", take_library, false}, {"includes", take_include, false},
              {"defines", take_define, false},  {"verilator", take_flag, false},    {"language", take_language, true},
              {"suffixes", take_suffixes, true}};
  nearest_t near;
  nearest_start(&near, name);
  nearest_try(&near, "ports"), nearest_try(&near, "parameters");
  if (strcmp(name, "ports") == 0) return take_ports(context, f, value);
  if (strcmp(name, "parameters") == 0) return take_params(context, f, value);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (strcmp(name, keys[i].name) == 0 && keys[i].one && !yaml_scalar(value))
      return yaml_file_wrong(f, value, "%s is one word", name);
    if (strcmp(name, keys[i].name) == 0) return each_word(context, f, value, keys[i].take);
    nearest_try(&near, keys[i].name);
  }
  return yaml_file_wrong(
      f, key,
      "no key '%.60s'; there are files, libraries, includes, defines, verilator, language, suffixes, ports and "
      "parameters%s",
      name, nearest_text(&near));
}

static bool read_map(reader_t *r, trouble_t *trouble) {
  yaml_file_t f;
  bool good = true;
  if (!yaml_file_open(&f, r->block->map, trouble)) return false;
  const yaml_node_t *root = yaml_file_root(&f);
  if (root->type != YAML_MAPPING_NODE)
    good = yaml_file_wrong(&f, root, "'files: [a.v, b.v]' and other keys would be right");
  else good = yaml_file_each(&f, root, visit_key, r);
  yaml_file_close(&f);
  return good;
}

/* ---- which of the files has module X */

/* Finds the file that declares the module X of the block. */
static bool find_top(block_t *b, trouble_t *trouble) {
  for (const char *at = b->read.files; rtl_next(&at, b->rtl, sizeof b->rtl);)
    if (rtl_file_has(b->rtl, "module", b->name)) return true;
  return trouble_set(
      trouble, TROUBLE_INPUT,
      "%s: none of its files has a module %s; the block is named as its module, and so are its files X.ports, X.c and "
      "X.yaml",
      b->map, b->name);
}

/* ---- files beside the RTL take precedence over the tree's files of the same name */

static bool add_library(block_t *b, const char *folder) {
  return rtl_has(b->read.libraries, folder) || rtl_add(b->read.libraries, folder);
}

static bool add_libraries(block_t *b) {
  char path[BUILD_PATH];
  bool ok = add_library(b, b->folder);
  for (const char *at = b->read.files; ok && rtl_next(&at, path, sizeof path);) {
    *strrchr(path, '/') = 0;
    ok = add_library(b, path);
  }
  return ok;
}

/* Refuses a name for which another tool would take another file. */
static bool judge_names(const block_t *b, trouble_t *trouble) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%s/%s.yml", b->folder, b->name);
  if (!*b->map && access(path, F_OK) == 0)
    return trouble_set(trouble, TROUBLE_INPUT, "%s: is not read; %s.yaml would be", path, b->name);
  snprintf(path, sizeof path, "%s/%s.v", b->folder, b->name);
  if (*b->read.files || strcmp(path, b->rtl) == 0 || access(path, F_OK)) return true;
  return trouble_set(trouble, TROUBLE_INPUT,
                     "%s: one name for two files, there is %s.sv too; remove one, or name one in `files` of %s.yaml",
                     path, b->name, b->name);
}

bool own_read(block_t *b, const places_t *places, trouble_t *trouble) {
  reader_t r = {.block = b};
  char library[BUILD_PATH];
  snprintf(b->rtl, BUILD_PATH, "%s/%s.sv", b->folder, b->name);
  if (access(b->rtl, R_OK)) snprintf(b->rtl, BUILD_PATH, "%s/%s.v", b->folder, b->name);
  snprintf(b->map, BUILD_PATH, "%s/%s.yaml", b->folder, b->name);
  if (access(b->map, F_OK)) *b->map = 0;
  if ((*b->map && !read_map(&r, trouble)) || !judge_names(b, trouble)) return false;
  if (!*b->read.files) rtl_add(b->read.files, b->rtl);
  else if (!find_top(b, trouble)) return false;
  snprintf(library, sizeof library, "%s/rtl/lib", places->source);
  return (add_libraries(b) && own_packages(&b->read) && rtl_add(b->read.libraries, library)) ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: too long a path", b->folder);
}
