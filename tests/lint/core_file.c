/* SPDX-License-Identifier: Apache-2.0
 *
 * core_file FILE.core: a FuseSoC core (CAPI2), a line for each thing in it; 2 and one line where it
 * is none, or has a key that we do not use.
 *   name VLNV, file NAME, depend VLNV, type WORD, toplevel MODULE, command FILE
 */
#include <stdio.h>
#include <string.h>

#include "yaml_file.h"

typedef struct {
  const char *section; /* in which the keys are */
  const char *key;
  const char *print;  /* its value, or each of its list, behind this word; NULL: the section of this name below it */
  const char *inside; /* that section; "": of keys of any names, each with this */
} rule_t;

static const rule_t rules[] = {
    {"core", "CAPI=2", "", NULL},
    {"core", "name", "name", NULL},
    {"core", "description", "", NULL},
    {"core", "filesets", NULL, "*fileset"},
    {"core", "targets", NULL, "*target"},
    {"core", "generators", NULL, "*generator"},
    {"core", "generate", NULL, "*use"},
    {"fileset", "file_type", "type", NULL},
    {"fileset", "depend", "depend", NULL},
    {"fileset", "files", "file", NULL},
    {"target", "filesets", "", NULL},
    {"target", "generate", "", NULL},
    {"target", "toplevel", "toplevel", NULL},
    {"target", "default_tool", "", NULL},
    {"target", "tools", NULL, "*tool"},
    {"tool", "mode", "", NULL},
    {"tool", "verilator_options", "", NULL},
    {"generator", "interpreter", "", NULL},
    {"generator", "command", "command", NULL},
    {"generator", "description", "", NULL},
    {"use", "generator", "", NULL},
};

static bool visit(void *section, yaml_file_t *f, const char *name, const yaml_node_t *key, const yaml_node_t *value);

/* A file may be a mapping of its name to what it is. */
static const char *name_of(yaml_file_t *f, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE) return yaml_scalar(node);
  return yaml_scalar(yaml_document_get_node(&f->document, node->data.mapping.pairs.start->key));
}

static bool print(yaml_file_t *f, const char *word, const yaml_node_t *value) {
  const yaml_node_t *item;
  if (value->type != YAML_SEQUENCE_NODE) {
    if (!yaml_scalar(value)) return yaml_file_wrong(f, value, "is not one value");
    if (*word) printf("%s %s\n", word, yaml_scalar(value));
    return true;
  }
  for (size_t i = 0; (item = yaml_file_item(f, value, i)); i++) {
    if (!name_of(f, item)) return yaml_file_wrong(f, item, "is not one value");
    if (*word) printf("%s %s\n", word, name_of(f, item));
  }
  return true;
}

/* Keys of any names, each a section. */
static bool visit_named(void *section, yaml_file_t *f, const char *name, const yaml_node_t *key,
                        const yaml_node_t *value) {
  (void)name, (void)key;
  return yaml_file_each(f, value, visit, section);
}

static bool visit(void *section, yaml_file_t *f, const char *name, const yaml_node_t *key, const yaml_node_t *value) {
  for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
    const rule_t *r = &rules[i];
    if (strcmp(r->section, section) || strcmp(r->key, name)) continue;
    return r->print ? print(f, r->print, value) : yaml_file_each(f, value, visit_named, (void *)(r->inside + 1));
  }
  return yaml_file_wrong(f, key, "'%s' is no key of a %s that we use", name, (const char *)section);
}

int main(int argc, char **argv) {
  trouble_t trouble;
  yaml_file_t f;
  if (argc != 2) return 2;
  if (!yaml_file_open(&f, argv[1], &trouble)) return fprintf(stderr, "%s\n", trouble.text), 2;
  const bool good = yaml_file_each(&f, yaml_file_root(&f), visit, (void *)"core");
  if (!good) fprintf(stderr, "%s\n", trouble.text);
  yaml_file_close(&f);
  return good ? 0 : 2;
}
