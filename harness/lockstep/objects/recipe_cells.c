/* SPDX-License-Identifier: Apache-2.0
 *
 * Kind netlist: the library of standard cells, and cells that the RTL of a block outside of the
 * tree instantiates by name (clock gates, scan registers, macros).
 *
 * The folder `cells` has a module for each named cell, and is searched behind all folders of the
 * RTL. Verilator reads modules with functions. Yosys reads modules without, and leaves such a cell
 * as it is. A clock gate's module is made from the roles of its pins. For checks of clocks the gate
 * lets its clock pass, so that registers behind it wait for the clock's own edges. A cell whose
 * function is unknown only has a module without a function, and a netlist with such a cell is
 * refused.
 */
#include "file.h"
#include "liberty_named.h"
#include "recipe.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static const char folder[] = "cells";

/* ---- the library */

static const char *copy_of(void *context, const char *file) {
  return recipe_text(context, "%s/%s", ((recipe_t *)context)->work, recipe_copy(context, file));
}

bool recipe_take_read(recipe_t *r, const char *path) {
  if (!recipe_take(r, path, SNAPSHOT_PLAIN)) return false;
  words_add_new(&r->read, recipe_copy(r, path));
  return true;
}

/* Writes the library as one file, cells.lib, from copies of its files, and the constraints
 * for abc. */
static bool open_library(recipe_t *r) {
  char path[RTL_LIST];
  if (!(r->cells = calloc(1, sizeof *r->cells))) return trouble_memory(r->trouble);
  if (!cells_choose(r->cells, r->ask->tree, r->ask->cells, r->trouble)) return false;
  if (*r->cells->file && !recipe_take_read(r, r->cells->file)) return false;
  for (const char *at = r->cells->files; rtl_next(&at, path, sizeof path);)
    if (!recipe_take_read(r, path)) return false;
  if (!cells_open(r->cells, copy_of, r, r->trouble)) return false;
  char *constraints = NULL;
  size_t size;
  FILE *file = open_memstream(&constraints, &size);
  bool ok = file && cells_print_constraints(r->cells, file);
  if (file && fclose(file)) ok = false;
  ok =
      ok ? recipe_write(r, "cells.constr", constraints) : trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "out of memory");
  free(constraints);
  return ok && recipe_write(r, "cells.lib", r->cells->library.text);
}

/* ---- modules of the cells that have a name in the RTL */

static bool write_library(recipe_t *r, const char *file, bool known) {
  char *text = liberty_some(&r->cells->library, &r->named, known);
  const bool ok = text ? recipe_write(r, file, text) : trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "out of memory");
  free(text);
  return ok;
}

/* Reads of Yosys in this step are no RTL, so they are not noted as such. */
static bool make_modules(recipe_t *r) {
  const words_t before = r->rtl_read;
  const char *script = recipe_text(r, LIBERTY_BOXES, "named.lib", "boxes.v");
  r->rtl_read = (words_t){0};
  const bool ok = write_library(r, "named.lib", false) && write_library(r, "known.lib", true) &&
                  recipe_write(r, "named.ys", recipe_text(r, "%s" LIBERTY_MODELS, script, "known.lib", "models.v")) &&
                  recipe_yosys(r, "named.ys", "named.d", "models.v");
  words_t read = r->rtl_read;
  r->rtl_read = before;
  words_free(&read);
  return ok;
}

static bool write_module(void *context, const char *name, const char *text, size_t length) {
  recipe_t *r = context;
  return recipe_write(r, recipe_text(r, "%s/%s.v", folder, name), recipe_text(r, "%.*s", (int)length, text));
}

static bool write_box(void *context, const char *name, const char *text, size_t length) {
  recipe_t *r = context;
  return recipe_write(r, recipe_text(r, "%s/%s.v", folder, name),
                      recipe_text(r, "(* blackbox *) %.*s", (int)length, text));
}

static bool write_modules(recipe_t *r, const char *file, liberty_see_t *see) {
  char *text = recipe_read(r, file);
  const bool ok = text && liberty_modules(text, see, r);
  free(text);
  return ok;
}

bool recipe_box_cells(recipe_t *r) {
  return !r->named.count || write_modules(r, "boxes.v", write_box);
}

static bool write_gates(recipe_t *r, bool open) {
  for (size_t i = 0; i < r->named.count; i++) {
    const liberty_cell_t *c = liberty_any(&r->cells->library, r->named.at[i]);
    const char *text = open ? c->open_gate : c->gate;
    if (text && !recipe_write(r, recipe_text(r, "%s/%s.v", folder, c->name), text)) return false;
  }
  return true;
}

static bool find_names(recipe_t *r) {
  for (size_t i = 0; i < r->snapshot.copies.count; i++) {
    const char *copy = r->snapshot.copies.at[i], *dot = strrchr(copy, '.');
    char *text = dot && (strncmp(dot, ".v", 2) == 0 || strncmp(dot, ".sv", 3) == 0) ? recipe_read(r, copy) : NULL;
    if (text) liberty_named(&r->cells->library, text, &r->named);
    free(text);
  }
  return true;
}

bool recipe_cells(recipe_t *r) {
  char path[2 * RECIPE_PATH];
  if (!open_library(r)) return false;
  if (recipe_in_tree(r) || !find_names(r) || !r->named.count) return true;
  snprintf(path, sizeof path, "%s/%s", r->work, folder);
  file_remove_all(path); /* of an earlier build */
  if (!file_folder(path)) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: it cannot be made", path);
  r->cell_folder = folder;
  return make_modules(r) && recipe_box_cells(r) && write_modules(r, "models.v", write_module) && write_gates(r, false);
}

bool recipe_open_gates(recipe_t *r) {
  return write_gates(r, true);
}

/* ---- behind synthesis */

static bool has_cell(recipe_t *r, const char *netlist, const char *name) {
  return strstr(netlist, recipe_text(r, "\n  %s ", name)) != NULL;
}

typedef struct {
  recipe_t *r;
  const char *text;
} models_t;

/* Adds a cell's model, except for cells that synthesis maps onto: cells.v has their models. */
static bool add_model(void *context, const char *name, const char *text, size_t length) {
  models_t *m = context;
  if (!liberty_find(&m->r->cells->library, name)) m->text = recipe_text(m->r, "%s%.*s", m->text, (int)length, text);
  return true;
}

bool recipe_model_cells(recipe_t *r, const char *netlist, const char *file) {
  models_t models = {r, ""};
  char *text = r->named.count ? recipe_read(r, netlist) : NULL, *known = text ? recipe_read(r, "models.v") : NULL;
  bool ok = !r->named.count || (text && known && liberty_modules(known, add_model, &models));
  for (size_t i = 0; ok && i < r->named.count; i++) {
    const liberty_cell_t *c = liberty_any(&r->cells->library, r->named.at[i]);
    if (c->gate) models.text = recipe_text(r, "%s%s", models.text, c->gate);
    else if (c->unknown && has_cell(r, text, c->name)) {
      r->lacks_cell = true;
      ok = trouble_set(
          r->trouble, TROUBLE_INPUT,
          "%s: %s says what %s does, which the RTL has: %s; a module %s among the block's files would be right",
          c->place, c->functions ? "nothing that Yosys reads" : "nothing", c->name, c->unknown, c->name);
    }
  }
  r->cell_folder = NULL;
  free(text), free(known);
  return ok && recipe_write(r, file, models.text);
}
