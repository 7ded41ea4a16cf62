/* SPDX-License-Identifier: Apache-2.0
 *
 * Renames ports in Verilator's C++ whose names C++ cannot have as members. A port `name` would be
 * a field beside the class' function name(), `errno` is a macro, and `int` is __SYM__int. The text
 * that Verilator wrote is changed, so that the design keeps its ports and its hierarchy: waves,
 * coverage and messages have the RTL's names.
 *
 *   Vdut_X.h                VL_IN8(&name,7,0);                      the class' fields
 *   Vdut_X.cpp              , name{vlSymsp->TOP.name}
 *   Vdut_X___024root*       VL_IN8(name,7,0); vlSelf->name; os<<name
 *   Vdut_X__Syms*, __Trace* &(TOP.name); vlSelf->name
 */
#include "port_names.h"
#include "recipe.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  words_t from, to; /* members as Verilator writes them, and as the shim has them */
  bool of_part;     /* the text is that of a part's class, which names the root's members by TOP alone */
} renames_t;

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* True if the text before `at` ends like this. */
static bool ends_with(const char *text, const char *at, const char *end) {
  const size_t n = strlen(end);
  return (size_t)(at - text) >= n && strncmp(at - n, end, n) == 0;
}

/* A declaration: VL_IN8(name, VL_OUTW(&name, VL_IN8((&name)[4]. */
static bool is_declared(const char *text, const char *at) {
  const char *word = at;
  while (word > text && (word[-1] == '&' || word[-1] == '(')) word--;
  if (word == at) return false;
  at = word;
  while (word > text && is_word(word[-1])) word--;
  return strncmp(word, "VL_IN", 5) == 0 || strncmp(word, "VL_OUT", 6) == 0;
}

static bool is_member(const char *text, const char *at, const char *after, bool of_part) {
  static const char *const before[] = {"vlSelf->", "vlSelfRef.", "TOP.", "os<<", "os>>", "os.write(&", "os.read(&"};
  if (of_part) return ends_with(text, at, "TOP.") && *after != '(';
  if (ends_with(text, at, "vlSymsp VL_ATTR_UNUSED = vlSelf->")) return false; /* each function's own */
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (ends_with(text, at, before[i]) && *after != '(') return true;
  if (ends_with(text, at, "    , ") && strncmp(after, "{vlSymsp->TOP.", 14) == 0) return true;
  return is_declared(text, at);
}

static const char *new_name(const renames_t *names, const char *word, size_t n) {
  for (size_t i = 0; i < names->from.count; i++)
    if (strlen(names->from.at[i]) == n && strncmp(names->from.at[i], word, n) == 0) return names->to.at[i];
  return NULL;
}

/* Numbers count as words: 0xfeU. */
static void write_renamed(FILE *to, const char *text, const renames_t *names) {
  for (const char *p = text; *p;) {
    const char *after = p, *name = NULL;
    while (is_word(*after)) after++;
    if (after != p) name = new_name(names, p, (size_t)(after - p));
    if (after == p) after++;
    if (name && is_member(text, p, after, names->of_part)) fputs(name, to);
    else fwrite(p, 1, (size_t)(after - p), to);
    p = after;
  }
}

static bool rename_in(recipe_t *r, const char *path, const renames_t *names) {
  char *text = recipe_read(r, path), *renamed = NULL;
  size_t size = 0;
  FILE *to = text ? open_memstream(&renamed, &size) : NULL;
  if (to) write_renamed(to, text, names), fclose(to);
  const bool ok = renamed && recipe_write(r, path, renamed);
  free(text), free(renamed);
  return ok;
}

/* Notes each port of the class whose member should have another name. */
static void see_ports(const char *class, renames_t *names) {
  char spelled[PORT_NAME], rtl[PORT_NAME], member[PORT_NAME];
  for (const char *line = class; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    const char *p = line + strspn(line, " ");
    if (strncmp(p, "VL_IN", 5) && strncmp(p, "VL_OUT", 6)) continue;
    p += strcspn(p, "(\n"), p += strspn(p, "(&");
    snprintf(spelled, sizeof spelled, "%.*s", (int)strcspn(p, "),\n"), p);
    port_name_decoded(spelled, rtl), port_name_member(rtl, member);
    if (!*spelled || strcmp(spelled, member) == 0) continue;
    words_add(&names->from, "%s", spelled), words_add(&names->to, "%s", member);
  }
}

/* Files of the root and its tables; a part that is a class of its own, as an interface is, keeps
 * its names. */
static bool rename_all(recipe_t *r, renames_t *names) {
  static const char *const files[] = {".h", ".cpp", "__Syms*", "___024root*", "__Trace*", "_[!_]*"};
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++) {
    glob_t found;
    names->of_part = i + 1 == sizeof files / sizeof *files;
    if (glob(recipe_text(r, "%s/verilated/Vdut_%s%s", r->work, r->ask->block, files[i]), 0, NULL, &found)) continue;
    for (size_t k = 0; ok && k < found.gl_pathc; k++) ok = rename_in(r, found.gl_pathv[k], names);
    globfree(&found);
  }
  return ok;
}

bool recipe_members(recipe_t *r) {
  renames_t names = {0};
  char *class = recipe_read(r, recipe_text(r, "verilated/Vdut_%s.h", r->ask->block));
  if (!class) return false;
  see_ports(class, &names);
  const bool ok = !names.from.count || rename_all(r, &names);
  words_free(&names.from), words_free(&names.to);
  free(class);
  return ok;
}
