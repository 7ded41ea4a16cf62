/* SPDX-License-Identifier: Apache-2.0 */
#include "new_sources.h"

#include "cli.h"
#include "file.h"
#include "lockstep_verbs.h"
#include "nearest.h"
#include "needs.h"
#include "own.h"
#include "plain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEFT_OUT_SHOWN = 5 };

/* A path as people would type it here. */
static const char *here(const char *path) {
  static char folder[LIST_PATH];
  const char *within = getcwd(folder, sizeof folder) ? file_within(path, folder) : NULL;
  return within ? within : path;
}

/* ---- the list */

static bool add_plain(char list[RTL_LIST], const char *path, trouble_t *trouble) {
  char plain[LIST_PATH];
  if (!plain_file(path, plain, sizeof plain, trouble)) return false;
  return rtl_has(list, plain) || rtl_add(list, plain) ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: too many files; --from and --file name those that are needed", path);
}

static bool add_paths(char list[RTL_LIST], const words_t *paths, trouble_t *trouble) {
  for (size_t i = 0; i < paths->count; i++)
    if (!add_plain(list, paths->at[i], trouble)) return false;
  return true;
}

/* Defines and options as X.yaml takes them. What an option already says goes before the list. */
static bool add_judged(char list[RTL_LIST], const words_t *words, const char *file,
                       bool (*takes)(const char *, trouble_t *), trouble_t *trouble) {
  for (size_t i = 0; i < words->count; i++) {
    trouble_t why;
    if (!takes(words->at[i], &why)) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", here(file), why.text);
    if (!rtl_has(list, words->at[i]) && !rtl_add(list, words->at[i]))
      return trouble_set(trouble, TROUBLE_INPUT, "%s: too many of them", here(file));
  }
  return true;
}

static void see_module(void *context, unit_t kind, const char *name, unsigned line) {
  (void)line;
  if (kind == UNIT_MODULE) words_add_new(context, name);
}

/* ", it has a, b and c; did you mean a?" of the modules of these files. */
static const char *modules_text(const words_t *files, const char *name, char *text, size_t size) {
  words_t modules = {0}, macros = {0};
  nearest_t near;
  for (size_t i = 0; i < files->count; i++) rtl_units_read(files->at[i], &macros, see_module, &modules);
  nearest_start(&near, name);
  size_t n = 0;
  *text = 0;
  for (size_t i = 0; i < modules.count; i++) {
    nearest_try(&near, modules.at[i]);
    if (modules.count <= 4 && n < size)
      n += (size_t)snprintf(text + n, size - n, "%s%.60s", i ? ", " : "; there are ", modules.at[i]);
  }
  if (modules.count > 4) n = (size_t)snprintf(text, size, "; there are %zu others", modules.count);
  if (n < size) snprintf(text + n, size - n, "%s", nearest_text(&near));
  words_free(&modules), words_free(&macros);
  return text;
}

/* Finds the file of the list that has the module. */
static bool find_top(new_sources_t *s, const char *path, const char *name, trouble_t *trouble) {
  const words_t *const lists[] = {&s->read.files, &s->read.spare};
  char text[TROUBLE_TEXT / 2];
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; i < lists[k]->count; i++) {
      if (!rtl_file_has(lists[k]->at[i], "module", name)) continue;
      if (*s->from)
        return trouble_set(trouble, TROUBLE_INPUT, "%s: two files of it have a module %s, %s and %s; --from says which",
                           here(path), name, here(s->from), here(lists[k]->at[i]));
      snprintf(s->from, sizeof s->from, "%s", lists[k]->at[i]);
    }
  return *s->from || trouble_set(trouble, TROUBLE_INPUT, "%s: none of its %zu files has a module %s%s", here(path),
                                 s->read.files.count, name, modules_text(&s->read.files, name, text, sizeof text));
}

static void split(words_t *words, const char *list) {
  words_split(words, list, "\n");
}

/* Takes the files that the module needs. */
static bool take_needed(new_sources_t *s, rtl_t *rtl, trouble_t *trouble) {
  words_t defines = {0};
  needs_t needs = {.files = &s->read.files,
                   .spare = &s->read.spare,
                   .libraries = &s->read.libraries,
                   .includes = &s->read.includes,
                   .defines = &defines};
  split(&defines, rtl->defines);
  needs_find(&needs, s->from);
  const bool ok = add_paths(rtl->files, &needs.used, trouble);
  s->taken = (unsigned)needs.used.count;
  needs_free(&needs);
  words_free(&defines);
  return ok;
}

int new_sources_read(new_sources_t *s, rtl_t *rtl, const char *name, const char *from) {
  char path[LIST_PATH];
  trouble_t trouble = {0};
  if (!realpath(s->list, path)) return cli_error(EXIT_BAD, "--filelist: %s: %s", s->list, strerror(errno));
  bool ok = file_list_read(path, &s->targets, &s->read, &trouble) &&
            add_judged(rtl->defines, &s->read.defines, path, own_define, &trouble) &&
            add_judged(rtl->flags, &s->read.flags, path, own_flag, &trouble) &&
            add_paths(rtl->libraries, &s->read.libraries, &trouble) &&
            add_paths(rtl->includes, &s->read.includes, &trouble);
  if (ok && from && !realpath(from, s->from)) return cli_error(EXIT_BAD, "--from: %s: %s", from, strerror(errno));
  ok = ok && (from || find_top(s, path, name, &trouble)) && take_needed(s, rtl, &trouble);
  return ok ? 0 : cli_trouble(&trouble);
}

void new_sources_print(const new_sources_t *s, FILE *out) {
  const words_t *left = &s->read.left_out;
  if (!s->list) return;
  fprintf(out, "  of %s: %u of %zu files, %zu folders of include files, %zu defines\n", s->list, s->taken,
          s->read.files.count, s->read.includes.count, s->read.defines.count);
  for (size_t i = 0; i < left->count && i < LEFT_OUT_SHOWN; i++) fprintf(out, "  not taken: %s\n", here(left->at[i]));
  if (left->count > LEFT_OUT_SHOWN) fprintf(out, "  not taken: %zu more\n", left->count - LEFT_OUT_SHOWN);
  for (size_t i = 0; i < s->read.absent.count; i++)
    fprintf(out, "  not here: %s, on which the list depends; nothing that was read needs it\n", s->read.absent.at[i]);
}

/* ---- what is missing */

/* The files as they are, without links of ours. */
static void split_real(words_t *words, const char *list) {
  words_t named = {0};
  split(&named, list);
  for (size_t i = 0; i < named.count; i++) {
    char *real = realpath(named.at[i], NULL);
    words_add_new(words, real ? real : named.at[i]);
    free(real);
  }
  words_free(&named);
}

/* Everything that the search needs, and its answer. */
typedef struct {
  words_t files, libraries, includes, defines;
  rtl_index_t index;
  char root[LIST_PATH], top[LIST_PATH], macro[LIST_PATH], place[LIST_PATH];
  needs_t needs;
} search_t;

/* The macro that Verilator does not know: "PATH:LINE:COLUMN: Define or directive not defined:
 * '`NAME'". */
static void take_macro(search_t *q, const char *text) {
  static const char unknown[] = "Define or directive not defined: '`";
  const char *at = strstr(text, unknown);
  if (!at) return;
  snprintf(q->macro, sizeof q->macro, "%.*s", (int)strcspn(at + strlen(unknown), "'"), at + strlen(unknown));
  snprintf(q->place, sizeof q->place, "%.*s", (int)(at > text + 2 ? at - text - 2 : 0), text);
  q->needs.macro = q->macro, q->needs.macro_place = q->place;
}

static void search_open(search_t *q, const rtl_t *rtl, const char *top, const char *text) {
  *q = (search_t){0};
  if (!realpath(top, q->top)) snprintf(q->top, sizeof q->top, "%s", top);
  split_real(&q->files, rtl->files), split_real(&q->libraries, rtl->libraries);
  words_add(&q->libraries, "%s/rtl/lib", verbs_places().source);
  split_real(&q->includes, rtl->includes), split(&q->defines, rtl->defines);
  rtl_index_root(q->top, q->root);
  rtl_index_open(&q->index, q->root);
  q->needs = (needs_t){.files = &q->files,
                       .libraries = &q->libraries,
                       .includes = &q->includes,
                       .defines = &q->defines,
                       .index = &q->index};
  take_macro(q, text);
  needs_find(&q->needs, q->top);
}

static void search_close(search_t *q) {
  needs_free(&q->needs);
  rtl_index_close(&q->index);
  words_free(&q->files), words_free(&q->libraries), words_free(&q->includes), words_free(&q->defines);
}

static const char *kind_text(unit_t kind) {
  if (kind == UNIT_INCLUDES) return "include file";
  if (kind == UNIT_MACRO) return "macro";
  return kind == UNIT_PACKAGE ? "package" : "module";
}

/* Is it an error that a missing file may cause? */
static bool may_be_missing(const char *text) {
  static const char *const signs[] = {"annot find",  "not found",    "predeclared",
                                      "not defined", "syntax error", "missing"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strstr(text, signs[i])) return true;
  return false;
}

bool new_sources_find(const new_sources_t *s, rtl_t *rtl, const char *top, const trouble_t *trouble, FILE *out) {
  search_t q;
  trouble_t none;
  bool any = false;
  if (s->only_named || trouble->kind != TROUBLE_INPUT || !may_be_missing(trouble->text)) return false;
  const rtl_t before = *rtl;
  search_open(&q, rtl, top, trouble->text);
  const needs_t *n = &q.needs;
  if (n->found.count) {
    bool ok = true;
    *rtl->files = 0;
    for (size_t i = 0; ok && i < q.files.count; i++)
      if (!words_has(&n->order, q.files.at[i])) ok = add_plain(rtl->files, q.files.at[i], &none);
    ok = ok && add_paths(rtl->files, &n->order, &none);
    if (!ok) *rtl = before;
  }
  add_paths(rtl->includes, &n->folders, &none);
  for (size_t i = 0; i < n->count; i++) {
    const need_t *need = &n->missing[i];
    if (need->in.count != 1) continue;
    any = true;
    fprintf(out, "found: %s %s in %s", kind_text(need->kind), need->name, here(need->in.at[0]));
    if (need->more) fprintf(out, ", one of %u", need->more + 1);
    fprintf(out, "\n");
  }
  search_close(&q);
  return any && memcmp(&before, rtl, sizeof before) != 0;
}

/* The option that adds the file: its folder for an include file. */
static void option_text(const need_t *need, const char *path, char *text, size_t size) {
  const int length = (int)(strlen(path) - strlen(need->name)) - 1;
  char shown[LIST_PATH], word[PLAIN_WORD];
  if (need->kind == UNIT_INCLUDES) snprintf(shown, sizeof shown, "%.*s", length, path);
  else snprintf(shown, sizeof shown, "%s", path);
  const char *typed = here(shown);
  char working[LIST_PATH];
  if (getcwd(working, sizeof working) && strcmp(shown, working) == 0) typed = ".";
  snprintf(text, size, "%s %s", need->kind == UNIT_INCLUDES ? "--include" : "--file", plain_word(typed, word));
}

/* The options that may add what no file has. */
static const char *option_of(unit_t kind) {
  if (kind == UNIT_INCLUDES) return "--include FOLDER";
  return kind == UNIT_MACRO ? "--define NAME=VALUE or --file FILE" : "--file FILE";
}

static void say_missing(const new_sources_t *s, const search_t *q, const need_t *need) {
  char option[LIST_PATH + 32], second[LIST_PATH + 32], place[LIST_PATH + 32];
  const char *kind = kind_text(need->kind);
  snprintf(place, sizeof place, "%s", here(need->place));
  if (need->in.count) option_text(need, need->in.at[0], option, sizeof option);
  if (need->in.count > 1) option_text(need, need->in.at[1], second, sizeof second);
  if (need->in.count == 1)
    cli_error(EXIT_BAD, "%s: no file that is read has %s %s; %s would be right", place, kind, need->name, option);
  else if (need->in.count > 1)
    cli_error(EXIT_BAD, "%s: no file that is read has %s %s; %zu files of %s have one: %s or %s would be right", place,
              kind, need->name, need->in.count, q->root, option, second);
  else
    cli_error(EXIT_BAD, "%s: no file that is read has %s %s, and none %sbelow %s; %s would be right%s%s", place, kind,
              need->name, q->index.cut ? "of the first ones " : "", q->root, option_of(need->kind),
              s->read.absent.count ? "; the list depends on what is not here: " : "",
              s->read.absent.count ? s->read.absent.at[0] : "");
}

/* The options that add all, if there is one way. */
static void say_together(const search_t *q) {
  const needs_t *n = &q->needs;
  char *text = NULL, option[LIST_PATH + 32];
  size_t size;
  FILE *to = open_memstream(&text, &size);
  words_t said = {0};
  for (size_t i = 0; i < n->count; i++)
    if (n->missing[i].in.count != 1) return fclose(to), free(text);
  for (size_t i = 0; i < n->found.count; i++) {
    const need_t file = {.kind = UNIT_PACKAGE, .name = (char *)""};
    option_text(&file, n->found.at[i], option, sizeof option);
    fprintf(to, "%s ", option);
  }
  for (size_t i = 0; i < n->count; i++) {
    if (n->missing[i].kind != UNIT_INCLUDES) continue;
    option_text(&n->missing[i], n->missing[i].in.at[0], option, sizeof option);
    if (words_add_new(&said, option)) fprintf(to, "%s ", option);
  }
  if (fclose(to) == 0) cli_error(EXIT_BAD, "together: %.*s", (int)strlen(text) - 1, text);
  words_free(&said);
  free(text);
}

/* A syntax error may be of a missing macro or type, but not of a missing module; so is a macro
 * that nobody defines. */
static bool is_cause(const needs_t *n, const char *text) {
  bool early = false;
  for (size_t i = 0; i < n->count; i++) early |= n->missing[i].kind != UNIT_MODULE;
  return n->count && (early || (!strstr(text, "syntax error") && !strstr(text, "not defined")));
}

/* False also for a module whose name is a macro. */
static bool has_module(const char *path, const char *name) {
  words_t modules = {0}, macros = {0};
  rtl_units_read(path, &macros, see_module, &modules);
  const bool has = words_has(&modules, name) || rtl_file_has(path, "module", name);
  words_free(&modules), words_free(&macros);
  return has;
}

/* Says in the words of `new` what Verilator says about parameters; false: it says another thing. */
static bool parameter_trouble(const char *name, const char *text) {
  static const char unknown[] = "Parameters from the command line were not found in the design: ";
  const char *at = strstr(text, "Parameter without initial value"), *quote = at ? strrchr(at, '\'') : NULL;
  const char *first = quote ? quote - 1 : NULL;
  while (first && first > at && *first != '\'') first--;
  if (first && first > at) {
    const int n = (int)(quote - first) - 1;
    cli_error(EXIT_BAD, "%.*s: parameter %.*s has no value; --set %.*s=VALUE would be right",
              (int)(at > text + 2 ? at - text - 2 : 0), text, n, first + 1, n, first + 1);
    return true;
  }
  at = strstr(text, unknown);
  if (at) cli_error(EXIT_BAD, "--set %s: module %s has no such parameter", at + sizeof unknown - 1, name);
  return at;
}

int new_sources_trouble(const new_sources_t *s, const rtl_t *rtl, const char *name, const char *top,
                        const trouble_t *trouble) {
  char text[TROUBLE_TEXT / 2];
  search_t q;
  if (trouble->kind != TROUBLE_INPUT) return cli_trouble(trouble);
  if (!has_module(top, name)) {
    words_t files = {0};
    words_add(&files, "%s", top);
    cli_error(EXIT_BAD, "%s: has no module %s%s", here(top), name, modules_text(&files, name, text, sizeof text));
    return words_free(&files), EXIT_BAD;
  }
  if (parameter_trouble(name, trouble->text)) return EXIT_BAD;
  if (!may_be_missing(trouble->text)) return cli_trouble(trouble);
  search_open(&q, rtl, top, trouble->text);
  const bool is = is_cause(&q.needs, trouble->text);
  for (size_t i = 0; is && i < q.needs.count; i++) say_missing(s, &q, &q.needs.missing[i]);
  if (is && q.needs.count > 1) say_together(&q);
  search_close(&q);
  return is ? EXIT_BAD : cli_trouble(trouble);
}
