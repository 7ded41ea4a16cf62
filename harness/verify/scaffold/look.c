/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator must read the module, because `check` needs that. Yosys may fail (concurrent
 * assertions, imports): then widths are numbers, and clock and reset are known by their names.
 *
 *   Verilator --> look.xml    ports, parameters, edges
 *   Yosys     --> look.tree   widths by parameters, derived parameters
 *   Yosys     --> look.json   clocks, resets, mealy
 *
 * Yosys runs twice: the tree is there at once, but loops that fill large memories, or functions of
 * wide vectors, take it minutes. It has NETLIST_CPU seconds for the netlist. After that clocks and
 * asynchronous resets are those of Verilator's tree.
 */
#include "look.h"
#include "emit.h"
#include "file.h"
#include "flat.h"
#include "memory_fills.h"
#include "port_file.h"
#include "port_params.h"
#include "process.h"
#include "verilator.h"
#include "yosys.h"
#include "yosys_command.h"
#include "whole.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SECONDS: of the clock. The others are of a processor, so that a busy machine changes no
 * result. */
enum { PATH = 4096, SECONDS = 300, TREE_CPU = 5, NETLIST_CPU = 5 };
/* Cycles that are not compared, guessed where Yosys did not see the registers. */
enum { UNSEEN_DEPTH = 8 };

/* ---- Verilator */

static bool run_verilator(const look_t *l, const char *module, const char *params, const char *xml,
                          trouble_t *trouble) {
  const verilator_xml_t job = {
      .rtl = l->rtl, .library = l->tree, .module = module, .params = params, .work = l->work, .xml = xml};
  return verilator_xml(&job, NULL, trouble);
}

/* With other parameters than those that were looked at. */
static bool run_again(const look_t *l, const char *module, const char *params, const char *xml, trouble_t *trouble) {
  if (!l->make) return run_verilator(l, module, params, xml, trouble);
  rtl_t *made = malloc(sizeof *made);
  look_t other = *l;
  other.rtl = made;
  const bool ok = (made || trouble_memory(trouble)) && l->make(l->context, params, made, trouble) &&
                  run_verilator(&other, module, params, xml, trouble);
  free(made);
  return ok;
}

static bool has_arrays(const module_t *m) {
  for (unsigned i = 0; i < m->num_ports; i++)
    if (m->ports[i].array.num_dims) return true;
  return false;
}

/* Without Yosys' tree, or without all widths in it: sets each parameter to other values, and looks
 * which other parameters and which widths change. A value that the RTL refuses says nothing. */
static void probe_params(const look_t *l, module_t *m, const char *xml) {
  char set[PORT_PARAMS_TEXT + MODULE_NAME + 32];
  module_probe_t *probes = calloc(m->num_params + 1, sizeof *probes);
  for (unsigned i = 0; i < m->num_params && probes; i++) {
    const long long value = m->params[i].value, others[MODULE_SAMPLES] = {value + 1, 2 * value, 1};
    for (int k = 0; k < (value > 1 ? 3 : 1); k++) {
      trouble_t trouble = {0};
      snprintf(set, sizeof set, "%s%s%s=%lld", l->params, *l->params ? "," : "", m->params[i].name, others[k]);
      if (run_again(l, m->name, set, xml, &trouble)) module_read_again(m, i, others[k], xml, &probes[i]);
    }
  }
  if (probes) module_fit_widths(m, probes), module_fit_fields(m, probes);
  free(probes);
}

/* ---- Yosys */

static void print_list(FILE *file, const char *before, const char *list) {
  char word[PATH];
  while (rtl_next(&list, word, sizeof word)) fprintf(file, "%s%s", before, word);
}

static void print_sources_begin(const look_t *l, FILE *file) {
  fprintf(file, "verilog_defaults -add");
  print_list(file, " -I", l->rtl->includes);
  print_list(file, " -D", l->rtl->defines);
}

static const char *dialect(const look_t *l) {
  return l->rtl->verilog ? "" : "-sv ";
}

/* The tree of the module's own file, as it was read: macros may come from the files before it. */
static void write_tree_script(const look_t *l, const module_t *m, bool alone, FILE *file) {
  char path[PATH];
  print_sources_begin(l, file);
  for (const char *at = l->rtl->files; rtl_next(&at, path, sizeof path);) {
    const bool own = !strcmp(path, m->file);
    if (!own && !alone) fprintf(file, "\nread_verilog -defer %s%s", dialect(l), path);
    if (!own) continue;
    fprintf(file, "\ntee -q -o %s/look.tree read_verilog %s-defer -dump_ast1 %s\n", l->work, dialect(l), path);
    yosys_writes(file, l->work, "look.tree");
    break;
  }
}

/* A file without its loops that fill memories, as `copy`. False: it has none. */
static bool copy_without_fills(const char *path, const char *copy) {
  char *text = file_read(path);
  FILE *file = text && memory_fills_drop(text) ? fopen(copy, "w") : NULL;
  if (file) fprintf(file, "`line 1 \"%s\" 0\n%s", path, text); /* images are looked for beside it */
  free(text);
  return file && fclose(file) == 0;
}

/* text: what Verilator elaborated, as Verilog 2005, in the place of the RTL; NULL: the RTL. */
static void write_netlist_script(const look_t *l, module_t *m, const char *text, FILE *file) {
  char path[PATH], copy[PATH];
  unsigned count = 0;
  print_sources_begin(l, file);
  if (text) fprintf(file, "\nread_verilog %s", text);
  for (const char *at = l->rtl->files; !text && rtl_next(&at, path, sizeof path);) {
    snprintf(copy, sizeof copy, "%.4000s/look.%u.v", l->work, count++);
    const bool fills = copy_without_fills(path, copy);
    fprintf(file, "\nread_verilog %s", dialect(l));
    if (fills) m->filled = true, fprintf(file, "-I%.*s ", (int)(strrchr(path, '/') - path), path);
    fputs(fills ? copy : path, file);
  }
  if (*l->params) fputc('\n', file), yosys_print_top(file, m->name, l->params);
  else fprintf(file, "\nhierarchy -check -top %s", m->name);
  print_list(file, " -libdir ", l->rtl->libraries);
  print_list(file, " -libdir ", l->tree);
  if (*l->params) yosys_print_top_end(file, m->name);
  fprintf(
      file,
      "\nrename -top %s\nproc\nflatten\nmemory -nomap -nordff\nopt_clean\nopt_dff\nopt_clean\nwrite_json %s/look.json\n",
      m->name, l->work);
  yosys_writes(file, l->work, "look.json");
}

/* A module that Yosys refuses, or does not finish in time, leaves no files: that is no error.
 * False: Yosys itself failed. */
static bool judge_yosys(int status, const char *script, const char *text, trouble_t *trouble) {
  char path[PATH];
  const bool refused = status == PROCESS_TIMEOUT || status == 128 + SIGXCPU || status == 128 + SIGKILL ||
                       (status && text && strstr(text, "ERROR: "));
  if (status == PROCESS_STOPPED) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "interrupted");
  if (status == 0 && yosys_unwritten(script, path, sizeof path)) return whole_unwritten("yosys", path, NULL, trouble);
  if (status && !refused)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "yosys ended with status %d and no answer", status);
  if (refused) yosys_forget(script);
  return true;
}

typedef enum { TREE, TREE_ALONE, NETLIST } script_t;

static bool write_script(const look_t *l, module_t *m, script_t which, const char *script) {
  char text[PATH];
  FILE *file = fopen(script, "w");
  if (!file) return false;
  snprintf(text, sizeof text, "%.4000s/look.v", l->work);
  if (which == NETLIST) write_netlist_script(l, m, m->flat ? text : NULL, file);
  else write_tree_script(l, m, which == TREE_ALONE, file);
  return fclose(file) == 0;
}

/* True also without Yosys. */
static bool run_yosys(const look_t *l, module_t *m, script_t which, trouble_t *trouble) {
  static const char *const names[] = {[TREE] = "tree", [TREE_ALONE] = "tree", [NETLIST] = "netlist"};
  char script[PATH], *text;
  snprintf(script, sizeof script, "%.4000s/%s.ys", l->work, names[which]);
  if (!process_there("yosys")) return true;
  if (!write_script(l, m, which, script) || !yosys_forget(script))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", script, strerror(errno));
  words_t command = {0};
  yosys_command(&command), words_add(&command, "%s", script);
  if (process_stopped()) return words_free(&command), trouble_set(trouble, TROUBLE_ENVIRONMENT, "interrupted");
  const process_t how = {.argv = command.at, .cpu = which == NETLIST ? NETLIST_CPU : TREE_CPU};
  const int status = process_tool(&how, &text, SECONDS);
  words_free(&command);
  const bool ok = judge_yosys(status, script, text, trouble);
  free(text);
  return ok;
}

/* Yosys reads no interfaces as ports. False: what Verilator elaborated cannot be written, so that
 * Yosys sees nothing. */
static bool emit_for_yosys(const look_t *l) {
  char xml[PATH], text[PATH];
  trouble_t trouble = {0};
  snprintf(xml, sizeof xml, "%.4000s/look.xml", l->work);
  snprintf(text, sizeof text, "%.4000s/look.v", l->work);
  return emit_verilog(xml, text, &trouble);
}

/* Fills what Yosys knows; a file before the module's own that Yosys cannot read hides no tree. */
static bool look_with_yosys(const look_t *l, module_t *m, trouble_t *trouble) {
  char tree[PATH], netlist[PATH];
  snprintf(tree, sizeof tree, "%.4000s/look.tree", l->work);
  snprintf(netlist, sizeof netlist, "%.4000s/look.json", l->work);
  if (m->flat && !emit_for_yosys(l)) return true;
  for (script_t which = l->make ? NETLIST : TREE; which <= TREE_ALONE && !m->seen_tree && !m->flat; which++) {
    if (!run_yosys(l, m, which, trouble)) return false;
    module_read_tree(m, tree);
  }
  if (!run_yosys(l, m, NETLIST, trouble)) return false;
  module_read_netlist(m, netlist);
  return true;
}

/* ---- clock and reset */

static bool contains_text(const char *name, const char *part) {
  return strcasestr(name, part) != NULL;
}

bool look_is_clock(const look_pins_t *pins, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = pins->clocks; *at; at += strcspn(at, ","), at += *at == ',')
    if (strcspn(at, ",") == n && strncmp(at, name, n) == 0) return true;
  return false;
}

bool look_is_reset(const look_pins_t *pins, const char *name) {
  for (const look_reset_t *r = pins->resets; r < pins->resets + pins->num_resets; r++)
    if (!strcmp(r->name, name)) return true;
  return false;
}

/* Clocks and resets are inputs of one bit. */
static bool could_be_clock(const module_port_t *p) {
  return !p->output && p->width == 1;
}

/* Does the name look like one of an active-low reset (rst_n, nreset)? */
static bool named_low(const char *name) {
  const size_t n = strlen(name);
  static const char *const ends[] = {"n", "n_i", "ni", "_b", "_l"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n > strlen(ends[i]) && strcasecmp(name + n - strlen(ends[i]), ends[i]) == 0) return true;
  return strncasecmp(name, "n", 1) == 0;
}

/* Registers with a clock were seen. With its default parameters a module may have none, as
 * an adapter of equal widths: then its clock is known by name. */
static bool knows_clock(const module_t *m) {
  bool known = false;
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++) known |= p->clock;
  return known;
}

/* No register, latch or memory is in it; nothing waits for an edge. */
static bool is_combinational(const module_t *m) {
  return m->seen_inside ? !m->num_registers : !m->num_edges;
}

/* Is the input a clock by the netlist, or, where nothing is known of registers, by its name? */
static bool seems_clock(const module_port_t *p, bool known) {
  return could_be_clock(p) && (known ? p->clock : contains_text(p->name, "clk") || contains_text(p->name, "clock"));
}

/* Fills pins->clock and clocks. Several inputs for whose edges registers wait get one clock. By
 * their names alone nobody knows which of several is one. False: none, or not known; trouble says
 * so of a module with registers. */
static bool take_found_clocks(const module_t *m, look_pins_t *pins, trouble_t *trouble) {
  const bool known = knows_clock(m);
  size_t used = 0;
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++) {
    if (!seems_clock(p, known)) continue;
    if (used && !known)
      return trouble_set(trouble, TROUBLE_INPUT,
                         "%s: module %s has two inputs that may be clocks, %s and %s, and no register says which: "
                         "--clock %s or --clock %s,%s, which gives both the same clock, would be right",
                         m->file, m->name, pins->clock, p->name, pins->clock, pins->clock, p->name);
    if (!used) snprintf(pins->clock, sizeof pins->clock, "%s", p->name);
    if (used + strlen(p->name) + 2 > sizeof pins->clocks)
      return trouble_set(trouble, TROUBLE_INPUT, "%s: module %s has too many clocks", m->file, m->name);
    used += (size_t)snprintf(pins->clocks + used, sizeof pins->clocks - used, "%s%s", used ? "," : "", p->name);
  }
  if (!used && m->seen_inside && *m->latch)
    trouble_set(trouble, TROUBLE_INPUT,
                "%s is a latch, and no register of module %s waits for a clock: what a block keeps is compared by the "
                "clock's cycles; a register in its place would be right, or, where an `if` or a `case` lacks a value, "
                "that value",
                m->latch, m->name);
  else if (!used && !is_combinational(m))
    trouble_set(trouble, TROUBLE_INPUT,
                "%s: module %s has no clock that could be found: --clock NAME says which input it is", m->file,
                m->name);
  return used;
}

/* --clock none: without registers only. */
static bool take_no_clock(const module_t *m, trouble_t *trouble) {
  look_pins_t found = {0};
  if (is_combinational(m)) return true;
  if (knows_clock(m) && !take_found_clocks(m, &found, trouble)) return false;
  return trouble_set(trouble, TROUBLE_INPUT, "--clock none: %s has registers%s%s: a block without a clock has none",
                     m->name, *found.clock ? ", which wait for an edge of " : "", found.clock);
}

/* --clock a,b: inputs that get one clock. All that registers wait for must be among them. */
static bool take_clocks(const look_t *l, module_t *m, look_pins_t *pins, trouble_t *trouble) {
  char name[MODULE_NAME];
  const size_t first = strcspn(l->clock, ",");
  for (const char *at = l->clock; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    const module_port_t *p = module_port(m, name);
    if (!p || !could_be_clock(p))
      return trouble_set(trouble, TROUBLE_INPUT, "--clock: %s has no input %s of one bit", m->name, name);
  }
  snprintf(pins->clock, sizeof pins->clock, "%.*s", (int)first, l->clock);
  snprintf(pins->clocks, sizeof pins->clocks, "%s", l->clock);
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++)
    if (p->clock && !look_is_clock(pins, p->name))
      return trouble_set(trouble, TROUBLE_INPUT, "--clock: registers of %s wait for an edge of %s, too: %s,%s", m->name,
                         p->name, l->clock, p->name);
  return true;
}

static void take_clock(look_pins_t *pins, const char *name) {
  snprintf(pins->clock, sizeof pins->clock, "%s", name);
  snprintf(pins->clocks, sizeof pins->clocks, "%s", name);
}

/* --clock decides where tools do not know; where they do, it must agree with them. */
static bool find_clock(const look_t *l, module_t *m, look_pins_t *pins, trouble_t *trouble) {
  const module_port_t *given = l->clock ? module_port(m, l->clock) : NULL;
  if (l->clock && !given && !strcmp(l->clock, "none")) return take_no_clock(m, trouble);
  if (l->clock && strchr(l->clock, ',')) return take_clocks(l, m, pins, trouble);
  if (l->clock && (!given || !could_be_clock(given)))
    return trouble_set(trouble, TROUBLE_INPUT, "--clock: %s has no input %s of one bit", m->name, l->clock);
  if (given && !knows_clock(m)) return take_clock(pins, given->name), true;
  if (!take_found_clocks(m, pins, trouble)) return !trouble->kind;
  if (!given || !strcmp(pins->clocks, given->name)) return true;
  const bool among = look_is_clock(pins, given->name);
  return trouble_set(trouble, TROUBLE_INPUT, "--clock: registers of %s wait for an edge of %s, not of %s%s%s%s",
                     m->name, pins->clocks, l->clock, among ? " alone: --clock " : "", among ? pins->clocks : "",
                     among ? " would be right" : "");
}

/* How many registers the port resets. */
static unsigned count_resets(const module_port_t *p, bool async) {
  return async ? p->async_low + p->async_high : p->sync_low + p->sync_high;
}

/* rst, arst_n, wr_reset; a burst is none, and neither is the first. */
static bool named_reset(const module_port_t *p) {
  static const char *const others[] = {"burst", "first", "worst"};
  const char *name = p->name;
  for (const char *at; (at = strcasestr(name, "rst")); name = at + 3) {
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      other |= at - p->name >= 2 && strncasecmp(at - 2, others[i], 5) == 0;
    if (!other) return true;
  }
  return contains_text(p->name, "reset");
}

static bool could_be_reset(const module_port_t *p, const look_pins_t *pins) {
  return could_be_clock(p) && !look_is_clock(pins, p->name);
}

/* The active level is that of most registers; without an answer it follows from the name. */
static bool add_reset(const module_t *m, const module_port_t *p, look_pins_t *pins, trouble_t *trouble) {
  const unsigned low = p->async_low + p->sync_low, high = p->async_high + p->sync_high;
  if (look_is_reset(pins, p->name)) return trouble_set(trouble, TROUBLE_INPUT, "--reset: %s is there twice", p->name);
  if (pins->num_resets == CLOCKING_RESETS)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%s: module %s has more than %d resets: --reset NAME says which one it is", m->file, m->name,
                       CLOCKING_RESETS);
  look_reset_t *reset = &pins->resets[pins->num_resets++];
  snprintf(reset->name, sizeof reset->name, "%s", p->name);
  reset->async = count_resets(p, true) > 0 || (!m->seen_inside && p->edge);
  reset->low = low == high ? named_low(p->name) : low > high;
  return true;
}

/* Resets by the registers: inputs that reset some asynchronously, and those called resets that
 * reset others at the clock's edge. A clear or a flush is an input as any other, as is a second
 * reset of registers that have an asynchronous one. */
static bool find_known_resets(const module_t *m, look_pins_t *pins, trouble_t *trouble) {
  bool ok = true;
  for (const module_port_t *p = m->ports; ok && p < m->ports + m->num_ports; p++)
    if (could_be_reset(p, pins) && (count_resets(p, true) || (count_resets(p, false) && named_reset(p))))
      ok = add_reset(m, p, pins, trouble);
  return ok;
}

/* By names, where registers do not tell: one, or as many as there are clocks. */
static bool find_named_resets(const module_t *m, look_pins_t *pins, trouble_t *trouble) {
  const bool several = strchr(pins->clocks, ',');
  bool ok = true;
  for (const module_port_t *p = m->ports; ok && p < m->ports + m->num_ports; p++)
    if (could_be_reset(p, pins) && named_reset(p) && (several || !pins->num_resets))
      ok = add_reset(m, p, pins, trouble);
  return ok;
}

/* The next word of --reset, behind a comma. False: no more. */
static bool next_word(const char **text, char word[MODULE_NAME]) {
  if (!*text) return false;
  const size_t n = strcspn(*text, ",");
  snprintf(word, MODULE_NAME, "%.*s", (int)n, *text);
  *text = (*text)[n] ? *text + n + 1 : NULL;
  return true;
}

static bool either(const char *word, const char *first, const char *second) {
  return !strcmp(word, first) || !strcmp(word, second);
}

/* --reset: names, each with its level and kind if they are said: "a", "a,low,async", "a,b,high". */
static bool take_resets(const char *text, module_t *m, look_pins_t *pins, trouble_t *trouble) {
  char word[MODULE_NAME];
  bool more = next_word(&text, word);
  while (more) {
    const module_port_t *p = module_port(m, word);
    if (!p || !could_be_reset(p, pins))
      return trouble_set(trouble, TROUBLE_INPUT,
                         "--reset: %s has no input %s of one bit%s; NAME, NAME,low or NAME,high,sync would be right",
                         m->name, word, p ? " beside its clock" : "");
    if (!add_reset(m, p, pins, trouble)) return false;
    look_reset_t *reset = &pins->resets[pins->num_resets - 1];
    more = next_word(&text, word);
    if (!more || !either(word, "low", "high")) continue;
    reset->low = !strcmp(word, "low"), more = next_word(&text, word);
    if (!more || !either(word, "sync", "async")) continue;
    reset->async = !strcmp(word, "async"), more = next_word(&text, word);
  }
  return true;
}

/* Without a reset: "none", "none,3", "initial". text NULL: by what registers have at power-up. */
static bool find_power_up(const char *text, const module_t *m, look_pins_t *pins, trouble_t *trouble) {
  const char *comma = text ? strchr(text, ',') : NULL;
  char *end;
  pins->initial = text ? !strcmp(text, "initial") : m->seen_inside && m->num_registers && !m->num_undeclared;
  pins->uncompared = m->seen_inside || !*pins->clock ? m->depth : UNSEEN_DEPTH;
  if (!comma) return true;
  const unsigned long cycles = strtoul(comma + 1, &end, 10);
  if (end == comma + 1 || *end || cycles > PORT_UNCOMPARED_MOST)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "--reset: '%s' should be none,CYCLES: so many cycles, to %d, are not compared after power-up",
                       text, PORT_UNCOMPARED_MOST);
  pins->uncompared = (unsigned)cycles;
  return true;
}

static bool find_resets(const look_t *l, module_t *m, look_pins_t *pins, trouble_t *trouble) {
  char name[MODULE_NAME] = "";
  if (!*pins->clock) {
    if (!l->reset || !strcmp(l->reset, "none")) return true;
    return trouble_set(trouble, TROUBLE_INPUT, "--reset: %s has no register, so there is nothing to reset", m->name);
  }
  if (l->reset) snprintf(name, sizeof name, "%.*s", (int)strcspn(l->reset, ","), l->reset);
  if (l->reset && !module_port(m, name) && (!strcmp(name, "none") || !strcmp(l->reset, "initial")))
    return find_power_up(l->reset, m, pins, trouble);
  if (l->reset) return take_resets(l->reset, m, pins, trouble);
  if (!find_known_resets(m, pins, trouble)) return false;
  if (!pins->num_resets && !find_named_resets(m, pins, trouble)) return false;
  return pins->num_resets || find_power_up(NULL, m, pins, trouble);
}

/* Marks inputs that something waits for an edge of: <senitem ... edgeType="NEG">, then the
 * variable. */
static void find_edges(module_t *m, const char *xml) {
  char name[MODULE_NAME];
  char *text = file_read(xml);
  for (const char *at = text; at && (at = strstr(at, "<senitem ")); at++) {
    const char *end = strchr(at, '>'), *edge = strstr(at, " edgeType=\""), *variable = strstr(at, "<varref "),
               *named = variable ? strstr(variable, " name=\"") : NULL;
    m->num_edges += edge && edge < end && (!strncmp(edge + 11, "POS", 3) || !strncmp(edge + 11, "NEG", 3));
    if (!named || !edge || edge > end) continue;
    named += strlen(" name=\"");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(named, "\""), named);
    module_port_t *port = module_port(m, name);
    if (port) port->edge = true;
  }
  free(text);
}

bool look_at(const look_t *l, module_t *m, look_pins_t *pins, trouble_t *trouble) {
  char xml[PATH];
  *pins = (look_pins_t){0};
  snprintf(xml, sizeof xml, "%.4000s/look.xml", l->work);
  m->flat = flat_wanted(m->file, m->name);
  if (!run_verilator(l, m->name, l->params, xml, trouble) || !module_read_xml(m, xml, trouble)) return false;
  if (!m->num_ports)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%s: module %s has no ports, so nothing can be driven or compared: the module that a "
                       "testbench holds would be right",
                       m->file, m->name);
  find_edges(m, xml);
  if (!look_with_yosys(l, m, trouble)) return false;
  if (!m->seen_inside) module_read_edges(m, xml);
  if (!m->seen_tree || m->odd_widths || has_arrays(m)) probe_params(l, m, xml);
  return find_clock(l, m, pins, trouble) && find_resets(l, m, pins, trouble);
}
