/* SPDX-License-Identifier: Apache-2.0
 *
 * The RTL of a block in VHDL: ghdl synthesises it for these parameters, and what that is as Verilog
 * (harness/verify/vhdl) takes the place of the files:
 *
 *   *.vhd --copies--> ghdl --> vhdl.v --> all other steps
 */
#include "recipe.h"

#include "plain.h"
#include "vhdl.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "vhdl.v", probe[] = "vhdl_probe.vhd";

/* vhdl.h: run, tool, original */
static bool run_ghdl(void *context, const words_t *command, char **out, trouble_t *trouble) {
  recipe_t *r = context;
  const bool ok = recipe_ask(r, command);
  if (ok || (r->trouble->kind == TROUBLE_INPUT && r->said)) return (*out = strdup(r->said)) && ok;
  return *trouble = *r->trouble, false;
}

static const char *tool_name(void *context, const char *path) {
  return recipe_copy(context, path);
}

/* A name that tools take: of an odd folder the copy's. */
static const char *original_name(void *context, const char *copy) {
  recipe_t *r = context;
  const content_file_t *original = snapshot_original(&r->snapshot, copy);
  if (!original) return NULL;
  return plain_path(original->path) ? original->path : copy;
}

static bool take_files(recipe_t *r, const vhdl_order_t *order) {
  for (size_t i = 0; i < order->files.count; i++) {
    if (!recipe_take(r, order->files.at[i], SNAPSHOT_PLAIN)) return false;
    words_add_new(&r->read, recipe_copy(r, order->files.at[i]));
  }
  return true;
}

/* "Depth=4,Width=8", by the RTL's names. */
static const char *parameters(recipe_t *r) {
  const char *text = "";
  for (size_t i = 0; i < r->values.count; i++) text = recipe_text(r, "%s%s%s", text, i ? "," : "", r->values.at[i]);
  return text;
}

static bool make_text(recipe_t *r, const vhdl_order_t *order) {
  const vhdl_job_t job = {.order = order,
                          .entity = r->ask->block,
                          .params = parameters(r),
                          .probe = recipe_text(r, "%s/%s", r->work, probe),
                          .run = run_ghdl,
                          .tool = tool_name,
                          .original = original_name,
                          .context = r};
  trouble_t trouble = {0};
  char *text = vhdl_verilog(&job, &trouble);
  *r->trouble = trouble;
  const bool ok = text && recipe_write(r, name, text);
  free(text);
  return ok;
}

/* A folder of --rtl goes before the libraries. */
static bool find_order(recipe_t *r, vhdl_order_t *order) {
  rtl_t *rtl = malloc(sizeof *rtl);
  if (!rtl) return trouble_memory(r->trouble);
  *rtl = *r->ask->read;
  *rtl->libraries = 0;
  if (*r->ask->instead) rtl_add(rtl->libraries, r->ask->instead);
  for (size_t i = 0; i < r->folders.count; i++)
    if (!rtl_has(rtl->libraries, r->folders.at[i])) rtl_add(rtl->libraries, r->folders.at[i]);
  const bool ok = vhdl_order(rtl, NULL, r->ask->block, order, r->trouble);
  free(rtl);
  return ok;
}

bool recipe_vhdl(recipe_t *r) {
  vhdl_order_t order;
  if (!recipe_tool(r, "ghdl")) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s", VHDL_MISSING);
  if (!find_order(r, &order)) return false;
  const bool ok = take_files(r, &order) && make_text(r, &order);
  vhdl_order_free(&order);
  words_free(&r->files), words_free(&r->folders), words_free(&r->includes);
  words_add(&r->files, "%s", name);
  if (ok && (recipe_is(r, "lint") || recipe_is(r, "lint+ports"))) words_add_new(&r->sides, name);
  return ok;
}
