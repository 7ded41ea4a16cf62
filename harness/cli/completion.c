/* SPDX-License-Identifier: Apache-2.0
 *
 * Completion scripts for bash and zsh. A script holds the verbs and options; it asks the command
 * for names when a key is pressed (`lockstack --names KIND`), so that a block added later is known.
 * complete.bash and complete.zsh hold what does not depend on the tables.
 */
#include "completion.h"

#include <ctype.h>
#include <string.h>

#include "cli.h"
#include "names.h"

/* What a word stands for, and the kind of names that completes it. A table ends in zeros. */
typedef struct {
  const char *what, *kind;
} rule_t;

/* The kind of names, or NULL where the table has no such word. */
static const char *find_rule(const rule_t *rule, const char *what) {
  while (rule->what && strcmp(rule->what, what)) rule++;
  return rule->kind;
}

const char *completion_of_value(const char *option, const char *argument) {
  static const rule_t by_option[] = {{"topology", "topologies"}, {"pattern", "patterns"},
                                     {"policy", "policies"},     {"compare", "policies"},
                                     {"dut", "devices"},         {"against", "devices"},
                                     {"cells", "cells"},         {"workloads", "workloads"},
                                     {"figures", "figures"},     {0}};
  static const rule_t by_argument[] = {{"FILE", "files"}, {"FOLDER", "files"}, {"PARAM=VALUE", "parameters"}, {0}};
  const char *kind = find_rule(by_option, option);
  return kind ? kind : find_rule(by_argument, argument);
}

void completion_of_argument(const char *verb, const char *word, char text[COMPLETION_KINDS]) {
  static const rule_t rules[] = {{"BLOCK", "blocks"},         {"SYSTEM", "systems"}, {"WORKLOAD", "workloads"},
                                 {"BENCHMARK", "benchmarks"}, {"TARGET", "targets"}, {"ID", "figures"},
                                 {"FOLDER", "files"},         {"FILE", "files"},     {0}};
  static const rule_t suites[] = {{"test", "suites"}, {"regress", "regressions files"}, {0}};
  char name[64];
  size_t used = 0;
  *text = 0;
  while (*word) {
    size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    const char *kind = strcmp(name, "SUITE") ? find_rule(rules, name) : find_rule(suites, verb);
    const char *mark = islower((unsigned char)*name) ? "=" : "";
    if (*mark) kind = name;
    if (kind && strcmp(name, "ptx"))
      used += (size_t)snprintf(text + used, COMPLETION_KINDS - used, "%s%s%s", used ? " " : "", mark, kind);
    word += n + strcspn(word + n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  }
}

/* ---- the table that both scripts share ---- */

/* '--NAME:KIND' for each option, '-L:KIND' for its letter. Without a value the kind is empty;
 * "text" is a value that nothing completes. */
static void print_option(void *context, const struct argp_option *o) {
  const char *kind = o->arg ? completion_of_value(o->name, o->arg) : NULL;
  const char *value = "";
  if (o->arg) value = kind ? kind : "text";
  printf("    '--%s:%s'\n", o->name, value);
  if (o->key > ' ' && o->key < 127) printf("    '-%c:%s'\n", o->key, value);
  (void)context;
}

/* One shell word for each argument. A last "..." means that further arguments are of the same
 * kind. */
static void print_arguments(const verb_t *verb) {
  char words[128], kinds[COMPLETION_KINDS], *rest = words;
  snprintf(words, sizeof words, "%s", verb->argp->args_doc ? verb->argp->args_doc : "");
  for (char *word; (word = strsep(&rest, " "));) {
    completion_of_argument(verb->name, word, kinds);
    if (*word) printf(" '%s'", kinds);
    if (strstr(word, "...")) printf(" ...");
  }
}

/* Prints the shell function _lockstack_table VERB. It fills two arrays: options ('--seed:text'
 * takes a value, '--full:' takes none) and arguments. */
static void print_table(void) {
  printf("_lockstack_table() {\n  options=() arguments=()\n  case $1 in\n");
  for (const verb_t *const *verb = cli_verbs; *verb; verb++) {
    printf("  %s)\n    arguments=(", (*verb)->name);
    print_arguments(*verb);
    printf(" )\n    options=(\n");
    cli_each_option(*verb, print_option, NULL);
    printf("    '--help:' ) ;;\n");
  }
  printf("  esac\n}\n");
}

/* The script: the first line of complete.SHELL, the table, the rest of complete.SHELL. */
static int print_script(const char *shell) {
  char path[64], line[1024];
  snprintf(path, sizeof path, "harness/cli/complete.%s", shell);
  FILE *rest = fopen(cli_data(path), "r");
  if (!rest) return cli_error(EXIT_ENV, "%s: cannot be read", cli_data(path));
  if (fgets(line, sizeof line, rest)) fputs(line, stdout); /* #compdef must come first */
  printf("# The tables are made from the command's own (lockstack --completion %s).\n", shell);
  print_table();
  while (fgets(line, sizeof line, rest)) fputs(line, stdout);
  fclose(rest);
  return EXIT_HELD;
}

int completion_print(const char *what) {
  if (what && !strcmp(what, "man")) return manual_print();
  if (what && (!strcmp(what, "bash") || !strcmp(what, "zsh"))) return print_script(what);
  return cli_error(EXIT_BAD, "--completion: '%s' should be bash, zsh or man", what ? what : "");
}
