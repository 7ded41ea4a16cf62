/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "judged.h"

/* Loads again behind the first document, because libyaml reports no rest of the file. */
bool yaml_load_only(yaml_parser_t *parser, yaml_document_t *document) {
  yaml_document_t next;
  if (!yaml_parser_load(parser, document)) return false;
  bool only = yaml_parser_load(parser, &next);
  if (only && yaml_document_get_root_node(&next)) {
    parser->problem = YAML_SECOND;
    parser->problem_mark = next.start_mark;
    only = false;
  }
  yaml_document_delete(&next);
  if (!only) yaml_document_delete(document);
  return only;
}

/* Parses the file, and turns libyaml's error into "FILE:LINE:COLUMN: what". */
static bool load_document(yaml_file_t *f, FILE *file) {
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return trouble_set(f->trouble, TROUBLE_ENVIRONMENT, "%s: out of memory", f->path);
  yaml_parser_set_input_file(&parser, file);
  bool good = yaml_load_only(&parser, &f->document);
  if (!good && parser.error == YAML_READER_ERROR && ferror(file))
    trouble_set(f->trouble, TROUBLE_INPUT, "%s: %s", f->path, strerror(errno));
  else if (!good)
    trouble_set(f->trouble, TROUBLE_INPUT, "%s:%zu:%zu: %s", f->path, parser.problem_mark.line + 1,
                parser.problem_mark.column + 1, parser.problem ? parser.problem : "not YAML");
  yaml_parser_delete(&parser);
  return good;
}

bool yaml_file_open(yaml_file_t *f, const char *path, trouble_t *trouble) {
  *f = (yaml_file_t){.path = path, .trouble = trouble};
  judged_file(path);
  FILE *file = fopen(path, "rb");
  if (!file) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  bool good = load_document(f, file);
  fclose(file);
  if (!good) return false;
  const yaml_node_t *again = yaml_key_again(&f->document);
  if (again) yaml_file_wrong(f, again, "'%.60s' is already set above; give it once", yaml_scalar(again));
  else if (yaml_file_root(f)) return true;
  else
    trouble_set(trouble, TROUBLE_INPUT,
                "%s:1: the file is empty; 'section:' and indented 'key: value' lines would be right", path);
  yaml_file_close(f);
  return false;
}

/* The second of two equal keys in one mapping. Quadratic, but mappings are short. */
static const yaml_node_t *key_again(yaml_document_t *document, const yaml_node_t *mapping) {
  const yaml_node_pair_t *first = mapping->data.mapping.pairs.start;
  for (const yaml_node_pair_t *p = first; p < mapping->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = yaml_document_get_node(document, p->key);
    for (const yaml_node_pair_t *q = first; q < p && yaml_scalar(key); q++) {
      const char *before = yaml_scalar(yaml_document_get_node(document, q->key));
      if (before && !strcmp(before, yaml_scalar(key))) return key;
    }
  }
  return NULL;
}

const yaml_node_t *yaml_key_again(yaml_document_t *document) {
  const yaml_node_t *again = NULL;
  for (const yaml_node_t *node = document->nodes.start; node < document->nodes.top && !again; node++)
    if (node->type == YAML_MAPPING_NODE) again = key_again(document, node);
  return again;
}

void yaml_file_close(yaml_file_t *f) {
  yaml_document_delete(&f->document);
}

const yaml_node_t *yaml_file_root(yaml_file_t *f) {
  return yaml_document_get_root_node(&f->document);
}

bool yaml_file_wrong(yaml_file_t *f, const yaml_node_t *node, const char *format, ...) {
  char what[1024];
  va_list values;
  va_start(values, format);
  vsnprintf(what, sizeof what, format, values);
  va_end(values);
  return trouble_set(f->trouble, TROUBLE_INPUT, "%s:%zu:%zu: %s", f->path, node->start_mark.line + 1,
                     node->start_mark.column + 1, what);
}

const char *yaml_scalar(const yaml_node_t *node) {
  return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

bool yaml_file_each(yaml_file_t *f, const yaml_node_t *mapping, yaml_visit_t *visit, void *context) {
  if (mapping->type != YAML_MAPPING_NODE) return yaml_file_wrong(f, mapping, "lines 'key: value' would be right here");
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = yaml_document_get_node(&f->document, p->key),
                      *value = yaml_document_get_node(&f->document, p->value);
    const char *name = yaml_scalar(key);
    if (!name) return yaml_file_wrong(f, key, "a key is a word; 'key: value' would be right");
    if (!visit(context, f, name, key, value)) return false;
  }
  return true;
}

const yaml_node_t *yaml_file_item(yaml_file_t *f, const yaml_node_t *sequence, size_t index) {
  const yaml_node_item_t *item = sequence->data.sequence.items.start + index;
  return item < sequence->data.sequence.items.top ? yaml_document_get_node(&f->document, *item) : NULL;
}
