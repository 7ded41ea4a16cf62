/* SPDX-License-Identifier: Apache-2.0
 *
 * The command portgen: makes headers, checkers and lists from port files and shared lists (`portgen
 * --help`). Exit status 2: bad input, one line. Exit status 3: the environment.
 *
 *   rtl/X/Y.def --port_tree_read--> families --+
 *                                              +--> view --port_template--> X_ports.h, X_lint.sv
 *   X.ports -----port_file_read--> entries ----+
 */
#include "port_arrived.h"
#include "port_check.h"
#include "port_shape.h"

#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BAD = TROUBLE_INPUT, EXIT_ENV = TROUBLE_ENVIRONMENT, SETTINGS_MOST = 64 };

typedef struct {
  const char *root, *what, *out, *ports, *rtl, *class, *xml, *said;
  const char *settings[SETTINGS_MOST];
  const char *pins[SETTINGS_MOST * 8];
  const char *params[SETTINGS_MOST];
  unsigned num_settings, num_pins, num_params;
  bool tree, bare;
  port_arena_t arena;
} options_t;

/* The kind that has no template (port_fields_print). */
#define AS_READ "as_read.h"

/* --tree makes these for each port file: X_ports.h, X_lint.sv. Other kinds depend on parameters or
 * a tool. */
static const char *const of_each_block[] = {"ports.h", "lint.sv"};

static int report_bad(const trouble_t *trouble) {
  fprintf(stderr, "%s\n", trouble->text);
  return (int)trouble->kind;
}

static int report_environment(const char *path) {
  fprintf(stderr, "%s: %s\n", path, strerror(errno));
  return EXIT_ENV;
}

/* ---- files */

static bool same_text(const char *path, const port_buffer_t *text) {
  size_t size;
  char *old = port_read_text(path, &size);
  const bool same = old && size == text->size && memcmp(old, text->at, size) == 0;
  free(old);
  return same;
}

/* Writes a file whole or not at all, and only if its text changes, so that nothing that depends on
 * it is rebuilt. */
static int write_text(options_t *o, const char *path, const port_buffer_t *text) {
  if (same_text(path, text)) return 0;
  const char *part = port_format(&o->arena, "%s.%ld", path, (long)getpid());
  FILE *file = fopen(part, "w");
  if (!file) return report_environment(part);
  const bool written = fwrite(text->at, 1, text->size, file) == text->size;
  if (fclose(file) == 0 && written && rename(part, path) == 0) return 0;
  const int status = report_environment(path);
  unlink(part);
  return status;
}

/* Writes the text to the file, or to standard output if `path` is NULL. */
static int deliver_text(options_t *o, const char *path, const port_buffer_t *text) {
  if (path) return write_text(o, path, text);
  if (fwrite(text->at, 1, text->size, stdout) != text->size || fflush(stdout))
    return report_environment("standard output");
  return 0;
}

/* Expands the template into the file, or to standard output if `path` is NULL. */
static int make_output(options_t *o, const char *template, const port_view_t *view, const char *path) {
  trouble_t trouble = {0};
  port_buffer_t text = {0};
  int status = 0;
  port_add(&text, "", 0);
  if (!port_template(template, view, &text, &trouble)) status = report_bad(&trouble);
  else status = deliver_text(o, path, &text);
  free(text.at);
  return status;
}

/* ---- kinds of output: kind ports.h has the template gen/ports_h.in */

/* The template of a kind: gen/ports_h.in for "ports.h". */
static const char *template_of(options_t *o, const char *kind) {
  char *path = port_format(&o->arena, "%s/harness/portgen/gen/%s.in", o->root, kind);
  for (char *p = path + strlen(path) - strlen(kind) - 3; *p; p++)
    if (*p == '.' && strcmp(p, ".in")) *p = '_';
  return path;
}

/* "nsu_pkg.sv" for ".../nsu_pkg_sv.in"; NULL: the template makes no file (another ending). */
static char *kind_of(options_t *o, const char *template) {
  const char *name = strrchr(template, '/') + 1;
  char *kind = port_copy(&o->arena, name, strlen(name) - strlen(".in")), *last = strrchr(kind, '_');
  static const char *const endings[] = {"h", "sv", "svh", "txt"};
  for (size_t i = 0; last && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(last + 1, endings[i]) == 0) return *last = '.', kind;
  return NULL;
}

/* The family that a kind belongs to: "nsu_pkg.sv" to nsu. NULL: a kind for each block. */
static const port_family_t *family_of(const port_tree_t *tree, const char *kind) {
  for (unsigned i = 0; i < tree->num_families; i++) {
    const size_t n = strlen(tree->families[i].name);
    if (strncmp(kind, tree->families[i].name, n) == 0 && kind[n] == '_') return &tree->families[i];
  }
  return NULL;
}

/* Calls see() for each template that makes a file, with its kind. */
static int each_template(options_t *o, const port_tree_t *tree,
                         int (*see)(options_t *o, const port_tree_t *tree, const char *template, char *kind)) {
  glob_t found;
  int status = 0;
  const char *pattern = port_format(&o->arena, "%s/harness/portgen/gen/*.in", o->root);
  if (glob(pattern, 0, NULL, &found))
    return fprintf(stderr, "%s: no templates are there; --root names the tree\n", pattern), EXIT_BAD;
  for (size_t i = 0; !status && i < found.gl_pathc; i++) {
    char *kind = kind_of(o, found.gl_pathv[i]);
    if (kind) status = see(o, tree, found.gl_pathv[i], kind);
  }
  globfree(&found);
  return status;
}

/* Prints a kind that --what accepts. */
static int say_kind(options_t *o, const port_tree_t *tree, const char *template, char *kind) {
  (void)o, (void)template;
  if (!family_of(tree, kind)) fprintf(stderr, " %s", kind);
  return 0;
}

/* Lists the kinds that --what accepts. */
static int unknown_kind(options_t *o, const port_tree_t *tree) {
  fprintf(stderr, "--what %s: no such kind; one of", o->what);
  each_template(o, tree, say_kind);
  fprintf(stderr, " %s\n", AS_READ);
  return EXIT_BAD;
}

/* Reads the port file with the settings of -D, and applies the names of --pin and --bare. */
static bool read_ports(const options_t *o, port_tree_t *tree, port_file_t *file, trouble_t *trouble) {
  return port_file_read(file, tree, o->ports, o->settings, o->num_settings, trouble) &&
         port_file_pins(file, o->pins, o->num_pins, o->bare, trouble) &&
         port_file_params(file, o->params, o->num_params, trouble);
}

/* --what as_read.h: the port file as C includes it. */
static int make_as_read(options_t *o, port_tree_t *tree) {
  trouble_t trouble = {0};
  port_file_t file;
  port_buffer_t text = {0};
  port_add(&text, "", 0);
  int status = read_ports(o, tree, &file, &trouble) ? 0 : report_bad(&trouble);
  if (!status) port_fields_print(&file, &text), status = deliver_text(o, o->out, &text);
  free(text.at);
  port_file_free(&file);
  return status;
}

/* --what: makes one kind from one port file. */
static int make_one_block(options_t *o, port_tree_t *tree) {
  trouble_t trouble = {0};
  port_file_t file;
  if (strcmp(o->what, AS_READ) == 0) return make_as_read(o, tree);
  const char *template = template_of(o, o->what);
  if (strchr(o->what, '/') || family_of(tree, o->what) || access(template, R_OK)) return unknown_kind(o, tree);
  const bool ok = read_ports(o, tree, &file, &trouble);
  const int status = ok ? make_output(o, template, &file.view, o->out) : report_bad(&trouble);
  port_file_free(&file);
  return status;
}

/* ---- against the RTL */

/* --xml and --said: checks the parameters against Verilator's output. Prints the values with the
 * RTL's types. */
static bool check_rtl_parameters(const options_t *o, const port_file_t *file, trouble_t *trouble) {
  const char *stem = strrchr(o->rtl, '/') ? strrchr(o->rtl, '/') + 1 : o->rtl;
  char module[256];
  size_t size;
  port_buffer_t given = {0};
  bool ok = true;
  snprintf(module, sizeof module, "%.*s", (int)strcspn(stem, "."), stem);
  port_add(&given, "", 0);
  if (o->said) {
    char *said = port_read_text(o->said, &size);
    ok = said ? port_known(file, module, said, trouble)
              : trouble_set(trouble, TROUBLE_INPUT, "%s: %s", o->said, strerror(errno));
    free(said);
  } else if ((ok = port_shape(file, o->xml, trouble) && port_arrived(file, o->xml, &given, trouble)) &&
             fwrite(given.at, 1, given.size, stdout) != given.size)
    ok = trouble_set(trouble, TROUBLE_ENVIRONMENT, "standard output: %s", strerror(errno));
  free(given.at);
  return ok;
}

/* --rtl: compares the port file with the RTL's ports or parameters. */
static int check_against(options_t *o, port_tree_t *tree) {
  trouble_t trouble = {0};
  port_file_t file;
  const bool same = read_ports(o, tree, &file, &trouble) && (o->class ? port_check(&file, o->rtl, o->class, &trouble)
                                                                      : check_rtl_parameters(o, &file, &trouble));
  port_file_free(&file);
  return same ? 0 : report_bad(&trouble);
}

/* ---- all of the tree */

/* Makes one file of a family, for --tree. */
static int make_family_file(options_t *o, const port_tree_t *tree, const char *template, char *kind) {
  const port_family_t *family = family_of(tree, kind);
  if (!family) return 0;
  const port_view_t view = port_family_view(tree, family);
  return make_output(o, template, &view, port_format(&o->arena, "%s/%s", o->out, kind));
}

/* Makes the files of one block, with the default parameters, for --tree. */
static int make_block_files(options_t *o, port_tree_t *tree, const char *ports) {
  trouble_t trouble = {0};
  port_file_t file;
  int status = port_file_read(&file, tree, ports, NULL, 0, &trouble) ? 0 : report_bad(&trouble);
  for (size_t i = 0; !status && i < sizeof of_each_block / sizeof *of_each_block; i++) {
    const char *path = port_format(&o->arena, "%s/%s_%s", o->out, file.view.block, of_each_block[i]);
    status = make_output(o, template_of(o, of_each_block[i]), &file.view, path);
  }
  port_file_free(&file);
  return status;
}

/* --tree: the files of all families, then those of all blocks. */
static int make_all_blocks(options_t *o, port_tree_t *tree) {
  glob_t found;
  int status = each_template(o, tree, make_family_file);
  const char *pattern = port_format(&o->arena, "%s/rtl/*/*.ports", o->root);
  if (status || glob(pattern, 0, NULL, &found)) return status;
  for (size_t i = 0; !status && i < found.gl_pathc; i++) status = make_block_files(o, tree, found.gl_pathv[i]);
  globfree(&found);
  return status;
}

/* ---- options */

static const struct argp_option table[] = {
    {"root", 'r', "DIR", 0, "the tree: its lists, rtl/*/*.def, and its templates, harness/portgen/gen (required)", 0},
    {"what", 'w', "KIND", 0, "what is made of the port file; a wrong one is answered by the list", 0},
    {NULL, 'D', "NAME=VALUE", 0, "a parameter's value in place of its default", 0},
    {"pin", 'P', "data_i=tx_data", 0, "the port that would be data_i is tx_data in the RTL", 0},
    {"parameter", 'p', "IN_=IN", 0, "parameter IN_ is IN in the RTL", 0},
    {"bare", 'b', NULL, 0, "ports have no _i and _o in the RTL", 0},
    {"rtl", 'R', "X.sv", 0, "instead of --what: the port file is held against this module's ports", 0},
    {"class", 'C', "FILE", 0, "of --rtl: header of the class that Verilator made of it with these parameters", 0},
    {"xml", 'X', "FILE", 0,
     "of --rtl: Verilator's XML of it with these parameters, whose values and whose structs' fields have to be there; "
     "the values are printed as its types have them",
     0},
    {"said", 'S', "FILE", 0, "of --rtl: what Verilator said of it; a parameter that it lacks is the error", 0},
    {"tree", 't', NULL, 0,
     "into folder -o: of each list its packages and types, of each port file X_ports.h and X_lint.sv", 0},
    {"output", 'o', "FILE", 0, "file, or folder of --tree; written only when it changes (default: standard output)", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 'r': o->root = arg; break;
  case 'w': o->what = arg; break;
  case 'R': o->rtl = arg; break;
  case 'C': o->class = arg; break;
  case 'X': o->xml = arg; break;
  case 'S': o->said = arg; break;
  case 't': o->tree = true; break;
  case 'b': o->bare = true; break;
  case 'P':
    if (o->num_pins == sizeof o->pins / sizeof *o->pins) argp_error(state, "--pin: too many of them");
    o->pins[o->num_pins++] = arg;
    break;
  case 'p':
    if (o->num_params == SETTINGS_MOST || !strchr(arg, '=')) argp_error(state, "--parameter: too many, or no IN_=IN");
    o->params[o->num_params++] = arg;
    break;
  case 'o': o->out = arg; break;
  case 'D':
    if (o->num_settings == SETTINGS_MOST || !strchr(arg, '='))
      argp_error(state, "-D%s: should be -DNAME=VALUE, at most %d of them", arg, SETTINGS_MOST);
    o->settings[o->num_settings++] = arg;
    break;
  case ARGP_KEY_ARG:
    if (o->ports) argp_error(state, "%s: one port file at a time", arg);
    o->ports = arg;
    break;
  case ARGP_KEY_END:
    if (!o->root) argp_error(state, "--root is missing: the tree that the lists and templates are in");
    if (o->tree && (!o->out || o->what || o->rtl || o->ports || o->num_settings))
      argp_error(state, "--tree goes with --root and -o FOLDER alone");
    if (!o->tree && (!o->ports || !o->what == !o->rtl))
      argp_error(state, "should be a port file with --what or --rtl, or --tree");
    if (!!o->rtl != !!o->class + !!o->xml + !!o->said)
      argp_error(state, "--rtl goes with one of --class, --xml and --said");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

int main(int argc, char **argv) {
  static const char doc[] = "Reads port files (X.ports) and shared lists (X.def) and makes what comes of them.\v"
                            "Example: portgen --root . --what ports.h -DDepth=8 rtl/lib/fifo.ports";
  static const struct argp argp = {.options = table, .parser = parse_option, .args_doc = "[X.ports]", .doc = doc};
  trouble_t trouble = {0};
  options_t o = {0};
  port_tree_t tree;
  argp_err_exit_status = EXIT_BAD;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  int status = port_tree_read(&tree, o.root, &trouble) ? 0 : report_bad(&trouble);
  if (!status && o.tree) status = make_all_blocks(&o, &tree);
  else if (!status) status = o.rtl ? check_against(&o, &tree) : make_one_block(&o, &tree);
  port_tree_free(&tree);
  port_release(&o.arena);
  return status;
}
