/* SPDX-License-Identifier: Apache-2.0
 *
 * libyaml gives a document tree with the place of every node, so that an error in a value's range can name its line too.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

const config_key_t config_keys[] = {
#define CONFIG_ENTRY(key, field, type, least, most, text) \
  {key, text, type, offsetof(system_config_t, field), sizeof(((system_config_t *)0)->field), least, most},
#define KEY_UINT(key, field, least, most, text) CONFIG_ENTRY(key, field, CONFIG_UINT, least, most, text)
#define KEY_REAL(key, field, least, most, text) CONFIG_ENTRY(key, field, CONFIG_REAL, least, most, text)
#define KEY_BOOL(key, field, text) CONFIG_ENTRY(key, field, CONFIG_BOOL, 0, 1, text)
#include "config.def"
};
const size_t config_num_keys = sizeof config_keys / sizeof *config_keys;

static const config_key_t *find_key(const char *key) {
  for (size_t i = 0; i < config_num_keys; i++)
    if (!strcmp(config_keys[i].key, key)) return &config_keys[i];
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

/* A number in decimal, or true / false; NULL or what would be right. */
static const char *parse_value(const config_key_t *key, const char *value, double *real, uint64_t *integer) {
  if (key->type == CONFIG_BOOL) {
    *integer = !strcmp(value, "true");
    *real = (double)*integer;
    return *integer || !strcmp(value, "false") ? NULL : "true or false";
  }
  char *end;
  errno = 0;
  if (key->type == CONFIG_UINT) {
    if (*value < '0' || *value > '9') return "a whole number";
    *integer = strtoull(value, &end, 10);
    *real = (double)*integer;
    return *end || errno ? "a whole number" : NULL;
  }
  *real = strtod(value, &end);
  return end == value || *end || errno || !isfinite(*real) ? "a number" : NULL;
}

const char *config_set(system_config_t *config, const char *name, const char *value, char error[CONFIG_ERROR_SIZE]) {
  const config_key_t *key = find_key(name);
  double real = 0;
  uint64_t integer = 0;
  if (!key) {
    snprintf(error, CONFIG_ERROR_SIZE, "unknown key '%s'; `lockstack run nsu --print-config` lists them", name);
    return error;
  }
  const char *right = parse_value(key, value, &real, &integer);
  if (right) {
    snprintf(error, CONFIG_ERROR_SIZE, "%s: '%s' is not %s; from %.10g to %.10g would be right", name, value, right,
             key->least, key->most);
    return error;
  }
  if (real < key->least || real > key->most) {
    snprintf(error, CONFIG_ERROR_SIZE, "%s: %s is out of range; from %.10g to %.10g would be right", name, value,
             key->least, key->most);
    return error;
  }
  store(config, key, real, integer);
  return NULL;
}

typedef struct {
  system_config_t *config;
  yaml_document_t document;
  const char *path;
  char *error;
} loader_t;

static const char *at_node(loader_t *l, const yaml_node_t *node, const char *what) {
  snprintf(l->error, CONFIG_ERROR_SIZE, "%.160s:%zu:%zu: %.300s", l->path, node->start_mark.line + 1, node->start_mark.column + 1,
           what);
  return l->error;
}

static const char *load_scalar(loader_t *l, const char *key, const yaml_node_t *name, const yaml_node_t *value) {
  char what[CONFIG_ERROR_SIZE];
  if (value->type != YAML_SCALAR_NODE) {
    snprintf(what, sizeof what, "'%.100s' takes one value; 'key: value' would be right", key);
    return at_node(l, name, what);
  }
  if (!config_set(l->config, key, (const char *)value->data.scalar.value, what)) return NULL;
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

const char *config_load(system_config_t *config, const char *path, char error[CONFIG_ERROR_SIZE]) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    snprintf(error, CONFIG_ERROR_SIZE, "%s: %s", path, strerror(errno));
    return error;
  }
  loader_t l = {.config = config, .path = path, .error = error};
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

void config_default(system_config_t *config) {
  *config = (system_config_t){.seed = 1, .watchdog_us = 100, .core_mhz = 700, .xbar_mhz = 1250, .nsu_mhz = 350};
  config->gpu = gpu_config_default();
  config->memory = memory_system_default_config();
}

const char *config_check(const system_config_t *config, char error[CONFIG_ERROR_SIZE]) {
  const char *wrong = gpu_config_check(&config->gpu);
  if (!wrong) wrong = memory_system_check_config(&config->memory);
  if (!wrong) return NULL;
  snprintf(error, CONFIG_ERROR_SIZE, "configuration: %s", wrong);
  return error;
}
