/* SPDX-License-Identifier: Apache-2.0
 *
 * A YAML file as a tree whose nodes know where they stand: libyaml's documents, and errors
 * "FILE:LINE:COLUMN: what is wrong".
 *
 *   yaml_file_t f;
 *   if (!yaml_file_open(&f, path, trouble)) return false;
 *   good = yaml_file_each(&f, yaml_file_root(&f), visit, context);
 *   yaml_file_close(&f);
 */
#ifndef YAML_FILE_H
#define YAML_FILE_H

#include <stdbool.h>
#include <yaml.h>

#include "trouble.h"

#define YAML_SECOND "a second document begins here; give it a file of its own"

typedef struct {
  yaml_document_t document;
  const char *path;
  trouble_t *trouble;
} yaml_file_t;

/* path and trouble are kept by address. Refused are an empty file, one of several documents, and
 * one where any mapping has a key twice: libyaml and libcyaml keep both, and most readers the
 * last. */
bool yaml_file_open(yaml_file_t *f, const char *path, trouble_t *trouble);
void yaml_file_close(yaml_file_t *f);

const yaml_node_t *yaml_file_root(yaml_file_t *f);

/* The second of two equal keys of one mapping, anywhere in the document;
 * NULL: each is there once. For who has a document without a file. */
const yaml_node_t *yaml_key_again(yaml_document_t *document);

/* As yaml_parser_load, but a second document, which nobody
 * would read, is an error: YAML_SECOND at its first line. */
bool yaml_load_only(yaml_parser_t *parser, yaml_document_t *document);

/* Sets the trouble of a node, INPUT; always false. */
bool yaml_file_wrong(yaml_file_t *f, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* NULL: not one value. */
const char *yaml_scalar(const yaml_node_t *node);

/* Each pair of a mapping, until a visit is false, with the
 * file's trouble set, or a key is no word. */
typedef bool yaml_visit_t(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                          const yaml_node_t *value);
bool yaml_file_each(yaml_file_t *f, const yaml_node_t *mapping, yaml_visit_t *visit, void *context);

/* A sequence's elements from 0 on; NULL: no more. */
const yaml_node_t *yaml_file_item(yaml_file_t *f, const yaml_node_t *sequence, size_t index);

#endif
