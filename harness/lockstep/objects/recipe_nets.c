/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds nets that simulators and synthesis treat differently: bits with several drivers (drivers.h
 * of base), and combinational loops. A loop is a bit in a circle of Yosys' gates. A vector that
 * feeds other bits of its own is none, although Verilator warns of it. An asynchronous memory read
 * depends on its address. Yosys also finds the kinds of reset that the registers have.
 *
 * Yosys reads the design as the device has it, with text that synthesis omits prepared by
 * as_simulated. If Yosys cannot read such text, the rest is judged, and the text counts as unknown.
 * If Yosys cannot read the RTL at all, Verilator's messages take its place. Bits driven by several
 * assignments are still an error; other messages are counted as possible errors.
 */
#include "recipe.h"

#include "as_simulated.h"
#include "drivers.h"
#include "flat_design.h"
#include "file.h"
#include "memory_fills.h"
#include "yosys_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a processor, for each question to Yosys. Functions of wide vectors take it minutes, and no
 * build should wait for them. BRIEF: kind ports, for which somebody waits. */
enum { CPU_SECONDS = 20, BRIEF_CPU_SECONDS = 2 };

/* ---- what Yosys reads */

static bool is_synthesised(const recipe_t *r) {
  return recipe_of_gates(r) || recipe_is(r, "cxxrtl") || recipe_is(r, "lint");
}

/* The harness' own sources, a hundred and more, which no RTL includes. */
static bool is_of_harness(const char *copy) {
  static const char folder[] = "src/tree/harness/";
  return strncmp(copy, folder, sizeof folder - 1) == 0;
}

/* Writes prepared copies into a folder of their own, "src/..." as "judged/...". */
static bool write_judged(recipe_t *r, bool synthesised, recipe_nets_t *nets) {
  char path[2 * RECIPE_PATH], folder[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/judged", r->work);
  bool ok = file_remove_all(path) || access(path, F_OK);
  for (size_t i = 0; i < r->snapshot.copies.count && ok; i++) {
    const char *copy = r->snapshot.copies.at[i], *name = recipe_text(r, "judged%s", copy + strcspn(copy, "/"));
    if (is_of_harness(copy)) continue;
    char *text = recipe_read(r, copy);
    if (!text) return false;
    const unsigned bind = as_simulated(text, synthesised);
    memory_fills_drop(text);
    if (bind)
      nets->unread = recipe_text(r, "%s:%u: what this bind adds is not judged", r->snapshot.taken.files[i].path,
                                 bind - (strncmp(text, "`line", 5) == 0));
    snprintf(folder, sizeof folder, "%s/%.*s", r->work, (int)(strrchr(name, '/') - name), name);
    ok = file_folder(folder) && recipe_write(r, name, text);
    free(text);
  }
  return ok || trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: it cannot be written", path);
}

/* Yosys gets the macros that the device's own tool defines. Yosys takes a name in another module,
 * `u.x`, for a local net until `flatten` joins the two. */
static const char *read_script(recipe_t *r, bool synthesised) {
  const char *script = recipe_text(r, "%s%s\n", recipe_yosys_tree(r),
                                   synthesised ? ""
                                   : recipe_is(r, "lint+ports")
                                       ? " -nosynthesis -D__ICARUS__=1"
                                       : " -nosynthesis -DVERILATOR=1 -Dverilator=1 -Dverilator3=1 -DSYSTEMVERILOG=1");
  for (size_t i = 0; i < r->packages.count; i++)
    script = recipe_text(r, "%sread_verilog -sv %s\n", script, r->packages.at[i]);
  script = recipe_text(
      r, "%s%s%ssetattr -mod -unset keep_hierarchy A:keep_hierarchy\nsetattr -set hierconn 1 w:*.*\nflatten\n", script,
      recipe_yosys_reads(r), recipe_yosys_top(r, r->ask->block, recipe_yosys_parameters(r)));
  return recipe_exchange(r, recipe_exchange(r, script, " src/", " judged/"), " -Isrc/", " -Ijudged/");
}

static unsigned cpu_seconds(const recipe_t *r) {
  return recipe_is(r, "ports") ? BRIEF_CPU_SECONDS : CPU_SECONDS;
}

/* False: Yosys failed or timed out; r->said has its output. */
static bool run_yosys(recipe_t *r, const char *file, const char *script) {
  words_t command = {0};
  if (!recipe_write(r, file, script)) return false;
  yosys_command(&command), words_split(&command, "-E nets.d", " "), words_add(&command, "%s", file);
  const bool ok = recipe_run_within(r, cpu_seconds(r), &command);
  words_free(&command);
  if (r->trouble->kind == TROUBLE_INPUT) r->trouble->kind = TROUBLE_NONE;
  return ok;
}

/* Removes results of an earlier build. */
static void forget(const recipe_t *r, const char *file) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/%s", r->work, file);
  unlink(path);
}

static char *read_new(recipe_t *r, const char *file) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/%s", r->work, file);
  if (access(path, R_OK) == 0) return recipe_read(r, file);
  trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "yosys ended without an error and did not write %s", path);
  return NULL;
}

/* ---- loops */

/* Makes every bit read depend on every address bit. Written data waits for a clock or a latch. */
static const char read_ports[] =
    "(* techmap_celltype = \"$memrd\" *)\n"
    "module lockstack_read (input CLK, EN, input [ABITS-1:0] ADDR, output [WIDTH-1:0] DATA);\n"
    "  parameter MEMID = \"\", ABITS = 1, WIDTH = 1, CLK_ENABLE = 0, CLK_POLARITY = 0, TRANSPARENT = 0;\n"
    "  wire _TECHMAP_FAIL_ = CLK_ENABLE;\n"
    "  assign DATA = {WIDTH{^ADDR}};\n"
    "endmodule\n";

/* Makes a gate that a constant masks that constant: no value gets through, and no loop, as where
 * generated stages mask a vector for their own bits. `opt_expr` does more: it joins a bit with the
 * net that it passes on, and a loop of such bits is gone. */
static const char masks[] =
    "(* techmap_celltype = \"$_AND_ $_OR_\" *)\n"
    "module lockstack_masked (input A, B, output Y);\n"
    "  parameter _TECHMAP_CELLTYPE_ = \"\", _TECHMAP_CONSTMSK_A_ = 0, _TECHMAP_CONSTVAL_A_ = 0,\n"
    "            _TECHMAP_CONSTMSK_B_ = 0, _TECHMAP_CONSTVAL_B_ = 0;\n"
    "  localparam mask = _TECHMAP_CELLTYPE_ == \"$_OR_\";\n"
    "  wire _TECHMAP_FAIL_ = !(_TECHMAP_CONSTMSK_A_ && _TECHMAP_CONSTVAL_A_ == mask) &&\n"
    "                        !(_TECHMAP_CONSTMSK_B_ && _TECHMAP_CONSTVAL_B_ == mask);\n"
    "  assign Y = mask;\n"
    "endmodule\n"
    "(* techmap_celltype = \"$_NOT_\" *)\n"
    "module lockstack_inverted (input A, output Y);\n"
    "  parameter _TECHMAP_CONSTMSK_A_ = 0, _TECHMAP_CONSTVAL_A_ = 0;\n"
    "  wire _TECHMAP_FAIL_ = !_TECHMAP_CONSTMSK_A_;\n"
    "  assign Y = !_TECHMAP_CONSTVAL_A_;\n"
    "endmodule\n";

static bool finds_loop(recipe_t *r, const char *script, const char *more) {
  const bool failed = !run_yosys(r, "loops.ys", recipe_text(r, "%s%scheck -assert\n", script, more));
  if (!r->trouble->kind) *r->trouble->text = 0;
  return failed && strstr(r->said, "found logic loop");
}

/* Looks for a loop through whole cells first: without one there is none in the gates. Tables stay
 * logic, although `proc` makes memories of large ones. */
static bool check_loop(recipe_t *r, const char *script, const char *place) {
  const char *colon = strchr(place, ' ');
  const char *small = recipe_text(r, "%sproc -norom\ntechmap -map reads.v\nopt_clean\n", script);
  if (!finds_loop(r, small, "") ||
      !finds_loop(r, small, "memory -nomap\nopt_clean\ntechmap\nopt_clean\ntechmap -map masks.v\n"))
    return !r->trouble->kind;
  return trouble_set(r->trouble, TROUBLE_INPUT,
                     "%.*s combinational loop%s: a bit depends on itself; a register or a latch has to be in it",
                     (int)(colon ? colon - place : 0), place,
                     strstr(place, " '") ? recipe_text(r, " through%s", strrchr(place, ' ')) : "");
}

/* Finds a loop that Verilator does not report, for example one with an unused value: a circle of
 * whole cells. */
static bool find_loop(recipe_t *r, const char **loop) {
  char *text = *loop ? NULL : read_new(r, "loops.txt");
  const char *found = text ? strstr(text, "found logic loop") : NULL, *wire = found ? strstr(found, "wire \\") : NULL;
  if (wire) *loop = recipe_text(r, "%s: '%.*s'", r->ask->rtl, (int)strcspn(wire + 6, " \n"), wire + 6);
  else if (found) *loop = recipe_text(r, "%s: ", r->ask->rtl);
  const bool ok = text || *loop;
  free(text);
  return ok;
}

/* ---- drivers */

static const char *originals(recipe_t *r, const char *text) {
  char *said = snapshot_say(&r->snapshot, text);
  const char *kept = recipe_text(r, "%s", said ? said : text);
  free(said);
  return kept;
}

/* Ends the build at a bit with several drivers; keeps the weaker findings as warnings. */
static bool check_drivers(recipe_t *r, recipe_nets_t *nets) {
  drivers_t found;
  char *before = read_new(r, "processes.il"), *text = before ? read_new(r, "nets.il") : NULL;
  const bool read = text && drivers_read(&found, before, text), bad = !text;
  free(before), free(text);
  if (bad) return false;
  if (!read)
    return drivers_free(&found), trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "yosys did not write nets.il to its end");
  nets->undriven = originals(r, found.undriven), nets->clock = originals(r, found.clock);
  nets->shared = originals(r, found.shared), nets->cases = originals(r, found.cases);
  const char *conflict = originals(r, found.conflict), *floating = originals(r, found.floating);
  drivers_free(&found);
  if (!*conflict && *floating && is_synthesised(r))
    return trouble_set(r->trouble, TROUBLE_INPUT,
                       "%s: tri-state logic, which Yosys drops: devices rtl and icarus have it", floating);
  return !*conflict || trouble_set(r->trouble, TROUBLE_INPUT, "%s", conflict);
}

/* Uses Verilator's message about several drivers when Yosys cannot show that they drive different
 * bits. */
static bool check_several(recipe_t *r, const char *several) {
  if (!several || !strstr(several, "multiple combinational drivers")) return true;
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s; one for each bit would be right", several);
}

/* Yosys does not read the RTL: falls back to Verilator's messages. */
static bool not_known(recipe_t *r, const char *why, const char *several, recipe_nets_t *nets) {
  nets->unknown =
      recipe_text(r, "%s: not known whether bits have several drivers, or depend on themselves: %s", r->ask->rtl, why);
  *r->trouble->text = 0;
  return check_several(r, several);
}

/* ---- resets */

/* async0.txt: registers that the first reset reaches other than through data taken at a clock edge,
 * also inverted or combined. resets0.il: registers with the reset pin itself as their reset, of
 * either kind; inverters have become polarities. */
static const char *reset_script(recipe_t *r, const recipe_resets_t *resets) {
  static const char kinds[] = "t:$adff t:$adffe t:$aldff t:$aldffe t:$dffsr t:$dffsre t:$adlatch t:$dlatchsr";
  const char *script = "", *dumps = "";
  for (unsigned i = 0; i < resets->said.num_resets; i++) {
    script = recipe_text(
        r,
        "%sselect -set made i:%s %%coe*\nselect -set reached @made %%co:+[ARST,ALOAD,SET,CLR]\nselect -set kinds %s\n"
        "tee -q -o async%u.txt select -list @reached @kinds %%i\n",
        script, resets->pins[i], kinds, i);
    if (resets->said.resets[i].async)
      dumps = recipe_text(r, "%sdump -o resets%u.il i:%s %%co1:+[ARST,SRST] t:$* %%i\n", dumps, i, resets->pins[i]);
  }
  return *dumps ? recipe_text(r, "%sopt_expr\nopt_dff -nodffe\nopt_clean\n%s", script, dumps) : script;
}

/* The next cell of resets.il: its place, and whether it is in reset while the pin is high. */
static const char *next_cell(recipe_t *r, const char *text, const char **place, bool *async, bool *high) {
  static const char begin[] = "  cell $", source[] = "\\src \"", polarity[] = "RST_POLARITY ";
  const char *cell = strstr(text, begin), *end = cell ? strstr(cell, "\n  end") : NULL,
             *level = end ? strstr(cell, polarity) : NULL;
  if (!level || level > end) return NULL;
  const char *src = memmem(text, (size_t)(cell - text), source, sizeof source - 1);
  *async = level[-1] == 'A';
  level += sizeof polarity - 1;
  *high = *level != '0' && strncmp(level, "1'0", 3);
  *place =
      originals(r, src ? flat_place_text(src + sizeof source - 1, (char[RECIPE_PATH]){0}, RECIPE_PATH) : r->ask->rtl);
  return end + 6;
}

/* Compares the registers' resets with the port file. An error if a register waits for the other
 * level. Registers that sample the reset only at the clock edge give a warning: a style of some
 * designs, or a forgotten edge. */
static bool check_kinds(recipe_t *r, const char *pin, const clocking_reset_t *said, const char *text,
                        recipe_nets_t *nets) {
  const char *place;
  bool async, high;
  for (const char *p = text; (p = next_cell(r, p, &place, &async, &high));) {
    if (async && high == said->low)
      return trouble_set(r->trouble, TROUBLE_INPUT,
                         "%s: this register is in reset while %s is %s; %s:%u: RESET(%s, %s, async)", place, pin,
                         high ? "high" : "low", r->ask->ports, said->line, said->name, said->low ? "low" : "high");
    if (!async) nets->resets = recipe_text(r, "%s%s\n", nets->resets, place);
  }
  return true;
}

static bool read_reset(recipe_t *r, const recipe_resets_t *resets, unsigned i, recipe_nets_t *nets) {
  const clocking_reset_t *said = &resets->said.resets[i];
  char *async = read_new(r, recipe_text(r, "async%u.txt", i));
  if (!async) return false;
  r->async[i] = strchr(async, '/') != NULL;
  free(async);
  if (!r->async[i] || !said->async) return true;
  char *text = read_new(r, recipe_text(r, "resets%u.il", i));
  const bool ok = text && check_kinds(r, resets->pins[i], said, text, nets);
  free(text);
  return ok;
}

static bool read_resets(recipe_t *r, const recipe_resets_t *resets, recipe_nets_t *nets) {
  bool ok = true;
  for (unsigned i = 0; ok && i < resets->said.num_resets; i++) ok = read_reset(r, resets, i, nets);
  r->knows_reset = ok && resets->said.num_resets;
  return ok;
}

/* ---- the clock's level */

/* Makes latches logic: their outputs depend on their enables. */
static const char latches[] =
    "(* techmap_celltype = \"$dlatch $adlatch $dlatchsr\" *)\n"
    "module lockstack_latch (input EN, ARST, input [WIDTH-1:0] D, SET, CLR, output [WIDTH-1:0] Q);\n"
    "  parameter EN_POLARITY = 0, ARST_POLARITY = 0, ARST_VALUE = 0, SET_POLARITY = 0, CLR_POLARITY = 0, WIDTH = 1;\n"
    "  assign Q = D & {WIDTH{EN}};\n"
    "endmodule\n";

/* levels.il: outputs that the clock reaches through logic alone; registers end the path, so a clock
 * gate does not count. opens.il: outputs of latches that are open while the clock is high;
 * inverters have become polarities. takes.il: registers whose data depends on the clock through
 * logic. */
static const char *level_script(recipe_t *r, const char *clock, const char *finer) {
  return recipe_text(
      r,
      "design -push-copy\nopt_expr\nopt_clean\n"
      "select -set opens i:%s %%co*:+$and,$logic_and %%co1:+[EN] t:$dlatch %%i r:EN_POLARITY=1 %%i %%co1:+[Q] w:* "
      "%%i\ndump -o opens.il @opens\n"
      "select -set takes i:%s %%coe* %%co1:+[D,EN] t:$*dff* t:$aldff* %%u %%i %%co1:+[Q] w:* %%i\n"
      "dump -o takes.il @takes\n"
      "techmap -map reads.v -map latches.v\n%sselect -set level i:%s %%coe* o:* %%i\ndump -o levels.il @level\n"
      "design -pop\n",
      clock, clock, finer, clock);
}

/* The next wire of a dump, "  wire width 8 output 5 \y_o [3]": its place, and its name up to the
 * blank. NULL: no more. */
static const char *next_wire(recipe_t *r, const char *text, const char **place, const char **name) {
  static const char source[] = "attribute \\src \"", wire[] = "\n  wire ";
  const char *line = strstr(text, wire), *begin = line ? memchr(line + 1, '\\', strcspn(line + 1, "\n")) : NULL,
             *src = NULL;
  if (!begin) return NULL;
  for (const char *p = text; (p = memmem(p, (size_t)(line - p), source, sizeof source - 1)); p++)
    src = p + sizeof source - 1;
  *place = originals(r, src ? flat_place_text(src, (char[RECIPE_PATH]){0}, RECIPE_PATH) : r->ask->rtl);
  *name = recipe_text(r, "%.*s", (int)strcspn(begin + 1, " [\n"), begin + 1);
  return begin;
}

static bool say_level(recipe_t *r, const char *text) {
  const char *place, *name;
  if (!next_wire(r, text, &place, &name)) return true;
  return trouble_set(
      r->trouble, TROUBLE_INPUT,
      "%s: output %s depends on the clock's level, so that it has two values in a cycle, of which one is compared; "
      "one that depends on "
      "registers and other inputs would be right",
      place, name);
}

static bool read_wires(recipe_t *r, const char *file, const char **list) {
  char *text = read_new(r, file);
  const char *place, *name;
  for (const char *p = text; p && (p = next_wire(r, p, &place, &name));)
    *list = recipe_text(r, "%s%s %s\n", *list, place, name);
  const bool ok = text;
  free(text);
  return ok;
}

/* Looks at whole cells first: if the clock reaches no output through them, no bit of it does. */
static bool check_level(recipe_t *r, const char *script, const char *clock) {
  static const char finer[] = "splitnets -ports\nsimplemap\n";
  char *text = read_new(r, "levels.il");
  bool reaches = text && strstr(text, "\n  wire "), ok = text;
  free(text);
  if (!reaches) return ok;
  forget(r, "levels.il");
  if (!run_yosys(r, "levels.ys", recipe_text(r, "%sproc\n%s", script, level_script(r, clock, finer))))
    return !r->trouble->kind && (*r->trouble->text = 0, true);
  text = read_new(r, "levels.il");
  ok = text && say_level(r, text);
  free(text);
  return ok;
}

/* All verbs and devices must use the same files. A file that Yosys does not read would not be
 * synthesised, mutated and proved. */
static bool check_files(recipe_t *r) {
  words_t read = {0};
  char *text = recipe_read(r, "nets.d");
  const bool ok = text && recipe_write(r, "nets.d", recipe_exchange(r, text, " judged/", " src/")) &&
                  recipe_deps(r, "nets.d", &read) && recipe_same_files(r, &read, "Yosys");
  words_free(&read);
  free(text);
  return ok;
}

/* Finds "Identifier `\s.k' is implicitly declared": a name in another module, which Yosys made a
 * local net of one bit. */
static void look_for_paths(recipe_t *r, recipe_nets_t *nets) {
  static const char begin[] = "Warning: Identifier `\\";
  for (const char *p = r->said; (p = strstr(p, begin)); p++) {
    const char *name = p + sizeof begin - 1, *line = memrchr(r->said, '\n', (size_t)(p - r->said));
    const size_t n = strcspn(name, "'\n"), place = strcspn(line ? line + 1 : r->said, " \n");
    if (memchr(name, '.', n))
      nets->unread = recipe_text(r, "%.*s '%.*s' is a net of another module, of which one bit is judged", (int)place,
                                 originals(r, line ? line + 1 : r->said), (int)n, name);
  }
}

static bool look(recipe_t *r, const char *script, const recipe_resets_t *resets, const char *clock) {
  static const char circles[] =
      "design -push-copy\ntechmap -map reads.v\nopt_clean\ntee -q -o loops.txt check\ndesign -pop\n";
  static const char *const made[] = {"loops.txt",    "levels.il", "opens.il", "takes.il",
                                     "processes.il", "nets.il",   "nets.d"};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) forget(r, made[i]);
  for (unsigned i = 0; i < CLOCKING_RESETS; i++)
    forget(r, recipe_text(r, "async%u.txt", i)), forget(r, recipe_text(r, "resets%u.il", i));
  return run_yosys(r, "nets.ys",
                   recipe_text(r, "%s" DRIVERS_SCRIPT "%s%s%s", script, "processes.il", "nets.il", circles,
                               *clock ? level_script(r, clock, "") : "", reset_script(r, resets)));
}

/* The clock's edges and level, and the kinds of reset, of the text as it was looked at. */
static bool check_clocking(recipe_t *r, const char *script, const recipe_resets_t *resets, const char *clock,
                           recipe_nets_t *nets) {
  return (!*clock || (read_wires(r, "opens.il", &nets->opens) && read_wires(r, "takes.il", &nets->takes) &&
                      check_level(r, script, clock))) &&
         read_resets(r, resets, nets);
}

/* RTL that Yosys cannot read: clock and resets are judged by the text that it reads in its place
 * (recipe_emit.c). Drivers and loops are not: that text has its own. */
static bool judge_text(recipe_t *r, const recipe_resets_t *resets, const char *clock, recipe_nets_t *nets) {
  drivers_t found;
  if (!(r->emitted = recipe_emit_text(r)))
    return r->trouble->kind != TROUBLE_ENVIRONMENT && (*r->trouble = (trouble_t){0}, true);
  const char *script = read_script(r, true);
  const bool read = look(r, script, resets, clock);
  *r->trouble->text = 0;
  char *before = read ? read_new(r, "processes.il") : NULL, *text = before ? read_new(r, "nets.il") : NULL;
  if (text) {
    if (drivers_read(&found, before, text)) nets->clock = originals(r, found.clock);
    drivers_free(&found);
  }
  const bool ok = text ? check_clocking(r, script, resets, clock, nets) : !r->trouble->kind;
  free(before), free(text);
  r->emitted = NULL;
  return ok;
}

static bool is_refused(const recipe_t *r) {
  return strstr(r->said, "ERROR: ") != NULL;
}

static const char *why_not(recipe_t *r) {
  return is_refused(r) ? recipe_text(r, "Yosys says %s", r->trouble->text)
                       : recipe_text(r, "Yosys gave no answer in %u s of a processor", cpu_seconds(r));
}

static bool judge_nets(recipe_t *r, const char *loop, const char *several, recipe_nets_t *nets) {
  char path[RECIPE_PATH];
  recipe_resets_t resets;
  char clock[256];
  bool synthesised = is_synthesised(r);
  if (!surroundings_find("yosys", path)) return not_known(r, "yosys is not installed", several, nets);
  if (!recipe_reset_pins(r, &resets) || !recipe_clock_pin(r, clock) || !recipe_open_gates(r)) return false;
  if (!recipe_write(r, "reads.v", read_ports) || !recipe_write(r, "latches.v", latches) ||
      !recipe_write(r, "masks.v", masks) || !write_judged(r, synthesised, nets))
    return false;
  const char *script = read_script(r, synthesised);
  bool read = look(r, script, &resets, clock);
  if (!read && !r->trouble->kind && !synthesised && is_refused(r)) { /* less of it */
    nets->unread = recipe_text(r, "%s: text that synthesis leaves out is not judged: %s", r->ask->rtl, why_not(r));
    if (!write_judged(r, true, nets)) return false;
    script = read_script(r, true), read = look(r, script, &resets, clock);
  }
  if (!read) {
    /* of RTL that takes Yosys too long its Verilog 2005 does as well: nobody should wait twice */
    const bool brief = recipe_is(r, "ports") && !is_refused(r);
    const char *why = r->trouble->kind ? "" : why_not(r);
    return !r->trouble->kind && not_known(r, why, several, nets) &&
           (r->emitted || brief || judge_text(r, &resets, clock, nets));
  }
  *r->trouble->text = 0;
  look_for_paths(r, nets);
  nets->comments = strstr(r->said, "_case' comment!") != NULL;
  return (r->emitted || check_files(r)) && check_drivers(r, nets) && (!*nets->unread || check_several(r, several)) &&
         check_clocking(r, script, &resets, clock, nets) && find_loop(r, &loop) &&
         (!loop || check_loop(r, script, loop));
}

/* Of interfaces as ports Yosys judges what Verilator elaborated. */
bool recipe_nets(recipe_t *r, const char *loop, const char *several, recipe_nets_t *nets) {
  if (!r->flat || r->emitted) return judge_nets(r, loop, several, nets);
  r->emitted = recipe_emit_text(r);
  if (!r->emitted && r->trouble->kind == TROUBLE_ENVIRONMENT) return false;
  const char *why = originals(r, r->trouble->text);
  if (!r->emitted) *r->trouble = (trouble_t){0};
  const bool ok = r->emitted ? judge_nets(r, loop, several, nets) : not_known(r, why, several, nets);
  r->emitted = NULL;
  return ok;
}
