/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack new: the folder of a block of one's own, made whole or not at all.
 *
 *   new_sources      --filelist: what it says
 *   make_part        .X.RANDOM beside the new folder
 *   read_existing_rtl   --from: Verilator and Yosys look at the module (look_at)
 *   scaffold_write   the files
 *   rename           .X.RANDOM becomes X
 *   build_new_block  port file and RTL are compared; if that fails, X is removed
 */
#include "cli.h"
#include "file.h"
#include "judged.h"
#include "lockstep_verbs.h"
#include "new_sources.h"
#include "new_vhdl.h"
#include "own.h"
#include "plain.h"
#include "process.h"
#include "scaffold.h"
#include "vhdl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over BUILD_PATH fail when they are opened */

/* `folder` ends in the block's name. from NULL: a new block with a first RTL file of its own; else
 * the existing RTL, whose files and folders are in `rtl`. clock and reset NULL: found by look.h. */
typedef struct {
  const char *folder, *from, *clock, *reset;
  bool python, language; /* language: rtl.verilog is given */
  rtl_t rtl;
  char params[1024]; /* --set */
  new_sources_t sources;
} options_t;

enum { MOST_SEARCHES = 8 }; /* each finds what the tool has named since the last one */

enum {
  KEY_FROM = 0x100,
  KEY_FILE,
  KEY_LIBRARY,
  KEY_INCLUDE,
  KEY_DEFINE,
  KEY_CLOCK,
  KEY_RESET,
  KEY_PYTHON,
  KEY_LIST,
  KEY_TARGET,
  KEY_NO_FIND,
  KEY_LANGUAGE,
  KEY_VERILATOR,
  KEY_SET
};

static const struct argp_option argp_options[] = {
    {"from", KEY_FROM, "FILE", 0,
     "Existing RTL: the .sv or .v file that has module X, the .vhd file that has entity X, or a list as of --filelist",
     0},
    {"filelist", KEY_LIST, "LIST", 0,
     "Existing RTL: a project's list of its files, .f (Verilator, Icarus), .core (FuseSoC) or Bender.yml; what X needs "
     "of it is taken",
     0},
    {"target", KEY_TARGET, "NAME", CLI_LIST, "With a .core or a Bender.yml: a target of the list; may be repeated", 0},
    {"no-find", KEY_NO_FIND, NULL, 0,
     "With --from: takes only what is named here, and says which packages, modules and include files are missing; "
     "otherwise those that only one file of the project around has are taken, too",
     0},
    {"file", KEY_FILE, "FILE", CLI_LIST,
     "With --from: a file that is read before it, such as a package; may be repeated", 0},
    {"library", KEY_LIBRARY, "FOLDER", CLI_LIST,
     "With --from: where modules are that it names, each in a file of its name (its own folder is looked in anyway)",
     0},
    {"include", KEY_INCLUDE, "FOLDER", CLI_LIST, "With --from: where `include files are; may be repeated", 0},
    {"define", KEY_DEFINE, "NAME[=VALUE]", CLI_LIST, "With --from: a macro of its preprocessor; may be repeated", 0},
    {"language", KEY_LANGUAGE, "NAME", 0,
     "With --from: of .v files, verilog (2005) or systemverilog (default: the latter, if it can be read as such)", 0},
    {"verilator", KEY_VERILATOR, "OPTION", CLI_LIST,
     "With --from: an option of Verilator about warnings or speed, as `verilator` of X.yaml; may be repeated", 0},
    {"set", KEY_SET, "PARAM=VALUE", CLI_LIST,
     "With --from: the default of a parameter in place of the RTL's, which may have none; may be repeated", 0},
    {"clock", KEY_CLOCK, "NAME", 0,
     "With --from: its clock, where it cannot be found; none: it is combinational; A,B: both get one clock", 0},
    {"reset", KEY_RESET, "NAME[,low|high[,sync|async]]", 0,
     "With --from: its reset, where it cannot be found or is another one; A,B: both are active together. none,CYCLES: "
     "it has none, and so many cycles after power-up are not compared; initial: it begins with the values that the RTL "
     "declares",
     0},
    {"python", KEY_PYTHON, NULL, 0, "The model is X.py, for a first try: slower, and no compiler in between", 0},
    {0},
};

/* ---- options */

/* Adds a file or folder that an option names, by its whole path. Tools take few characters in
 * paths; a path with others goes by a link. */
static error_t add_path(const struct argp_state *state, const char *option, const char *arg, char list[RTL_LIST],
                        bool folder) {
  char path[BUILD_PATH];
  if (!realpath(arg, path) || access(path, R_OK)) return cli_usage(state, "%s: %s: %s", option, arg, strerror(errno));
  if (verbs_is_folder(path) != folder)
    return cli_usage(state, "%s: %s should be a %s", option, arg, folder ? "folder" : "file");
  trouble_t trouble = {0};
  char plain[BUILD_PATH];
  if (!plain_file(path, plain, sizeof plain, &trouble)) return cli_usage(state, "%s: %s", option, trouble.text);
  return rtl_add(list, plain) ? 0 : cli_usage(state, "%s: too many of them", option);
}

/* --define and --verilator: a word that X.yaml would take. */
static error_t add_word(const struct argp_state *state, const char *option, const char *arg, char list[RTL_LIST],
                        bool (*takes)(const char *, trouble_t *)) {
  trouble_t why;
  if (!takes(arg, &why)) return cli_usage(state, "%s: %s", option, why.text);
  return rtl_add(list, arg) ? 0 : cli_usage(state, "%s: too many of them", option);
}

static error_t set_language(options_t *o, const struct argp_state *state, const char *name) {
  o->language = true, o->rtl.verilog = strcmp(name, "verilog") == 0;
  if (o->rtl.verilog || strcmp(name, "systemverilog") == 0) return 0;
  return cli_usage(state, "--language: '%s' should be verilog (.v files are Verilog 2005) or systemverilog", name);
}

/* Does an option say something about existing RTL? */
static bool has_options(const options_t *o) {
  return *o->rtl.files || *o->rtl.libraries || *o->rtl.includes || *o->rtl.defines || *o->rtl.flags || *o->params ||
         o->clock || o->reset || o->language || o->sources.only_named || o->sources.targets.count;
}

static bool is_rtl(const char *path) {
  const size_t n = strlen(path);
  return vhdl_is_file(path) || (n > 2 && strcmp(path + n - 2, ".v") == 0) ||
         (n > 3 && strcmp(path + n - 3, ".sv") == 0);
}

/* Options that need others; the last word of the folder is the block's name. */
static error_t check_options(options_t *o, const struct argp_state *state) {
  const char *slash = o->folder ? strrchr(o->folder, '/') : NULL, *name = slash ? slash + 1 : o->folder;
  if (!name) return cli_usage(state, "X is missing: the name of the block, or a path that ends in it");
  if (!scaffold_name(name))
    return cli_usage(state, "'%s' should be a name of less than 64 letters, digits and _, that of the module", name);
  if (o->from && !o->sources.list && file_list_is(o->from)) o->sources.list = o->from, o->from = NULL;
  if (!o->from && !o->sources.list && has_options(o))
    return cli_usage(state, "--file, --library, --include, --define, --verilator, --language, --set, --clock, --reset, "
                            "--no-find and --target go with --from FILE or --filelist LIST");
  if (o->sources.targets.count && !o->sources.list)
    return cli_usage(state, "--target goes with --filelist LIST, a .core or a Bender.yml");
  if (!o->from) return 0;
  if (!is_rtl(o->from)) return cli_usage(state, "--from: '%s' should end in .sv, .v, .vhd or .vhdl", o->from);
  if (o->sources.list) return access(o->from, R_OK) ? cli_usage(state, "--from: %s: %s", o->from, strerror(errno)) : 0;
  return add_path(state, "--from", o->from, o->rtl.files, false);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_FROM: o->from = arg; return 0;
  case KEY_FILE: return add_path(state, "--file", arg, o->rtl.files, false);
  case KEY_LIBRARY: return add_path(state, "--library", arg, o->rtl.libraries, true);
  case KEY_INCLUDE: return add_path(state, "--include", arg, o->rtl.includes, true);
  case KEY_DEFINE: return add_word(state, "--define", arg, o->rtl.defines, own_define);
  case KEY_VERILATOR: return add_word(state, "--verilator", arg, o->rtl.flags, own_flag);
  case KEY_LANGUAGE: return set_language(o, state, arg);
  case KEY_SET: return verbs_param(state, arg, o->params, sizeof o->params);
  case KEY_LIST: o->sources.list = arg; return 0;
  case KEY_TARGET: words_add_new(&o->sources.targets, arg); return 0;
  case KEY_NO_FIND: o->sources.only_named = true; return 0;
  case KEY_CLOCK: o->clock = arg; return 0;
  case KEY_RESET: o->reset = arg; return 0;
  case KEY_PYTHON: o->python = true; return 0;
  case ARGP_KEY_ARG:
    if (o->folder) return ARGP_ERR_UNKNOWN;
    o->folder = arg;
    return 0;
  case ARGP_KEY_END: return check_options(o, state);
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- the run */

/* A block in the making, from its module to what is written. */
typedef struct {
  char name[64], folder[BUILD_PATH], part[BUILD_PATH]; /* part: where it is made */
  module_t module;
  look_pins_t pins;
  scaffold_t scaffold;
} new_t;

/* Makes the temporary folder. Refuses a folder that exists. 0, or an exit code after a line. */
static int make_part(const options_t *o, new_t *n) {
  char above[BUILD_PATH], real[BUILD_PATH];
  const char *slash = strrchr(o->folder, '/');
  snprintf(n->name, sizeof n->name, "%s", slash ? slash + 1 : o->folder);
  snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - o->folder) + (slash == o->folder) : 1,
           slash ? o->folder : ".");
  if (access(o->folder, F_OK) == 0)
    return cli_error(EXIT_BAD, "%s: is there already; another name would be right, or remove it", o->folder);
  if (!realpath(above, real)) return cli_error(EXIT_BAD, "%s: %s", above, strerror(errno));
  snprintf(n->folder, BUILD_PATH, "%s/%s", strcmp(real, "/") ? real : "", n->name);
  snprintf(n->part, BUILD_PATH, "%s/.%s.XXXXXX", strcmp(real, "/") ? real : "", n->name);
  return mkdtemp(n->part) ? 0 : cli_error(EXIT_ENV, "%s: cannot make a folder here: %s", real, strerror(errno));
}

/* What is known of the module goes, but for its name and file. */
static void forget_module(new_t *n) {
  static module_t module;
  snprintf(module.name, sizeof module.name, "%s", n->module.name);
  snprintf(module.file, sizeof module.file, "%s", n->module.file);
  n->module = module;
}

/* Looks again, at Verilog 2005, in which `bit` and `do` are names. If that does not help, the error
 * is of the language in which the file could at least be read, else of SystemVerilog. */
static bool look_as_verilog(options_t *o, new_t *n, const look_t *l, trouble_t *trouble) {
  trouble_t second = {0};
  const bool was_read = n->module.num_ports;
  o->rtl.verilog = true;
  forget_module(n);
  if (look_at(l, &n->module, &n->pins, &second)) return true;
  if (!was_read && n->module.num_ports) *trouble = second;
  return false;
}

/* either: the file may be SystemVerilog or Verilog 2005. */
static bool look_in_either(options_t *o, new_t *n, const look_t *l, bool either, trouble_t *trouble) {
  *trouble = (trouble_t){0};
  if (either) o->rtl.verilog = false;
  forget_module(n);
  if (look_at(l, &n->module, &n->pins, trouble)) return true;
  return either && !cli_interrupted && look_as_verilog(o, n, l, trouble);
}

/* Moves a parameter from the numbers to those that are left: Verilator shows a text that it is
 * given as the bits of its letters. */
static module_left_t *leave_number(module_t *m, const char *name, size_t length) {
  for (unsigned i = 0; i < m->num_params && m->num_left < MODULE_PARAMS; i++) {
    if (strncmp(m->params[i].name, name, length) || m->params[i].name[length]) continue;
    module_left_t *l = &m->left[m->num_left++];
    *l = (module_left_t){.why = "a text"};
    snprintf(l->name, sizeof l->name, "%s", m->params[i].name);
    memmove(&m->params[i], &m->params[i + 1], (--m->num_params - i) * sizeof *m->params);
    return l;
  }
  return NULL;
}

/* A parameter whose --set is no number becomes a PARAM_TEXT with this value. */
static void take_texts(module_t *m, const char *params) {
  char list[sizeof((options_t *)0)->params], *rest;
  snprintf(list, sizeof list, "%s", params);
  for (char *one = strtok_r(list, ", ", &rest); one; one = strtok_r(NULL, ", ", &rest)) {
    const size_t n = strcspn(one, "=");
    const char *value = one + n + (one[n] == '=');
    module_left_t *l = m->left;
    if (strchr("-+0123456789", *value)) continue;
    while (l < m->left + m->num_left && (strncmp(l->name, one, n) || l->name[n])) l++;
    if (l == m->left + m->num_left) l = leave_number(m, one, n);
    value += *value == '"';
    if (l && strcmp(l->why, "a text") == 0) snprintf(l->text, sizeof l->text, "%.*s", (int)strcspn(value, "\""), value);
  }
}

/* Code for simulation may name what is above the module, and synthesis leaves it out: looks again
 * with SYNTHESIS defined. */
static bool look_as_synthesis(options_t *o, new_t *n, const look_t *l, bool either, trouble_t *trouble, FILE *out) {
  static const char unknown[] = "Can't find definition of scope/variable: ";
  const char *at = strstr(trouble->text, unknown);
  const rtl_t before = o->rtl;
  trouble_t second;
  if (!at || rtl_has(o->rtl.defines, "SYNTHESIS") || !rtl_add(o->rtl.defines, "SYNTHESIS")) return false;
  if (!look_in_either(o, n, l, either, &second)) return o->rtl = before, false;
  fprintf(out, "SYNTHESIS is defined: code for simulation names %s, which is not in the module\n",
          at + strlen(unknown));
  return true;
}

/* Also with what is missing and found in the project around, and as synthesis sees it. */
static bool look_at_verilog(options_t *o, new_t *n, const look_t *l, bool either, trouble_t *trouble, FILE *out) {
  bool ok = look_in_either(o, n, l, either, trouble);
  for (int i = 0; !ok && !cli_interrupted && i < MOST_SEARCHES &&
                  new_sources_find(&o->sources, &o->rtl, n->module.file, trouble, out);
       i++)
    ok = look_in_either(o, n, l, either, trouble);
  return ok || look_as_synthesis(o, n, l, either, trouble, out);
}

/* Looks at the module of --from, and adds to o->rtl what it needs: its folder as a library, and the
 * files that Verilator read modules from, except those of the tree. The tools' own files are in
 * PART.look, which is gone at the end. 0, or an exit code after a line. */
static int read_existing_rtl(options_t *o, new_t *n, const cli_t *cli) {
  char work[BUILD_PATH], from[BUILD_PATH], folder[BUILD_PATH], library[BUILD_PATH], *slash;
  trouble_t trouble = {0};
  snprintf(from, sizeof from, "%s.look", n->part);
  if (!plain_file(from, work, sizeof work, &trouble)) return cli_trouble(&trouble);
  if (!realpath(o->from, from)) return cli_error(EXIT_BAD, "--from: %s: %s", o->from, strerror(errno));
  snprintf(n->module.name, sizeof n->module.name, "%s", n->name);
  /* by the name that it has among o->rtl.files */
  if (!plain_file(from, n->module.file, sizeof n->module.file, &trouble)) return cli_trouble(&trouble);
  const bool either = !o->language && strcmp(from + strlen(from) - 2, ".v") == 0; /* SystemVerilog, or Verilog 2005 */
  if ((slash = strrchr(from, '/'))) *slash = 0;
  if (!plain_file(from, folder, sizeof folder, &trouble)) return cli_trouble(&trouble);
  if (!file_folder(work)) return cli_error(EXIT_ENV, "%s: %s", work, strerror(errno));
  if (!rtl_has(o->rtl.libraries, folder)) rtl_add(o->rtl.libraries, folder);
  const bool vhdl = vhdl_is(&o->rtl);
  if (!vhdl) own_packages(&o->rtl);
  snprintf(library, sizeof library, "%s/rtl/lib", verbs_places().source);
  look_t l = {.rtl = &o->rtl, .params = o->params, .clock = o->clock, .reset = o->reset, .work = work, .tree = library};
  FILE *found = o->sources.only_named ? NULL : cli->out;
  const bool ok = vhdl ? new_vhdl_look(&l, &o->rtl, &n->module, &n->pins, found, &trouble)
                       : look_at_verilog(o, n, &l, either, &trouble, cli->out);
  for (const char *at = n->module.sources; ok && !vhdl && rtl_next(&at, from, sizeof from);)
    if (!rtl_has(o->rtl.files, from) && strncmp(from, library, strlen(library)) != 0) rtl_add(o->rtl.files, from);
  file_remove_all(work);
  if (ok) take_texts(&n->module, o->params);
  n->scaffold.module = &n->module, n->scaffold.pins = &n->pins, n->scaffold.rtl = &o->rtl;
  if (ok || vhdl) return ok ? 0 : new_sources_parameter(n->name, &trouble);
  return new_sources_trouble(&o->sources, &o->rtl, n->name, n->module.file, &trouble);
}

/* Compares the port file with the RTL as each build does, without the C++ of the RTL, which `check`
 * makes. */
static int build_new_block(const new_t *n) {
  const places_t places = verbs_places();
  static block_t block;
  char path[BUILD_PATH];
  trouble_t trouble;
  const bool built =
      block_find(&block, &places, n->folder, NULL, &trouble) && block_object(&block, &places, "ports", path, &trouble);
  return built ? 0 : cli_trouble(&trouble);
}

/* The umask can only be read by setting it. */
static mode_t current_umask(void) {
  const mode_t now = umask(0);
  umask(now);
  return now;
}

/* Everything from the temporary folder on. A failure leaves nothing behind. */
static int make_block_folder(options_t *o, new_t *n, const cli_t *cli) {
  trouble_t trouble = {0};
  char what[128];
  snprintf(what, sizeof what, "reading %s", n->name);
  process_work(what);
  int code = o->from ? read_existing_rtl(o, n, cli) : 0;
  process_work(NULL);
  n->scaffold.name = n->name, n->scaffold.folder = n->folder, n->scaffold.python = o->python;
  if (!code && !scaffold_write(&n->scaffold, n->part, &trouble)) code = cli_trouble(&trouble);
  if (!code && (chmod(n->part, 0777 & ~current_umask()) || rename(n->part, n->folder)))
    code = cli_error(EXIT_ENV, "%s: %s", n->folder, strerror(errno));
  if (code) return file_remove_all(n->part), code;
  if ((code = build_new_block(n))) file_remove_all(n->folder);
  return code;
}

/* Ports and parameters of existing RTL whose names C, Python or the port file cannot have. */
static json_t *renamed_to_json(const options_t *o, const new_t *n) {
  json_t *names = json_array();
  const char *rtl, *here;
  for (unsigned i = 0; o->from && i < n->module.num_ports + n->module.num_params; i++)
    if (scaffold_renamed(&n->scaffold, i, &rtl, &here))
      json_array_append_new(names, json_pack("{s:s, s:s}", "rtl", rtl, "name", here));
  return names;
}

static json_t *interfaces_to_json(const new_t *n) {
  const interfaces_t *found = n->scaffold.interfaces;
  json_t *all = json_array();
  char text[64];
  for (const interface_t *f = found->all; f < found->all + found->count; f++)
    json_array_append_new(all, json_pack("{s:s, s:s}", "name", f->name, "protocol", interface_text(f, text)));
  return all;
}

/* null: there is none. */
static json_t *clock_json(const look_pins_t *pins) {
  return *pins->clock ? json_string(pins->clocks) : json_null();
}

enum { RESETS_TEXT = CLOCKING_RESETS * (MODULE_NAME + 16) };

/* Names ('n'), levels ('l') or kinds ('k') of the resets with commas between. Returns text. */
static const char *resets_text(const look_pins_t *pins, char text[RESETS_TEXT], char what) {
  size_t used = 0;
  for (const look_reset_t *r = pins->resets; r < pins->resets + pins->num_resets; r++) {
    const char *level = r->low ? "low" : "high", *kind = r->async ? "async" : "sync";
    if (what == 'n') level = r->name;
    used += (size_t)snprintf(text + used, RESETS_TEXT - used, "%s%s", used ? "," : "", what == 'k' ? kind : level);
  }
  return text;
}

/* `reset` null: the block begins as it powers up, and `uncompared` cycles do not count. */
static void add_reset_json(json_t *from, const look_pins_t *pins) {
  char name[RESETS_TEXT], level[RESETS_TEXT], sync[RESETS_TEXT];
  if (pins->num_resets)
    json_object_update_new(from, json_pack("{s:s, s:s, s:s}", "reset", resets_text(pins, name, 'n'), "level",
                                           resets_text(pins, level, 'l'), "sync", resets_text(pins, sync, 'k')));
  else
    json_object_update_new(from, json_pack("{s:n, s:b, s:i}", "reset", "initial", pins->initial, "uncompared",
                                           pins->initial ? 0 : (int)pins->uncompared));
}

/* The result: the files, and what was found in existing RTL. */
static json_t *new_block_to_json(const options_t *o, const new_t *n) {
  static const char *const endings[] = {".ports", ".h", ".c", "_stim.c"};
  const module_t *m = &n->module;
  json_t *root = cli_json("new", 1), *files = json_array(), *params = json_array();
  char name[128];
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    snprintf(name, sizeof name, "%s%s", n->name, endings[i]), json_array_append_new(files, json_string(name));
  snprintf(name, sizeof name, "%s%s", n->name, o->from ? ".yaml" : ".sv");
  json_array_append_new(files, json_string(name));
  if (o->python) snprintf(name, sizeof name, "%s.py", n->name), json_array_append_new(files, json_string(name));
  json_object_update_new(root, json_pack("{s:s, s:s, s:o}", "block", n->folder, "name", n->name, "files", files));
  for (unsigned i = 0; i < m->num_params; i++)
    if (!m->params[i].derived) json_array_append_new(params, json_string(m->params[i].name));
  if (!o->from) json_decref(params), json_object_set_new(root, "from", json_null());
  else
    json_object_set_new(root, "from",
                        json_pack("{s:s, s:o, s:s, s:b, s:i, s:o}", "file", m->file, "clock", clock_json(&n->pins),
                                  "kind", m->mealy || !m->seen_inside || !*n->pins.clock ? "mealy" : "moore",
                                  "seen_inside", m->seen_inside, "ports", (int)m->num_ports, "parameters", params));
  if (o->from) add_reset_json(json_object_get(root, "from"), &n->pins);
  json_object_set_new(root, "renamed", renamed_to_json(o, n));
  json_object_set_new(root, "interfaces", interfaces_to_json(n));
  return root;
}

/* Interfaces that stimulus and model keep to, and what only looks like one. */
static void print_interfaces(FILE *out, const new_t *n) {
  const interfaces_t *found = n->scaffold.interfaces;
  char text[64];
  for (const interface_t *f = found->all; f < found->all + found->count; f++)
    fprintf(out, "  %s: %s\n", f->name, interface_text(f, text));
  for (unsigned i = 0; i < found->num_left; i++) fprintf(out, "  %s: its inputs are random\n", found->left[i]);
}

static void print_renamed(FILE *out, const options_t *o, const new_t *n) {
  const char *rtl, *here, *before = "  names in C and Python: ";
  for (unsigned i = 0; o->from && i < n->module.num_ports + n->module.num_params; i++)
    if (scaffold_renamed(&n->scaffold, i, &rtl, &here)) fprintf(out, "%s%s is %s", before, rtl, here), before = ", ";
  if (*before == ',') fputs("; reports and waves have the RTL's\n", out);
}

/* Does the tree have a block of this name, which verbs would take first? */
static bool in_tree(const char *name) {
  const places_t places = verbs_places();
  static block_t block;
  trouble_t trouble;
  return block_find(&block, &places, name, NULL, &trouble) && !*block.folder;
}

/* Parameters that a user can set: not those made of others. */
static unsigned own_params(const module_t *m) {
  unsigned n = 0;
  for (unsigned i = 0; i < m->num_params; i++) n += !m->params[i].derived;
  return n;
}

/* Do outputs depend on inputs of the same cycle? Where nobody could see into the RTL, mealy is
 * the safe answer. */
static const char *output_kind_text(const module_t *m) {
  if (!m->seen_inside) return "said to be mealy: Yosys cannot read the RTL, look yourself";
  return m->mealy ? "mealy: some depend on inputs of the same cycle" : "moore: all of registers";
}

/* "reset rst_n (low, async)", or how a block without one begins. Returns text. */
static const char *reset_text(const look_pins_t *pins, char text[RESETS_TEXT]) {
  const size_t size = RESETS_TEXT;
  size_t used = 0;
  for (const look_reset_t *r = pins->resets; r < pins->resets + pins->num_resets; r++)
    used += (size_t)snprintf(text + used, size - used, "%s%s (%s, %s)", used ? ", " : "reset ", r->name,
                             r->low ? "low" : "high", r->async ? "async" : "sync");
  if (pins->num_resets) return text;
  if (!*pins->clock) snprintf(text, size, "no registers");
  else if (pins->initial) snprintf(text, size, "no reset: registers begin with values of the RTL");
  else snprintf(text, size, "no reset: outputs count from cycle %u on", pins->uncompared);
  return text;
}

/* The files, what was found in existing RTL, and what the user writes next. */
static void print_new_block(const cli_t *cli, const options_t *o, const new_t *n) {
  const module_t *m = &n->module;
  char stem[PORT_NAME];
  port_name_stem(n->name, stem);
  fprintf(cli->out, "%s: %s.ports, %s.h, %s.c, %s_stim.c, %s%s", n->folder, n->name, n->name, n->name, n->name, n->name,
          o->from ? ".yaml" : ".sv");
  if (o->python) fprintf(cli->out, ", %s.py", n->name);
  fputc('\n', cli->out);
  if (o->from)
    fprintf(cli->out, "  %u ports, %u parameters, clock %s, %s, outputs %s\n", m->num_ports, own_params(m),
            *n->pins.clock ? n->pins.clocks : "none", reset_text(&n->pins, (char[RESETS_TEXT]){0}),
            output_kind_text(m));
  if (strchr(n->pins.clocks, ','))
    fprintf(cli->out, "  %s are one clock here: what crosses from one to another is not checked\n", n->pins.clocks);
  if (n->pins.num_resets > 1)
    fprintf(cli->out, "  %s are one reset here: active together\n", resets_text(&n->pins, (char[RESETS_TEXT]){0}, 'n'));
  print_interfaces(cli->out, n);
  new_sources_print(&o->sources, cli->out);
  for (const module_left_t *l = m->left; l < m->left + m->num_left; l++)
    if (!*l->text) fprintf(cli->out, "  parameter %s is %s: no PARAM, its own value holds\n", l->name, l->why);
  print_renamed(cli->out, o, n);
  if (!strchr(o->folder, '/') && in_tree(n->name))
    fprintf(cli->out, "  the tree has a block %s, too: verbs take yours as ./%s\n", n->name, o->folder);
  if (o->python)
    fprintf(cli->out, "  next: write State, outputs and step in %s.py; until then `lockstack check %s` fails\n",
            n->name, o->folder);
  else
    fprintf(cli->out, "  next: write %s_eval and %s_step in %s.c; until then `lockstack check %s` fails\n", stem, stem,
            n->name, o->folder);
}

static const struct argp argp = {
    argp_options,
    parse,
    "X",
    "Makes folder X, a block of your own: port file, golden model, stimulus, and RTL, or X.yaml, which says what "
    "existing RTL is "
    "read from. Its check fails until the model is written (docs/own-block.md). With --from, X is the name of the "
    "module; ports, "
    "parameters, clock and reset are those of the RTL.\v"
    "Examples:\n  lockstack new counter\n  lockstack new uart --from rtl/uart.v --include rtl/include\n"
    "  lockstack new uart --filelist rtl/uart.f\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  static options_t o;
  static new_t n;
  int code = cli_parse(cli, &argp, argc, argv, &o);
  judged_unknown(); /* it makes files, and judges none */
  if (!code) code = make_part(&o, &n);
  if (!code && o.sources.list) {
    code = new_sources_read(&o.sources, &o.rtl, n.name, o.from);
    if (!code) o.from = o.sources.from;
    else file_remove_all(n.part);
  }
  if (!code) code = make_block_folder(&o, &n, cli);
  if (code) return code;
  print_new_block(cli, &o, &n);
  json_t *root = new_block_to_json(&o, &n);
  scaffold_free(&n.scaffold);
  return cli_finish(cli, root, EXIT_HELD);
}

const verb_t verb_new = {"new", "the folder of a block of your own, of existing RTL or from nothing", run, &argp};
