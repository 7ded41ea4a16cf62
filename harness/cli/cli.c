/* SPDX-License-Identifier: Apache-2.0
 *
 * Options and error lines of all verbs. argp's own two-line complaints are silenced (err_stream),
 * so that every mistake is one line. getopt's lines about options stay, except for an unknown long
 * option: check_options says that one first, with the nearest names.
 *
 *   cli_parse: check_options   unknown long options, with suggestions
 *              check_twice     a value given twice
 *              argp_parse      the verb's own parser
 *              clear_made_files, open_report
 */
#include "cli.h"
#include "judged.h"
#include "nearest.h"
#include "plain.h"
#include "terminal.h"
#include "whole.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

volatile sig_atomic_t cli_interrupted;

bool cli_is_interrupted(void) {
  return cli_interrupted;
}

enum { KEY_JSON = 0x2000, KEY_USAGE };

/* What cli_parse hands to the parsers below it. */
typedef struct {
  cli_t *cli;
  void *verb_input;
  bool helped;
} parse_t;

const struct argp_option cli_common_options[] = {
    {"json", KEY_JSON, "FILE", CLI_MADE, "Also write the result as JSON; - is standard output, with nothing else on it",
     90},
    {0},
};

/* argp's own --help ends the process at once, and a standard output that cannot be written would
 * go unnoticed. This one returns to main.c, which looks. */
static const struct argp_option help_options[] = {
    {"help", '?', NULL, 0, "Give this help list", -1},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", 0},
    {0},
};

/* Prints the help and stops argp; cli_parse turns that into CLI_HELPED. */
static error_t parse_help(int key, char *arg, struct argp_state *state) {
  parse_t *parse = state->input;
  (void)arg;
  if (key != '?' && key != KEY_USAGE) return ARGP_ERR_UNKNOWN;
  argp_state_help(state, stdout, key == '?' ? ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC : ARGP_HELP_USAGE);
  parse->helped = true;
  return ECANCELED;
}

/* The options that every verb has, and at the start the inputs of the two children: the verb's
 * parser and the help. */
static error_t parse_common(int key, char *arg, struct argp_state *state) {
  parse_t *parse = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->err_stream = NULL;
    state->child_inputs[0] = parse->verb_input;
    state->child_inputs[1] = parse;
    return 0;
  case KEY_JSON:
    if (!*arg) return cli_usage(state, "--json: a file name is missing; - means standard output");
    parse->cli->json = arg;
    judged_begin(); /* cannot: the result says nothing of its content */
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* Can the result be written there? Says so before the work, not after it. 0, or the exit code
 * after a line: EXIT_BAD for a folder that is not there, EXIT_ENV for missing rights. */
static int check_place(const char *json) {
  struct stat info;
  if (stat(json, &info) == 0 && !S_ISDIR(info.st_mode))
    return access(json, W_OK) ? cli_error(EXIT_ENV, "%s: cannot write: %s", json, strerror(errno)) : 0;
  const char *slash = strrchr(json, '/');
  char *folder = slash ? strndup(json, (size_t)(slash - json) + 1) : strdup(".");
  int code = 0;
  if (!folder) code = cli_error(EXIT_ENV, "out of memory");
  else if (stat(json, &info) == 0) code = cli_error(EXIT_BAD, "%s: cannot write: it is a folder", json);
  else if (access(folder, F_OK)) code = cli_error(EXIT_BAD, "%s: no such folder", folder);
  else if (access(folder, W_OK | X_OK)) code = cli_error(EXIT_ENV, "%s: cannot write: %s", json, strerror(errno));
  free(folder);
  return code;
}

/* With --json - the report for people would mix with the JSON on standard output. The JSON has
 * the same facts, so the report goes nowhere; what models and RTL print goes to standard error. */
static int open_report(cli_t *cli) {
  if (!cli->json) return 0;
  if (strcmp(cli->json, "-") != 0) return 0;
  if (!(cli->machine = terminal_for_machines()))
    return cli_error(EXIT_ENV, "standard output: cannot write: %s", strerror(errno));
  cli->out = fopen("/dev/null", "w");
  return cli->out ? 0 : cli_error(EXIT_ENV, "/dev/null: %s", strerror(errno));
}

/* argp's tables end in an entry of zeros; entries without a name are headings. */
static void each_option(const struct argp_option *options, void (*see)(void *context, const struct argp_option *option),
                        void *context) {
  for (const struct argp_option *o = options; o && (o->name || o->key || o->doc); o++)
    if (o->name && !(o->flags & OPTION_HIDDEN)) see(context, o);
}

/* The options of a verb and of the verbs whose options it takes as well (`sweep run`). */
static void each_option_of(const struct argp *argp, void (*see)(void *context, const struct argp_option *option),
                           void *context) {
  each_option(argp->options, see, context);
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    each_option_of(child->argp, see, context);
}

void cli_each_option(const verb_t *verb, void (*see)(void *context, const struct argp_option *option), void *context) {
  each_option_of(verb->argp, see, context);
  each_option(cli_common_options, see, context);
}

/* ---- options that do not exist ---- */

/* Does the name begin as the word "--na=..." does? getopt takes such abbreviations, too. */
static bool option_begins(const char *name, const char *word) {
  return strncmp(name, word + 2, strcspn(word + 2, "=")) == 0;
}

/* The option whose name begins as the word does, or whose letter the word is ("-j"). NULL: none
 * in this table. */
static const struct argp_option *option_of(const struct argp_option *options, const char *word) {
  const struct argp_option *found = NULL;
  for (const struct argp_option *o = options; o && (o->name || o->key || o->doc) && !found; o++)
    if (word[1] == '-' ? o->name && option_begins(o->name, word) : o->key == (unsigned char)word[1] && !word[2])
      found = o;
  return found;
}

/* The same in a verb's table and in those of its children. */
static const struct argp_option *option_in(const struct argp *argp, const char *word) {
  const struct argp_option *found = option_of(argp->options, word);
  for (const struct argp_child *child = argp->children; child && child->argp && !found; child++)
    found = option_in(child->argp, word);
  return found;
}

/* Offers an option's name to the search for the nearest one. */
static void try_option(void *context, const struct argp_option *option) {
  char name[NEAREST_NAME];
  snprintf(name, sizeof name, "--%.60s", option->name);
  nearest_try(context, name);
}

/* The line of a long option that does not exist, with the nearest one. Returns EXIT_BAD. */
static int no_option(const struct argp *argp, const char *program, const char *word) {
  const verb_t verb = {.argp = argp};
  char name[NEAREST_NAME];
  nearest_t near;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  nearest_start(&near, name);
  cli_each_option(&verb, try_option, &near);
  fprintf(stderr, "%s: unrecognized option '%s'%s\n", program, name, nearest_text(&near));
  return EXIT_BAD;
}

/* Finds the first long option that does not exist and refuses it with a suggestion. Everything
 * else that is wrong with options is getopt's to say. */
static int check_options(const struct argp *argp, int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
    if (argv[i][0] != '-' || !argv[i][1]) continue;
    const struct argp_option *o = option_in(argp, argv[i]);
    if (!o) o = option_of(cli_common_options, argv[i]);
    bool usual = argv[i][1] != '-' || option_begins("help", argv[i]) || option_begins("usage", argv[i]);
    if (!o && !usual) return no_option(argp, argv[0], argv[i]);
    if (o && o->arg && !strchr(argv[i], '=')) i++; /* its value may look like an option */
  }
  return 0;
}

/* ---- options given twice ---- */

/* LONG: getopt's keys for long options are LONG + index, apart from all letters. */
enum { OPTIONS_MOST = 128, LONG = 0x10000 };

/* What getopt is told, and each option's first value. */
typedef struct {
  const struct argp_option *all[OPTIONS_MOST];
  struct option names[OPTIONS_MOST + 1];
  char letters[3 * OPTIONS_MOST + 1];
  const char *value[OPTIONS_MOST];
  unsigned count;
} given_t;

/* What getopt calls the three kinds of options: without a value, with one, or with an optional
 * one. */
static int argument_kind(const struct argp_option *o) {
  if (!o->arg) return no_argument;
  return o->flags & OPTION_ARG_OPTIONAL ? optional_argument : required_argument;
}

/* Adds an option to what getopt is told. Headings have no name and are left out. */
static void add_option(given_t *g, const struct argp_option *o) {
  const int has = argument_kind(o);
  if (g->count == OPTIONS_MOST || !o->name) return;
  if (o->key > ' ' && o->key < 127) sprintf(g->letters + strlen(g->letters), "%c%.*s", o->key, has, "::");
  g->names[g->count] = (struct option){o->name, has, NULL, LONG + (int)g->count};
  g->all[g->count++] = o;
}

/* A verb's options and those of its argp children. */
static void add_options(given_t *g, const struct argp *argp) {
  for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) add_option(g, o);
  for (const struct argp_child *child = argp->children; child && child->argp; child++) add_options(g, child->argp);
}

/* Reads the options as argp will read them and refuses a value that is given twice, unless the
 * option is a CLI_LIST. Stops silently at a mistake: that is argp's to say. Fills g->value with
 * the values of options that may be given once. */
static int check_twice(given_t *g, const struct argp *argp, int argc, char **argv) {
  char **words = malloc(((size_t)argc + 1) * sizeof *words); /* getopt puts them in another order */
  int code = words ? 0 : cli_error(EXIT_ENV, "out of memory");
  if (words) memcpy(words, argv, ((size_t)argc + 1) * sizeof *words);
  add_options(g, argp);
  optind = opterr = 0;
  for (int key; !code && (key = getopt_long(argc, words, g->letters, g->names, NULL)) != -1 && key != '?';) {
    unsigned i = key >= LONG ? (unsigned)(key - LONG) : 0;
    while (key < LONG && i < g->count && g->all[i]->key != key) i++;
    if (i == g->count || !optarg || g->all[i]->flags & CLI_LIST) continue;
    if (g->value[i])
      code = (fprintf(stderr, "%s: --%s is given twice, as '%s' and as '%s'; once would be right\n", argv[0],
                      g->all[i]->name, g->value[i], optarg),
              EXIT_BAD);
    g->value[i] = optarg;
  }
  free(words);
  return code;
}

/* ---- files that it makes ---- */

/* Does another word of the command line, or what stands behind its =, name the same file?
 * Compares device and inode, so that links and ./ do not hide it. */
static bool named_again(const char *value, int argc, char **argv) {
  struct stat made, other;
  if (stat(value, &made) || !S_ISREG(made.st_mode)) return false;
  for (int i = 1; i < argc; i++) {
    const char *equals = strchr(argv[i], '='), *words[] = {argv[i], equals ? equals + 1 : NULL};
    for (int k = 0; k < 2; k++)
      if (words[k] && words[k] != value && stat(words[k], &other) == 0 && other.st_ino == made.st_ino &&
          other.st_dev == made.st_dev)
        return true;
  }
  return false;
}

/* Checks the files of all CLI_MADE options, then removes what is there. Two passes, so that a
 * refused command removes nothing. "-" is standard output. 0, or the exit code after a line. */
static int clear_made_files(const given_t *g, int argc, char **argv) {
  int code = 0;
  for (int clear = 0; clear < 2; clear++) /* all are looked at before one goes */
    for (unsigned i = 0; i < g->count && !code; i++) {
      const char *value = g->value[i];
      if (!value || !*value || !(g->all[i]->flags & CLI_MADE) || strcmp(value, "-") == 0) continue;
      if (clear) {
        const int error = whole_clear(value);
        if (error) code = cli_error(EXIT_ENV, "%s: cannot write: %s", value, strerror(error));
      } else if (named_again(value, argc, argv))
        code = cli_error(EXIT_BAD, "--%s: another argument names %s too; another file would be right", g->all[i]->name,
                         value);
      else code = check_place(value);
    }
  return code;
}

int cli_parse(cli_t *cli, const struct argp *argp, int argc, char **argv, void *input) {
  struct argp verb = {argp->options, argp->parser, NULL, NULL, argp->children, NULL, NULL};
  static const struct argp help = {help_options, parse_help, NULL, NULL, NULL, NULL, NULL};
  const struct argp_child children[] = {{&verb, 0, NULL, 0}, {&help, 0, NULL, 0}, {0}};
  const struct argp top = {cli_common_options, parse_common, argp->args_doc, argp->doc, children, NULL, NULL};
  parse_t parse = {cli, input, false};
  int stopped = argc;
  argp_err_exit_status = EXIT_BAD;
  setenv("ARGP_HELP_FMT", "no-dup-args-note,rmargin=110", 0);
  if (check_options(argp, argc, argv)) return EXIT_BAD;
  given_t given = {.count = 0};
  const int twice = check_twice(&given, &top, argc, argv);
  if (twice) return twice;
  if (argp_parse(&top, argc, argv, ARGP_NO_HELP, &stopped, &parse)) return parse.helped ? CLI_HELPED : EXIT_BAD;
  if (stopped < argc) {
    fprintf(stderr, "%s: unexpected argument '%s'; see %s --help\n", argv[0], argv[stopped], argv[0]);
    return EXIT_BAD;
  }
  const int code = clear_made_files(&given, argc, argv);
  return code ? code : open_report(cli);
}

error_t cli_usage(const struct argp_state *state, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: ", state->name);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return EINVAL;
}

error_t cli_set_once(const struct argp_state *state, const char *setting, const char *const *before, unsigned count) {
  const int n = (int)strcspn(setting, "=");
  for (unsigned i = 0; i < count; i++)
    if (strncmp(before[i], setting, (size_t)n) == 0 && (!before[i][n] || before[i][n] == '='))
      return cli_usage(state, "--set: %.*s is given twice; once would be right", n, setting);
  return 0;
}

error_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most,
                   uint64_t *value) {
  char *end;
  errno = 0;
  uint64_t n = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
  bool number = *text >= '0' && *text <= '9' && !*end && !errno;
  if (number && n >= least && n <= most) {
    *value = n;
    return 0;
  }
  if (most == UINT64_MAX)
    return cli_usage(state, "%s: '%s' should be a whole number, at least %" PRIu64, option, text, least);
  return cli_usage(state, "%s: '%s' should be a whole number from %" PRIu64 " to %" PRIu64, option, text, least, most);
}

int cli_error(cli_exit_t code, const char *format, ...) {
  va_list args;
  char text[8192];
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  plain_say_all(text, sizeof text);
  fprintf(stderr, "lockstack: %s\n", text);
  return code;
}

int cli_trouble(const trouble_t *trouble) {
  return cli_error((cli_exit_t)trouble->kind, "%s", trouble->text);
}
