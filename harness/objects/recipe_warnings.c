/* SPDX-License-Identifier: Apache-2.0
 *
 * Tools' warnings that say that what they simulate is not what was written.
 *
 * Verilator's of widths and of nets that nothing drives are counted by who uses the object; they go into its file as warnings.txt, a
 * line each: "WIDTH FILE:LINE:COLUMN: text". A reset of another kind than the port file's ends the build, and so does logic that feeds
 * itself: not a vector that feeds other bits of its own, of which Verilator warns, too, but a bit that is in a circle in Yosys' gates.
 */
#include "recipe.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

void recipe_warnings_on(words_t *command) {
  words_add(command, "-Wwarn-WIDTH"), words_add(command, "-Wwarn-UNDRIVEN"), words_add(command, "-Wwarn-UNOPTFLAT");
}

/* ---- Verilator's warnings */

/* "%Warning-WIDTH: FILE:LINE:COLUMN: text", and what goes on in a column of its own is left out. */
static bool take_warning(recipe_t *r, const char *line, char class[32], const char **text) {
  static const char begin[] = "%Warning-";
  if (strncmp(line, begin, sizeof begin - 1)) return false;
  const char *name = line + sizeof begin - 1, *colon = strchr(name, ':');
  const char *end = strchrnul(line, '\n');
  if (!colon || colon > end || colon - name >= 32) return false;
  snprintf(class, 32, "%.*s", (int)(colon - name), name);
  *text = recipe_text(r, "%.*s", (int)(end - colon - 2), colon + 2);
  return true;
}

static const char *find_loop(recipe_t *r, const char *said) {
  char class[32];
  const char *text;
  for (const char *line = said; *line; line = *strchrnul(line, '\n') ? strchrnul(line, '\n') + 1 : "")
    if (take_warning(r, line, class, &text) && strcmp(class, "UNOPTFLAT") == 0) return text;
  return NULL;
}

static bool write_warnings(recipe_t *r, const char *said) {
  const char *all = "", *text;
  char class[32];
  words_t seen = {0};
  for (const char *line = said; *line; line = *strchrnul(line, '\n') ? strchrnul(line, '\n') + 1 : "") {
    if (!take_warning(r, line, class, &text) || (strncmp(class, "WIDTH", 5) && strcmp(class, "UNDRIVEN"))) continue;
    const char *one = recipe_text(r, "%s %s", class, text);
    if (words_add_new(&seen, one)) all = recipe_text(r, "%s%s\n", all, one);
  }
  words_free(&seen);
  words_add_new(&r->sides, "warnings.txt");
  return recipe_write(r, "warnings.txt", all);
}

/* ---- loops, bit by bit */

static const char *loop_script(recipe_t *r) {
  const char *script = "verilog_defaults -add -Igen";
  for (size_t i = 0; i < r->lists.count; i++) script = recipe_text(r, "%s -I%s", script, recipe_copy(r, r->lists.at[i]));
  script = recipe_text(r, "%s\n", script);
  for (size_t i = 0; i < r->packages.count; i++) script = recipe_text(r, "%sread_verilog -sv %s\n", script, r->packages.at[i]);
  script = recipe_text(r, "%s%s", script, recipe_yosys_reads(r));
  return recipe_text(r, "%s%sproc\nflatten\nopt_clean\n", script, recipe_yosys_top(r, r->ask->block, recipe_yosys_parameters(r)));
}

static bool finds_loop(recipe_t *r, const char *script, const char *more) {
  words_t command = {0};
  if (!recipe_write(r, "loops.ys", recipe_text(r, "%s%scheck -assert\n", script, more))) return false;
  words_split(&command, "yosys -q loops.ys", " ");
  const bool failed = !recipe_run(r, &command);
  words_free(&command);
  r->kind = TROUBLE_NONE, *r->error = 0;
  return failed && strstr(r->said, "found logic loop");
}

/* Whole cells first: where they are in no circle, their gates are in none. Of RTL that Yosys does not read, a run says whether it settles. */
static bool is_loop(recipe_t *r) {
  char path[RECIPE_PATH];
  if (!recipe_find_program("yosys", path)) return false;
  const char *script = loop_script(r);
  return finds_loop(r, script, "") && finds_loop(r, script, "memory -nomap\nopt_clean\ntechmap\nopt_clean\n");
}

static bool check_loop(recipe_t *r, const char *place) {
  const char *colon = strchr(place, ' ');
  if (!is_loop(r)) return true;
  return recipe_bad(r, TROUBLE_INPUT, "%.*s combinational loop%s: a bit depends on itself; a register or a latch has to be in it",
                    (int)(colon ? colon - place : 0), place, strstr(place, " '") ? recipe_text(r, " through%s", strrchr(place, ' ')) : "");
}

/* ---- the kind of the reset */

/* RESET(rst_n, low, async) of the port file: its name, its kind and its line; false: it has none. */
static bool find_reset(recipe_t *r, char name[256], char kind[16], unsigned *number) {
  char *text = recipe_read(r, recipe_copy(r, r->ask->ports));
  bool found = false;
  *number = 1;
  for (const char *line = text; line && *line && !found; line = *strchrnul(line, '\n') ? strchrnul(line, '\n') + 1 : "", *number += !found)
    found = sscanf(line, " RESET( %255[A-Za-z0-9_$] , %*[a-z] , %15[a-z]", name, kind) == 2;
  free(text);
  return found;
}

/* What the RTL calls it. */
static bool find_pin(recipe_t *r, const char *name, char pin[256]) {
  words_t pins = {0};
  bool ok = recipe_ports_lines(r, "pins.txt", true, &pins);
  snprintf(pin, 256, "%s", name);
  for (size_t i = 0; ok && i < pins.count; i++) {
    const size_t n = strlen(name);
    if (strncmp(pins.at[i], name, n) == 0 && pins.at[i][n] == '=') snprintf(pin, 256, "%s", pins.at[i] + n + 1);
  }
  words_free(&pins);
  return ok;
}

/* Does the C++ look at the pin, other than to begin and to check its width? */
static bool is_used_in(const char *text, const char *use) {
  const size_t n = strlen(use);
  for (const char *p = text; (p = strstr(p, use)); p++) {
    const char *after = p + n, *line_end = strchrnul(p, '\n');
    if (isalnum((unsigned char)*after) || *after == '_') continue;
    const bool plain = memmem(p, (size_t)(line_end - p), "VL_RAND_RESET", 13) || memmem(p, (size_t)(line_end - p), "0xfe", 4);
    if (!plain) return true;
  }
  return false;
}

static bool is_used(recipe_t *r, const char *folder, const char *pin) {
  char pattern[2 * RECIPE_PATH];
  glob_t found;
  bool used = false;
  snprintf(pattern, sizeof pattern, "%s/%s/Vdut_%s___024root*.cpp", r->work, folder, r->ask->block);
  if (glob(pattern, 0, NULL, &found)) return false;
  for (size_t i = 0; i < found.gl_pathc && !used; i++) {
    char *text = recipe_read(r, found.gl_pathv[i]);
    used = text && is_used_in(text, recipe_text(r, "vlSelf->%s", pin));
    free(text);
  }
  globfree(&found);
  return used;
}

/* An assertion that holds outside of reset alone looks at it, too, and is no register. */
static bool looks_without_assertions(recipe_t *r, const char *pin) {
  words_t command = {0};
  words_add(&command, "verilator"), words_add(&command, "--cc");
  recipe_design(r, &command);
  words_split(&command, "--no-assert -O3 --x-assign 0 --Mdir reset --prefix", " ");
  words_add(&command, "Vdut_%s", r->ask->block);
  const bool looks = recipe_run(r, &command) && is_used(r, "reset", pin);
  words_free(&command);
  r->kind = TROUBLE_NONE, *r->error = 0;
  return looks;
}

static bool check_reset(recipe_t *r, const char *folder) {
  char name[256], kind[16], pin[256];
  unsigned line;
  if (!find_reset(r, name, kind, &line)) return true;
  char *text = find_pin(r, name, pin) ? recipe_read(r, recipe_text(r, "%s/Vdut_%s___024root.h", folder, r->ask->block)) : NULL;
  if (!text) return false;
  const bool edge = recipe_waits_for(text, r->ask->block, pin), async = strcmp(kind, "async") == 0;
  free(text);
  if (edge == async || (!edge && !is_used(r, folder, pin)) || (!edge && !looks_without_assertions(r, pin))) return true;
  return recipe_bad(r, TROUBLE_INPUT, "%s:%u: RESET(%s, ..., %s): the RTL's registers %s; %s would be right", r->ask->ports, line, name, kind,
                    edge ? "wait for its edge" : "look at it at the clock's edge alone", edge ? "async" : "sync");
}

bool recipe_warnings(recipe_t *r, const char *folder) {
  char *names = snapshot_say(&r->snapshot, r->said); /* the originals' */
  const char *said = recipe_text(r, "%s", names ? names : r->said), *loop = find_loop(r, said);
  free(names);
  /* The tree's own blocks have no loop: the synthesis of each one ends with `check -assert`. */
  return write_warnings(r, said) && check_reset(r, folder) && (!loop || recipe_in_tree(r) || check_loop(r, loop));
}
