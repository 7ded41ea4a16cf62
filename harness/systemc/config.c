/* SPDX-License-Identifier: Apache-2.0
 *
 * libyaml gives a document tree with the place of every node, so that an error in a value's range can name its line too.
 */
#include "config.h"
#include "one_line.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static const config_key_t *find_key(const config_schema_t *schema, const char *key) {
  for (size_t i = 0; i < schema->num_keys; i++)
    if (!strcmp(schema->keys[i].key, key)) return &schema->keys[i];
  return NULL;
}

double config_value(const system_config_t *config, const config_key_t *key) {
  const char *field = (const char *)config + key->offset;
  if (key->type == CONFIG_REAL) return *(const double *)field;
  if (key->type == CONFIG_BOOL) return *(const bool *)field;
  return key->size == 8 ? (double)*(const uint64_t *)field : (double)*(const unsigned *)field;
}

static void store(system_config_t *config, const config_key_t *key, double real, uint64_t integer) {
  char *field = (char *)config + key->offset;
  if (key->type == CONFIG_REAL) *(double *)field = real;
  else if (key->type == CONFIG_BOOL) *(bool *)field = integer != 0;
  else if (key->size == 8) *(uint64_t *)field = integer;
  else *(unsigned *)field = (unsigned)integer;
}

/* ---- one setting ---- */

void config_text(const system_config_t *config, const config_key_t *key, char *text, size_t size) {
  if (key->type == CONFIG_TEXT) {
    snprintf(text, size, "%s", (const char *)config + key->offset);
    return;
  }
  double value = config_value(config, key);
  if (key->type == CONFIG_BOOL) snprintf(text, size, "%s", value != 0 ? "true" : "false");
  else if (key->type == CONFIG_ENUM) snprintf(text, size, "%s", key->names[(unsigned)value]);
  else snprintf(text, size, "%.10g", value);
}

static const char *const truth[] = {"false", "true", NULL};

static bool parse_name(const char *const *names, const char *value, uint64_t *integer) {
  for (*integer = 0; names[*integer]; ++*integer)
    if (!strcmp(names[*integer], value)) return true;
  return false;
}

/* A number in decimal, a name, or true / false. */
static bool parse_value(const config_key_t *key, const char *value, double *real, uint64_t *integer) {
  char *end;
  errno = 0;
  if (key->type == CONFIG_REAL) {
    *real = strtod(value, &end);
    return end != value && !*end && !errno && isfinite(*real);
  }
  bool good;
  if (key->type == CONFIG_UINT) {
    *integer = strtoull(value, &end, 10);
    good = *value >= '0' && *value <= '9' && !*end && !errno;
  } else {
    good = parse_name(key->type == CONFIG_BOOL ? truth : key->names, value, integer);
  }
  *real = (double)*integer;
  return good;
}

/* "annotated, default, near or far" */
static void list_names(const char *const *names, char *text, size_t size) {
  size_t used = 0;
  for (unsigned i = 0; names[i] && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
}

/* What would have been right. */
static const char *refuse(const config_key_t *key, const char *value, char error[CONFIG_ERROR_SIZE]) {
  char names[160];
  if (key->type == CONFIG_ENUM || key->type == CONFIG_BOOL) {
    list_names(key->type == CONFIG_BOOL ? truth : key->names, names, sizeof names);
    snprintf(error, CONFIG_ERROR_SIZE, "%s: '%s' is not %s", key->key, value, names);
    return error;
  }
  snprintf(error, CONFIG_ERROR_SIZE, "%s: '%s' is not %s; from %.10g to %.10g would be right", key->key, value,
           key->type == CONFIG_UINT ? "a whole number" : "a number", key->least, key->most);
  return error;
}

/* What it must be, config_check knows. */
static const char *set_text(system_config_t *config, const config_key_t *key, const char *value, char error[CONFIG_ERROR_SIZE]) {
  if (*value && strlen(value) < key->size && !strpbrk(value, "\n\r\t")) {
    snprintf((char *)config + key->offset, key->size, "%s", value);
    return NULL;
  }
  snprintf(error, CONFIG_ERROR_SIZE, "%s: '%.100s' is not one line of 1 to %zu characters", key->key, value, key->size - 1);
  return error;
}

const char *config_set(const config_schema_t *schema, system_config_t *config, const char *name, const char *value,
                       char error[CONFIG_ERROR_SIZE]) {
  const config_key_t *key = find_key(schema, name);
  double real = 0;
  uint64_t integer = 0;
  if (!key) {
    snprintf(error, CONFIG_ERROR_SIZE, "unknown key '%s'; `lockstack run %s --print-config` lists them", name, schema->system);
    return error;
  }
  if (key->type == CONFIG_TEXT) return set_text(config, key, value, error);
  if (!parse_value(key, value, &real, &integer)) return refuse(key, value, error);
  if (real < key->least || real > key->most) {
    snprintf(error, CONFIG_ERROR_SIZE, "%s: %s is out of range; from %.10g to %.10g would be right", name, value,
             key->least, key->most);
    return error;
  }
  store(config, key, real, integer);
  return NULL;
}

/* ---- a file ---- */

typedef struct {
  const config_schema_t *schema;
  system_config_t *config;
  yaml_document_t document;
  const char *path;
  char *error;
} loader_t;

static const char *at_node(loader_t *l, const yaml_node_t *node, const char *what) {
  snprintf(l->error, CONFIG_ERROR_SIZE, "%.160s:%zu:%zu: %.300s", l->path, node->start_mark.line + 1, node->start_mark.column + 1,
           what);
  make_one_line(l->error);
  return l->error;
}

static const char *load_scalar(loader_t *l, const char *key, const yaml_node_t *name, const yaml_node_t *value) {
  char what[CONFIG_ERROR_SIZE];
  if (value->type != YAML_SCALAR_NODE) {
    snprintf(what, sizeof what, "'%.100s' takes one value; 'key: value' would be right", key);
    return at_node(l, name, what);
  }
  if (!config_set(l->schema, l->config, key, (const char *)value->data.scalar.value, what)) return NULL;
  return at_node(l, value, what);
}

static const char *load_mapping(loader_t *l, const yaml_node_t *mapping, const char *section) {
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++) {
    const yaml_node_t *name = yaml_document_get_node(&l->document, p->key);
    const yaml_node_t *value = yaml_document_get_node(&l->document, p->value);
    if (name->type != YAML_SCALAR_NODE) return at_node(l, name, "a key is a word; 'key: value' would be right");
    char key[128];
    snprintf(key, sizeof key, "%s%s%.60s", section ? section : "", section ? "." : "", (const char *)name->data.scalar.value);
    const char *failed = value->type == YAML_MAPPING_NODE && !section ? load_mapping(l, value, key)
                                                                      : load_scalar(l, key, name, value);
    if (failed) return failed;
    for (const yaml_node_pair_t *q = mapping->data.mapping.pairs.start; q < p; q++)
      if (!strcmp((const char *)yaml_document_get_node(&l->document, q->key)->data.scalar.value,
                  (const char *)name->data.scalar.value))
        return at_node(l, name, "this key is already set above; give it once");
  }
  return NULL;
}

static const char *load_document(loader_t *l) {
  const yaml_node_t *root = yaml_document_get_root_node(&l->document);
  if (!root) {
    snprintf(l->error, CONFIG_ERROR_SIZE, "%s:1: the file is empty; 'section:' and indented 'key: value' lines would be right", l->path);
    return l->error;
  }
  if (root->type != YAML_MAPPING_NODE) return at_node(l, root, "sections expected; 'gpu:' and indented 'key: value' lines would be right");
  return load_mapping(l, root, NULL);
}

const char *config_load(const config_schema_t *schema, system_config_t *config, const char *path, char error[CONFIG_ERROR_SIZE]) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    snprintf(error, CONFIG_ERROR_SIZE, "%s: %s", path, strerror(errno));
    return error;
  }
  loader_t l = {.schema = schema, .config = config, .path = path, .error = error};
  const char *failed = NULL;
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    fclose(file);
    snprintf(error, CONFIG_ERROR_SIZE, "%s: out of memory", path);
    return error;
  }
  yaml_parser_set_input_file(&parser, file);
  if (yaml_parser_load(&parser, &l.document)) {
    failed = load_document(&l);
    yaml_document_delete(&l.document);
  } else {
    snprintf(error, CONFIG_ERROR_SIZE, "%s:%zu:%zu: %s", path, parser.problem_mark.line + 1, parser.problem_mark.column + 1,
             parser.problem ? parser.problem : "not YAML");
    failed = error;
  }
  yaml_parser_delete(&parser);
  fclose(file);
  return failed;
}

/* ---- all together ---- */

void config_default(const config_schema_t *schema, system_config_t *config) {
  *config = (system_config_t){.seed = 1, .watchdog_us = 100};
  schema->defaults(config);
}

const char *config_check(const config_schema_t *schema, system_config_t *config, char error[CONFIG_ERROR_SIZE]) {
  const char *wrong = schema->check(config);
  if (!wrong) return NULL;
  snprintf(error, CONFIG_ERROR_SIZE, "configuration: %s", wrong);
  return error;
}
