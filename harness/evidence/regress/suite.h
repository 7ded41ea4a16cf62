/* SPDX-License-Identifier: Apache-2.0
 *
 * A suite: a YAML file that says which jobs a regression has. README.md of this folder shows
 * one. An entry is a verb and its arguments, and each list among them is an axis of a matrix.
 * Nothing here knows a verb: the catalog says what there is.
 */
#ifndef SUITE_H
#define SUITE_H

#include "json_sure.h"
#include "trouble.h"
#include <sha2.h>
#include <stdbool.h>
#include <stdint.h>

enum { SUITE_MAX_JOBS = 100000 };

typedef struct {
  const char *name, *family;
} suite_block_t;

typedef struct {
  const char *block, *name, *params; /* "Depth=7 Width=100" */
} suite_variant_t;

/* SUITE_FILE: a value that names a file */
typedef enum { SUITE_NO_VERB, SUITE_NO_OPTION, SUITE_FLAG, SUITE_VALUE, SUITE_FILE } suite_option_t;

/* Everything a suite may name. Lists end with an entry whose name is NULL. */
typedef struct {
  const suite_block_t *blocks;
  const suite_variant_t *variants;
  const char *const *systems, *const *workloads;
  suite_option_t (*option)(const char *verb, const char *option); /* option NULL: does the verb exist? */
  /* "proof", or a kind of device that can hold the block. block NULL: is there such a kind? */
  bool (*has)(const char *block, const char *what);
  const char *root;   /* the tree; a suite's `files` may start there */
  const char *suites; /* folder of the suites with names */
} suite_catalog_t;

typedef struct {
  char *key, *verb, *subject; /* "check fifo --seed 7", "check", "fifo" */
  json_t *args;               /* words of the command line, the verb first */
  double limit;               /* seconds until the job is killed */
} suite_job_t;

typedef struct {
  char *help; /* one line, "" when the file has none */
  uint64_t seed;
  suite_job_t *jobs;
  unsigned count;
  char sha[SHA256_DIGEST_STRING_LENGTH]; /* hash of the files, the seed and the jobs */
} suite_t;

/* Reads the suite of this name, or of this path (with a slash, or ending in .yaml). seed: in
 * place of the file's; NULL: the file's. False: trouble says file, line and column, what is
 * wrong, and what would be right. */
bool suite_load(suite_t *suite, const char *name, const uint64_t *seed, const suite_catalog_t *catalog,
                trouble_t *trouble);
void suite_free(suite_t *suite);

char *suite_command(const json_t *args); /* quoted for a shell; the caller frees it */

#endif
