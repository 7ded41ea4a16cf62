/* SPDX-License-Identifier: Apache-2.0
 *
 * The manual page lockstack.1, from the verbs' tables, in troff with the man macros.
 */
#include "cli.h"
#include "completion.h"
#include "version.h"

#include <string.h>

/* Prints text so that troff takes none of it as a request: a leading . or ' and backslashes are
 * escaped. A dash becomes \-, which can be copied from the page. */
static void print_text(const char *text, size_t length) {
  bool first = true;
  for (size_t i = 0; i < length; i++) {
    if (first && (text[i] == '.' || text[i] == '\'')) fputs("\\&", stdout);
    if (text[i] == '\\') fputs("\\e", stdout);
    else if (text[i] == '-') fputs("\\-", stdout);
    else putchar(text[i]);
    first = text[i] == '\n';
  }
}

static void print_all(const char *text) {
  print_text(text, strlen(text));
}

/* One option: its letter, its name, its value, and what --help says of it. */
static void print_option(void *context, const struct argp_option *o) {
  (void)context;
  printf(".TP\n");
  if (o->key > ' ' && o->key < 127) printf("\\fB\\-%c\\fR, ", o->key);
  printf("\\fB\\-\\-");
  print_all(o->name);
  printf("\\fR");
  if (o->arg) printf("=\\fI");
  if (o->arg) print_all(o->arg);
  printf("\\fR\n");
  print_all(o->doc ? o->doc : "");
  putchar('\n');
}

/* A verb's section. argp's doc has the description before a \v and the examples behind it. */
static void print_verb(const verb_t *verb) {
  const char *doc = verb->argp->doc, *more = strchr(doc, '\v'), *arguments = verb->argp->args_doc;
  printf(".SS \"lockstack %s [OPTION...] %s\"\n", verb->name, arguments ? arguments : "");
  print_text(doc, more ? (size_t)(more - doc) : strlen(doc));
  putchar('\n');
  cli_each_option(verb, print_option, NULL);
  if (!more) return;
  printf(".PP\n.nf\n");
  print_all(more + 1);
  printf(".fi\n");
}

int manual_print(void) {
  printf(".\\\" Made from the command's own tables (lockstack --completion man).\n"
         ".TH LOCKSTACK 1 \"\" \"lockstack %s\" \"User Commands\"\n"
         ".SH NAME\nlockstack \\- near\\-data processing hardware for GPUs: RTL and golden models, compared cycle by "
         "cycle\n"
         ".SH SYNOPSIS\n\\fBlockstack\\fR \\fIVERB\\fR [\\fIOPTION\\fR...]\n.br\n"
         "\\fBlockstack\\fR \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR\n"
         ".SH DESCRIPTION\n"
         "Every verb has \\fB\\-\\-help\\fR. With \\fB\\-\\-json\\fR \\fIFILE\\fR it writes its result for programs, "
         "too.\n"
         ".SH VERBS\n",
         LOCKSTACK_VERSION);
  for (const verb_t *const *verb = cli_verbs; *verb; verb++) print_verb(*verb);
  printf(".SH EXIT STATUS\n"
         "0: all that was checked held. 1: something did not hold. 2: bad usage or input. 3: the environment failed.\n"
         ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nNot empty: outcomes have no colour on a terminal.\n");
  return EXIT_HELD;
}
