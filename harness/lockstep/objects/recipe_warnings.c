/* SPDX-License-Identifier: Apache-2.0
 *
 * Warnings of tools that what they simulate is not what was written.
 *
 * The file warnings.txt of an object has one warning a line, and the object's users count them:
 *
 *   WIDTH FILE:LINE:COLUMN: text   widths differ
 *   UNDRIVEN                       a net without a driver
 *   BUS                            a net with several tri-state drivers
 *   CASE                           a case that synthesis takes for full or parallel
 *   RESET                          a register that samples an asynchronous reset at the clock edge
 *   LATCH                          a latch that opens at that edge
 *   LEVEL                          a register whose data is the clock
 *   FINAL                          an assertion of a `final` block
 *   UNKNOWN                        a part that no tool could judge
 *
 * Four findings end the build: an error that the RTL raises at elaboration, two modules of one
 * name, a reset of another kind than the port file's, and the errors of recipe_nets. `lint_off`
 * cannot hide any of them (snapshot.c).
 */
#include "recipe.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

void recipe_warnings_on(words_t *command) {
  static const char *const classes[] = {"WIDTH",     "SELRANGE",    "UNDRIVEN", "PINMISSING", "PINCONNECTEMPTY",
                                        "UNOPTFLAT", "MULTIDRIVEN", "MODDUP",   "USERFATAL",  "USERERROR"};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) words_add(command, "-Wwarn-%s", classes[i]);
}

/* ---- Verilator's warnings */

static const char *next_line(const char *line) {
  return *strchrnul(line, '\n') ? strchrnul(line, '\n') + 1 : "";
}

/* Parses "%Warning-WIDTH: FILE:LINE:COLUMN: text". Continuation lines are skipped. A line without a
 * place is not about the RTL. */
static bool take_warning(recipe_t *r, const char *line, char class[32], const char **text) {
  static const char begin[] = "%Warning-";
  if (strncmp(line, begin, sizeof begin - 1)) return false;
  const char *name = line + sizeof begin - 1, *colon = strchr(name, ':');
  const char *end = strchrnul(line, '\n');
  if (!colon || colon + 3 > end || colon[1] != ' ' || colon[2] == ' ' || colon - name >= 32) return false;
  if (!memchr(colon + 3, ':', (size_t)(end - colon - 3))) return false;
  snprintf(class, 32, "%.*s", (int)(colon - name), name);
  *text = recipe_text(r, "%.*s", (int)(end - colon - 2), colon + 2);
  return true;
}

static const char *first_of(recipe_t *r, const char *said, const char *wanted, const char **line) {
  char class[32];
  const char *text;
  for (*line = said; **line; *line = next_line(*line))
    if (take_warning(r, *line, class, &text) && strcmp(class, wanted) == 0) return text;
  return NULL;
}

/* Errors that the RTL raises at elaboration; `$error` without words has an empty text. */
static bool check_user(recipe_t *r, const char *said) {
  static const char *const classes[][2] = {{"USERFATAL", "$fatal"}, {"USERERROR", "$error"}};
  const char *line;
  for (size_t i = 0; i < 2; i++) {
    const char *text = first_of(r, said, classes[i][0], &line);
    if (text) return trouble_set(r->trouble, TROUBLE_INPUT, "%s (%s" OBJECT_REFUSED, text, classes[i][1]);
  }
  return true;
}

/* Finds "b.sv:1:8: Duplicate declaration of module: 'sub'"; some lines later comes "a.sv:1:8: ...
 * Location of original declaration". */
static bool check_modules(recipe_t *r, const char *said) {
  const char *line, *text = first_of(r, said, "MODDUP", &line);
  if (!text) return true;
  const char *other = strstr(line, ": ... Location of original declaration"), *begin = other;
  while (begin && begin > line && begin[-1] != ' ' && begin[-1] != '\n') begin--;
  const char *name = strrchr(text, ':');
  return trouble_set(r->trouble, TROUBLE_INPUT, "%.*s: module%s is also in %.*s; one of this name would be right",
                     (int)strcspn(text, " ") - 1, text, name ? name + 1 : "", other ? (int)(other - begin) : 0,
                     other ? begin : "");
}

/* "Cell has missing pin: 'z'": true if the pin is an input, which then has no driver. */
static bool is_open_input(const char *text, const char *undriven) {
  const char *quote = strrchr(text, '\''), *begin = quote;
  while (begin && begin > text && begin[-1] != '\'') begin--;
  if (!quote || begin == text) return false;
  const size_t n = (size_t)(quote - begin);
  for (const char *line = undriven; *line; line = next_line(line)) {
    const char *end = strchrnul(line, '\n');
    if ((size_t)(end - line) > n + 1 && end[-(ptrdiff_t)n - 1] == '.' && strncmp(end - n, begin, n) == 0) return true;
  }
  return false;
}

static const char *add_line(recipe_t *r, words_t *seen, const char *all, const char *class, const char *text) {
  const char *one = recipe_text(r, "%s %s", class, text);
  return words_add_new(seen, one) ? recipe_text(r, "%s%s\n", all, one) : all;
}

/* True if Verilator has already warned about the net, or about the instance's pin that leads to it.
 * The last name is in quotes. */
static bool is_told(recipe_t *r, const words_t *seen, const char *name, size_t length) {
  const char *dot = memrchr(name, '.', length), *last = dot ? dot + 1 : name;
  const char *quoted = recipe_text(r, "'%.*s'", (int)(name + length - last), last);
  for (size_t i = 0; i < seen->count; i++)
    if (strncmp(seen->at[i], "UNDRIVEN", 8) == 0 && strstr(seen->at[i], quoted)) return true;
  return false;
}

/* Adds undriven nets that Verilator does not report: words of an array, and public nets. "x.sv:3:7
 * m[2]". */
static const char *add_nets(recipe_t *r, words_t *seen, const char *all, const char *undriven) {
  for (const char *line = undriven; *line; line = next_line(line)) {
    const char *end = strchrnul(line, '\n'), *name = strchr(line, ' ');
    if (!name || name > end || is_told(r, seen, name + 1, (size_t)(end - name - 1))) continue;
    const char *what = end[-1] == ']' ? "Word of an array" : "Signal";
    const char *text = recipe_text(r, "%.*s: %s is not driven: '%.*s'", (int)(name - line), line, what,
                                   (int)(end - name - 1), name + 1);
    all = add_line(r, seen, all, "UNDRIVEN", text);
  }
  return all;
}

static const char *add_buses(recipe_t *r, words_t *seen, const char *all, const char *shared) {
  for (const char *line = shared; *line; line = next_line(line)) {
    const char *end = strchrnul(line, '\n'), *name = strchr(line, ' ');
    if (!name || name > end) continue;
    all = add_line(
        r, seen, all, "BUS",
        recipe_text(r, "%.*s: '%.*s' has several tri-state drivers: two-state devices OR those that are on at once",
                    (int)(name - line), line, (int)(end - name - 1), name + 1));
  }
  return all;
}

/* Verilator asserts `unique` and `priority`: "x.sv:3: Assertion failed in ...". It ignores
 * attributes. */
static bool is_asserted(recipe_t *r, const words_t *made, const char *place) {
  const char *end = strpbrk(place, ": "), *begin = memrchr(place, '/', (size_t)(end - place));
  begin = begin ? begin + 1 : place;
  const char *wanted =
      recipe_text(r, "%.*s: Assertion failed in ", (int)(end + 1 + strcspn(end + 1, ": ") - begin), begin);
  bool found = false;
  for (size_t i = 0; i < made->count && !found; i++) {
    char *text = recipe_read(r, made->at[i]);
    found = text && strstr(text, wanted);
    free(text);
  }
  return found;
}

static const char *add_cases(recipe_t *r, words_t *seen, const char *all, const recipe_nets_t *nets) {
  words_t made = {0};
  if (*nets->cases) recipe_made(r, &made);
  for (const char *line = nets->cases; *line; line = next_line(line)) {
    const char *end = strchrnul(line, '\n'), *name = strchr(line, ' ');
    if (!name || name > end || (!nets->comments && is_asserted(r, &made, line))) continue;
    all = add_line(r, seen, all, "CASE",
                   recipe_text(r, "%.*s: %.*s: synthesis takes it for granted, simulation does not", (int)(name - line),
                               line, (int)(end - name - 1), name + 1));
  }
  words_free(&made);
  return all;
}

static const char *add_resets(recipe_t *r, words_t *seen, const char *all, const char *places) {
  for (const char *line = places; *line; line = next_line(line))
    all = add_line(
        r, seen, all, "RESET",
        recipe_text(
            r, "%.*s: this register looks at the reset at the clock's edge alone, and others wait for the reset's edge",
            (int)strcspn(line, "\n"), line));
  return all;
}

/* Adds nets that change at the clock edge while registers sample them. */
static const char *add_races(recipe_t *r, words_t *seen, const char *all, const char *class, const char *of,
                             const char *what, const char *wires) {
  for (const char *line = wires; *line; line = next_line(line)) {
    const char *end = strchrnul(line, '\n'), *name = strchr(line, ' ');
    all = add_line(r, seen, all, class,
                   recipe_text(r, "%.*s: %s '%.*s' %s: devices differ about which is first", (int)(name - line), line,
                               of, (int)(end - name - 1), name + 1, what));
  }
  return all;
}

/* Adds `final` blocks with assertions, because a run has no end at which they execute:
 * "VL_STOP_MT("x.sv", 6, "")" in Verilator's functions for them. */
static const char *add_finals(recipe_t *r, words_t *seen, const char *all, const char *text) {
  static const char body[] = "___eval_final__TOP", stop[] = "VL_STOP_MT(\"";
  char file[RECIPE_PATH];
  unsigned line;
  for (const char *p = text; (p = strstr(p, body)); p++) {
    const char *end = strstr(p, "\n}"), *brace = p + strcspn(p, "{;\n");
    if (*brace != '{' || !end) continue;
    for (const char *at = p; (at = memmem(at, (size_t)(end - at), stop, sizeof stop - 1)); at++) {
      if (sscanf(at + sizeof stop - 1, "%4095[^\"]\", %u", file, &line) != 2) continue;
      char *place = snapshot_say(&r->snapshot, file);
      all = add_line(r, seen, all, "FINAL",
                     recipe_text(r, "%s:%u: this assertion is of a final block, which no device runs",
                                 place ? place : file, line));
      free(place);
    }
  }
  return all;
}

static const char *add_made(recipe_t *r, words_t *seen, const char *all) {
  words_t made = {0};
  recipe_made(r, &made);
  for (size_t i = 0; i < made.count; i++) {
    char *text = recipe_read(r, made.at[i]);
    if (text) all = add_finals(r, seen, all, text);
    free(text);
  }
  words_free(&made);
  return all;
}

static bool write_warnings(recipe_t *r, const char *said, const recipe_nets_t *nets) {
  const char *all = "", *text;
  char class[32];
  words_t seen = {0};
  if (*nets->clock) all = add_line(r, &seen, all, "CLOCK", nets->clock);
  if (*nets->unknown) all = add_line(r, &seen, all, "UNKNOWN", nets->unknown);
  if (*nets->unread) all = add_line(r, &seen, all, "UNKNOWN", nets->unread);
  for (const char *line = said; *line; line = next_line(line)) {
    if (!take_warning(r, line, class, &text)) continue;
    const bool pin = strncmp(class, "PIN", 3) == 0,
               net = strcmp(class, "UNOPTFLAT") == 0 || strcmp(class, "MULTIDRIVEN") == 0;
    const bool open = pin && (*nets->unknown ? strcmp(class, "PINMISSING") == 0 : is_open_input(text, nets->undriven));
    if (strcmp(class, "SELRANGE") == 0) all = add_line(r, &seen, all, "WIDTH", text);
    /* WIDTHTRUNC, WIDTHEXPAND */
    else if (strncmp(class, "WIDTH", 5) == 0) all = add_line(r, &seen, all, "WIDTH", text);
    else if (strcmp(class, "UNDRIVEN") == 0) all = add_line(r, &seen, all, class, text);
    else if (open) all = add_line(r, &seen, all, "UNDRIVEN", text);
    else if (net && (*nets->unknown || *nets->unread)) all = add_line(r, &seen, all, "UNKNOWN", text);
  }
  all = add_nets(r, &seen, all, nets->undriven);
  all = add_buses(r, &seen, all, nets->shared);
  all = add_cases(r, &seen, all, nets);
  all = add_resets(r, &seen, all, nets->resets);
  all = add_races(r, &seen, all, "LATCH", "latch", "opens at the edge at which registers take what it shows",
                  nets->opens);
  all = add_races(r, &seen, all, "LEVEL", "register", "takes the clock's level at the edge at which it changes",
                  nets->takes);
  if (!recipe_in_tree(r)) all = add_made(r, &seen, all);
  words_free(&seen);
  words_add_new(&r->sides, "warnings.txt");
  return recipe_write(r, "warnings.txt", all);
}

/* ---- the kind of the reset */

bool recipe_clocking(recipe_t *r, clocking_t *clocking) {
  char *text = recipe_read(r, recipe_copy(r, r->ask->ports));
  clocking_read(text, clocking);
  free(text);
  return text != NULL;
}

/* The RTL's name of the port. */
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

/* True if the C++ uses the pin for more than its initial value and its width check. */
static bool is_used_in(const char *text, const char *use) {
  const size_t n = strlen(use);
  for (const char *p = text; (p = strstr(p, use)); p++) {
    const char *after = p + n, *line_end = strchrnul(p, '\n');
    if (isalnum((unsigned char)*after) || *after == '_') continue;
    const bool begins = strncmp(after, " = ", 3) == 0; /* nothing else gives a pin a value */
    const bool plain = begins || memmem(p, (size_t)(line_end - p), "0xfe", 4);
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
    used = text && (is_used_in(text, recipe_text(r, "vlSelf->%s", pin)) ||
                    is_used_in(text, recipe_text(r, "vlSelfRef.%s", pin)));
    free(text);
  }
  globfree(&found);
  return used;
}

/* Without assertions: one that is disabled in reset reads the pin, too, but is no register. */
static bool looks_without_assertions(recipe_t *r, const char *pin) {
  words_t command = {0};
  words_add(&command, "verilator"), words_add(&command, "--cc");
  recipe_design(r, &command);
  words_split(&command, "--no-assert -O3 --x-assign 0 --Mdir reset --prefix", " ");
  words_add(&command, "Vdut_%s", r->ask->block);
  const bool looks = recipe_run(r, &command) && is_used(r, "reset", pin);
  words_free(&command);
  *r->trouble = (trouble_t){0};
  return looks;
}

/* The same for an instance's pin of this name, if Verilator has kept the instances apart. */
static bool waits_inside(const char *text, const char *pin) {
  const size_t n = strlen(pin);
  const char *name;
  size_t length;
  while ((text = recipe_next_waited(text, &name, &length)))
    if (length > n + 2 && strncmp(name + length - n - 2, "__", 2) == 0 && strncmp(name + length - n, pin, n) == 0)
      return true;
  return false;
}

bool recipe_reset_pins(recipe_t *r, recipe_resets_t *resets) {
  *resets = (recipe_resets_t){0};
  bool ok = recipe_clocking(r, &resets->said);
  for (unsigned i = 0; ok && i < resets->said.num_resets; i++)
    ok = find_pin(r, resets->said.resets[i].name, resets->pins[i]);
  return ok;
}

bool recipe_clock_pin(recipe_t *r, char pin[256]) {
  clocking_t said;
  *pin = 0;
  return recipe_clocking(r, &said) && (!*said.clock || find_pin(r, said.clock, pin));
}

/* One of the resets; text: the class' header. */
static bool check_reset(recipe_t *r, const char *folder, const char *text, const recipe_resets_t *resets, unsigned i) {
  const clocking_reset_t *said = &resets->said.resets[i];
  const char *pin = resets->pins[i];
  const bool seen = recipe_waits_for(text, r->ask->block, pin) || waits_inside(text, pin);
  const bool edge = r->knows_reset ? r->async[i] : seen;
  if (edge == said->async || (!edge && !is_used(r, folder, pin)) || (!edge && !looks_without_assertions(r, pin)))
    return true;
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: RESET(%s, ..., %s): the RTL's registers %s; %s would be right",
                     r->ask->ports, said->line, said->name, said->async ? "async" : "sync",
                     edge ? "wait for its edge" : "look at it at the clock's edge alone", edge ? "async" : "sync");
}

bool recipe_reset(recipe_t *r, const char *folder) {
  recipe_resets_t resets;
  if (!recipe_in_tree(r) && r->snapshot.bare) return true; /* kind lint+ports goes before */
  if (!recipe_reset_pins(r, &resets)) return false;
  if (!resets.said.num_resets) return true;
  char *text = recipe_read(r, recipe_text(r, "%s/Vdut_%s___024root.h", folder, r->ask->block));
  bool ok = text;
  for (unsigned i = 0; ok && i < resets.said.num_resets; i++) ok = check_reset(r, folder, text, &resets, i);
  free(text);
  return ok;
}

bool recipe_warnings(recipe_t *r) {
  char *names = snapshot_say(&r->snapshot, r->said); /* the originals' */
  const char *said = recipe_text(r, "%s", names ? names : r->said), *line;
  recipe_nets_t nets = {.unknown = "",
                        .unread = "",
                        .undriven = "",
                        .shared = "",
                        .cases = "",
                        .clock = "",
                        .resets = "",
                        .opens = "",
                        .takes = ""};
  free(names);
  if (!check_user(r, said) || !check_modules(r, said)) return false;
  /* Copies for Icarus do not name their originals, beside which Yosys looks for images. Kind lint
   * checks such blocks first (build.c of lockstep). */
  /* The tree's own blocks have no loop and one driver for each
   * bit: the synthesis of each one ends with `check -assert`. */
  if (!recipe_in_tree(r) && !r->snapshot.bare &&
      !recipe_nets(r, first_of(r, said, "UNOPTFLAT", &line), first_of(r, said, "MULTIDRIVEN", &line), &nets))
    return false;
  return write_warnings(r, said, &nets);
}
