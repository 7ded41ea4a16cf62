/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the RTL of a block: its files, the folders for modules and `include, and copies of every
 * file that may be read.
 */
#include "recipe.h"
#include "vhdl.h"

#include <string.h>
#include <unistd.h>

static void split_lines(words_t *words, const char *text) {
  words_split(words, text, "\n");
}

/* The search order: a folder that replaces modules, the block's own folder, then the tree's shared
 * folders. */
static void find_folders(recipe_t *r) {
  const object_request_t *ask = r->ask;
  if (*ask->instead) words_add(&r->folders, "%s", ask->instead);
  if (ask->read && *ask->read->files) {
    split_lines(&r->folders, ask->read->libraries);
    return;
  }
  if (*ask->beside) words_add(&r->folders, "%s", ask->beside);
  words_add(&r->folders, "%.*s", (int)(strrchr(ask->rtl, '/') - ask->rtl), ask->rtl);
  words_add(&r->folders, "%s/rtl/lib", ask->tree);
}

bool recipe_rtl(recipe_t *r) {
  static const char *const endings[] = {".sv", ".v", ".svh", ".vh", ".svi", ".inc", ".h", ".vp", ".svp", NULL};
  const object_request_t *ask = r->ask;
  find_folders(r);
  if (*ask->map && !recipe_take(r, ask->map, SNAPSHOT_PLAIN)) return false;
  if (*ask->map) words_add_new(&r->read, recipe_copy(r, ask->map));
  if (ask->read && vhdl_is(ask->read)) return recipe_vhdl(r);
  if (ask->read) split_lines(&r->includes, ask->read->includes);
  if (ask->read && *ask->read->files) split_lines(&r->files, ask->read->files);
  else words_add(&r->files, "%s", ask->rtl);
  for (size_t i = 0; i < r->files.count; i++)
    if (!recipe_take(r, r->files.at[i], SNAPSHOT_VERILOG)) return false;
  for (size_t i = 0; i < r->folders.count; i++) recipe_take_folder(r, r->folders.at[i], endings, SNAPSHOT_VERILOG);
  for (size_t i = 0; i < r->includes.count; i++) recipe_take_folder(r, r->includes.at[i], endings, SNAPSHOT_VERILOG);
  return recipe_flat(r);
}
