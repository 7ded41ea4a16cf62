/* SPDX-License-Identifier: Apache-2.0 */
#include "cells.h"

#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths that are too long fail when they are opened */

#define OSU018 "/usr/share/qflow/tech/osu018/osu018_stdcells"

/* osu018: the Liberty file is wrong about the areas of three cells. */
static const struct {
  const char *name, *file, *package, *lef;
  unsigned nm;
  const char *area_unit, *path_unit;
  double path_ps;
} known[] = {{"ge", "synth/cells/ge.lib", NULL, NULL, 0, "GE", "FO4", 5},
             {"osu018", OSU018 ".lib", "qflow-tech-osu018", OSU018 ".lef", 180, "um2", "ns", 1000}};
enum { KNOWN = sizeof known / sizeof *known };

static unsigned find(const char *name) {
  unsigned i = 0;
  while (i < KNOWN && strcmp(known[i].name, name)) i++;
  return i;
}

const char *cells_known(const char *name) {
  const unsigned i = find(name);
  return i < KNOWN ? known[i].name : NULL;
}

static void name_files(cells_t *c) {
  char path[RTL_LIST];
  size_t n = 0;
  for (const char *at = c->files; rtl_next(&at, path, sizeof path) && n < sizeof c->name;) {
    const char *slash = strrchr(path, '/');
    n += (size_t)snprintf(c->name + n, sizeof c->name - n, "%s%s", n ? "+" : "", slash ? slash + 1 : path);
  }
  for (char *p = c->name; *p; p++)
    if (*p == ',' || (unsigned char)*p < ' ') *p = '_'; /* names of libraries are fields of synth/budget.csv */
}

bool cells_choose(cells_t *c, const char *tree, const char *choice, trouble_t *trouble) {
  const unsigned i = find(*choice ? choice : CELLS_DEFAULT);
  memset(c, 0, sizeof *c);
  if (i == KNOWN) {
    snprintf(c->files, sizeof c->files, "%s", choice);
    c->area_unit = "um2", c->path_unit = "ns", c->path_ps = 1000;
    return name_files(c), true;
  }
  snprintf(c->name, sizeof c->name, "%s", known[i].name);
  snprintf(c->files, sizeof c->files, "%s%s%s", known[i].package ? "" : tree, known[i].package ? "" : "/", known[i].file);
  c->lef = known[i].lef, c->nm = known[i].nm;
  c->area_unit = known[i].area_unit, c->path_unit = known[i].path_unit, c->path_ps = known[i].path_ps;
  const bool there = access(c->files, R_OK) == 0 && (!c->lef || access(c->lef, R_OK) == 0);
  if (there) return true;
  if (!known[i].package) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", c->files, strerror(errno));
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "--cells %s: package %s is not installed; --cells " CELLS_DEFAULT " needs none", c->name, known[i].package);
}

/* um2 of a cell: "MACRO X" ... "SIZE w BY h ;". Below 0: not in the file. */
static double lef_um2(const char *lef, const char *cell) {
  char name[LIBERTY_NAME];
  double width, height;
  for (const char *at = lef; (at = strstr(at, "\nMACRO "));) {
    const char *size = strstr(at += 7, "SIZE ");
    if (size && sscanf(at, "%255s", name) == 1 && strcmp(name, cell) == 0) return sscanf(size, "SIZE %lf BY %lf", &width, &height) == 2 ? width * height : -1;
  }
  return -1;
}

static bool take_areas(cells_t *c, trouble_t *trouble) {
  char *lef = file_read(c->lef);
  if (!lef) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", c->lef, strerror(errno));
  for (size_t i = 0; i < c->library.count; i++) c->library.cells[i].area = lef_um2(lef, c->library.cells[i].name);
  free(lef);
  return true;
}

bool cells_open(cells_t *c, const char *(*copy)(void *context, const char *file), void *context, trouble_t *trouble) {
  char path[RTL_LIST];
  bool ok = true;
  for (const char *at = c->files; ok && rtl_next(&at, path, sizeof path);) ok = liberty_add(&c->library, copy ? copy(context, path) : path, path, trouble);
  return ok && liberty_end(&c->library, trouble) && (!c->lef || take_areas(c, trouble));
}

bool cells_print_constraints(const cells_t *c, FILE *file) {
  const liberty_cell_t *driver = liberty_driver(&c->library);
  return !driver || fprintf(file, "set_driving_cell %s\n", driver->name) > 0;
}

void cells_close(cells_t *c) {
  liberty_free(&c->library);
}
