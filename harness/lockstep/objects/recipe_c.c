/* SPDX-License-Identifier: Apache-2.0
 *
 * The C part of an object: headers made from port files, the model, the stimulus, and everything
 * that they include. If a source includes Y.h of a cmodel folder or of the block's own folder, the
 * Y.c beside that header is compiled in.
 *
 *   model, stimulus --gcc -M--> headers --X_ports.h is missing--> portgen makes it --> again
 *                                  |all exist
 *                                  v
 *                               copies, and the Y.c beside each Y.h
 */
#include "recipe.h"

#include "file.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static void folder_of(const char *path, char folder[RECIPE_PATH]) {
  const char *slash = strrchr(path, '/');
  snprintf(folder, RECIPE_PATH, "%.*s", slash ? (int)(slash - path) : 0, path);
}

static const char *base_name(const char *path) {
  return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static bool has_ending(const char *text, const char *ending) {
  const size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcmp(text + n - m, ending) == 0;
}

/* ---- port files and shared lists */

static bool take_all(recipe_t *r, const char *pattern, words_t *folders) {
  char folder[RECIPE_PATH], all[2 * RECIPE_PATH];
  glob_t found;
  bool ok = true;
  snprintf(all, sizeof all, "%s/%s", r->ask->tree, pattern);
  if (glob(all, 0, NULL, &found)) return true;
  for (size_t i = 0; ok && i < found.gl_pathc; i++) {
    folder_of(found.gl_pathv[i], folder);
    if (folders) words_add_new(folders, folder);
    ok = recipe_take(r, found.gl_pathv[i], SNAPSHOT_PLAIN);
    words_add_new(&r->read, recipe_copy(r, found.gl_pathv[i])); /* all lists and templates count, and portgen itself */
  }
  globfree(&found);
  return ok;
}

static bool make_tree_headers(recipe_t *r) {
  words_t command = {0};
  words_add(&command, "%s", r->ask->portgen);
  words_add(&command, "--root"), words_add(&command, "%s", recipe_copy(r, r->ask->tree));
  words_add(&command, "--tree"), words_add(&command, "-o"), words_add(&command, "gen");
  const bool ok = recipe_run(r, &command);
  words_free(&command);
  return ok;
}

/* Finds the tree's packages. RTL outside of the tree sees none. */
static void find_packages(recipe_t *r) {
  char path[2 * RECIPE_PATH];
  if (!recipe_in_tree(r)) return;
  for (size_t i = 0; i < r->lists.count; i++) {
    snprintf(path, sizeof path, "%s/gen/%s_pkg.sv", r->work, base_name(r->lists.at[i]));
    if (access(path, R_OK) == 0) words_add(&r->packages, "gen/%s_pkg.sv", base_name(r->lists.at[i]));
  }
}

/* Makes X_ports.h of a block outside of the tree. */
static bool make_own_header(recipe_t *r) {
  char path[RECIPE_PATH + 64];
  words_t command = {0};
  snprintf(path, sizeof path, "gen/%s_ports.h", r->ask->block);
  words_add(&command, "%s", r->ask->portgen);
  words_add(&command, "--root"), words_add(&command, "%s", recipe_copy(r, r->ask->tree));
  words_add(&command, "--what"), words_add(&command, "ports.h"), words_add(&command, "-o"),
      words_add(&command, "%s", path);
  words_add(&command, "%s", recipe_copy(r, r->ask->ports));
  const bool ok = recipe_run(r, &command);
  words_free(&command);
  return ok;
}

/* ---- what C includes */

static bool find_folders(recipe_t *r) {
  char folder[RECIPE_PATH];
  glob_t found;
  folder_of(r->ask->model, folder);
  words_add(&r->c_folders, "%s", folder);
  words_add(&r->c_folders, "%s/harness/lockstep/dut", r->ask->tree);
  words_add(&r->c_folders, "%s/harness/portgen", r->ask->tree);
  words_add_all(&r->c_folders, &r->lists);
  snprintf(folder, sizeof folder, "%s/cmodel/blocks/*/", r->ask->tree);
  if (glob(folder, GLOB_ONLYDIR, NULL, &found)) return true;
  for (size_t i = 0; i < found.gl_pathc; i++)
    words_add(&r->c_folders, "%.*s", (int)strlen(found.gl_pathv[i]) - 1, found.gl_pathv[i]);
  globfree(&found);
  return true;
}

/* Copies the port file of the tree that X_ports.h is made of. The header of a block outside of the
 * tree is made already, whatever the block is called. False: there is none, or *ok is false. */
static bool take_ports_of(recipe_t *r, const char *header, bool *ok) {
  char pattern[2 * RECIPE_PATH];
  glob_t found;
  if (!has_ending(header, "_ports.h")) return false;
  if (!recipe_in_tree(r) && strcmp(header, recipe_text(r, "%s_ports.h", r->ask->block)) == 0) return false;
  snprintf(pattern, sizeof pattern, "%s/rtl/*/%.*s.ports", r->ask->tree, (int)(strlen(header) - strlen("_ports.h")),
           header);
  if (glob(pattern, 0, NULL, &found)) return false;
  const bool is_new = !content_find(&r->snapshot.taken, found.gl_pathv[0]);
  *ok = recipe_take(r, found.gl_pathv[0], SNAPSHOT_PLAIN);
  words_add_new(&r->read, recipe_copy(r, found.gl_pathv[0]));
  globfree(&found);
  return is_new;
}

/* The files that a source includes, as gcc reports them. Headers that do not exist yet appear by
 * name alone. */
static bool includes_of(recipe_t *r, const char *source, words_t *found) {
  words_t command = {0}, read = {0};
  words_add(&command, "gcc"), words_add(&command, "-MM"), words_add(&command, "-MG"), words_add(&command, "-MF"),
      words_add(&command, "deps.txt");
  words_add(&command, "-include"), words_add(&command, "variant.h"), words_add(&command, "-I."),
      words_add(&command, "-Igen");
  for (size_t i = 0; i < r->c_folders.count; i++) words_add(&command, "-I%s", r->c_folders.at[i]);
  words_add(&command, "%s", source);
  bool ok = recipe_run(r, &command);
  words_free(&command);
  const words_t kept = r->read;
  r->read = read;
  ok = ok && recipe_deps(r, "deps.txt", NULL);
  words_add_all(found, &r->read);
  words_free(&r->read);
  r->read = kept;
  return ok;
}

/* Makes headers until the source misses none. */
static bool all_includes_of(recipe_t *r, const char *source, words_t *found) {
  for (bool again = true; again;) {
    bool ok = true;
    again = false;
    words_free(found);
    if (!includes_of(r, source, found)) return false;
    for (size_t i = 0; ok && i < found->count; i++)
      if (*found->at[i] != '/') again |= take_ports_of(r, base_name(found->at[i]), &ok);
    if (!ok || (again && !make_tree_headers(r))) return false;
  }
  return true;
}

static void add_sibling(recipe_t *r, const char *header) {
  char sibling[RECIPE_PATH], models[RECIPE_PATH], own[RECIPE_PATH];
  snprintf(models, sizeof models, "%s/cmodel/blocks/", r->ask->tree);
  folder_of(r->ask->model, own);
  const bool of_models = strncmp(header, models, strlen(models)) == 0,
             of_own = strncmp(header, own, strlen(own)) == 0 && header[strlen(own)] == '/';
  if (!has_ending(header, ".h") || (!of_models && !of_own)) return;
  snprintf(sibling, sizeof sibling, "%.*s.c", (int)strlen(header) - 2, header);
  if (access(sibling, R_OK) == 0) words_add_new(&r->c_sources, sibling);
  else words_add_new(&r->absent, sibling);
}

/* A model in Python is read at run time. It counts as a source like the C that calls it. */
static void add_python(recipe_t *r, const char *header) {
  char folder[RECIPE_PATH], pattern[RECIPE_PATH + 8];
  glob_t found;
  if (!has_ending(header, "/harness/lockstep/dut/python/model.h")) return;
  folder_of(r->ask->model, folder);
  snprintf(pattern, sizeof pattern, "%s/*.py", folder);
  if (glob(pattern, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) words_add_new(&r->read, found.gl_pathv[i]);
  globfree(&found);
  words_add_new(&r->read, recipe_text(r, "%s/harness/lockstep/dut/python/model.py", r->ask->tree));
}

static bool take_c(recipe_t *r) {
  words_t found = {0};
  bool ok = true;
  words_add(&r->c_sources, "%s", r->ask->model);
  if (*r->ask->stim) words_add(&r->c_sources, "%s", r->ask->stim);
  for (size_t i = 0; ok && i < r->c_sources.count; i++) { /* the list grows */
    ok = all_includes_of(r, r->c_sources.at[i], &found);
    for (size_t k = 0; ok && k < found.count; k++) {
      if (*found.at[k] != '/') continue;
      ok = recipe_take(r, found.at[k], SNAPSHOT_PLAIN);
      add_sibling(r, found.at[k]);
      add_python(r, found.at[k]);
    }
  }
  words_free(&found);
  return ok;
}

/* Adds the sources of the harness that every object has. */
static bool take_harness(recipe_t *r) {
  static const char *const folders[] = {"harness/lockstep/dut", "harness/lockstep/dut/toggle",
                                        "harness/lockstep/dut/protocol", "harness/lockstep/dut/python"};
  static const char *const endings[] = {".c", ".h", ".cpp", ".awk", ".map", NULL};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    recipe_take_folder(r, recipe_text(r, "%s/%s", r->ask->tree, folders[i]), endings, SNAPSHOT_PLAIN);
  return true;
}

/* ---- parameters that exclude each other: the model's static assertions refuse them early, in
 * plain words */

bool recipe_check_model(recipe_t *r) {
  words_t command = {0};
  words_add(&command, "gcc"), words_add(&command, "-std=gnu11"), words_add(&command, "-fsyntax-only"),
      words_add(&command, "-w");
  words_add(&command, "-include"), words_add(&command, "variant.h"), words_add(&command, "-I."),
      words_add(&command, "-Igen");
  for (size_t i = 0; i < r->c_folders.count; i++) words_add(&command, "-I%s", recipe_copy(r, r->c_folders.at[i]));
  words_add(&command, "%s", recipe_copy(r, r->ask->model));
  const bool ok = recipe_run(r, &command);
  words_free(&command);
  return ok;
}

/* ---- portgen's output. Each build has a fresh folder; unchanged files keep their times, since
 * Ninja compares times */

/* Starts with an empty folder, and keeps the old one for comparison. */
static void begin_generated(recipe_t *r) {
  char gen[RECIPE_PATH + 8], last[RECIPE_PATH + 16];
  snprintf(gen, sizeof gen, "%s/gen", r->work);
  snprintf(last, sizeof last, "%s/gen.last", r->work);
  file_remove_all(last);
  rename(gen, last);
  file_folder(gen);
}

static bool same_text(const char *a, const char *b) {
  char *one = file_read(a), *other = file_read(b);
  const bool same = one && other && strcmp(one, other) == 0;
  free(one), free(other);
  return same;
}

/* Files with the same text as before are replaced by the old ones, which have older times. */
static void end_generated(recipe_t *r) {
  char pattern[RECIPE_PATH + 16], last[RECIPE_PATH + 16];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/gen/*", r->work);
  snprintf(last, sizeof last, "%s/gen.last", r->work);
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++) {
      char *was = NULL;
      if (asprintf(&was, "%s/%s", last, base_name(found.gl_pathv[i])) > 0 && same_text(was, found.gl_pathv[i]))
        rename(was, found.gl_pathv[i]);
      free(was);
    }
    globfree(&found);
  }
  file_remove_all(last);
}

/* A port file with types of its own is read in its expanded form. */
static bool make_as_read(recipe_t *r) {
  if (!recipe_ports(r, "as_read.h", false, NULL)) return false;
  r->has_types = *r->said != 0;
  unlink(recipe_text(r, "%s/as_read.h", r->work)); /* an earlier build's */
  return !r->has_types || recipe_write(r, "as_read.h", r->said);
}

bool recipe_sources(recipe_t *r) {
  begin_generated(r);
  if (!recipe_tool(r, "gcc") || !take_all(r, "rtl/*/*.def", &r->lists) || !take_all(r, "harness/portgen/gen/*", NULL))
    return false;
  if (!take_all(r, "harness/portgen/*.[ch]", NULL) || !take_all(r, "harness/lockstep/objects/*.[ch]", NULL))
    return false;
  if (!take_all(r, "harness/base/drivers.[ch]", NULL) || !take_all(r, "harness/base/flat_design.[ch]", NULL))
    return false;
  if (!recipe_take(r, r->ask->ports, SNAPSHOT_PLAIN) || !take_harness(r)) return false;
  words_add_new(&r->read, recipe_copy(r, r->ask->ports));
  if (!recipe_ports(r, "variant.h", false, "variant.h") || !recipe_ports(r, "pins.h", true, "pins.h") ||
      !make_as_read(r))
    return false;
  if (!recipe_ports_lines(r, "parameters.txt", true, &r->values) || !make_tree_headers(r)) return false;
  find_packages(r);
  if (!recipe_in_tree(r) && !make_own_header(r)) return false;
  end_generated(r);
  return find_folders(r) && take_c(r);
}
