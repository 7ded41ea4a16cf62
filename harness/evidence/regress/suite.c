/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a suite's files: its keys, and the files that it includes. suite_entry.c reads the
 * entries of `jobs`.
 */
#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite_entry.h"
#include "suite_matrix.h"

enum { MAX_DEPTH = 8 };

static bool load_file(suite_reader_t *r, const suite_file_t *from, suite_node_t *where, const char *name);

/* Their jobs come before the file's own. */
static bool load_includes(suite_file_t *f, suite_node_t *list) {
  for (size_t i = 0; i < suite_length(list); i++) {
    suite_node_t *one = suite_item(f, list, i);
    if (!suite_text(one) || !*suite_text(one)) return suite_wrong(f, one, "a suite's name or path expected");
    if (!load_file(f->reader, f, one, suite_text(one))) return false;
  }
  return true;
}

static bool load_jobs(suite_file_t *f, suite_node_t *list) {
  if (list->type != YAML_SEQUENCE_NODE)
    return suite_wrong(f, list, "jobs: a list expected; '- check: {blocks: all}' would be right");
  for (size_t i = 0; i < suite_length(list); i++)
    if (!suite_entry(f, suite_item(f, list, i))) return false;
  return true;
}

/* Keys that hold for the whole file. help and seed of an included file do not count. */
static bool load_key(suite_file_t *f, suite_node_t *key, suite_node_t *value) {
  const char *name = suite_text(key);
  suite_reader_t *r = f->reader;
  if (!name) return suite_wrong(f, key, "a word expected");
  if (!strcmp(name, "limit")) return suite_duration(f, value, &f->limit);
  if (!strcmp(name, "include") || !strcmp(name, "jobs"))
    return suite_length(value) > 0 ||
           suite_wrong(f, value, "%s: the list is empty; an entry would be right, or no '%s'", name, name);
  if (!strcmp(name, "help")) {
    if (!suite_text(value)) return suite_wrong(f, value, "help: one line expected");
    if (f->from) return true;
    free(r->suite->help);
    r->suite->help = strdup(suite_text(value));
    return true;
  }
  if (strcmp(name, "seed") != 0)
    return suite_wrong(f, key, "unknown key '%.60s'; a suite has help, seed, limit, include and jobs", name);
  uint64_t seed;
  if (!suite_whole(f, value, "seed", 0, INT64_MAX, &seed)) return false;
  if (!f->from && !r->seed) r->suite->seed = seed;
  return true;
}

/* First what holds for all jobs, then jobs of included files, then its own. */
static bool load_document(suite_file_t *f) {
  suite_node_t *root = yaml_document_get_root_node(&f->document);
  static const char form[] = "'jobs:' and a list of entries would be right";
  if (!root) return trouble_set(&f->reader->trouble, TROUBLE_INPUT, "%s:1: the file is empty; %s", f->path, form);
  if (root->type != YAML_MAPPING_NODE) return suite_wrong(f, root, "%s", form);
  suite_node_t *include = NULL, *jobs = NULL;
  for (const yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
    suite_node_t *key = suite_at(f, p->key), *value = suite_at(f, p->value);
    if (!load_key(f, key, value)) return false;
    if (!strcmp(suite_text(key), "include")) include = value;
    if (!strcmp(suite_text(key), "jobs")) jobs = value;
  }
  if (!include && !jobs) return suite_wrong(f, root, "%s", form);
  return (!include || load_includes(f, include)) && (!jobs || load_jobs(f, jobs));
}

/* Hashes the file and parses it. */
static bool parse_file(suite_file_t *f, FILE *file) {
  yaml_parser_t parser;
  unsigned char block[4096];
  if (!yaml_parser_initialize(&parser))
    return trouble_set(&f->reader->trouble, TROUBLE_ENVIRONMENT, "%s: out of memory", f->path);
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) SHA256Update(&f->reader->sha, block, n);
  rewind(file);
  yaml_parser_set_input_file(&parser, file);
  bool ok = yaml_load_only(&parser, &f->document);
  if (ok) {
    ok = load_document(f);
    suite_node_t *again = ok ? yaml_key_again(&f->document) : NULL;
    if (again) ok = suite_wrong(f, again, "'%.60s' is given above; give it once", suite_text(again));
    yaml_document_delete(&f->document);
  } else
    trouble_set(&f->reader->trouble, TROUBLE_INPUT, "%s:%zu:%zu: %s", f->path, parser.problem_mark.line + 1,
                parser.problem_mark.column + 1, parser.problem ? parser.problem : "not YAML");
  yaml_parser_delete(&parser);
  return ok;
}

static bool is_path(const char *name) {
  size_t n = strlen(name);
  return strchr(name, '/') || (n > 5 && !strcmp(name + n - 5, ".yaml"));
}

/* The file of a suite's name or path. A path in another file starts beside that file. */
static void path_of(const suite_reader_t *r, const suite_file_t *from, const char *name, char path[PATH_MAX]) {
  const char *slash = from ? strrchr(from->path, '/') : NULL;
  if (!is_path(name)) snprintf(path, PATH_MAX, "%s/%s.yaml", r->catalog->suites, name);
  else if (*name == '/' || !slash) snprintf(path, PATH_MAX, "%s", name);
  else snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - from->path), from->path, name);
}

/* Says where the name comes from. Always false. */
static bool cannot_open(suite_reader_t *r, suite_file_t *from, suite_node_t *where, const char *name,
                        const char *path) {
  if (from) return suite_wrong(from, where, "include: %.200s: %s", path, strerror(errno));
  if (is_path(name) || errno != ENOENT) return trouble_set(&r->trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  return trouble_set(&r->trouble, TROUBLE_INPUT,
                     "no suite '%.100s'; `lockstack list suites` names them, and a path of your own ends in .yaml",
                     name);
}

/* where: the node of `from` that names the file; both are NULL for the suite itself. */
static bool load_file(suite_reader_t *r, const suite_file_t *from, suite_node_t *where, const char *name) {
  unsigned depth = 0;
  suite_file_t *f = calloc(1, sizeof *f);
  if (!f) return trouble_memory(&r->trouble);
  *f = (suite_file_t){.reader = r, .from = from, .limit = 600};
  path_of(r, from, name, f->path);
  for (const suite_file_t *above = from; above; above = above->from) depth++;
  FILE *file = depth < MAX_DEPTH ? fopen(f->path, "r") : NULL;
  bool ok = file != NULL;
  if (depth == MAX_DEPTH)
    suite_wrong((suite_file_t *)from, where, "include: files include each other, or more than %d deep", MAX_DEPTH);
  else if (!file) cannot_open(r, (suite_file_t *)from, where, name, f->path);
  else {
    ok = parse_file(f, file);
    fclose(file);
  }
  free(f);
  return ok;
}

/* The hash covers the files, the seed and the jobs, because the list of blocks changes jobs,
 * too. */
static void finish_sha(suite_reader_t *r) {
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
  suite_reader_t reader = {.suite = suite, .catalog = catalog, .seed = seed, .keys = json_object()};
  *suite = (suite_t){.seed = seed ? *seed : 1, .help = strdup("")};
  SHA256Init(&reader.sha);
  bool ok = load_file(&reader, NULL, NULL, name);
  finish_sha(&reader);
  json_decref(reader.keys);
  if (!ok) suite_free(suite), *trouble = reader.trouble;
  return ok;
}
