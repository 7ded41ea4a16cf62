/* SPDX-License-Identifier: Apache-2.0
 *
 * All files are scanned, but for those around. From the entity's file on, each unit that a file
 * names leads to the file that declares it, which goes before; files with the unit's body go
 * behind it.
 */
#include "vhdl_order.h"

#include "file.h"
#include "vhdl.h"
#include "vhdl_scan.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { FOLDER_FILES = 2000 };

typedef struct {
  char *path;
  words_t entities, packages, bodies; /* that it declares */
  words_t named;                      /* "LINE LIBRARY UNIT", LIBRARY "" for a component */
  bool given, taken;                  /* one of rtl->files; needed */
  unsigned same;                      /* the file whose library this one shares; itself: its own */
  char library[VHDL_WORD];            /* "": not said */
} source_t;

typedef struct sources {
  source_t *at;
  unsigned count, room;
  const vhdl_around_t *around;
  struct sources *near; /* the files around; NULL: not read yet */
  vhdl_order_t *order;
  words_t taken; /* indices, in order */
  trouble_t *trouble;
} sources_t;

/* ---- files */

static void see(void *context, vhdl_unit_t kind, const char *library, const char *name, unsigned line) {
  source_t *s = context;
  if (kind == VHDL_ENTITY) words_add_new(&s->entities, name);
  else if (kind == VHDL_PACKAGE) words_add_new(&s->packages, name);
  else if (kind == VHDL_BODY) words_add_new(&s->bodies, name);
  else words_add(&s->named, "%u %s %s", line, *library ? library : "-", name);
}

static bool has_path(const sources_t *all, const char *path) {
  for (unsigned i = 0; i < all->count; i++)
    if (strcmp(all->at[i].path, path) == 0) return true;
  return false;
}

static bool add_file(sources_t *all, const char *path, bool given) {
  if (has_path(all, path)) return true;
  if (all->count == all->room) {
    source_t *more = realloc(all->at, (all->room = 2 * all->room + 16) * sizeof *more);
    if (!more) return trouble_memory(all->trouble);
    all->at = more;
  }
  source_t *s = &all->at[all->count];
  *s = (source_t){.path = strdup(path), .given = given, .same = all->count};
  if (!s->path) return trouble_memory(all->trouble);
  all->count++;
  return vhdl_scan(path, see, s) || !given || trouble_set(all->trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
}

static bool add_folder(sources_t *all, const char *folder) {
  char pattern[4096 + 16];
  glob_t found;
  bool ok = true;
  snprintf(pattern, sizeof pattern, "%s/*.vhd*", folder);
  if (strpbrk(folder, "*?[\\") || glob(pattern, 0, NULL, &found)) return true;
  for (size_t i = 0; ok && i < found.gl_pathc && i < FOLDER_FILES; i++)
    if (vhdl_is_file(found.gl_pathv[i])) ok = add_file(all, found.gl_pathv[i], false);
  globfree(&found);
  return ok;
}

static bool add_all(sources_t *all, const rtl_t *rtl) {
  char path[4096];
  bool ok = true;
  for (const char *at = rtl->files; ok && rtl_next(&at, path, sizeof path);)
    if (vhdl_is_file(path)) ok = add_file(all, path, true);
  for (const char *at = rtl->libraries; ok && rtl_next(&at, path, sizeof path);) ok = add_folder(all, path);
  return ok;
}

/* ---- units */

/* The file that declares the unit: one of rtl->files, else the first. -1: none; -2: two of
 * rtl->files, and trouble. */
static int declares(sources_t *all, const char *unit, bool entity_only) {
  int found = -1;
  for (unsigned i = 0; i < all->count; i++) {
    const source_t *s = &all->at[i];
    if (!words_has(&s->entities, unit) && (entity_only || !words_has(&s->packages, unit))) continue;
    if (found >= 0 && s->given && all->at[found].given) {
      trouble_set(all->trouble, TROUBLE_INPUT, "%s: %s has an entity or a package %s, too; one of them would be right",
                  s->path, all->at[found].path, unit);
      return -2;
    }
    if (found < 0) found = (int)i;
  }
  return found;
}

static bool same_bytes(const char *a, const char *b) {
  char *first = file_read(a), *second = file_read(b);
  const bool same = first && second && strcmp(first, second) == 0;
  free(first), free(second);
  return same;
}

static bool read_around(sources_t *all) {
  sources_t *near = calloc(1, sizeof *near);
  if (!near) return trouble_memory(all->trouble);
  all->near = near, near->trouble = all->trouble;
  bool ok = true;
  for (size_t i = 0; ok && i < all->around->files->count; i++) ok = add_file(near, all->around->files->at[i], false);
  return ok;
}

/* Adds the one file around that declares the unit. True: it is in *found, or there is none. `place`
 * and `what` are those of the line that names it. */
static bool declares_around(sources_t *all, const char *unit, bool entity_only, const char *place, const char *what,
                            int *found) {
  const source_t *one = NULL;
  if (!all->around || (entity_only && !words_has(all->around->components, unit))) return true;
  if (!all->near && !read_around(all)) return false;
  for (unsigned i = 0; i < all->near->count; i++) {
    const source_t *s = &all->near->at[i];
    if (!words_has(&s->entities, unit) && (entity_only || !words_has(&s->packages, unit))) continue;
    if (one && same_bytes(one->path, s->path)) continue;
    if (one)
      return trouble_set(
          all->trouble, TROUBLE_INPUT,
          "%s: no file that is read has %s, and two of %s have it: --file %s or --file %s would be right", place, what,
          all->around->root, one->path, s->path);
    one = s;
  }
  if (!one) return true;
  words_add(&all->order->found, "%s %s", unit, one->path);
  *found = (int)all->count;
  return add_file(all, one->path, false);
}

static unsigned root(const sources_t *all, unsigned i) {
  while (all->at[i].same != i) i = all->at[i].same;
  return i;
}

/* Two files are in one library. */
static bool join(sources_t *all, unsigned a, unsigned b, const char *why) {
  const unsigned x = root(all, a), y = root(all, b);
  if (x == y) return true;
  char to[VHDL_WORD], from[VHDL_WORD];
  snprintf(to, sizeof to, "%s", all->at[x].library), snprintf(from, sizeof from, "%s", all->at[y].library);
  if (*to && *from && strcmp(to, from) != 0)
    return trouble_set(all->trouble, TROUBLE_INPUT, "%s: is in library %s, and %s is in library %s (work.%s)",
                       all->at[a].path, to, all->at[b].path, from, why);
  if (!*to) snprintf(all->at[x].library, sizeof all->at[x].library, "%s", from);
  all->at[y].same = x;
  return true;
}

static bool set_library(sources_t *all, unsigned i, const char *library, const char *unit) {
  source_t *s = &all->at[root(all, i)];
  if (*s->library && strcmp(s->library, library) != 0)
    return trouble_set(all->trouble, TROUBLE_INPUT, "%s: is in library %s and in library %s (%s.%s)", all->at[i].path,
                       s->library, library, library, unit);
  snprintf(s->library, sizeof s->library, "%s", library);
  return true;
}

/* Libraries that ghdl has. */
static bool is_known(const char *library) {
  static const char *const known[] = {"ieee", "std", "synopsys", "vital2000"};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(library, known[i]) == 0) return true;
  return false;
}

/* ---- order */

static bool take(sources_t *all, unsigned i);

/* Has the file k a body of what file i declares? A file that nobody named only one that i lacks. */
static bool has_body(const sources_t *all, unsigned i, unsigned k) {
  const source_t *unit = &all->at[i], *body = &all->at[k];
  for (size_t b = 0; b < body->bodies.count; b++) {
    const char *name = body->bodies.at[b];
    if (!words_has(&unit->entities, name) && !words_has(&unit->packages, name)) continue;
    if (body->given || !words_has(&unit->bodies, name)) return true;
  }
  return false;
}

static bool take_bodies(sources_t *all, unsigned i) {
  for (unsigned k = 0; k < all->count; k++)
    if (k != i && has_body(all, i, k) && (!join(all, i, k, "") || !take(all, k))) return false;
  return true;
}

static bool take_named(sources_t *all, unsigned i, const char *named) {
  char library[VHDL_WORD], unit[VHDL_WORD];
  unsigned line;
  if (sscanf(named, "%u %255s %255s", &line, library, unit) != 3 || is_known(library)) return true;
  const bool component = *library == '-', work = strcmp(library, "work") == 0;
  char place[4096 + 16], what[2 * VHDL_WORD];
  snprintf(place, sizeof place, "%s:%u", all->at[i].path, line);
  snprintf(what, sizeof what, "%s%s%s", component ? "an entity" : library, component ? " " : ".", unit);
  int found = declares(all, unit, component);
  if (found == -1 && !declares_around(all, unit, component, place, what, &found)) return false;
  if (found == -2) return false;
  if (found < 0 && component) return true; /* ghdl says so, where it is not declared */
  if (found < 0)
    return trouble_set(all->trouble, TROUBLE_INPUT,
                       "%s: no file that is read has %s%s%s; --file FILE or --library FOLDER would be right", place,
                       what, all->around ? ", and none below " : "", all->around ? all->around->root : "");
  const bool ok =
      component || work ? join(all, i, (unsigned)found, unit) : set_library(all, (unsigned)found, library, unit);
  return ok && take(all, (unsigned)found);
}

static bool take(sources_t *all, unsigned i) {
  source_t *s = &all->at[i];
  char number[16];
  if (s->taken) return true;
  s->taken = true;
  for (size_t k = 0; k < s->bodies.count; k++) { /* the entity of an architecture goes before */
    const int found = declares(all, s->bodies.at[k], false);
    if (found >= 0 && (!join(all, i, (unsigned)found, "") || !take(all, (unsigned)found))) return false;
    s = &all->at[i]; /* files around make the list longer */
  }
  words_t later = {0};
  bool ok = true;
  for (size_t k = 0; ok && k < s->named.count; k++) {
    if (strstr(s->named.at[k], " - ")) words_add(&later, "%s", s->named.at[k]);
    else ok = take_named(all, i, s->named.at[k]);
    s = &all->at[i];
  }
  snprintf(number, sizeof number, "%u", i);
  words_add(&all->taken, "%s", number);
  ok = ok && take_bodies(all, i);
  for (size_t k = 0; ok && k < later.count; k++) ok = take_named(all, i, later.at[k]);
  words_free(&later);
  return ok;
}

static bool order_from(sources_t *all, const char *entity) {
  const int top = declares(all, entity, true);
  if (top == -2) return false;
  if (top < 0) return trouble_set(all->trouble, TROUBLE_INPUT, "no file that is read has an entity %s", entity);
  snprintf(all->order->top, sizeof all->order->top, "%s", all->at[top].path);
  if (!take(all, (unsigned)top)) return false;
  for (size_t i = 0; i < all->taken.count; i++) {
    const unsigned k = (unsigned)strtoul(all->taken.at[i], NULL, 10);
    const char *library = all->at[root(all, k)].library;
    words_add(&all->order->files, "%s", all->at[k].path);
    words_add(&all->order->libraries, "%s", *library ? library : "work");
  }
  return true;
}

static void free_sources(sources_t *all) {
  for (unsigned i = 0; i < all->count; i++) {
    source_t *s = &all->at[i];
    words_free(&s->entities), words_free(&s->packages), words_free(&s->bodies), words_free(&s->named);
    free(s->path);
  }
  words_free(&all->taken);
  free(all->at);
}

bool vhdl_order(const rtl_t *rtl, const vhdl_around_t *around, const char *entity, vhdl_order_t *order,
                trouble_t *trouble) {
  sources_t all = {.around = around, .order = order, .trouble = trouble};
  char small[VHDL_WORD];
  *order = (vhdl_order_t){0};
  snprintf(small, sizeof small, "%s", entity);
  for (char *p = small; *p; p++) *p = (char)tolower((unsigned char)*p);
  const bool ok = add_all(&all, rtl) && order_from(&all, small);
  free_sources(&all);
  if (all.near) free_sources(all.near);
  free(all.near);
  if (!ok) vhdl_order_free(order);
  return ok;
}

void vhdl_order_free(vhdl_order_t *order) {
  words_free(&order->files), words_free(&order->libraries), words_free(&order->found);
}
