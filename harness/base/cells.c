/* SPDX-License-Identifier: Apache-2.0 */
#include "cells.h"

#include "cells_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths that are too long fail when they are opened */

bool cells_is_name(const char *choice) {
  return *choice && *choice != '/';
}

/* ---- a library by name */

/* The folder of the library files. Cuts "/" and "/." from the end of `tree`, so that messages show
 * one spelling. */
static bool folder_of(const char *tree, bool user, char folder[PLAIN_PATH]) {
  size_t n = strlen(tree);
  if (user) return plain_config("cells.d", folder);
  while (n && (tree[n - 1] == '/' || (n > 1 && tree[n - 1] == '.' && tree[n - 2] == '/'))) n--;
  snprintf(folder, PLAIN_PATH, "%.*s/synth/cells.d", (int)n, tree);
  return true;
}

bool cells_pattern(const char *tree, bool user, char pattern[PLAIN_PATH]) {
  char folder[PLAIN_PATH];
  if (!folder_of(tree, user, folder)) return false;
  snprintf(pattern, PLAIN_PATH, "%s/*.yaml", folder);
  return true;
}

static bool find_in(const char *tree, bool user, const char *name, char path[PLAIN_PATH]) {
  char folder[PLAIN_PATH];
  if (!folder_of(tree, user, folder)) return false;
  snprintf(path, PLAIN_PATH, "%s/%s.yaml", folder, name);
  return access(path, F_OK) == 0;
}

bool cells_find(const char *tree, const char *name, char path[PLAIN_PATH], trouble_t *trouble) {
  char own[PLAIN_PATH];
  if (strchr(name, '/') || *name == '.' || strlen(name) >= CELLS_WORD)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "--cells: '%s' should be a name, as of synth/cells.d/NAME.yaml; a Liberty file goes behind --liberty", name);
  const bool here = find_in(tree, false, name, path), user = find_in(tree, true, name, own);
  if (here && user)
    return trouble_set(trouble, TROUBLE_INPUT, "%s: there is a library %s in the tree: another name would be right",
                       own, name);
  if (user) strcpy(path, own);
  return here || user ||
         trouble_set(
             trouble, TROUBLE_INPUT,
             "--cells: no library '%s'; `lockstack list cells` shows them, a Liberty file goes behind --liberty", name);
}

/* ---- libraries of files */

/* Appends the file names to the name of the library, joined by +. */
static void add_names(cells_t *c, const char *files) {
  char path[RTL_LIST];
  size_t n = strlen(c->name);
  while (rtl_next(&files, path, sizeof path) && n < sizeof c->name) {
    const char *slash = strrchr(path, '/');
    n += (size_t)snprintf(c->name + n, sizeof c->name - n, "%s%s", n ? "+" : "", slash ? slash + 1 : path);
  }
  for (char *p = c->name; *p; p++)
    if (*p == ',' || (unsigned char)*p < ' ') *p = '_'; /* names of libraries are fields of synth/budget.csv */
}

bool cells_choose(cells_t *c, const char *tree, const char *choice, trouble_t *trouble) {
  memset(c, 0, sizeof *c);
  c->area_unit = "um2", c->path_unit = "ns", c->path_ps = 1000;
  if (*choice == '/') {
    snprintf(c->files, sizeof c->files, "%s", choice);
    return add_names(c, c->files), true;
  }
  const char *name = *choice ? choice : CELLS_DEFAULT;
  if (!cells_find(tree, name, c->file, trouble)) return false;
  snprintf(c->name, sizeof c->name, "%s", name);
  return cells_file_read(c, c->file, trouble);
}

bool cells_add_lef(cells_t *c, const char *file, trouble_t *trouble) {
  if (rtl_has(c->lefs, file)) return trouble_set(trouble, TROUBLE_INPUT, "--lef: %s: is given twice", file);
  if (!rtl_add(c->lefs, file))
    return trouble_set(trouble, TROUBLE_INPUT, "--lef: %s: too many files, or too long a name", file);
  return add_names(c, file), true;
}

bool cells_add_corner(cells_t *c, const char *name, const char *file, trouble_t *trouble) {
  static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  cells_corner_t *k = c->corners;
  if (!*name || name[strspn(name, signs)] || strlen(name) >= sizeof k->name)
    return trouble_set(trouble, TROUBLE_INPUT, "a corner's name, '%s', should be up to %d letters, digits and _ . -",
                       name, CELLS_WORD - 1);
  while (k < c->corners + c->num_corners && strcmp(k->name, name)) k++;
  if (k == c->corners + CELLS_CORNERS)
    return trouble_set(trouble, TROUBLE_INPUT, "more than %d corners", CELLS_CORNERS);
  if (k == c->corners + c->num_corners) c->num_corners++;
  strcpy(k->name, name);
  if (rtl_has(k->files, file)) return trouble_set(trouble, TROUBLE_INPUT, "corner %s: %s: is given twice", name, file);
  return rtl_add(k->files, file) ||
         trouble_set(trouble, TROUBLE_INPUT, "corner %s: %s: too many files, or too long a name", name, file);
}

/* ---- reading */

/* Replaces the areas of all cells by those of the LEF files. */
static bool take_areas(cells_t *c, trouble_t *trouble) {
  char path[RTL_LIST];
  lef_t lef = {0};
  bool ok = true;
  for (const char *at = c->lefs; ok && rtl_next(&at, path, sizeof path);) ok = lef_add(&lef, path, trouble);
  for (size_t i = 0; ok && i < c->library.count; i++)
    c->library.cells[i].area = lef_um2(&lef, c->library.cells[i].name);
  lef_free(&lef);
  return ok;
}

bool cells_open(cells_t *c, const char *(*copy)(void *context, const char *file), void *context, trouble_t *trouble) {
  char path[RTL_LIST];
  bool ok = true;
  for (const char *at = c->files; ok && rtl_next(&at, path, sizeof path);)
    ok = liberty_add(&c->library, copy ? copy(context, path) : path, path, trouble);
  return ok && liberty_end(&c->library, trouble) && (!*c->lefs || copy || take_areas(c, trouble));
}

/* Reads a corner's files with the library's units as a reference, so liberty_add rejects other
 * units. */
static bool check_corner(const cells_t *c, const cells_corner_t *k, trouble_t *trouble) {
  liberty_t corner = {.units = c->library.units ? strdup(c->library.units) : NULL};
  char path[RTL_LIST];
  bool ok = true;
  for (const char *at = k->files; ok && rtl_next(&at, path, sizeof path);)
    ok = liberty_add(&corner, path, path, trouble);
  for (const liberty_cell_t *cell = c->library.cells; ok && cell < c->library.cells + c->library.count; cell++)
    if (cell->used && !liberty_any(&corner, cell->name))
      ok = trouble_set(trouble, TROUBLE_INPUT,
                       "corner %s: %s has no cell %s, which %s has: a corner has each cell of the library", k->name,
                       corner.paths, cell->name, cell->place);
  liberty_free(&corner);
  return ok;
}

bool cells_check_corners(const cells_t *c, trouble_t *trouble) {
  for (const cells_corner_t *k = c->corners; k < c->corners + c->num_corners; k++)
    if (!check_corner(c, k, trouble)) return false;
  return true;
}

bool cells_print_constraints(const cells_t *c, FILE *file) {
  const liberty_cell_t *driver = liberty_driver(&c->library);
  return !driver || fprintf(file, "set_driving_cell %s\n", driver->name) > 0;
}

void cells_close(cells_t *c) {
  liberty_free(&c->library);
}
