/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack list: what there is to run. The lists come from the build (cmake/lists.cmake) and
 * suites.def; suites of `regress` and libraries of cells are found as files.
 */
#include "cells.h"
#include "cli.h"
#include "draw_system.h"
#include "names.h"
#include "system_argument.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *what; /* NULL: all */
} options_t;

typedef struct {
  /* A line of blocks.cmake: paths from the tree's root, "" where there is none. */
  const char *name, *family, *rtl, *ports, *model, *test, *proof, *synth;
} block_t;

typedef struct {
  const char *name, *file, *help; /* file NULL: none */
} entry_t;

static const block_t blocks[] = {
#define BLOCK(...) {__VA_ARGS__},
#include "lists.def"
    {0},
};
static const entry_t systems[] = {
#define SYSTEM(...) {__VA_ARGS__},
#include "lists.def"
    {0},
};
static const entry_t workloads[] = {
#define WORKLOAD(...) {__VA_ARGS__},
#include "lists.def"
    {0},
};
static const entry_t suites[] = {
#define SUITE(name, labels, preset, help) {name, NULL, help},
#include "suites.def"
    {0},
};

/* Suites of `regress` and libraries of cells. Each is a YAML file whose line "help:" describes
 * it; an entry without a name ends the list. */
static entry_t *regressions, *cells;

/* Frees a list that ends with a NULL name; NULL is fine. */
static void free_entries(entry_t *entries) {
  for (entry_t *e = entries; e && e->name; e++) {
    free((char *)e->name);
    free((char *)e->file);
    free((char *)e->help);
  }
  free(entries);
}

/* The text behind "help: " in a YAML file, without its quotes; "" if there is no such line. To
 * be freed. */
static char *help_of(const char *path) {
  char line[512] = "", *help = NULL;
  FILE *file = fopen(path, "r");
  while (file && !help && fgets(line, sizeof line, file))
    if (strncmp(line, "help: ", 6) == 0) help = strndup(line + 6, strcspn(line + 6, "\n"));
  if (file) fclose(file);
  if (help && *help == '"') memmove(help, help + 1, strlen(help)), help[strcspn(help, "\"")] = 0;
  return help ? help : strdup("");
}

/* Appends the files that match to the entries. `folder` is what the list shows before a file's
 * name; "" shows the whole path. Returns the new list; out of memory cuts it short. */
static entry_t *add_files(entry_t *entries, const char *pattern, const char *folder) {
  glob_t found;
  size_t count = 0;
  while (entries && entries[count].name) count++;
  if (glob(pattern, 0, NULL, &found) == 0) {
    entry_t *more = realloc(entries, (count + found.gl_pathc + 1) * sizeof *more);
    for (size_t i = 0; more && i < found.gl_pathc; i++) {
      const char *path = found.gl_pathv[i], *name = strrchr(path, '/') + 1;
      char *file = NULL;
      if (asprintf(&file, "%s%s", folder, *folder ? name : path) < 0) break;
      more[count++] = (entry_t){strndup(name, strlen(name) - strlen(".yaml")), file, help_of(path)};
    }
    if (more) entries = more, entries[count] = (entry_t){0};
  }
  globfree(&found);
  return entries;
}

/* Fills regressions and cells. */
static void find_files(void) {
  char pattern[PLAIN_PATH];
  regressions = add_files(NULL, cli_data("tests/suites/*.yaml"), "tests/suites/");
  if (cells_pattern(cli_data("."), false, pattern)) cells = add_files(NULL, pattern, "synth/cells.d/");
  if (cells_pattern(cli_data("."), true, pattern)) cells = add_files(cells, pattern, "");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  static const char *const kinds[] = {"blocks", "systems", "workloads", "suites", "cells"};
  options_t *options = state->input;
  if (key != ARGP_KEY_ARG || options->what) return ARGP_ERR_UNKNOWN;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(arg, kinds[i]) == 0) options->what = kinds[i];
  return options->what ? 0
                       : cli_usage(state, "'%s' should be blocks, systems, workloads, suites or cells%s", arg,
                                   names_nearest("kinds", arg));
}

static json_t *path_or_null(const char *path) {
  return path && *path ? json_string(path) : json_null();
}

/* Every block with its files; null where it has none. */
static json_t *json_blocks(void) {
  json_t *list = json_array();
  for (const block_t *b = blocks; b->name; b++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", b->name, "family",
                                          b->family, "rtl", path_or_null(b->rtl), "ports", path_or_null(b->ports),
                                          "model", path_or_null(b->model), "test", path_or_null(b->test), "proof",
                                          path_or_null(b->proof), "synth", path_or_null(b->synth)));
  return list;
}

/* file_key: the key of an entry's file; NULL: entries without files. */
static json_t *json_entries(const entry_t *entries, const char *file_key) {
  json_t *list = json_array();
  for (const entry_t *e = entries; e->name; e++) {
    json_t *entry = json_pack("{s:s, s:s}", "name", e->name, "help", e->help);
    if (file_key) json_object_set_new(entry, file_key, path_or_null(e->file));
    json_array_append_new(list, entry);
  }
  return list;
}

/* The systems, each with its parts, links and clocks. NULL: a system's file is not good, as a
 * line has said. */
static json_t *json_systems(void) {
  static composition_t composition;
  trouble_t trouble = {0};
  json_t *list = json_entries(systems, "config"), *entry;
  size_t i;
  json_array_foreach(list, i, entry) {
    if (system_argument(systems[i].name, &composition)) return json_decref(list), NULL;
    if (!composition_settle(&composition, &trouble)) return cli_trouble(&trouble), json_decref(list), NULL;
    json_object_update_new(entry, draw_system_json(&composition));
  }
  return list;
}

/* The suites of `test` and of `regress`, told apart by `verb`. Those of `regress` have a file. */
static json_t *json_suites(void) {
  json_t *list = json_entries(suites, NULL), *more = regressions ? json_entries(regressions, "file") : json_array(),
         *suite;
  size_t i;
  json_array_foreach(list, i, suite) json_object_set_new(suite, "verb", json_string("test"));
  json_array_foreach(more, i, suite) json_object_set_new(suite, "verb", json_string("regress"));
  json_array_extend(list, more);
  json_decref(more);
  return list;
}

/* Four names a line. Their files are shown only by `list blocks`. */
static void print_block_names(FILE *out) {
  fprintf(out, "blocks\n");
  unsigned count = 0;
  for (const block_t *b = blocks; b->name; b++) {
    bool last = ++count % 4 == 0 || !b[1].name;
    int width = fprintf(out, "  %s/%s", b->family, b->name);
    fprintf(out, "%*s", last || width > 20 ? 1 : 21 - width, last ? "\n" : "");
  }
}

/* Each block with its files, for people. */
static void print_blocks(FILE *out) {
  fprintf(out, "blocks\n");
  for (const block_t *b = blocks; b->name; b++) {
    fprintf(out, "  %s/%s\n", b->family, b->name);
    fprintf(out, "      rtl %s  ports %s\n      model %s  test %s\n", b->rtl, b->ports, b->model, b->test);
    if (*b->proof) fprintf(out, "      proof %s\n", b->proof);
    fprintf(out, "      synth %s\n", b->synth);
  }
}

static void print_entries(FILE *out, const char *title, const entry_t *entries) {
  fprintf(out, "%s\n", title);
  for (const entry_t *e = entries; e->name; e++) fprintf(out, "  %-10s %s\n", e->name, e->help);
}

/* Is this list asked for? Without an argument all are. */
static bool is_list_wanted(const options_t *options, const char *what) {
  return !options->what || strcmp(options->what, what) == 0;
}

static const struct argp argp = {
    NULL,
    parse,
    "[blocks|systems|workloads|suites|cells]",
    "Lists what there is: hardware blocks with all their files, systems and workloads "
    "for `run`, suites for `test` and for `regress`, libraries of standard cells for `--cells`.\v"
    "Example:\n  lockstack list blocks --json blocks.json\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t options = {0};
  int code = cli_parse(cli, &argp, argc, argv, &options);
  if (code) return code;

  find_files();
  json_t *root = cli_json("list", 1);
  if (is_list_wanted(&options, "blocks")) {
    if (options.what) print_blocks(cli->out);
    else print_block_names(cli->out);
    json_object_set_new(root, "blocks", json_blocks());
  }
  if (is_list_wanted(&options, "systems")) {
    print_entries(cli->out, "systems", systems);
    json_t *list = json_systems();
    if (!list) return json_decref(root), EXIT_BAD;
    json_object_set_new(root, "systems", list);
  }
  if (is_list_wanted(&options, "workloads")) {
    print_entries(cli->out, "workloads", workloads);
    json_object_set_new(root, "workloads", json_entries(workloads, "source"));
  }
  if (is_list_wanted(&options, "suites")) {
    print_entries(cli->out, "suites of test", suites);
    print_entries(cli->out, "suites of regress", regressions ? regressions : (entry_t[]){{0}});
    json_object_set_new(root, "suites", json_suites());
  }
  if (is_list_wanted(&options, "cells")) {
    print_entries(cli->out, "cells", cells ? cells : (entry_t[]){{0}});
    json_object_set_new(root, "cells", cells ? json_entries(cells, "file") : json_array());
  }
  free_entries(regressions), free_entries(cells);
  return cli_finish(cli, root, EXIT_HELD);
}

const verb_t verb_list = {"list", "what there is: blocks, systems, workloads, suites, cells", run, &argp};
