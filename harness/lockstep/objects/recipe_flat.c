/* SPDX-License-Identifier: Apache-2.0
 *
 * The copy of a block's module whose ports are interfaces, as one whose ports are vectors
 * (harness/verify/emit/flat.h). What tools read is the copy, so that this one is made anew with
 * each object, and the user's file stays.
 */
#include "flat.h"
#include "recipe.h"

#include <unistd.h>

/* Verilator reads the design with these values in the place of the port file's. */
static bool elaborate(void *context, const char *params, trouble_t *trouble) {
  recipe_t *r = context;
  (void)trouble;
  words_t command = {0};
  const words_t values = r->values;
  r->values = (words_t){0};
  words_split(&r->values, params, ",");
  words_split(&command, "verilator --xml-only --xml-output flat.xml --Mdir flat", " ");
  recipe_design(r, &command);
  words_free(&r->values);
  r->values = values;
  unlink(recipe_text(r, "%s/flat.xml", r->work)); /* an earlier build's */
  const bool ok = recipe_tool(r, "verilator") && recipe_run(r, &command);
  words_free(&command);
  return ok; /* trouble is r->trouble */
}

bool recipe_flat(recipe_t *r) {
  const char *copy = recipe_text(r, "%s/%s", r->work, recipe_copy(r, r->ask->rtl)), *params = "";
  if (recipe_in_tree(r) || !flat_wanted(copy, r->ask->block)) return true;
  for (size_t i = 0; i < r->values.count; i++) params = recipe_text(r, "%s%s%s", params, i ? "," : "", r->values.at[i]);
  const flat_job_t job = {.file = copy,
                          .shown = r->ask->rtl,
                          .module = r->ask->block,
                          .params = params,
                          .to = copy,
                          .xml = recipe_text(r, "%s/flat.xml", r->work),
                          .elaborate = elaborate,
                          .context = r};
  r->flat = flat_make(&job, r->trouble) == FLAT_MADE;
  return r->flat;
}
