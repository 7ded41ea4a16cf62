/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Verilator's signals.xml line by line, without an XML parser: Verilator writes one element a
 * line.
 */
#include "cover_where.h"

#include "object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- strings */

/* FNV-1a, 32 bits. */
static unsigned hash(const char *text) {
  unsigned h = 2166136261u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return h;
}

/* Doubles the hash table, a power of two with at least half of its slots free. */
static bool grow_strings(cover_strings_t *s) {
  unsigned n = s->num_slots ? 2 * s->num_slots : 256;
  char **slots = calloc(n, sizeof *slots);
  if (!slots) return false;
  for (unsigned i = 0; i < s->num_slots; i++) {
    if (!s->slots[i]) continue;
    unsigned at = hash(s->slots[i]) & (n - 1);
    while (slots[at]) at = (at + 1) & (n - 1);
    slots[at] = s->slots[i];
  }
  free(s->slots);
  s->slots = slots;
  s->num_slots = n;
  return true;
}

const char *cover_string(cover_strings_t *s, const char *text) {
  if (2 * s->count >= s->num_slots && !grow_strings(s)) return "";
  unsigned at = hash(text) & (s->num_slots - 1);
  for (; s->slots[at]; at = (at + 1) & (s->num_slots - 1))
    if (strcmp(s->slots[at], text) == 0) return s->slots[at];
  s->slots[at] = strdup(text);
  s->count++;
  return s->slots[at] ? s->slots[at] : "";
}

void cover_strings_free(cover_strings_t *s) {
  for (unsigned i = 0; i < s->num_slots; i++) free(s->slots[i]);
  free(s->slots);
  *s = (cover_strings_t){0};
}

/* --- reading */

/* Adds a variable. Its name loses the scopes that Verilator has joined to it ("a__DOT__b"). */
static bool add_var(cover_where_t *w, const char *module, const char *line) {
  char loc[64], name[512], type[64];
  if (!top_xml_attribute(line, "loc", loc, sizeof loc) || !top_xml_attribute(line, "name", name, sizeof name))
    return true;
  if (w->num_vars % 1024 == 0) {
    cover_var_t *vars = realloc(w->vars, (w->num_vars + 1024) * sizeof *vars);
    if (!vars) return false;
    w->vars = vars;
  }
  char *last = name;
  for (char *at; (at = strstr(last, "__DOT__"));) last = at + 7;
  if (strrchr(last, '.')) last = strrchr(last, '.') + 1;
  const char *file = w->files[top_xml_file(loc)], *comma = strchr(loc, ',');
  const bool counts =
      !top_xml_attribute(line, "vartype", type, sizeof type) || (strcmp(type, "int") && strcmp(type, "integer"));
  w->vars[w->num_vars++] = (cover_var_t){module, cover_string(&w->strings, last), file ? file : "",
                                         comma ? (unsigned)strtoul(comma + 1, NULL, 10) : 0, counts};
  return true;
}

/* Adds an instance: its place in the hierarchy and its module. False: out of memory. */
static bool add_cell(cover_where_t *w, const char *line) {
  char hierarchy[1024], module[512];
  if (!top_xml_attribute(line, "hier", hierarchy, sizeof hierarchy) ||
      !top_xml_attribute(line, "submodname", module, sizeof module))
    return true;
  if (w->num_cells % 256 == 0) {
    cover_cell_t *cells = realloc(w->cells, (w->num_cells + 256) * sizeof *cells);
    if (!cells) return false;
    w->cells = cells;
  }
  w->cells[w->num_cells++] = (cover_cell_t){cover_string(&w->strings, hierarchy), cover_string(&w->strings, module)};
  return true;
}

/* Takes one line; *module is the module that the line is in. False: out of memory. */
static bool read_line(cover_where_t *w, const char *line, const char **module) {
  char a[4096], b[4096];
  line += strspn(line, " ");
  if (strncmp(line, "<var ", 5) == 0) return add_var(w, *module, line);
  if (strncmp(line, "<cell ", 6) == 0) return add_cell(w, line);
  if (strncmp(line, "<module ", 8) == 0 && top_xml_attribute(line, "name", a, sizeof a))
    *module = cover_string(&w->strings, a);
  if (strncmp(line, "<file ", 6) == 0 && top_xml_attribute(line, "id", a, sizeof a) &&
      top_xml_attribute(line, "filename", b, sizeof b))
    w->files[top_xml_file(a)] = cover_string(&w->strings, b);
  return true;
}

bool cover_where_read(cover_where_t *w, const char *object, trouble_t *trouble) {
  const char *module = "";
  char *text = object_side(object, "signals.xml"), *rest = text;
  bool ok = true;
  memset(w, 0, sizeof *w);
  if (!text) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: has no list of its signals", object);
  for (char *line; ok && (line = strsep(&rest, "\n"));) ok = read_line(w, line, &module);
  free(text);
  if (!ok) trouble_memory(trouble);
  return ok;
}

void cover_where_free(cover_where_t *w) {
  free(w->vars);
  free(w->cells);
  cover_strings_free(&w->strings);
}

/* --- looking up */

/* The innermost instance around a scope, and the length of its name. */
static const cover_cell_t *cell_of(const cover_where_t *w, const char *scope, size_t *length) {
  const cover_cell_t *best = NULL;
  *length = 0;
  for (unsigned i = 0; i < w->num_cells; i++) {
    const size_t n = strlen(w->cells[i].hierarchy);
    if (n > *length && strncmp(scope, w->cells[i].hierarchy, n) == 0 && scope[n] == '.')
      best = &w->cells[i], *length = n;
  }
  return best;
}

bool cover_place(const cover_where_t *w, const char *scope, const char *name, cover_place_t *place) {
  size_t n;
  if (strncmp(scope, "TOP.", 4)) return false;
  scope += 4;
  const cover_cell_t *cell = cell_of(w, scope, &n);
  if (!cell || strstr(scope + n, "unnamedblk") || strncmp(name, "__V", 3) == 0) return false;
  place->module = cell->module;
  snprintf(place->scope, sizeof place->scope, "%s", scope + n + 1);
  for (unsigned i = 0; i < w->num_vars; i++) {
    const cover_var_t *v = &w->vars[i];
    if (v->module != cell->module || strcmp(v->name, name)) continue;
    place->file = v->file;
    place->line = v->line;
    return v->counts;
  }
  return false;
}
