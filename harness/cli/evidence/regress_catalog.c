/* SPDX-License-Identifier: Apache-2.0
 *
 * The catalog that suites are read with. Its lists are compiled in from lists.def; options are
 * looked up in the verbs' own tables.
 */
#include "regress_catalog.h"
#include "build.h"
#include "cli.h"
#include "names.h"

#include <stdio.h>
#include <string.h>

static const suite_block_t blocks[] = {
#define BLOCK(name, family, rtl, ports, model, test, proof, synth) {name, family},
#include "lists.def"
    {0},
};
/* The blocks that have a proof; "" stands for the others. */
static const char *const proved[] = {
#define BLOCK(name, family, rtl, ports, model, test, proof, synth) sizeof proof > 1 ? name : "",
#include "lists.def"
    NULL,
};
/* Kinds of device that blocks.cmake says a block cannot run on. */
static const struct {
  const char *block, *kind;
} refused[] = {
#define REFUSED(...) {__VA_ARGS__},
#include "lists.def"
    {0},
};
static const suite_variant_t variants[] = {
#define VARIANT(block, name, params, covered) {block, name, params},
#include "lists.def"
    {0},
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

/* An option to look for, and what it turned out to be. */
typedef struct {
  const char *name;
  suite_option_t kind;
} wanted_t;

/* Called with each option of a verb. An option whose FILE the verb makes is no input file:
 * SUITE_VALUE. */
static void match_wanted_option(void *context, const struct argp_option *option) {
  wanted_t *wanted = context;
  if (strcmp(option->name, wanted->name) != 0) return;
  const bool file = option->arg && strcmp(option->arg, "FILE") == 0 && !(option->flags & CLI_MADE);
  wanted->kind = option->arg ? SUITE_VALUE : SUITE_FLAG;
  if (file) wanted->kind = SUITE_FILE;
}

/* The catalog's `option`: what kind of option `name` is in this verb. name NULL only asks whether
 * the verb exists. */
static suite_option_t option(const char *verb, const char *name) {
  const verb_t *const *v = cli_verbs;
  while (*v && strcmp((*v)->name, verb) != 0) v++;
  if (!*v) return SUITE_NO_VERB;
  wanted_t wanted = {name, SUITE_NO_OPTION};
  if (name) cli_each_option(*v, match_wanted_option, &wanted);
  return wanted.kind;
}

static void count_name(void *context, const char *name) {
  (void)name;
  ++*(unsigned *)context;
}

/* Does the block have parameters, which `check --sample` draws? */
static bool has_parameters(const char *block) {
  char kind[128];
  unsigned count = 0;
  snprintf(kind, sizeof kind, "parameters:%.100s", block);
  names_each(kind, count_name, &count);
  return count;
}

/* The catalog's `has`: does the block have a proof, parameters, or run on this kind of device?
 * block NULL: does any block? */
static bool has(const char *block, const char *what) {
  if (strcmp(what, "parameters") == 0) return !block || has_parameters(block);
  if (strcmp(what, "proof") != 0) {
    for (size_t i = 0; block && refused[i].block; i++)
      if (!strcmp(refused[i].block, block) && !strcmp(refused[i].kind, what)) return false;
    return block_kind(what) != NULL;
  }
  const char *const *name = proved;
  while (block && *name && strcmp(*name, block) != 0) name++;
  return *name != NULL;
}

const suite_catalog_t *regress_catalog(void) {
  static suite_catalog_t catalog = {
      .blocks = blocks, .variants = variants, .systems = systems, .workloads = workloads, .option = option, .has = has};
  if (!catalog.root) catalog.root = cli_data(".");
  if (!catalog.suites) catalog.suites = cli_data("tests/suites");
  return &catalog;
}
