/* SPDX-License-Identifier: Apache-2.0
 *
 * The names behind suggestions and completion. Every kind is read from the list that the thing
 * itself is made from, so that no name can be missing here. The launcher reads the same lists in
 * names.sh (tests/system/command/typing.sh compares them).
 */
#include "names.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "build.h"
#include "cells.h"
#include "cli.h"
#include "nearest.h"
#include "network_run.h"
#include "topology.h"
#include "traffic.h"

static const char *const blocks[] = {
#define BLOCK(name, ...) name,
#include "lists.def"
    NULL,
};
static const char *const systems[] = {
#define SYSTEM(name, ...) name,
#include "lists.def"
    NULL,
};
static const char *const workloads[] = {
#define WORKLOAD(name, ...) name,
#include "lists.def"
    NULL,
};
static const char *const suites[] = {
#define SUITE(name, ...) name,
#include "suites.def"
    NULL,
};
static const char *const benchmarks[] = {
#define BENCH(name, ...) #name,
#include "benches.def"
    NULL,
};
static const char *const figures[] = {
#define PUBLISHED(id, ...) id,
#include "published.def"
    NULL,
};
static const char *const swept[] = {"run", "network", "memory", NULL};
#define FIRST(name, ...) name,
#define SECOND(id, name, ...) name,
static const char *const topologies[] = {TOPOLOGY_FORMS(FIRST) NULL};
static const char *const patterns[] = {TRAFFIC_PATTERNS(SECOND) NULL};
static const char *const policies[] = {NETWORK_POLICIES(SECOND) NULL};
static const char *const devices[] = {BLOCK_DEVICES(FIRST) NULL};

/* The kinds whose names are compiled in. */
static const struct {
  const char *kind;
  const char *const *names;
} lists[] = {
    {"blocks", blocks},         {"systems", systems}, {"workloads", workloads},   {"suites", suites},
    {"benchmarks", benchmarks}, {"figures", figures}, {"topologies", topologies}, {"patterns", patterns},
    {"policies", policies},     {"devices", devices}, {"swept", swept},
};
enum { LISTS = sizeof lists / sizeof *lists };

/* Kinds whose names are files of the tree: what stands for the star. */
static const struct {
  const char *kind, *files;
} folders[] = {
    {"regressions", "tests/suites/*.yaml"},
    {"targets", "tests/fuzz/corpus/*"},
};
enum { FOLDERS = sizeof folders / sizeof *folders };

typedef void see_t(void *context, const char *name);

/* Calls see with the stem of each file that the pattern matches: "tests/suites/smoke.yaml" is
 * smoke. No match is no error. */
static void each_file(const char *files, see_t *see, void *context) {
  glob_t found;
  char name[NEAREST_NAME];
  if (glob(files, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *file = strrchr(found.gl_pathv[i], '/') + 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    see(context, name);
  }
  globfree(&found);
}

/* The libraries of standard cells: the tree's, then those in the user's folder. */
static void each_library(see_t *see, void *context) {
  char pattern[PLAIN_PATH];
  for (unsigned user = 0; user < 2; user++)
    if (cells_pattern(cli_data("."), user, pattern)) each_file(pattern, see, context);
}

static void each_verb(see_t *see, void *context) {
  for (const verb_t *const *verb = cli_verbs; *verb; verb++) see(context, (*verb)->name);
}

/* Calls `see` with each kind of name that --names knows. */
static void each_kind(see_t *see, void *context) {
  see(context, "verbs");
  for (unsigned i = 0; i < LISTS; i++) see(context, lists[i].kind);
  for (unsigned i = 0; i < FOLDERS; i++) see(context, folders[i].kind);
  see(context, "cells");
  see(context, "kinds");
}

/* The parameters in a block's port file: PARAM(Depth, 4, 1, 1024, "words") is Depth. Names with
 * glob characters are no blocks. */
static void each_parameter(const char *block, see_t *see, void *context) {
  char pattern[256], line[1024], name[NEAREST_NAME];
  glob_t found;
  snprintf(pattern, sizeof pattern, "rtl/*/%.100s.ports", block);
  if (strpbrk(block, "*?[/") || glob(cli_data(pattern), 0, NULL, &found)) return;
  FILE *file = fopen(found.gl_pathv[0], "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "PARAM(%63[A-Za-z0-9_]", name) == 1) see(context, name);
  if (file) fclose(file);
  globfree(&found);
}

bool names_each(const char *kind, void (*see)(void *context, const char *name), void *context) {
  for (unsigned i = 0; i < LISTS; i++)
    if (!strcmp(kind, lists[i].kind)) {
      for (const char *const *name = lists[i].names; *name; name++) see(context, *name);
      return true;
    }
  for (unsigned i = 0; i < FOLDERS; i++)
    if (!strcmp(kind, folders[i].kind)) return each_file(cli_data(folders[i].files), see, context), true;
  if (!strcmp(kind, "verbs")) return each_verb(see, context), true;
  if (!strcmp(kind, "cells")) return each_library(see, context), true;
  if (!strcmp(kind, "kinds")) return each_kind(see, context), true;
  if (!strncmp(kind, "parameters:", 11)) return each_parameter(kind + 11, see, context), true;
  return false;
}

bool names_tagged(const char *block, const char *tag) {
  static const struct {
    const char *block, *tag;
  } all[] = {
#define TAG(...) {__VA_ARGS__},
#include "lists.def"
      {0},
  };
  for (unsigned i = 0; all[i].block; i++)
    if (!strcmp(all[i].block, block) && !strcmp(all[i].tag, tag)) return true;
  return false;
}

static void try_name(void *context, const char *name) {
  nearest_try(context, name);
}

const char *names_nearest(const char *kind, const char *word) {
  static nearest_t near;
  nearest_start(&near, word);
  names_each(kind, try_name, &near);
  return nearest_text(&near);
}
