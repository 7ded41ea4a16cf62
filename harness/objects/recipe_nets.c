/* SPDX-License-Identifier: Apache-2.0
 *
 * Nets of which simulators and synthesis make different things: a bit with several drivers (drivers.h of base), and logic that feeds itself:
 * not a vector that feeds other bits of its own, of which Verilator warns, too, but a bit that is in a circle in Yosys' gates.
 *
 * Of RTL that Yosys does not read neither is known. What Verilator says stands in its place: bits that several assignments drive are an
 * error still; the rest may be one, and is counted.
 */
#include "recipe.h"

#include "file.h"
#include "drivers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *read_script(recipe_t *r) {
  const char *script = "verilog_defaults -add -Igen";
  for (size_t i = 0; i < r->lists.count; i++) script = recipe_text(r, "%s -I%s", script, recipe_copy(r, r->lists.at[i]));
  script = recipe_text(r, "%s\n", script);
  for (size_t i = 0; i < r->packages.count; i++) script = recipe_text(r, "%sread_verilog -sv %s\n", script, r->packages.at[i]);
  return recipe_text(r, "%s%s%ssetattr -mod -unset keep_hierarchy A:keep_hierarchy\nproc\nflatten\n", script, recipe_yosys_reads(r),
                     recipe_yosys_top(r, r->ask->block, recipe_yosys_parameters(r)));
}

/* false: Yosys ended with an error, or not in time; what it said stays in r->said. */
static bool run_yosys(recipe_t *r, const char *file, const char *script) {
  static const char seconds[] = "120";
  words_t command = {0};
  if (!recipe_write(r, file, script)) return false;
  words_add(&command, "timeout"), words_add(&command, seconds), words_split(&command, "yosys -q -E nets.d", " "), words_add(&command, "%s", file);
  const bool ok = recipe_run(r, &command);
  words_free(&command);
  if (r->kind == TROUBLE_INPUT || strstr(r->error, "status 124")) r->kind = TROUBLE_NONE;
  return ok;
}

/* ---- loops */

static bool finds_loop(recipe_t *r, const char *script, const char *more) {
  const bool failed = !run_yosys(r, "loops.ys", recipe_text(r, "%s%scheck -assert\n", script, more));
  if (!r->kind) *r->error = 0;
  return failed && strstr(r->said, "found logic loop");
}

/* Whole cells first: where they are in no circle, their gates are in none. */
static bool check_loop(recipe_t *r, const char *script, const char *place) {
  const char *colon = strchr(place, ' ');
  const char *small = recipe_text(r, "%sopt_clean\n", script);
  if (!finds_loop(r, small, "") || !finds_loop(r, small, "memory -nomap\nopt_clean\ntechmap\nopt_clean\n")) return !r->kind;
  return recipe_bad(r, TROUBLE_INPUT, "%.*s combinational loop%s: a bit depends on itself; a register or a latch has to be in it",
                    (int)(colon ? colon - place : 0), place, strstr(place, " '") ? recipe_text(r, " through%s", strrchr(place, ' ')) : "");
}

/* ---- drivers */

static const char *originals(recipe_t *r, const char *text) {
  char *said = snapshot_say(&r->snapshot, text);
  const char *kept = recipe_text(r, "%s", said ? said : text);
  free(said);
  return kept;
}

/* What an earlier build has left says nothing of this one. */
static void forget(const recipe_t *r, const char *file) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/%s", r->work, file);
  unlink(path);
}

static char *read_new(recipe_t *r, const char *file) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/%s", r->work, file);
  if (access(path, R_OK) == 0) return recipe_read(r, file);
  recipe_bad(r, TROUBLE_ENVIRONMENT, "yosys ended without an error and did not write %s", path);
  return NULL;
}

static bool check_drivers(recipe_t *r, recipe_nets_t *nets) {
  drivers_t found;
  char *text = read_new(r, "nets.il");
  if (!text) return false;
  const bool read = drivers_read(&found, text);
  free(text);
  if (!read) return drivers_free(&found), recipe_bad(r, TROUBLE_ENVIRONMENT, "yosys did not write nets.il to its end");
  nets->undriven = originals(r, found.undriven), nets->clock = originals(r, found.clock);
  const char *conflict = originals(r, found.conflict);
  drivers_free(&found);
  return !*conflict || recipe_bad(r, TROUBLE_INPUT, "%s", conflict);
}

static bool not_known(recipe_t *r, const char *why, const char *several, recipe_nets_t *nets) {
  nets->unknown = recipe_text(r, "%s: not known whether bits have several drivers, or depend on themselves: %s", r->ask->rtl, why);
  *r->error = 0;
  if (!several || !strstr(several, "multiple combinational drivers")) return true;
  return recipe_bad(r, TROUBLE_INPUT, "%s; one for each bit would be right", several);
}

/* Registers that the reset reaches other than through what they take at a clock's edge: as it is, inverted, or together with others. */
static bool select_async(recipe_t *r, const char **text) {
  static const char kinds[] = "t:$adff t:$adffe t:$aldff t:$aldffe t:$dffsr t:$dffsre t:$adlatch t:$dlatchsr";
  char name[256], kind[16], pin[256];
  unsigned line;
  *text = "";
  if (!recipe_reset_pin(r, name, kind, &line, pin)) return false;
  if (*pin)
    *text = recipe_text(r,
                        "select -set made i:%s %%coe*\nselect -set reached @made %%co:+[ARST,ALOAD,SET,CLR]\nselect -set kinds %s\n"
                        "tee -q -o async.txt select -list @reached @kinds %%i\n",
                        pin, kinds);
  return true;
}

static bool read_async(recipe_t *r) {
  char *text = read_new(r, "async.txt");
  if (!text) return false;
  r->knows_reset = true, r->async = strchr(text, '/') != NULL;
  free(text);
  return true;
}

/* Each verb and device would have to take the same files: what Yosys does not take is not what is synthesised, mutated and proved. */
static bool check_files(recipe_t *r) {
  words_t read = {0};
  const bool ok = recipe_deps(r, "nets.d", &read) && recipe_same_files(r, &read, "Yosys");
  words_free(&read);
  return ok;
}

bool recipe_nets(recipe_t *r, const char *loop, const char *several, recipe_nets_t *nets) {
  char path[RECIPE_PATH];
  if (!surroundings_find("yosys", path)) return not_known(r, "yosys is not installed", several, nets);
  const char *script = read_script(r), *async;
  if (!select_async(r, &async)) return false;
  forget(r, "nets.il"), forget(r, "async.txt"), forget(r, "nets.d");
  if (!run_yosys(r, "nets.ys", recipe_text(r, "%s" DRIVERS_SCRIPT "%s", script, "nets.il", async)))
    return !r->kind && not_known(r, strstr(r->said, "ERROR: ") ? recipe_text(r, "Yosys says %s", r->error) : "Yosys gave no answer in time", several, nets);
  return check_files(r) && (!*async || read_async(r)) && check_drivers(r, nets) && (!loop || check_loop(r, script, loop));
}
