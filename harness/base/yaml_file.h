/* SPDX-License-Identifier: Apache-2.0
 *
 * A YAML file as a tree whose nodes know their positions (libyaml's documents). Errors are
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

/* Keeps the addresses of `path` and `trouble`. Rejects an empty file, a second document, and a key
 * that occurs twice in a mapping. libyaml and libcyaml accept both keys, and most readers use the
 * last. */
bool yaml_file_open(yaml_file_t *f, const char *path, trouble_t *trouble);
void yaml_file_close(yaml_file_t *f);

const yaml_node_t *yaml_file_root(yaml_file_t *f);

/* The second of two equal keys of one mapping, anywhere in the document; NULL: all keys differ. For
 * documents that come from no file. */
const yaml_node_t *yaml_key_again(yaml_document_t *document);

/* yaml_parser_load, but a second document is an error: YAML_SECOND at its first line. */
bool yaml_load_only(yaml_parser_t *parser, yaml_document_t *document);

/* Sets f->trouble to INPUT with the position of the node. Always false. */
bool yaml_file_wrong(yaml_file_t *f, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The text of a scalar node; NULL: another kind of node. */
const char *yaml_scalar(const yaml_node_t *node);

/* Calls visit() for each pair of a mapping until one returns false. False: f->trouble has a visit's
 * error, or that a key is no scalar. */
typedef bool yaml_visit_t(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                          const yaml_node_t *value);
bool yaml_file_each(yaml_file_t *f, const yaml_node_t *mapping, yaml_visit_t *visit, void *context);

/* Element `index` of a sequence, from 0; NULL: no more. */
const yaml_node_t *yaml_file_item(yaml_file_t *f, const yaml_node_t *sequence, size_t index);

#endif
