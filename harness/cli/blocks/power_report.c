/* SPDX-License-Identifier: Apache-2.0
 *
 * Power of a netlist whose toggles were counted.
 *
 *   Liberty    -> power_cells: energy of each cell's pins, leakage
 *   OpenSTA    -> loads: capacitance on each net, cells       } power_sum -> text, JSON, pictures
 *   toggles    -> how often each net switched
 *   CACTI      -> sram_fit: energy of memories                } power_memories
 *
 * Cells of a process give watts and joules. Cells of no process (ge) have no energy: for them the
 * report counts switched unit loads.
 */
#include "power_report.h"

#include "cli.h"
#include "csv.h"
#include "draw.h"
#include "loads.h"
#include "lockstep_verbs.h"
#include "object.h"
#include "packed.h"
#include "power_memory.h"
#include "power_sum.h"
#include "work.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_TOLD = 12, BUSIEST = 10 };

/* Everything that the report is made of. */
typedef struct {
  const power_wish_t *wish;
  const toggles_t *toggles;
  cells_t cells;
  power_cells_t energies;
  loads_t loads;
  power_sum_t sum;
  sram_fit_t fit;
  power_memories_t memories;
  double period; /* seconds */
  bool real;     /* of a process: watts have a meaning */
} report_t;

/* ---- what was counted */

static const toggles_t *sorted; /* qsort has no context */

/* Rises and falls of a net in the whole run. */
static uint64_t toggles_of_net(const toggles_net_t *net) {
  const toggles_count_t *c = &sorted->all[net->count];
  return c->rises + c->falls;
}

/* Most toggles first; equal counts by name, so that the order is always the same. */
static int by_toggles(const void *a, const void *b) {
  const toggles_net_t *x = *(const toggles_net_t *const *)a, *y = *(const toggles_net_t *const *)b;
  const uint64_t n = toggles_of_net(x), m = toggles_of_net(y);
  return n != m ? (n < m) - (n > m) : strcmp(x->name, y->name);
}

/* The nets that toggle most, at most BUSIEST. Nets that share a counter are one wire: only the
 * first name counts. Returns how many. */
static unsigned find_busiest_nets(const toggles_t *t, const toggles_net_t *list[BUSIEST]) {
  const toggles_net_t **all = calloc(t->num_nets + 1, sizeof *all);
  bool *seen = calloc(t->num_counts + 1, sizeof *seen);
  unsigned n = 0;
  for (unsigned i = 0; all && i < t->num_nets; i++) all[i] = &t->nets[i];
  sorted = t;
  if (all && seen) qsort(all, t->num_nets, sizeof(const toggles_net_t *), by_toggles);
  for (unsigned i = 0; all && seen && i < t->num_nets && n < BUSIEST; i++) {
    if (seen[all[i]->count]) continue;
    seen[all[i]->count] = true;
    list[n++] = all[i];
  }
  free(all), free(seen);
  return n;
}

/* Cycles in reset are not among the toggles' cycles. 0 where there are none. */
static double per_cycle(const toggles_t *t, uint64_t count) {
  return t->cycles ? (double)count / (double)t->cycles : 0;
}

void power_activity_print(FILE *out, const toggles_t *t) {
  const toggles_net_t *list[BUSIEST];
  const unsigned n = find_busiest_nets(t, list);
  fprintf(out, "  %-40s %14s %8s\n", "busiest nets", "toggles/cycle", "at 1");
  for (unsigned i = 0; i < n; i++)
    fprintf(out, "  %-40s %14.3f %6.1f %%\n", list[i]->name, per_cycle(t, toggles_of_net(list[i])),
            50 * per_cycle(t, t->all[list[i]->count].high));
  fprintf(out,
          "  %u nets toggle %.4f times per cycle on average, over %" PRIu64 " cycles; %" PRIu64
          " cycles in reset are not counted\n",
          t->num_nets, toggles_mean(t, -1), t->cycles, t->in_reset);
}

json_t *power_activity_json(const toggles_t *t) {
  const toggles_net_t *list[BUSIEST];
  const unsigned n = find_busiest_nets(t, list);
  json_t *nets = json_array(), *windows = json_array();
  for (unsigned i = 0; i < n; i++) {
    const toggles_count_t *c = &t->all[list[i]->count];
    json_array_append_new(nets, json_pack("{s:s, s:I, s:I, s:f}", "net", list[i]->name, "rises", (json_int_t)c->rises,
                                          "falls", (json_int_t)c->falls, "high", per_cycle(t, c->high) / 2));
  }
  for (unsigned i = 0; i < t->num_windows; i++)
    json_array_append_new(windows, json_pack("{s:I, s:f}", "cycles", (json_int_t)t->windows[i].cycles,
                                             "toggles_per_cycle", toggles_mean(t, (int)i)));
  return json_pack("{s:i, s:I, s:I, s:f, s:o, s:o}", "nets", (int)t->num_nets, "cycles", (json_int_t)t->cycles,
                   "in_reset", (json_int_t)t->in_reset, "toggles_per_cycle", toggles_mean(t, -1), "busiest", nets,
                   "windows", windows);
}

/* ---- power */

bool power_check(const power_wish_t *wish, const toggles_t *t, trouble_t *trouble) {
  return !wish->per || toggles_find_either(t, wish->per) ||
         trouble_set(trouble, TROUBLE_INPUT,
                     "--per %s: the netlist has no net of this name; --nets FILE.csv writes all", wish->per);
}

/* ---- from the netlist to the sum */

/* Reads the energies of the library's cells from all its Liberty files. */
static bool read_energies(report_t *r, trouble_t *trouble) {
  char path[RTL_LIST];
  bool ok = true;
  for (const char *at = r->cells.files; ok && rtl_next(&at, path, sizeof path);) {
    char *text = packed_read(path, path, "Liberty file", trouble);
    ok = text && power_cells_add(&r->energies, text, path, trouble);
    free(text);
  }
  power_cells_end(&r->energies);
  return ok;
}

/* Runs OpenSTA for the loads, and computes the memories' energy. The working folder stays when a
 * message names a log in it. */
static bool run_sta(report_t *r, trouble_t *trouble) {
  const char *object = r->wish->object;
  char *netlist = object_side(object, "whole.v"), *clocking = object_side(object, "clocking.txt");
  work_t work;
  bool ok = netlist && clocking;
  if (!ok) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: has no netlist beside it", object);
  if (!ok || !work_open(&work, r->wish->work, "power", trouble)) return free(netlist), free(clocking), false;
  const sta_ask_t ask = {.top = r->wish->block,
                         .netlist = netlist,
                         .cells = &r->cells,
                         .clocking = clocking,
                         .period = r->period * 1e12 / r->cells.path_ps,
                         .work = work.path,
                         .script = cli_data("synth/loads.tcl"),
                         .stop = r->wish->stop};
  ok = loads_run(&ask, &r->loads, trouble) &&
       power_memories(&r->memories, &r->loads, netlist, r->toggles, &r->fit, trouble);
  work_close(&work, !ok && trouble->kind == TROUBLE_ENVIRONMENT);
  free(netlist), free(clocking);
  return ok;
}

/* ---- the report */

const char *power_scaled(double value, char text[32]) {
  static const char *const prefixes[] = {"", "m", "u", "n", "p", "f", "a"};
  unsigned i = 0;
  while (i + 1 < sizeof prefixes / sizeof *prefixes && value != 0 && fabs(value) < 0.9995) value *= 1000, i++;
  snprintf(text, 32, "%.3f %s", value, prefixes[i]);
  return text;
}

/* A share of the power, as energy in each cycle of the clock. */
static double joules_per_cycle(const report_t *r, const power_watt_t *w) {
  return power_watts(w) * r->period;
}

/* A line of the table: internal, switching, leakage, together, and the share of all. */
static void print_power_row(FILE *out, const char *name, const power_watt_t *w, const report_t *r) {
  char text[4][32];
  fprintf(out, "  %-28s %13sW %13sW %13sW %13sW %6.1f %%\n", name, power_scaled(w->internal, text[0]),
          power_scaled(w->switching, text[1]), power_scaled(w->leakage, text[2]), power_scaled(power_watts(w), text[3]),
          power_watts(&r->sum.all) > 0 ? 100 * power_watts(w) / power_watts(&r->sum.all) : 0);
}

/* For qsort: the part with the most power first. */
static int by_watts(const void *a, const void *b) {
  const double x = power_watts(&((const power_part_t *)a)->watt), y = power_watts(&((const power_part_t *)b)->watt);
  return (x < y) - (x > y);
}

/* Rising edges of the clock that found the net of --per at 1; 0 without --per. */
static uint64_t count_per_events(const report_t *r) {
  const toggles_net_t *net = r->wish->per ? toggles_find_either(r->toggles, r->wish->per) : NULL;
  return net ? r->toggles->all[net->count].edges : 0;
}

/* --per: energy (or unit loads) for each such edge. per_cycle is of the whole netlist; scale turns
 * it into `unit`. */
static void print_per(FILE *out, const report_t *r, double per_cycle, const char *unit, double scale) {
  char text[32];
  const uint64_t count = count_per_events(r);
  if (!r->wish->per) return;
  if (!count) fprintf(out, "  %s is never 1\n", r->wish->per);
  else if (r->real)
    fprintf(out, "  %sJ for each of %" PRIu64 " cycles with %s at 1\n",
            power_scaled(per_cycle * (double)r->toggles->cycles / (double)count, text), count, r->wish->per);
  else
    fprintf(out, "  %.1f %s for each of %" PRIu64 " cycles with %s at 1\n",
            per_cycle * scale * (double)r->toggles->cycles / (double)count, unit, count, r->wish->per);
  if (count && r->memories.count)
    fprintf(out, "  and %sJ in the memories\n", power_scaled(r->memories.joules / (double)count, text));
}

/* ---- memories */

/* A count, or joules, for each counted cycle. */
static double accesses_per_cycle(const report_t *r, double count) {
  return r->toggles->cycles ? count / (double)r->toggles->cycles : 0;
}

/* A memory: accesses per cycle, joules of a read, of a write, of a cycle, and leakage. */
static void print_memory(FILE *out, const power_memory_t *m, const report_t *r) {
  char text[4][32], name[256];
  snprintf(name, sizeof name, "%s, %lu x %lu%s", m->name, m->rows, m->width, m->extrapolated ? " *" : "");
  fprintf(out, "  %-40s %12.3f %12.3f %11sJ %11sJ %11sJ %11sW\n", name, accesses_per_cycle(r, m->reads),
          accesses_per_cycle(r, m->writes), power_scaled(m->read, text[0]), power_scaled(m->write, text[1]),
          power_scaled(accesses_per_cycle(r, m->joules), text[2]), power_scaled(m->leakage, text[3]));
}

/* A table of at most PARTS_TOLD memories, and their sum. Energies are a fit to CACTI's figures; the
 * line says how far the fit is from them at most. */
static void print_memories(FILE *out, const report_t *r) {
  const power_memories_t *all = &r->memories;
  char text[2][32];
  if (!all->count) return;
  fprintf(out, "  %-40s %12s %12s %12s %12s %12s %12s\n", "memories, rows x bits", "reads/cycle", "writes/cycle",
          "a read", "a write", "a cycle", "leakage");
  for (unsigned i = 0; i < all->count && i < PARTS_TOLD; i++) print_memory(out, &all->list[i], r);
  if (all->count > PARTS_TOLD) fprintf(out, "  (%u more)\n", all->count - PARTS_TOLD);
  fprintf(
      out,
      "  %sJ in each cycle and %sW of leakage in memories of %d nm by CACTI, beside the cells (synth/sram_1r1w.csv; "
      "within %.0f %% of each there)\n",
      power_scaled(accesses_per_cycle(r, all->joules), text[0]), power_scaled(all->leakage, text[1]), SRAM_DATA_NM,
      100 * fmax(r->fit.read.worst, r->fit.write.worst));
  if (all->extrapolated) fprintf(out, "  *: smaller, larger, or of other rows than any memory there\n");
}

/* All memories, with joules an access, watts of leakage, and accesses in the whole run. */
static json_t *memories_json(const report_t *r) {
  const power_memories_t *all = &r->memories;
  json_t *list = json_array();
  for (const power_memory_t *m = all->list; m < all->list + all->count; m++)
    json_array_append_new(list,
                          json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:b}", "name", m->name, "rows",
                                    (json_int_t)m->rows, "width", (json_int_t)m->width, "reads", (json_int_t)m->reads,
                                    "writes", (json_int_t)m->writes, "read_joules", m->read, "write_joules", m->write,
                                    "leakage", m->leakage, "extrapolated", m->extrapolated));
  return json_pack("{s:i, s:f, s:f, s:o}", "nm", SRAM_DATA_NM, "joules_per_cycle", accesses_per_cycle(r, all->joules),
                   "leakage", all->leakage, "list", list);
}

/* ---- all of the text and JSON */

/* What the figures leave out, a line each. */
static void print_notes(FILE *out, const report_t *r) {
  const power_sum_t *s = &r->sum;
  if (r->real && !r->energies.any_energy)
    fprintf(out, "  %s says nothing of the cells' own energy: internal power is missing\n", r->cells.name);
  if (r->real && !r->energies.any_leakage) fprintf(out, "  %s says nothing of leakage: it is missing\n", r->cells.name);
  if (s->unknown)
    fprintf(out, "  %u of %u cells are in no Liberty file: their power is missing\n", s->unknown, s->cells);
  if (s->unread)
    fprintf(out, "  conditions of the library that are no expressions, or have more than 12 pins, count as always\n");
  if (r->loads.left_out)
    fprintf(out, "  OpenSTA leaves out %u parts of the library, the first one: %s\n", r->loads.left_out,
            r->loads.first_left_out ? r->loads.first_left_out : "");
  if (s->missing) fprintf(out, "  %u pins are on nets that were not counted\n", s->missing);
}

/* The whole report. Cells of no process have only loads; the table of watts is for the others. */
static void print_power(FILE *out, report_t *r) {
  char text[32];
  if (!r->real) {
    fprintf(
        out,
        "  %.1f unit loads are switched in each cycle (inputs of the smallest inverter; C V^2 / 2 each), of cells of "
        "no process\n",
        r->sum.switched * 1e15);
    print_memories(out, r);
    print_per(out, r, r->sum.switched, "unit loads", 1e15);
    print_notes(out, r);
    return;
  }
  fprintf(out, "  %-28s %14s %14s %14s %14s\n", "power", "internal", "switching", "leakage", "together");
  print_power_row(out, "registers", &r->sum.sequential, r);
  print_power_row(out, "logic", &r->sum.combinational, r);
  print_power_row(out, "all", &r->sum.all, r);
  qsort(r->sum.parts, r->sum.num_parts, sizeof *r->sum.parts, by_watts);
  for (unsigned i = 0; r->sum.num_parts > 1 && i < r->sum.num_parts && i < PARTS_TOLD; i++)
    print_power_row(out, *r->sum.parts[i].name ? r->sum.parts[i].name : "(outside of parts)", &r->sum.parts[i].watt, r);
  fprintf(out, "  %sJ in each cycle, at a clock of %g ns and %g V; without wires, glitches, the clock's tree%s\n",
          power_scaled(joules_per_cycle(r, &r->sum.all), text), r->period * 1e9, r->energies.volt,
          r->memories.count ? " and memories" : "");
  print_memories(out, r);
  print_per(out, r, joules_per_cycle(r, &r->sum.all), "", 1);
  print_notes(out, r);
}

/* Four figures in watts; `watts` is the sum of the other three. */
static json_t *watt_json(const power_watt_t *w) {
  return json_pack("{s:f, s:f, s:f, s:f}", "internal", w->internal, "switching", w->switching, "leakage", w->leakage,
                   "watts", power_watts(w));
}

/* The same facts. What has no meaning for cells of no process is null. */
static json_t *power_to_json(const report_t *r) {
  json_t *parts = json_array(), *windows = json_array();
  const uint64_t count = count_per_events(r);
  const double joules = joules_per_cycle(r, &r->sum.all) * (double)r->toggles->cycles;
  for (unsigned i = 0; r->real && i < r->sum.num_parts; i++) {
    json_t *part = watt_json(&r->sum.parts[i].watt);
    json_object_set_new(part, "name", json_string(r->sum.parts[i].name));
    json_object_set_new(part, "cells", json_integer((json_int_t)r->sum.parts[i].cells));
    json_array_append_new(parts, part);
  }
  for (unsigned i = 0; r->real && i < r->toggles->num_windows; i++)
    json_array_append_new(windows, json_real(power_window(&r->sum, r->toggles, i, r->period) + r->sum.all.leakage));
  return json_pack(
      "{s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:i, s:i, s:i, s:o, s:o, s:o}", "clock_ns",
      r->real ? json_real(r->period * 1e9) : json_null(), "switched_loads", r->real ? 0 : r->sum.switched * 1e15, "all",
      r->real ? watt_json(&r->sum.all) : json_null(), "registers",
      r->real ? watt_json(&r->sum.sequential) : json_null(), "logic",
      r->real ? watt_json(&r->sum.combinational) : json_null(), "joules_per_cycle",
      r->real ? json_real(joules_per_cycle(r, &r->sum.all)) : json_null(), "volt",
      r->real ? json_real(r->energies.volt) : json_null(), "switched_farad", r->real ? r->sum.switched : 0, "per",
      !r->wish->per
          ? json_null()
          : json_pack("{s:s, s:I, s:o, s:o}", "net", r->wish->per, "events", (json_int_t)count, "joules",
                      count && r->real ? json_real(joules / (double)count) : json_null(), "memory_joules",
                      count && r->memories.count ? json_real(r->memories.joules / (double)count) : json_null()),
      "cells", (int)r->sum.cells, "cells_unknown", (int)r->sum.unknown, "library_left_out", (int)r->loads.left_out,
      "parts", r->real ? parts : (json_decref(parts), json_null()), "windows", windows, "memories",
      r->memories.count ? memories_json(r) : json_null());
}

/* ---- pictures */

/* Watts in window i; for cells of no process unit loads a cycle (C V^2 / 2 at 1 V). */
static double power_in_window(const report_t *r, unsigned i) {
  const double moving = power_window(&r->sum, r->toggles, i, r->period);
  return r->real ? moving + r->sum.all.leakage : 2e15 * moving * r->period;
}

/* power.csv: the power in each window. first_cycle counts from the end of reset. */
static void write_csv(FILE *out, const void *context) {
  const report_t *r = context;
  uint64_t at = 0;
  fprintf(out, "first_cycle,cycles,%s\n", r->real ? "watts" : "unit_loads");
  for (unsigned i = 0; i < r->toggles->num_windows; at += r->toggles->windows[i++].cycles)
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%.9g\n", at, r->toggles->windows[i].cycles, power_in_window(r, i));
}

/* power_parts.csv: each part's power in watts. */
static void write_parts(FILE *out, const void *context) {
  const report_t *r = context;
  fputs("part,cells,internal,switching,leakage\n", out);
  for (const power_part_t *p = r->sum.parts; p < r->sum.parts + r->sum.num_parts; p++)
    csv_text(out, p->name),
        fprintf(out, ",%u,%.9g,%.9g,%.9g\n", p->cells, p->watt.internal, p->watt.switching, p->watt.leakage);
}

/* Power over time, a step a window; gnuplot reads `out`. */
static void draw_time(const report_t *r, FILE *out) {
  uint64_t at = 0;
  const double scale = r->real ? 1e3 : 1;
  fputs("$time << END\n", out);
  for (unsigned i = 0; i < r->toggles->num_windows; at += r->toggles->windows[i++].cycles)
    fprintf(out, "%" PRIu64 " %.9g\n", at, scale * power_in_window(r, i));
  fprintf(out, "END\nset xlabel \"cycles outside of reset\"\nset ylabel \"%s\"\nset yrange [0:*]\nset grid\n",
          r->real ? "mW" : "unit loads a cycle");
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 900, 500, "%s/power.%s", r->wish->folder, *kind);
    fprintf(out, "plot $time using 1:2 with steps lw 2 lc 1 title \"%s\"\n", r->wish->title);
  }
}

/* Power by parts of the design; a flat netlist is split into registers and logic. */
static void draw_parts(const report_t *r, FILE *out) {
  char plain[256];
  fputs("$parts << END\n", out);
  const bool flat = r->sum.num_parts < 2;
  const power_part_t kinds[] = {{.name = "registers", .watt = r->sum.sequential},
                                {.name = "logic", .watt = r->sum.combinational}};
  const power_part_t *parts = flat ? kinds : r->sum.parts;
  const unsigned count = flat ? 2 : r->sum.num_parts;
  for (const power_part_t *p = parts; p < parts + count && p < parts + PARTS_TOLD; p++)
    fprintf(out, "\"%s\" %.9g %.9g %.9g\n", *p->name ? draw_plain(p->name, plain, sizeof plain) : "(outside of parts)",
            1e3 * p->watt.internal, 1e3 * p->watt.switching, 1e3 * p->watt.leakage);
  fputs("END\nset style data histograms\nset style histogram rowstacked\nset style fill solid\nset boxwidth 0.7\n"
        "set xlabel \"\"\nset ylabel \"mW\"\n"
        "set xtics rotate by -30\nset key right top\n",
        out);
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 900, 500, "%s/power_parts.%s", r->wish->folder, *kind);
    fputs(
        "plot $parts using 2:xtic(1) lc 1 title \"internal\", $parts using 3 lc 2 title \"switching\", $parts using 4 "
        "lc 3 title \"leakage\"\n",
        out);
  }
}

/* One picture in all its kinds. False: *trouble says why. */
static bool draw_one(const report_t *r, void (*put)(const report_t *r, FILE *out), trouble_t *trouble) {
  FILE *out = draw_open();
  if (!out) return draw_no_gnuplot(trouble);
  put(r, out);
  return draw_close(out, trouble);
}

/* --draw. Parts are drawn for cells of a process alone: the others have no watts to split. */
static bool draw_power(const report_t *r, trouble_t *trouble) {
  if (!r->wish->folder) return true;
  if (!draw_csv(r->wish->folder, "power", write_csv, r, trouble) || !draw_one(r, draw_time, trouble)) return false;
  return !r->real ||
         (draw_csv(r->wish->folder, "power_parts", write_parts, r, trouble) && draw_one(r, draw_parts, trouble));
}

/* ---- all of it */

bool power_report(const power_wish_t *wish, FILE *out, const toggles_t *toggles, json_t *root, trouble_t *trouble) {
  report_t *r = calloc(1, sizeof *r);
  if (!r) return trouble_memory(trouble);
  r->wish = wish, r->toggles = toggles, r->period = (wish->period > 0 ? wish->period : 1) * 1e-9;
  bool ok = cells_choose(&r->cells, cli_data("."), wish->cells, trouble) && cells_open(&r->cells, NULL, NULL, trouble);
  ok = ok && sram_fit(&r->fit, cli_data("synth/sram_1r1w.csv"), trouble);
  r->real = ok && strcmp(r->cells.path_unit, "ns") == 0;
  if (ok && !r->real && wish->clock_asked)
    ok = trouble_set(trouble, TROUBLE_INPUT,
                     "a clock: cells of %s are of no process, and have no watts; --liberty or --cells name others",
                     r->cells.name);
  ok = ok && read_energies(r, trouble) && run_sta(r, trouble);
  ok = ok && (power_sum(&r->sum, &r->loads, &r->energies, toggles, r->period) || trouble_memory(trouble));
  if (ok) {
    print_power(out, r);
    json_object_set_new(root, "power", power_to_json(r));
    ok = draw_power(r, trouble);
  }
  power_memories_free(&r->memories), power_sum_free(&r->sum), loads_free(&r->loads), power_cells_free(&r->energies),
      cells_close(&r->cells);
  free(r);
  return ok;
}
