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
#include "file.h"
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
      if (run_verilator(l, m->name, set, xml, &trouble)) module_read_again(m, i, others[k], xml, &probes[i]);
    }
  }
  if (probes) module_fit_widths(m, probes);
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

static void write_netlist_script(const look_t *l, module_t *m, FILE *file) {
  char path[PATH], copy[PATH];
  unsigned count = 0;
  print_sources_begin(l, file);
  for (const char *at = l->rtl->files; rtl_next(&at, path, sizeof path);) {
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
  FILE *file = fopen(script, "w");
  if (!file) return false;
  if (which == NETLIST) write_netlist_script(l, m, file);
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

/* Fills what Yosys knows; a file before the module's own that Yosys cannot read hides no tree. */
static bool look_with_yosys(const look_t *l, module_t *m, trouble_t *trouble) {
  char tree[PATH], netlist[PATH];
  snprintf(tree, sizeof tree, "%.4000s/look.tree", l->work);
  snprintf(netlist, sizeof netlist, "%.4000s/look.json", l->work);
  for (script_t which = TREE; which <= TREE_ALONE && !m->seen_tree; which++) {
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

/* The clock by the netlist, else by name. NULL: none, or two; trouble says so. */
static const module_port_t *only_clock(const module_t *m, trouble_t *trouble) {
  const module_port_t *found = NULL;
  const bool known = knows_clock(m);
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++) {
    if (!could_be_clock(p) || !(known ? p->clock : contains_text(p->name, "clk") || contains_text(p->name, "clock")))
      continue;
    if (found) {
      trouble_set(
          trouble, TROUBLE_INPUT,
          "%s: module %s has two clocks, %s and %s: a block has one, whose cycles are what is compared, mutated and "
          "proved; --clock %s,%s gives both the same clock and checks all but the crossing",
          m->file, m->name, found->name, p->name, found->name, p->name);
      return NULL;
    }
    found = p;
  }
  if (!found && !is_combinational(m))
    trouble_set(trouble, TROUBLE_INPUT,
                "%s: module %s has no clock that could be found: --clock NAME says which input it is", m->file,
                m->name);
  return found;
}

/* --clock none: without registers only. */
static bool take_no_clock(const module_t *m, trouble_t *trouble) {
  const module_port_t *clock = is_combinational(m) || !knows_clock(m) ? NULL : only_clock(m, trouble);
  if (trouble->kind || is_combinational(m)) return !trouble->kind;
  return trouble_set(trouble, TROUBLE_INPUT, "--clock none: %s has registers%s%s: a block without a clock has none",
                     m->name, clock ? ", which wait for an edge of " : "", clock ? clock->name : "");
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

/* --clock decides where tools do not know; where they do, it must agree with them. */
static bool find_clock(const look_t *l, module_t *m, look_pins_t *pins, trouble_t *trouble) {
  const module_port_t *given = l->clock ? module_port(m, l->clock) : NULL;
  if (l->clock && !given && !strcmp(l->clock, "none")) return take_no_clock(m, trouble);
  if (l->clock && strchr(l->clock, ',')) return take_clocks(l, m, pins, trouble);
  if (l->clock && (!given || !could_be_clock(given)))
    return trouble_set(trouble, TROUBLE_INPUT, "--clock: %s has no input %s of one bit", m->name, l->clock);
  const module_port_t *found = given && !knows_clock(m) ? given : only_clock(m, trouble);
  if (given && !found && trouble->kind && strstr(trouble->text, "no clock")) found = given;
  if (!found) return !trouble->kind;
  if (given && found != given)
    return trouble_set(trouble, TROUBLE_INPUT, "--clock: registers of %s wait for an edge of %s, not of %s", m->name,
                       found->name, l->clock);
  snprintf(pins->clock, sizeof pins->clock, "%s", found->name);
  snprintf(pins->clocks, sizeof pins->clocks, "%s", found->name);
  return true;
}

/* How many registers the port resets. */
static unsigned count_resets(const module_port_t *p, bool async) {
  return async ? p->async_low + p->async_high : p->sync_low + p->sync_high;
}

/* The input that resets most registers asynchronously; else one that is called a reset. */
static const module_port_t *likely_reset(const module_t *m, const look_pins_t *pins) {
  const module_port_t *best = NULL;
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++)
    if (could_be_clock(p) && count_resets(p, true) > (best ? count_resets(best, true) : 0)) best = p;
  for (const module_port_t *p = m->ports; !best && p < m->ports + m->num_ports; p++)
    if (could_be_clock(p) && !look_is_clock(pins, p->name) &&
        (contains_text(p->name, "rst") || contains_text(p->name, "reset")))
      best = p;
  return best;
}

/* Reads ",low" or ",low,async" behind --reset's name. No comma: what was found holds. */
static bool given_kind(const char *text, look_pins_t *pins, trouble_t *trouble) {
  const char *comma = strchr(text, ','), *second = comma ? strchr(comma + 1, ',') : NULL;
  const size_t level = comma ? strcspn(comma + 1, ",") : 0;
  if (!comma) return true;
  const bool low = level == 3 && strncmp(comma + 1, "low", 3) == 0,
             high = level == 4 && strncmp(comma + 1, "high", 4) == 0;
  const bool async = second && strcmp(second, ",async") == 0, sync = second && strcmp(second, ",sync") == 0;
  if ((!low && !high) || (second && !async && !sync))
    return trouble_set(trouble, TROUBLE_INPUT, "--reset: '%s' should be NAME, NAME,low or NAME,high,sync", text);
  pins->reset_low = low;
  if (second) pins->reset_async = async;
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

/* The active level is that of most registers; without an answer it follows from the name. */
static bool find_reset(const look_t *l, module_t *m, look_pins_t *pins, trouble_t *trouble) {
  char name[MODULE_NAME] = "";
  if (!*pins->clock) {
    if (!l->reset || !strcmp(l->reset, "none")) return true;
    return trouble_set(trouble, TROUBLE_INPUT, "--reset: %s has no register, so there is nothing to reset", m->name);
  }
  if (l->reset) snprintf(name, sizeof name, "%.*s", (int)strcspn(l->reset, ","), l->reset);
  const module_port_t *p = l->reset ? module_port(m, name) : likely_reset(m, pins);
  if (!p && (!l->reset || !strcmp(name, "none") || !strcmp(l->reset, "initial")))
    return find_power_up(l->reset, m, pins, trouble);
  if (l->reset && (!p || !could_be_clock(p)))
    return trouble_set(trouble, TROUBLE_INPUT, "--reset: %s has no input %s of one bit", m->name, name);
  snprintf(pins->reset, sizeof pins->reset, "%s", p->name);
  pins->reset_async = count_resets(p, true) > 0 || (!m->seen_inside && p->edge);
  const unsigned low = p->async_low + p->sync_low, high = p->async_high + p->sync_high;
  pins->reset_low = low == high ? named_low(p->name) : low > high;
  return !l->reset || given_kind(l->reset, pins, trouble);
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
  if (!run_verilator(l, m->name, l->params, xml, trouble) || !module_read_xml(m, xml, trouble)) return false;
  find_edges(m, xml);
  if (!look_with_yosys(l, m, trouble)) return false;
  if (!m->seen_inside) module_read_edges(m, xml);
  if (!m->seen_tree || m->odd_widths) probe_params(l, m, xml);
  return find_clock(l, m, pins, trouble) && find_reset(l, m, pins, trouble);
}
