/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the RTL through Verilator. Verilator makes the device of kinds rtl, rtl+wave, rtl+cov,
 * rtl+faults and, from gates, netlist and netlist+toggles. For other kinds Verilator only reads the
 * ports.
 */
#include "port_arrived.h"
#include "port_names.h"
#include "recipe.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Verilator treats -y and -I as one list. */
static void add_folders(recipe_t *r, words_t *command, const words_t *folders) {
  words_t names = {0};
  recipe_folders(r, folders, &names);
  for (size_t i = 0; i < names.count; i++) words_add(command, "-I%s", names.at[i]);
  words_free(&names);
}

static void add_parameters(const recipe_t *r, words_t *command) {
  char literal[PORT_LITERAL], name[PORT_NAME], encoded[PORT_NAME];
  const bool given = r->given.count;
  const words_t *values = given ? &r->given : &r->values;
  for (size_t i = 0; i < values->count; i++) {
    const char *value = strrchr(values->at[i], '=') + 1;
    snprintf(name, sizeof name, "%.*s", (int)(value - values->at[i]) - 1, values->at[i]);
    port_name_encoded(name, encoded);
    words_add(command, "-G%s=%s", encoded, given ? value : port_literal(value, -1, literal));
  }
}

void recipe_design(recipe_t *r, words_t *command) {
  const object_request_t *ask = r->ask;
  words_t defines = {0}, flags = {0};
  words_add_all(command, &r->packages);
  for (size_t i = 0; i < r->files.count; i++) words_add(command, "%s", recipe_copy(r, r->files.at[i]));
  words_add(command, "--top-module"), words_add(command, "%s", ask->block), words_add(command, "--assert");
  words_add(command, "-Wno-lint"), words_add(command, "-Wno-style"), words_add(command, "-Wno-fatal"),
      words_add(command, "+libext+.sv");
  add_folders(r, command, &r->folders);
  if (r->cell_folder) words_add(command, "-I%s", r->cell_folder);
  if (recipe_in_tree(r)) words_add(command, "-Igen"), add_folders(r, command, &r->lists);
  add_folders(r, command, &r->includes);
  if (ask->read) words_split(&defines, ask->read->defines, "\n"), words_split(&flags, ask->read->flags, "\n");
  for (size_t i = 0; i < defines.count; i++) words_add(command, "-D%s", defines.at[i]);
  /* Verilator refuses `<=` to an array in a loop that it has not unrolled. */
  if (!recipe_in_tree(r)) words_split(command, "--no-timing --unroll-count 4096", " ");
  words_add_all(command, &flags);
  if (ask->read && ask->read->verilog) words_add(command, "+1364-2005ext+v");
  if (!r->gates) add_parameters(r, command);
  words_free(&defines), words_free(&flags);
}

/* Adds the files that Verilator read, from its list for --skip-identical: `S ... "NAME"`, with
 * whole names. Files that a `line names are in the list, too; object.c recognises them by their
 * copies. */
static bool add_read(recipe_t *r, const char *folder) {
  char *text = recipe_read(r, recipe_text(r, "%s/Vdut_%s__verFiles.dat", folder, r->ask->block));
  words_t lines = {0};
  if (!text) return false;
  words_split(&lines, text, "\n");
  for (size_t i = 0; i < lines.count; i++) {
    const char *line = lines.at[i], *name = strchr(line, '"');
    if (*line != 'S' || !name) continue;
    recipe_add_read(r, recipe_text(r, "%.*s", (int)(strlen(name) - 2), name + 1), &r->rtl_read);
  }
  words_free(&lines);
  free(text);
  return true;
}

static void forget_last(recipe_t *r, const char *folder) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/%s/Vdut_%s__verFiles.dat", r->work, folder, r->ask->block);
  unlink(path); /* unchanged file times could make Verilator do nothing */
}

/* Verilator keeps the last value of each signal that it waits for: "__Vtrigrprev__TOP__NAME;", in
 * later releases "__Vtrigprevexpr___TOP__NAME__0;". */
const char *recipe_next_waited(const char *text, const char **name, size_t *length) {
  static const char kept[] = "__Vtrigrprev__TOP__", later[] = "__Vtrigprevexpr___TOP__";
  const char *first = strstr(text, kept), *second = strstr(text, later);
  const bool old = first && (!second || first < second);
  const char *found = old ? first + sizeof kept - 1 : second ? second + sizeof later - 1 : NULL;
  if (!found) return NULL;
  size_t n = strcspn(found, "; \n"), digits = n;
  while (digits && isdigit((unsigned char)found[digits - 1])) digits--;
  if (!old && digits < n && digits > 2 && strncmp(found + digits - 2, "__", 2) == 0) n = digits - 2;
  *name = found, *length = n;
  return found + n;
}

/* For a block outside of the tree: registers wait for no input but its clock and reset. */
bool recipe_waits_for(const char *text, const char *block, const char *pin) {
  char wanted[3][512], found[PORT_NAME], decoded[PORT_NAME];
  const char *name;
  size_t length;
  snprintf(wanted[0], sizeof wanted[0], "%.200s", pin);
  snprintf(wanted[1], sizeof wanted[1], "%.200s__%.200s", block, pin);
  snprintf(wanted[2], sizeof wanted[2], "%.200s__DOT__%.200s", block, pin);
  while ((text = recipe_next_waited(text, &name, &length))) {
    snprintf(found, sizeof found, "%.*s", (int)length, name);
    port_name_decoded(found, decoded);
    for (size_t i = 0; i < 3; i++)
      if (strcmp(found, wanted[i]) == 0 || strcmp(decoded, wanted[i]) == 0) return true;
  }
  return false;
}

static bool check_clocks(recipe_t *r, const char *folder) {
  words_t pins = {0};
  char *text = recipe_read(r, recipe_text(r, "%s/Vdut_%s___024root.h", folder, r->ask->block));
  bool ok = text && recipe_ports_lines(r, "pins.txt", true, &pins);
  for (size_t i = 0; ok && i < pins.count; i++) {
    const char *pin = strchr(pins.at[i], '=');
    if (!pin || strncmp(pins.at[i], "IN_", 3) || !recipe_waits_for(text, r->ask->block, pin + 1)) continue;
    ok = trouble_set(
        r->trouble, TROUBLE_INPUT,
        "%s: registers wait for an edge of input %s: a block has one clock and one reset, whose cycles are what is "
        "compared, mutated and proved; a second entry, CLOCK(%s), gives both sides the same clock and checks all but "
        "the crossing; RESET(%s, low or high, async) makes it active together with the reset",
        r->ask->rtl, pin + 1, pin + 1, pin + 1);
  }
  words_free(&pins);
  free(text);
  return ok;
}

/* Compares Verilator's ports with the port file. */
static bool check_ports(recipe_t *r, const char *folder) {
  const char *class = recipe_text(r, "%s/Vdut_%s.h", folder, r->ask->block);
  return recipe_ports_match(r, "--class", class) && (recipe_in_tree(r) || check_clocks(r, folder));
}

/* ---- parameters */

/* Explains a failure of Verilator: an error if the RTL lacks a parameter of the port file. */
static bool bad_parameters(recipe_t *r) {
  char *said = strdup(r->said);
  const trouble_t before = *r->trouble;
  if (said && recipe_write(r, "parameters.said", said) && recipe_ports_match(r, "--said", "parameters.said"))
    *r->trouble = before;
  free(said);
  return false;
}

static bool is_whole(recipe_t *r, const char *file, const char *end) {
  char *text = recipe_read(r, file);
  const bool whole = text && strstr(text, end);
  free(text);
  return whole || !text ||
         trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s/%s: verilator did not write it to its end", r->work, file);
}

/* Every tool truncates a value that does not fit its parameter's type, so Verilator is asked for
 * the values that arrived. They are passed again with their types, because Verilator warns about
 * other widths. */
static bool check_parameters(recipe_t *r) {
  words_t command = {0};
  if (recipe_in_tree(r) || (!r->values.count && !r->has_types) || r->given.count) return true;
  words_split(&command, "verilator --xml-only --xml-output parameters.xml --Mdir parameters", " ");
  recipe_design(r, &command);
  unlink(recipe_text(r, "%s/parameters.xml", r->work)); /* an earlier build's */
  const bool ran = recipe_run(r, &command), there = ran && is_whole(r, "parameters.xml", "</verilator_xml>");
  const bool ok = ran ? there && recipe_ports_match(r, "--xml", "parameters.xml")
                      : r->trouble->kind == TROUBLE_INPUT && bad_parameters(r);
  if (ok) words_split(&r->given, r->said, "\n");
  words_free(&command);
  return ok;
}

/* Verilator sees a bit with several drivers where it optimises by data flow. Where Yosys is not
 * there to judge it, Verilator is asked once more. */
static bool ask_for_drivers(recipe_t *r) {
  char path[RECIPE_PATH];
  if (r->gates || recipe_in_tree(r) || surroundings_find("yosys", path)) return true;
  const char *said = recipe_text(r, "%s", r->said);
  words_t command = {0};
  words_split(&command, "verilator --lint-only -O3 --Mdir drivers", " ");
  recipe_design(r, &command);
  words_add(&command, "-Wwarn-MULTIDRIVEN");
  const bool ok = recipe_run(r, &command);
  words_free(&command);
  char *both = NULL;
  if (ok && asprintf(&both, "%s%s", said, r->said) >= 0) free(r->said), r->said = both;
  return ok;
}

static bool look_at_rtl(recipe_t *r) {
  words_t command = {0};
  if (!recipe_tool(r, "verilator") || !recipe_tool(r, "verilator_bin") || !check_parameters(r)) return false;
  words_add(&command, "verilator"), words_add(&command, "--cc");
  recipe_design(r, &command);
  words_add(&command, "--prefix"), words_add(&command, "Vdut_%s", r->ask->block);
  words_add(&command, "--Mdir"), words_add(&command, "ports"), words_add(&command, "-O0");
  words_add(&command, "-finline"); /* else what a part waits for is not seen to be a pin */
  recipe_warnings_on(&command);
  forget_last(r, "ports");
  const bool ok = recipe_run(r, &command) && (!recipe_is(r, "ports") || ask_for_drivers(r));
  words_free(&command);
  const bool read = ok && add_read(r, "ports");
  r->ports_read = r->rtl_read, r->rtl_read = (words_t){0};
  return read;
}

bool recipe_read_ports(recipe_t *r) {
  return look_at_rtl(r) && recipe_warnings(r) && recipe_reset(r, "ports") && check_ports(r, "ports");
}

/* RTL that Verilator cannot read may still be synthesised and proved; then Yosys alone
 * judges it. */
bool recipe_lint(recipe_t *r) {
  const bool read = look_at_rtl(r), ports = read && recipe_is(r, "lint+ports");
  if (!read && r->trouble->kind == TROUBLE_ENVIRONMENT) return false;
  if (!read) *r->said = 0, *r->trouble = (trouble_t){0};
  if (!recipe_warnings(r) || (ports && (!recipe_reset(r, "ports") || !check_ports(r, "ports")))) return false;
  words_add_new(&r->sides, "images.txt");
  if (ports && !recipe_emit_note(r)) return false;
  /* verbs say by themselves what Yosys cannot read */
  if (read && !ports && !recipe_emit(r) && r->trouble->kind == TROUBLE_ENVIRONMENT) return false;
  *r->trouble = (trouble_t){0};
  return recipe_images(r) && recipe_write(r, recipe_text(r, "%s.so", r->ask->block), "lint\n");
}

static void add_kind(recipe_t *r, words_t *command) {
  if (!r->covers && !r->toggles) words_add(command, "--savable");
  /* The seed of a run decides what a register without a value begins with, and what an x stands for
   * (power_up.h). Of gates those begin as 0 that declare a value, as the others do, too. */
  words_add(command, "--x-assign"), words_add(command, r->gates ? "0" : "unique");
  words_add(command, "--x-initial"), words_add(command, r->gates ? "0" : "unique");
  /* A netlist gives few and large files, and each one reads a header of all nets,
   * some megabytes. */
  words_add(command, "--output-split"), words_add(command, r->gates ? "200000" : "20000");
  words_add(command, "--output-split-cfuncs"), words_add(command, "2000");
  if (!r->waves) return;
  words_add(command, "--trace-fst"), words_add(command, "--trace-max-array"), words_add(command, "64");
  words_add(command, "--trace-max-width"), words_add(command, "2048");
}

/* Writes circles.vlt: vectors that feed their own other bits are split into their bits. False: the
 * last run named none. */
static bool name_circles(recipe_t *r) {
  static const char circle[] = "Circular combinational logic: '";
  words_t names = {0};
  char *text = NULL;
  size_t size;
  for (const char *at = r->said; at && (at = strstr(at, circle));) {
    at += strlen(circle);
    const size_t n = strcspn(at, "'\n");
    size_t begin = n;
    while (begin && at[begin - 1] != '.') begin--;
    const char *name = recipe_text(r, "%.*s", (int)(n - begin), at + begin);
    if (*name && !strpbrk(name, "\"\\[] ")) words_add_new(&names, name);
  }
  FILE *to = names.count ? open_memstream(&text, &size) : NULL;
  if (to) fprintf(to, "`verilator_config\nlint_off -rule SPLITVAR\n");
  for (size_t i = 0; to && i < names.count; i++) fprintf(to, "split_var -module \"*\" -var \"%s\"\n", names.at[i]);
  const bool any = to && fclose(to) == 0 && recipe_write(r, "circles.vlt", text);
  free(text), words_free(&names);
  return any;
}

/* Verilator 5.006 leaves such a vector before all of its bits have settled, and computes wrong
 * values: runs it again with them split. Logic of the tree has none. */
static bool split_circles(recipe_t *r, const words_t *command) {
  words_t again = {0};
  if (recipe_in_tree(r) || !name_circles(r)) return true;
  words_add(&again, "%s", command->at[0]), words_add(&again, "circles.vlt");
  for (size_t i = 1; i < command->count; i++) words_add(&again, "%s", command->at[i]);
  forget_last(r, "verilated");
  const bool ok = recipe_run(r, &again);
  words_free(&again);
  return ok;
}

bool recipe_verilate(recipe_t *r) {
  words_t command = {0}, extra = {0};
  bool ok = recipe_tool(r, "verilator") && recipe_tool(r, "verilator_bin") && (r->gates || check_parameters(r));
  if (ok && (r->faults || r->waves)) ok = recipe_registers(r, &extra);
  if (ok && r->waves) ok = recipe_parts(r, &extra);
  if (ok && r->toggles) ok = recipe_toggles(r, &extra);
  words_add(&command, "verilator"), words_add(&command, "--cc");
  /* Verilator 5.006 computes wrong values for vectors that feed their own other bits, as the tree
   * of an arbiter, where it optimises by data flow, and for some of them in gates where it joins
   * assignments. The tree's own RTL has none. */
  if (!recipe_in_tree(r)) words_split(&command, r->gates ? "-O3 -fno-dfg -fno-gate" : "-O3 -fno-dfg", " ");
  words_add_all(&command, &extra);
  recipe_design(r, &command);
  words_add(&command, "--prefix"), words_add(&command, "Vdut_%s", r->ask->block);
  words_add(&command, "--Mdir"), words_add(&command, "verilated");
  if (recipe_in_tree(r)) words_add(&command, "-O3");
  add_kind(r, &command);
  if (ok && r->covers) ok = recipe_covers(r, &command);
  if (!r->gates) recipe_warnings_on(&command);
  forget_last(r, "verilated");
  ok = ok && recipe_run(r, &command) && split_circles(r, &command) && add_read(r, "verilated");
  ok = ok && ask_for_drivers(r) &&
       (r->gates || (recipe_warnings(r) && recipe_reset(r, "verilated") && check_ports(r, "verilated")));
  if (ok && r->covers) ok = recipe_plain_counters(r);
  ok = ok && recipe_members(r) && recipe_arrays(r) && recipe_power_up(r);
  if (ok && (r->faults || r->waves)) ok = recipe_states(r);
  words_free(&command), words_free(&extra);
  return ok;
}

/* Without optimisation, which takes Verilator the most of its time. */
bool recipe_only_ports(recipe_t *r) {
  return recipe_read_ports(r) && recipe_images(r) && recipe_write(r, recipe_text(r, "%s.so", r->ask->block), "ports\n");
}
