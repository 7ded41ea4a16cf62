/* SPDX-License-Identifier: Apache-2.0 */
#include "regress_catalog.h"
#include "build.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const suite_block_t blocks[] = {
#define BLOCK(name, family, rtl, ports, model, test, proof, synth) {name, family},
#include "lists.def"
    {0},
};
static const char *const proved[] = {
#define BLOCK(name, family, rtl, ports, model, test, proof, synth) sizeof proof > 1 ? name : "",
#include "lists.def"
    NULL,
};
static const struct {
  const char *block, *kind;
} refused[] = {
#define REFUSED(...) {__VA_ARGS__},
#include "lists.def"
    {0},
};
static const suite_variant_t variants[] = {
#define VARIANT(...) {__VA_ARGS__},
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

static json_t *options; /* {verb: {option: takes a value}} of the verbs that were asked for */

const char *regress_program(void) {
  static char path[4096];
  ssize_t n = *path ? 0 : readlink("/proc/self/exe", path, sizeof path - 1);
  if (n > 0) path[n] = 0;
  return path;
}

/* "  -s, --seed=N      Seed" has the option seed, with a value. */
static void add_options(json_t *verb, const char *line) {
  line += strspn(line, " ");
  if (line[0] == '-' && line[1] != '-' && line[2] == ',') line += 3 + strspn(line + 3, " ");
  if (strncmp(line, "--", 2) != 0) return;
  size_t n = strcspn(line + 2, "= \n[,");
  json_t *value = json_boolean(line[2 + n] == '=');
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)n, line + 2);
  json_object_set_new(verb, name, value);
}

static FILE *ask(const char *verb, pid_t *child) {
  int ends[2];
  if (pipe(ends)) return NULL;
  *child = fork();
  if (*child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    setenv("ARGP_HELP_FMT", "no-dup-args-note,rmargin=200", 1);
    execl(regress_program(), "lockstack", verb, "--help", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  return fdopen(ends[0], "r");
}

static json_t *options_of(const char *verb) {
  json_t *known = json_object_get(options, verb);
  if (known) return known;
  known = json_object();
  pid_t child = -1;
  char *line = NULL;
  size_t room = 0;
  FILE *help = ask(verb, &child);
  while (help && getline(&line, &room, help) > 0) add_options(known, line);
  free(line);
  if (help) fclose(help);
  if (child > 0) waitpid(child, NULL, 0);
  if (!options) options = json_object();
  json_object_set_new(options, verb, known);
  return known;
}

static suite_option_t option(const char *verb, const char *name) {
  const verb_t *const *v = cli_verbs;
  while (*v && strcmp((*v)->name, verb) != 0) v++;
  if (!*v) return SUITE_NO_VERB;
  const json_t *takes_value = name ? json_object_get(options_of(verb), name) : NULL;
  if (!takes_value) return SUITE_NO_OPTION;
  return json_is_true(takes_value) ? SUITE_VALUE : SUITE_FLAG;
}

static bool has(const char *block, const char *what) {
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
  static suite_catalog_t catalog = {.blocks = blocks, .variants = variants, .systems = systems, .workloads = workloads, .option = option,
                                    .has = has};
  if (!catalog.root) catalog.root = cli_data(".");
  if (!catalog.suites) catalog.suites = cli_data("tests/suites");
  return &catalog;
}

void regress_catalog_free(void) {
  json_decref(options);
  options = NULL;
}
