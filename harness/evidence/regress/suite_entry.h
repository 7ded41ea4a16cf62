/* SPDX-License-Identifier: Apache-2.0
 *
 * A suite while it is read: the nodes of its file, their values, and an entry of `jobs`.
 */
#ifndef SUITE_ENTRY_H
#define SUITE_ENTRY_H

#include <limits.h>

#include "suite.h"
#include "trouble.h"
#include "yaml_file.h"

typedef struct {
  suite_t *suite;
  const suite_catalog_t *catalog;
  const uint64_t *seed; /* replaces the file's seed; NULL: keep it */
  json_t *keys;         /* keys of the jobs so far */
  SHA2_CTX sha;
  trouble_t trouble;
} suite_reader_t;

typedef struct suite_file {
  suite_reader_t *reader;
  const struct suite_file *from; /* the file that includes this one; NULL: none */
  char path[PATH_MAX];
  yaml_document_t document;
  double limit;
} suite_file_t;

typedef const yaml_node_t suite_node_t;

/* Sets the reader's trouble: INPUT, the file with the node's line and column. False. */
bool suite_wrong(suite_file_t *f, suite_node_t *node, const char *format, ...) __attribute__((format(printf, 3, 4)));

suite_node_t *suite_at(suite_file_t *f, int index);
const char *suite_text(suite_node_t *node); /* NULL: a list or a mapping */

/* A single value is a list of one. */
size_t suite_length(suite_node_t *node);
suite_node_t *suite_item(suite_file_t *f, suite_node_t *node, size_t i);

/* False: suite_wrong has said why. A duration is 90, 90s, 10m or 2h, and becomes seconds. */
bool suite_whole(suite_file_t *f, suite_node_t *node, const char *what, uint64_t least, uint64_t most, uint64_t *value);
bool suite_duration(suite_file_t *f, suite_node_t *node, double *seconds);

/* Adds the jobs of `- check: {blocks: all}`. False: suite_wrong. */
bool suite_entry(suite_file_t *f, suite_node_t *node);

#endif
