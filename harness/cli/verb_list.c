/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack list: what there is to run. The lists come from the build (cmake/lists.cmake) and suites.def.
 */
#include "cli.h"

#include <string.h>

typedef struct {
  const char *what; /* NULL: all */
} options_t;

typedef struct {
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

static error_t parse(int key, char *arg, struct argp_state *state) {
  static const char *const kinds[] = {"blocks", "systems", "workloads", "suites"};
  options_t *options = state->input;
  if (key != ARGP_KEY_ARG || options->what) return ARGP_ERR_UNKNOWN;
  for (unsigned i = 0; i < 4; i++)
    if (strcmp(arg, kinds[i]) == 0) options->what = kinds[i];
  return options->what ? 0 : cli_usage(state, "'%s' should be blocks, systems, workloads or suites", arg);
}

static json_t *path_or_null(const char *path) {
  return path && *path ? json_string(path) : json_null();
}

static json_t *json_blocks(void) {
  json_t *list = json_array();
  for (const block_t *b = blocks; b->name; b++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", b->name, "family",
                                          b->family, "rtl", path_or_null(b->rtl), "ports", path_or_null(b->ports),
                                          "model", path_or_null(b->model), "test", path_or_null(b->test), "proof",
                                          path_or_null(b->proof), "synth", path_or_null(b->synth)));
  return list;
}

static json_t *json_entries(const entry_t *entries, const char *file_key) {
  json_t *list = json_array();
  for (const entry_t *e = entries; e->name; e++) {
    json_t *entry = json_pack("{s:s, s:s}", "name", e->name, "help", e->help);
    if (file_key) json_object_set_new(entry, file_key, path_or_null(e->file));
    json_array_append_new(list, entry);
  }
  return list;
}

/* Four names a line; their files only when blocks alone are asked for. */
static void print_block_names(FILE *out) {
  fprintf(out, "blocks\n");
  unsigned count = 0;
  for (const block_t *b = blocks; b->name; b++) {
    bool last = ++count % 4 == 0 || !b[1].name;
    int width = fprintf(out, "  %s/%s", b->family, b->name);
    fprintf(out, "%*s", last || width > 20 ? 1 : 21 - width, last ? "\n" : "");
  }
}

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

static bool wanted(const options_t *options, const char *what) {
  return !options->what || strcmp(options->what, what) == 0;
}

static int run(cli_t *cli, int argc, char **argv) {
  static const struct argp argp = {NULL, parse, "[blocks|systems|workloads|suites]",
                                   "Lists what there is: hardware blocks with all their files, systems and workloads "
                                   "for `run`, suites for `test`.\v"
                                   "Example:\n  lockstack list blocks --json blocks.json\n", NULL, NULL, NULL};
  options_t options = {0};
  int code = cli_parse(cli, &argp, argc, argv, &options);
  if (code) return code;

  json_t *root = cli_json("list", 1);
  if (wanted(&options, "blocks")) {
    if (options.what) print_blocks(cli->out);
    else print_block_names(cli->out);
    json_object_set_new(root, "blocks", json_blocks());
  }
  if (wanted(&options, "systems")) {
    print_entries(cli->out, "systems", systems);
    json_object_set_new(root, "systems", json_entries(systems, "config"));
  }
  if (wanted(&options, "workloads")) {
    print_entries(cli->out, "workloads", workloads);
    json_object_set_new(root, "workloads", json_entries(workloads, "source"));
  }
  if (wanted(&options, "suites")) {
    print_entries(cli->out, "suites", suites);
    json_object_set_new(root, "suites", json_entries(suites, NULL));
  }
  return cli_finish(cli, root, EXIT_HELD);
}

const verb_t verb_list = {"list", "what there is: blocks, systems, workloads, suites", run};
