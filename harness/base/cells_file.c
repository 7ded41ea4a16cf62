/* SPDX-License-Identifier: Apache-2.0 */
#include "cells_file.h"

#include "packed.h"
#include "yaml_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths that are too long fail when they are opened */

typedef struct {
  cells_t *cells;
  const char *corner, *package; /* package NULL: none */
  const yaml_node_t *area_unit, *path_unit, *path_ps, *liberty;
  trouble_t *trouble;
  bool missing; /* a file is missing; installing its package would help */
} reader_t;

/* ---- files: absolute paths, or relative to the library's folder */

static void resolve_path(char path[RTL_LIST], const char *beside, const char *name) {
  const char *slash = strrchr(beside, '/');
  size_t n = slash ? (size_t)(slash - beside) : 0;
  for (; *name != '/' && strncmp(name, "../", 3) == 0 && n && memrchr(beside, '/', n); name += 3)
    n = (size_t)((const char *)memrchr(beside, '/', n) - beside);
  if (*name == '/') snprintf(path, RTL_LIST, "%s", name);
  else snprintf(path, RTL_LIST, "%.*s/%s", (int)n, beside, name);
}

typedef bool add_t(reader_t *r, const char *path, trouble_t *trouble);

static bool add_liberty(reader_t *r, const char *path, trouble_t *trouble) {
  if (rtl_has(r->cells->files, path)) return trouble_set(trouble, TROUBLE_INPUT, "%s: is given twice", path);
  return rtl_add(r->cells->files, path) ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: too many files, or too long a name", path);
}

static bool add_lef(reader_t *r, const char *path, trouble_t *trouble) {
  if (rtl_has(r->cells->lefs, path)) return trouble_set(trouble, TROUBLE_INPUT, "%s: is given twice", path);
  return rtl_add(r->cells->lefs, path) ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: too many files, or too long a name", path);
}

static bool add_corner(reader_t *r, const char *path, trouble_t *trouble) {
  return cells_add_corner(r->cells, r->corner, path, trouble);
}

static bool add_file(reader_t *r, yaml_file_t *f, const yaml_node_t *node, add_t *add) {
  const char *name = yaml_scalar(node);
  char path[RTL_LIST];
  trouble_t trouble;
  if (!name || !*name) return yaml_file_wrong(f, node, "should be a file, or a list of files: [a.lib, b.lib.gz]");
  resolve_path(path, f->path, name);
  if (!add(r, path, &trouble)) return yaml_file_wrong(f, node, "%s", trouble.text);
  if (packed_there(path, &trouble)) return true;
  r->missing = access(path, F_OK) != 0;
  return yaml_file_wrong(f, node, "%s", trouble.text);
}

static bool add_files(reader_t *r, yaml_file_t *f, const yaml_node_t *value, add_t *add) {
  bool good = true;
  const yaml_node_t *item;
  if (value->type != YAML_SEQUENCE_NODE) return add_file(r, f, value, add);
  if (!yaml_file_item(f, value, 0))
    return yaml_file_wrong(f, value, "should be a file, or a list of files: [a.lib, b.lib.gz]");
  for (size_t i = 0; good && (item = yaml_file_item(f, value, i)); i++) good = add_file(r, f, item, add);
  return good;
}

static bool visit_corner(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                         const yaml_node_t *value) {
  reader_t *r = context;
  (void)key;
  r->corner = name;
  return add_files(r, f, value, add_corner);
}

/* ---- units */

static bool take_number(yaml_file_t *f, const char *name, const yaml_node_t *value, double most, double *number) {
  const char *text = yaml_scalar(value);
  char *end = NULL;
  *number = text ? strtod(text, &end) : 0;
  if (text && *text && !*end && *number > 0 && *number <= most) return true;
  return yaml_file_wrong(f, value, "%s: should be a number above 0, up to %g", name, most);
}

static bool take_nm(reader_t *r, yaml_file_t *f, const yaml_node_t *value) {
  double nm;
  if (!take_number(f, "nm", value, 1000, &nm)) return false;
  return (r->cells->nm = (unsigned)nm) == nm || yaml_file_wrong(f, value, "nm: should be a whole number, such as 45");
}

static bool take_unit(yaml_file_t *f, const char *name, const yaml_node_t *value, const char *real, const char *other,
                      const char **unit) {
  const char *text = yaml_scalar(value);
  *unit = text && !strcmp(text, other) ? other : real;
  return (text && !strcmp(text, *unit)) || yaml_file_wrong(f, value, "%s: should be %s or %s", name, real, other);
}

/* um2 goes with ns, and GE with FO4: results have one pair or the other. */
static bool check_units(const reader_t *r, yaml_file_t *f) {
  const bool real = !strcmp(r->cells->area_unit, "um2");
  const yaml_node_t *said = r->path_unit ? r->path_unit : r->area_unit;
  if (real != !strcmp(r->cells->path_unit, "ns"))
    return yaml_file_wrong(f, said, "area_unit um2 goes with path_unit ns, GE with FO4");
  if (!real && !r->path_ps)
    return yaml_file_wrong(f, said, "path_ps, how many ps of the Liberty file a FO4 is, should stand beside it");
  return !real || !r->path_ps || yaml_file_wrong(f, r->path_ps, "path_ps is of FO4; a ns has 1000");
}

/* ---- the file */

static bool visit_cells_key(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                            const yaml_node_t *value) {
  reader_t *r = context;
  if (!strcmp(name, "liberty")) return r->liberty = value, true;
  if (!strcmp(name, "lef")) return true; /* read later, when the package is known */
  if (!strcmp(name, "corners"))
    return value->type == YAML_MAPPING_NODE || yaml_file_wrong(f, value, "corners: should be {NAME: FILE, ...}");
  if (!strcmp(name, "nm")) return take_nm(r, f, value);
  if (!strcmp(name, "area_unit")) return take_unit(f, name, r->area_unit = value, "um2", "GE", &r->cells->area_unit);
  if (!strcmp(name, "path_unit")) return take_unit(f, name, r->path_unit = value, "ns", "FO4", &r->cells->path_unit);
  if (!strcmp(name, "path_ps")) return take_number(f, name, r->path_ps = value, 1e6, &r->cells->path_ps);
  if (!strcmp(name, "help")) return yaml_scalar(value) || yaml_file_wrong(f, value, "help: should be a text");
  if (strcmp(name, "package"))
    return yaml_file_wrong(
        f, key, "'%s' should be liberty, lef, corners, nm, area_unit, path_unit, path_ps, package or help", name);
  r->package = yaml_scalar(value);
  return r->package || yaml_file_wrong(f, value, "package: should be the name of a package");
}

static bool visit_files(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                        const yaml_node_t *value) {
  reader_t *r = context;
  (void)key;
  if (!strcmp(name, "liberty")) return add_files(r, f, value, add_liberty);
  if (!strcmp(name, "lef")) return add_files(r, f, value, add_lef);
  return strcmp(name, "corners") != 0 || yaml_file_each(f, value, visit_corner, r);
}

bool cells_file_read(cells_t *cells, const char *path, trouble_t *trouble) {
  yaml_file_t f;
  reader_t r = {.cells = cells};
  if (!yaml_file_open(&f, path, trouble)) return false;
  const yaml_node_t *root = yaml_file_root(&f);
  bool good = yaml_file_each(&f, root, visit_cells_key, &r);
  if (good && !r.liberty) good = yaml_file_wrong(&f, root, "no key liberty: the Liberty files of the library");
  good = good && check_units(&r, &f) && yaml_file_each(&f, root, visit_files, &r);
  if (!good && r.missing && r.package)
    trouble_set(trouble, TROUBLE_ENVIRONMENT,
                "--cells %s: package %s is not installed; --cells " CELLS_DEFAULT " needs none", cells->name,
                r.package);
  yaml_file_close(&f);
  return good;
}
