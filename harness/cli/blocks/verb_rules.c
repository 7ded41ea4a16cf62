/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack rules: what a block must do by its family's page, each rule by its witness, and its
 * proofs. A comparison of RTL with model cannot see a fault that both have; these can.
 *
 *   tests/rules/table.sh list --> row_t, a rule each
 *   programs rules_X of the build, --block B --> "ok 3 - R15" --> held, broken
 *   this command, prove B --json F --> its properties
 */
#include "cli.h"
#include "clock.h"
#include "file.h"
#include "judged.h"
#include "lockstep_verbs.h"
#include "names.h"
#include "process.h"
#include "progress.h"
#include "rule_parents.h"
#include "work.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 512, MOST_PROGRAMS = 32, PATH_ROOM = 4300 };

typedef struct {
  const char *block, *rtl, *tree, *dut, *folder;
  bool first, own, no_proofs;
} options_t;

enum { KEY_RTL = 0x100, KEY_TREE, KEY_DUT, KEY_FIRST, KEY_OWN, KEY_NO_PROOFS, KEY_OUT };

static const struct argp_option argp_options[] = {
    {"rtl", KEY_RTL, "FOLDER", 0, "Take RTL files of this folder before the block's own: try a change, keep the tree",
     0},
    {"tree", KEY_TREE, "FOLDER", 0, "Take RTL and models of this source tree; witnesses and proofs stay", 0},
    {"dut", KEY_DUT, "KIND", 0, "The device in the RTL's place: rtl (default), cxxrtl or icarus", 0},
    {"no-proofs", KEY_NO_PROOFS, NULL, 0, "The witnesses alone", 0},
    {"first", KEY_FIRST, NULL, 0, "Witnesses that have the default parameters, and of a proof the first set", 0},
    {"own", KEY_OWN, NULL, 0, "Witnesses on the block itself alone, where it has any", 0},
    {"out", KEY_OUT, "FOLDER", 0, "Where logs of proofs and waveforms of refuted properties go (default lockstack-out)",
     0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_RTL: o->rtl = arg; return 0;
  case KEY_TREE: o->tree = arg; return 0;
  case KEY_DUT: return verbs_dut(state, arg, &o->dut);
  case KEY_NO_PROOFS: o->no_proofs = true; return 0;
  case KEY_FIRST: o->first = true; return 0;
  case KEY_OWN: o->own = true; return 0;
  case KEY_OUT: o->folder = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->block) return ARGP_ERR_UNKNOWN;
    o->block = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->block) return cli_usage(state, "a BLOCK is missing; `lockstack list blocks` names them, `all` means all");
    if (o->rtl && o->tree) return cli_usage(state, "--rtl and --tree: RTL comes from one of the two");
    if (o->rtl && !strcmp(o->block, "all")) return cli_usage(state, "--rtl: is for one block, not for all");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* --- the rules */

typedef enum { NOT_RUN, HELD, BROKEN } verdict_t;

/* A line of table.sh list. Texts are of the session's table. `said`: what a broken witness said. */
typedef struct {
  const char *id, *page, *section, *witness, *program, *blocks, *why, *text;
  bool wanted;
  verdict_t verdict;
  char *said;
} row_t;

typedef struct {
  cli_t *cli;
  const options_t *o;
  work_t work;
  char *table;
  row_t rows[MOST_ROWS];
  unsigned num_rows;
  char blocks[RULE_PARENTS]; /* the block, and those of its family that it is a part of */
  progress_t progress;
  unsigned held, broken, readings, unwitnessed, proofs, refuted;
  json_t *properties;
} session_t;

/* Is the word in the list, which has blanks between its words? */
static bool in_list(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n])) return true;
  return false;
}

/* Does one of the words stand in the list? */
static bool shares_word(const char *list, const char *words) {
  char copy[RULE_PARENTS];
  snprintf(copy, sizeof copy, "%s", words);
  for (char *rest = copy, *word; (word = strsep(&rest, " "));)
    if (*word && in_list(list, word)) return true;
  return false;
}

static bool wants_all(const options_t *o) {
  return strcmp(o->block, "all") == 0;
}

static void want_rows(session_t *s) {
  for (unsigned i = 0; i < s->num_rows; i++) {
    row_t *row = &s->rows[i];
    row->wanted = wants_all(s->o) || shares_word(row->blocks, s->blocks);
    if (s->o->first && strstr(row->program, "_variants")) row->wanted = false;
  }
}

static bool add_row(void *context, char *line) {
  session_t *s = context;
  if (s->num_rows == MOST_ROWS) return false;
  row_t *row = &s->rows[s->num_rows++];
  const char **const columns[] = {&row->id,      &row->page,   &row->section, &row->witness,
                                  &row->program, &row->blocks, &row->why,     &row->text};
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
    *columns[c] = strsep(&line, "\t");
    if (!*columns[c]) return false;
  }
  return true;
}

/* Calls see for each line; false: it said so. */
static bool each_line(char *text, bool (*see)(void *context, char *line), void *context) {
  for (char *line; (line = strsep(&text, "\n"));)
    if (*line && !see(context, line)) return false;
  return true;
}

/* The table of rules, as the pages and the programs of the build have it. 0, or an exit code
 * after a line. */
static int read_rules(session_t *s) {
  glob_t found;
  char *argv[MOST_PROGRAMS + 5] = {"bash", (char *)cli_data("tests/rules/table.sh"), "list", (char *)cli_data("")};
  int status = 0;
  if (glob(LOCKSTACK_BINARY_DIR "/tests/rules_*", 0, NULL, &found) || found.gl_pathc > MOST_PROGRAMS)
    return cli_error(EXIT_ENV, LOCKSTACK_BINARY_DIR
                     "/tests: has no programs of witnesses; cmake --build " LOCKSTACK_BINARY_DIR " --target witnesses");
  for (size_t i = 0; i < found.gl_pathc; i++) argv[4 + i] = found.gl_pathv[i];
  s->table = process_answer(argv, &status);
  globfree(&found);
  if (!s->table) return cli_error(EXIT_ENV, "out of memory");
  if (status || !each_line(s->table, add_row, s) || !s->num_rows)
    return cli_error(EXIT_ENV, "%s list: ended with status %d and %u rules", argv[1], status, s->num_rows);
  return 0;
}

/* --- witnesses */

static row_t *find_row(session_t *s, const char *id) {
  for (unsigned i = 0; i < s->num_rows; i++)
    if (strcmp(s->rows[i].id, id) == 0) return &s->rows[i];
  return NULL;
}

/* Adds a line of a witness to what it said. */
static void add_said(row_t *row, const char *line) {
  const size_t before = row->said ? strlen(row->said) : 0, room = before + strlen(line) + 2;
  char *more = realloc(row->said, room);
  if (!more) return;
  snprintf(more + before, room - before, "%s%s", before ? "\n" : "", line);
  row->said = more;
}

/* What a program prints: "ok 3 - R15", "not ok 4 - R16", of the latter "router.c:12: R16: what
 * differs" anywhere, "trouble 3: text" where it had no object. A rule that is run for several
 * blocks is broken if one of them breaks it. */
typedef struct {
  session_t *session;
  int trouble;
  char text[1024];
} answers_t;

static bool take_answer(void *context, char *line) {
  answers_t *a = context;
  char id[16];
  unsigned number;
  row_t *row = NULL;
  if (sscanf(line, "trouble %d: %1023[^\n]", &a->trouble, a->text) == 2) return false;
  if (sscanf(line, "ok %u - %15s", &number, id) == 2) {
    row = find_row(a->session, id);
    if (row && row->verdict == NOT_RUN) row->verdict = HELD;
  } else if (sscanf(line, "not ok %u - %15s", &number, id) == 2) {
    row = find_row(a->session, id);
    if (row) row->verdict = BROKEN;
  } else if (sscanf(line, "%*[^:]:%*u: %15[A-Z0-9]: ", id) == 1 || sscanf(line, "ERROR: %15[A-Z0-9]: ", id) == 1) {
    row = find_row(a->session, id);
    if (row) add_said(row, line);
  }
  return true;
}

/* Runs the witnesses of one program that have a bed of this block; NULL: all of its witnesses. 0,
 * or an exit code after a line. */
static int run_program(session_t *s, const char *program, const char *block) {
  const options_t *o = s->o;
  char *argv[10] = {(char *)program}, *text = NULL;
  unsigned n = 1;
  if (block) argv[n++] = "--block", argv[n++] = (char *)block;
  if (o->rtl) argv[n++] = "--rtl", argv[n++] = (char *)o->rtl;
  if (o->tree) argv[n++] = "--tree", argv[n++] = (char *)o->tree;
  argv[n++] = "--dut", argv[n++] = (char *)o->dut;
  const process_t how = {.argv = argv, .variable = "CMOCKA_MESSAGE_OUTPUT", .value = "TAP"};
  const int status = process_tool(&how, &text, 0);
  answers_t answers = {.session = s};
  if (status == PROCESS_STOPPED || cli_interrupted) return free(text), EXIT_ENV;
  if (!text) return cli_error(EXIT_ENV, "out of memory");
  each_line(text, take_answer, &answers);
  free(text);
  if (answers.trouble) return cli_error((cli_exit_t)answers.trouble, "%s", answers.text);
  return 0;
}

/* Does a wanted rule have its witness in this program, on a bed of this block? */
static bool is_program_wanted(const session_t *s, const char *program, const char *block) {
  for (unsigned i = 0; i < s->num_rows; i++) {
    const row_t *row = &s->rows[i];
    if (row->wanted && !strcmp(row->program, program) && (!block || in_list(row->blocks, block))) return true;
  }
  return false;
}

/* Runs each program once. Rows are in the order of the pages, so a program's are not together. */
static int run_programs(session_t *s, const char *block) {
  int code = 0;
  for (unsigned i = 0; i < s->num_rows && !code; i++) {
    const char *program = s->rows[i].program;
    bool ran = !*program;
    for (unsigned before = 0; before < i && !ran; before++) ran = !strcmp(s->rows[before].program, program);
    if (!ran && is_program_wanted(s, program, block)) code = run_program(s, program, block);
    progress_update(&s->progress, i + 1);
  }
  return code;
}

static int run_witnesses(session_t *s) {
  if (wants_all(s->o)) return run_programs(s, NULL);
  char list[RULE_PARENTS];
  int code = 0;
  snprintf(list, sizeof list, "%s", s->blocks);
  for (char *rest = list, *block; !code && (block = strsep(&rest, " "));)
    if (*block) code = run_programs(s, block);
  return code;
}

/* A rule without a witness rests on one reading if its page says so. A witness that ended before
 * it said a word has shown nothing. */
static const char *verdict_word(const row_t *row) {
  if (row->verdict == HELD) return "held";
  if (row->verdict == BROKEN) return "broken";
  if (*row->why) return "one reading";
  return *row->witness ? "not run" : "no witness";
}

static void print_row(session_t *s, const row_t *row) {
  FILE *out = s->cli->out;
  const char *word = row->verdict == BROKEN ? "BROKEN" : verdict_word(row);
  fprintf(out, "%-5s %-11s %-18s %s, \"%s\": %.90s%s\n", row->id, word, *row->witness ? row->witness : "-",
          row->page + (strncmp(row->page, "rtl/", 4) ? 0 : 4), row->section, row->text,
          strlen(row->text) > 90 ? " ..." : "");
  if (*row->why) fprintf(out, "      rests on one reading: %s\n", row->why);
  if (row->verdict != BROKEN || !row->said) return;
  for (const char *line = row->said; *line;) {
    const size_t n = strcspn(line, "\n");
    fprintf(out, "      %.*s\n", (int)n, line);
    line += n + (line[n] != 0);
  }
}

static void count_row(session_t *s, const row_t *row) {
  s->held += row->verdict == HELD;
  s->broken += row->verdict == BROKEN;
  s->readings += *row->why != 0;
  s->unwitnessed += row->verdict == NOT_RUN && !*row->why;
}

/* --- proofs */

/* Prints the properties of a proof and takes them into the result. */
static void take_properties(session_t *s, const json_t *result) {
  size_t i;
  json_t *property;
  json_array_foreach(json_object_get(result, "properties"), i, property) {
    const char *status = json_string_value(json_object_get(property, "status"));
    const char *params = json_string_value(json_object_get(property, "params"));
    const bool proved = status && strcmp(status, "proved") == 0;
    s->proofs++;
    s->refuted += !proved;
    fprintf(s->cli->out, "proof %-11s %s %s%s%s\n", proved ? "held" : "BROKEN",
            json_string_value(json_object_get(property, "block")), json_string_value(json_object_get(property, "name")),
            params && *params ? " with " : "", params ? params : "");
    json_array_append_new(s->properties,
                          json_pack("{s:O, s:O, s:O, s:O}", "name", json_object_get(property, "name"), "block",
                                    json_object_get(property, "block"), "params", json_object_get(property, "params"),
                                    "status", json_object_get(property, "status")));
  }
}

/* The folder of the block's RTL in --tree: ".../rtl/router". False: the tree has none. */
static bool tree_folder(const options_t *o, char folder[PATH_ROOM]) {
  char pattern[PATH_ROOM];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%.4000s/rtl/*/%.100s.sv", o->tree, o->block);
  if (glob(pattern, 0, NULL, &found)) return false;
  snprintf(folder, PATH_ROOM, "%.*s", (int)(strrchr(found.gl_pathv[0], '/') - found.gl_pathv[0]), found.gl_pathv[0]);
  globfree(&found);
  return true;
}

/* The block's proof, by this command's own verb. 0, or an exit code after a line. */
static int run_proofs(session_t *s) {
  const options_t *o = s->o;
  char path[PATH_ROOM], json[PATH_ROOM], rtl[PATH_ROOM];
  snprintf(path, sizeof path, "tests/formal/%.100s.prove", o->block);
  if (o->no_proofs || (!wants_all(o) && access(cli_data(path), R_OK))) return 0;
  snprintf(json, sizeof json, "%.4000s/prove.json", s->work.path);
  char *argv[16] = {(char *)process_self(), "prove", (char *)o->block, "--json", json, "--out", (char *)o->folder},
       *text = NULL;
  unsigned n = 7;
  const char *folder = o->rtl;
  if (o->tree && !wants_all(o) && tree_folder(o, rtl)) folder = rtl;
  if (folder) argv[n++] = "--rtl", argv[n++] = (char *)folder;
  if (o->first) argv[n++] = "--first";
  const int status = process_tool(&(process_t){.argv = argv}, &text, 0);
  if (status == PROCESS_STOPPED || cli_interrupted) return free(text), EXIT_ENV;
  json_t *result = status > EXIT_BROKEN ? NULL : json_load_file(json, 0, NULL);
  if (result) take_properties(s, result);
  else if (text) fputs(text, stderr);
  free(text);
  if (!result)
    return cli_error(status == EXIT_BAD ? EXIT_BAD : EXIT_ENV, "prove %s ended with status %d", o->block, status);
  json_decref(result);
  return 0;
}

/* --- the result */

static json_t *row_json(const row_t *row) {
  json_t *json =
      json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "rule", row->id, "page", row->page, "section", row->section,
                "witness", row->witness, "blocks", row->blocks, "text", row->text, "status", verdict_word(row));
  if (*row->why) json_object_set_new(json, "one_reading", json_string(row->why));
  if (row->verdict == BROKEN && row->said) json_object_set_new(json, "said", json_string(row->said));
  return json;
}

static int finish_rules(session_t *s, bool stopped, double seconds) {
  const unsigned rules = s->held + s->broken + s->unwitnessed;
  const bool held = !s->broken && !s->unwitnessed && !s->refuted && !stopped;
  FILE *out = s->cli->out;
  if (stopped) fprintf(out, "%s: INTERRUPTED, %u rules broken before\n", s->o->block, s->broken);
  else {
    fprintf(out, "%s: %u of %u rules hold", s->o->block, s->held, rules);
    if (s->readings) fprintf(out, ", %u rest%s on one reading", s->readings, s->readings == 1 ? "s" : "");
    fprintf(out, "; %u of %u properties hold, %.1f s\n", s->proofs - s->refuted, s->proofs, seconds);
  }
  json_t *root = cli_json("rules", 1), *list = json_array();
  for (unsigned i = 0; i < s->num_rows; i++)
    if (s->rows[i].wanted) json_array_append_new(list, row_json(&s->rows[i]));
  json_object_update_new(root, json_pack("{s:s, s:s, s:o, s:O, s:b, s:f}", "block", s->o->block, "blocks", s->blocks,
                                         "rules", list, "properties", s->properties, "held", held, "seconds", seconds));
  json_object_set_new(root, "dut", json_string(s->o->dut));
  if (s->o->rtl) json_object_set_new(root, "rtl", json_string(s->o->rtl));
  if (s->o->tree) json_object_set_new(root, "tree", json_string(s->o->tree));
  cli_exit_t verdict = held ? EXIT_HELD : EXIT_BROKEN;
  if (stopped) verdict = EXIT_ENV;
  const int end = cli_finish(s->cli, root, verdict);
  return stopped ? cli_error(EXIT_ENV, "interrupted after %u rules", s->held + s->broken) : end;
}

/* The block's rules, and those of the blocks that it is a part of: many rules of a part are seen
 * there alone. */
static int choose_rules(session_t *s) {
  trouble_t trouble;
  snprintf(s->blocks, sizeof s->blocks, "%.100s", s->o->block);
  want_rows(s);
  for (unsigned i = 0; i < s->num_rows && s->o->own; i++)
    if (s->rows[i].wanted) return 0;
  if (!wants_all(s->o) && !rule_parents(cli_data("rtl"), s->o->block, s->blocks, &trouble))
    return cli_trouble(&trouble);
  want_rows(s);
  return 0;
}

static int judge_rules(session_t *s) {
  const double start = clock_seconds();
  progress_start(&s->progress, "rules", "rules", s->num_rows);
  int code = run_witnesses(s);
  progress_end(&s->progress);
  for (unsigned i = 0; i < s->num_rows && !code; i++) {
    if (!s->rows[i].wanted) continue;
    count_row(s, &s->rows[i]);
    print_row(s, &s->rows[i]);
  }
  if (!code) code = run_proofs(s);
  const bool stopped = code && cli_interrupted;
  if (code && !stopped) return code;
  return finish_rules(s, stopped, clock_seconds() - start);
}

static const struct argp argp = {
    argp_options,
    parse,
    "BLOCK|all",
    "Runs what states a block's rules a second time: the witness of each rule of its family's page (docs/rules.md), on "
    "RTL and golden model, and the block's proof. A line says of each rule its page and section, its witness, and "
    "whether it held; or that it rests on one reading of the paper, and why no second one can be had. A fault that "
    "RTL and model share is seen by no comparison of the two: it has to break one of these. Rules of "
    "the blocks of its family that it is a part of are the block's, too. "
    "Exit status 1: a rule or a property is broken, or a rule has neither a witness nor a reason.\v"
    "Examples:\n  lockstack rules router_input\n  lockstack rules ofld_ratio --no-proofs --json rules.json\n"
    "  lockstack rules all --no-proofs\n",
    NULL,
    NULL,
    NULL};

/* 0 if there is such a block. */
static int check_block(const options_t *o) {
  char pattern[PATH_ROOM];
  glob_t found;
  if (wants_all(o)) return 0;
  snprintf(pattern, sizeof pattern, "rtl/*/%.100s.ports", o->block);
  if (!strpbrk(o->block, "*?[/") && glob(cli_data(pattern), 0, NULL, &found) == 0) return globfree(&found), 0;
  return cli_error(EXIT_BAD, "no block '%s'; `%s list blocks` names them%s", o->block, cli_command(),
                   names_nearest("blocks", o->block));
}

static int check_folder(const char *option, const char *folder) {
  if (!folder || !access(folder, R_OK | X_OK)) return 0;
  return cli_error(EXIT_BAD, "%s: %s: no such folder", option, folder);
}

static int run(cli_t *cli, int argc, char **argv) {
  static session_t s;
  options_t o = {.folder = "lockstack-out", .dut = "rtl"};
  trouble_t trouble;
  char folder[PATH_ROOM], tree[PATH_MAX];
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  s = (session_t){.cli = cli, .o = &o};
  code = check_block(&o);
  if (!code) code = check_folder("--rtl", o.rtl);
  if (!code) code = check_folder("--tree", o.tree);
  if (code) return code;
  if (o.tree && realpath(o.tree, tree)) o.tree = tree; /* objects are built in folders of their own */
  judged_unknown();                                    /* what the witnesses' programs read */
  snprintf(folder, sizeof folder, "%.4000s/rules", o.folder);
  if (!work_open(&s.work, folder, o.block, &trouble)) return cli_trouble(&trouble);
  s.properties = json_array();
  code = read_rules(&s);
  if (!code) code = choose_rules(&s);
  if (!code) code = judge_rules(&s);
  work_close(&s.work, false);
  for (unsigned i = 0; i < s.num_rows; i++) free(s.rows[i].said);
  free(s.table);
  json_decref(s.properties);
  return code;
}

const verb_t verb_rules = {"rules", "a block's rules by their witnesses and proofs: faults that RTL and model share",
                           run, &argp};
