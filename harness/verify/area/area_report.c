/* SPDX-License-Identifier: Apache-2.0
 *
 * Three kinds of targets have three kinds of rows:
 *
 *   FPGA                   LUTs, flip-flops, RAMs, DSPs, levels
 *   cells without a node   area in the library's unit (GE or um2), macros in bits
 *   cells with a node      um2 of cells and macros, and um2 at the papers' nodes
 */
#include "area_report.h"

#include <string.h>

bool area_rules(area_rules_t *r, const area_target_t *target, const char *tree, trouble_t *trouble) {
  char memories[PROOF_PATH], nodes[PROOF_PATH], nand2[PROOF_PATH];
  r->target = target;
  snprintf(memories, sizeof memories, "%s/synth/sram_1r1w.csv", tree);
  snprintf(nodes, sizeof nodes, "%s/synth/scaling.csv", tree);
  snprintf(nand2, sizeof nand2, "%s/synth/nand2.csv", tree);
  return sram_fit(&r->fit, memories, trouble) && node_read(&r->factors, nodes, trouble) &&
         nand2_read(&r->nand2, nand2, trouble);
}

double area_macros_um2(const area_rules_t *r, const area_t *a, double nm) {
  double um2 = 0;
  for (const area_macro_t *m = a->macros; m < a->macros + a->num_macros; m++)
    um2 += sram_um2(&r->fit, m->rows, m->width, nm);
  return um2;
}

unsigned long area_macro_bits(const area_t *a) {
  unsigned long bits = 0;
  for (const area_macro_t *m = a->macros; m < a->macros + a->num_macros; m++) bits += m->rows * m->width;
  return bits;
}

/* ---- for people */

/* "-" for a figure below 0, which the target does not have. Returns text. */
static const char *figure(char *text, size_t size, const char *format, double value) {
  if (value < 0) snprintf(text, size, "-");
  else snprintf(text, size, format, value);
  return text;
}

static const char *name_params(const area_job_t *j) {
  return *j->params ? j->params : "defaults";
}

/* Has the library a process node? Then areas are scaled to other nodes, and macros have an area. */
static bool has_node(const area_target_t *target) {
  return !area_is_fpga(target) && target->cells->nm;
}

/* Has the library areas in um2? A library of no process has gate equivalents. */
static bool is_real(const cells_t *cells) {
  return strcmp(cells->area_unit, "um2") == 0;
}

static bool is_gates(const area_target_t *target) {
  return !area_is_fpga(target) && !is_real(target->cells);
}

void area_print_head(FILE *out, const area_target_t *target) {
  if (area_is_fpga(target))
    fprintf(out, "%-16s  %8s  %8s  %10s  %6s  %6s  %7s  %8s       parameters\n", "block", "cells", "LUTs", "flip-flops",
            "RAMs", "DSPs", "levels", "CPU s");
  else if (!has_node(target))
    fprintf(out, "%-16s  %8s  %10s  %11s  %11s  %5s %-3s  %8s       parameters\n", "block", "cells", "flip-flops",
            target->cells->area_unit, "macro bits", "path", target->cells->path_unit, "CPU s");
  else
    fprintf(out, "%-16s  %8s  %10s  %11s  %11s  %8s  %11s  %11s  %8s       parameters\n", "block", "cells",
            "flip-flops", "um2", "macros um2", "path ns", "40 nm um2", "20 nm um2", "CPU s");
}

/* Cells and macros together, at nm. */
static node_area_t at_node(const area_t *a, const area_rules_t *r, unsigned nm) {
  return node_scale(&r->factors, &r->fit, a->area, r->target->cells->nm, area_macros_um2(r, a, SRAM_DATA_NM), nm);
}

static void print_fpga(FILE *out, const area_job_t *j, const area_t *a) {
  char levels[32];
  fprintf(out, "%-16s  %8lu  %8lu  %10lu  %6lu  %6lu  %7s  %8.1f%s  %s%s\n", j->block, a->cells, a->luts, a->flipflops,
          a->rams, a->dsps, figure(levels, sizeof levels, "%.0f", (double)a->path_levels), a->cpu_seconds,
          a->cached ? " kept" : "     ", name_params(j), a->by_parts ? "; by parts" : "");
}

static void print_no_node(FILE *out, const area_job_t *j, const area_t *a) {
  char path[32];
  fprintf(out, "%-16s  %8lu  %10lu  %11.*f  %11lu  %9s  %8.1f%s  %s%s\n", j->block, a->cells, a->flipflops,
          a->area < 10000 ? 1 : 0, a->area, area_macro_bits(a), figure(path, sizeof path, "%.2f", a->path),
          a->cpu_seconds, a->cached ? " kept" : "     ", name_params(j), a->by_parts ? "; by parts" : "");
}

static void print_cells(FILE *out, const area_job_t *j, const area_t *a, const area_rules_t *r) {
  char path[32];
  node_area_t at40 = at_node(a, r, 40), at20 = at_node(a, r, 20);
  fprintf(out, "%-16s  %8lu  %10lu  %11.0f  %11.0f  %8s  %11.0f  %11.0f  %8.1f%s  %s%s\n", j->block, a->cells,
          a->flipflops, a->area, area_macros_um2(r, a, j->target->cells->nm),
          figure(path, sizeof path, "%.2f", a->path), at40.cells + at40.macros, at20.cells + at20.macros,
          a->cpu_seconds, a->cached ? " kept" : "     ", name_params(j), a->by_parts ? "; by parts" : "");
}

static void print_macro(FILE *out, const area_job_t *j, const area_macro_t *m, const area_rules_t *r) {
  fprintf(out, "    macro %s: %lu x %lu = %lu bits", m->name, m->rows, m->width, m->rows * m->width);
  if (has_node(j->target))
    fprintf(out, ", %.0f um2%s", sram_um2(&r->fit, m->rows, m->width, j->target->cells->nm),
            sram_outside(&r->fit, m->rows, m->width) ? " (extrapolated)" : "");
  fprintf(out, "\n");
}

/* Gate equivalents in um2 at the papers' nodes, by NAND gates of published libraries. */
static void print_gates(FILE *out, const area_job_t *j, const area_t *a, const area_rules_t *r) {
  for (const unsigned *nm = node_papers; *nm; nm++) {
    const nand2_area_t n = nand2_at(&r->nand2, *nm);
    if (n.um2 < 0) continue;
    fprintf(out, "    um2 at %u nm: %.0f (spread %.0f..%.0f", *nm, a->area * n.um2, a->area * n.low, a->area * n.high);
    if (n.above > 0) fprintf(out, "; between %g and %g nm", n.above, n.below);
    fprintf(out, ")");
    if (j->dram_die) fprintf(out, "; on a DRAM die twice that: %.0f", 2 * a->area * n.um2);
    fprintf(out, "\n");
  }
}

/* The macros, the parts, and the area at each node of the papers. */
static void print_details(FILE *out, const area_job_t *j, const area_t *a, const area_rules_t *r) {
  const char *unit = area_is_fpga(j->target) ? "um2" : j->target->cells->area_unit;
  for (const area_macro_t *m = a->macros; m < a->macros + a->num_macros; m++) print_macro(out, j, m, r);
  for (const area_part_t *p = a->parts; p < a->parts + a->num_parts; p++)
    fprintf(out, "    part %u x %s%s%s: %lu cells, %lu flip-flops, %.0f %s each\n", p->count, p->block,
            *p->params ? " " : "", p->params, p->cells, p->flipflops, p->area, unit);
  if (is_gates(j->target)) print_gates(out, j, a, r);
  for (const unsigned *nm = node_papers; *nm && has_node(j->target); nm++) {
    node_area_t n = at_node(a, r, *nm);
    fprintf(out, "    at %u nm: %.0f um2 (%.0f to %.0f; ideal square %.0f)", *nm, n.cells + n.macros, n.low, n.high,
            n.ideal);
    if (j->dram_die) fprintf(out, "; on a DRAM die twice that: %.0f", 2 * (n.cells + n.macros));
    fprintf(out, "\n");
  }
}

void area_print_row(FILE *out, const area_job_t *j, const area_t *a, const area_rules_t *r, bool details) {
  if (area_is_fpga(j->target)) print_fpga(out, j, a);
  else if (!has_node(j->target)) print_no_node(out, j, a);
  else print_cells(out, j, a, r);
  if (details) print_details(out, j, a, r);
  fflush(out);
}

void area_print_failure(FILE *out, const area_job_t *j, const char *status, const char *why) {
  fprintf(out, "%-16s  %s: %s  %s\n", j->block, status, why, name_params(j));
  fflush(out);
}

#define PATH_RULE \
  "Longest path: through logic, without wires, a flip-flop's\nown time or a macro's; by parts: within one part. "

static void print_no_node_rules(FILE *out, const area_rules_t *r) {
  const cells_t *c = r->target->cells;
  const size_t left_out = c->library.count - c->library.used;
  if (is_real(c)) fprintf(out, "um2: area of the cells alone as %s has it, without wires. " PATH_RULE, c->name);
  else
    fprintf(
        out,
        "GE: gate equivalents of the cells alone (a 2-input NAND is 1), without wires, of no process (%s). FO4: the "
        "delay\n"
        "of an inverter that drives four like it. " PATH_RULE,
        strcmp(c->name, CELLS_DEFAULT) ? c->name : "synth/cells/ge.def");
  fprintf(out, "Memories are macros, counted in bits, those\n"
               "of less than 4 Kbit flip-flops; --cells osu018 has um2 of them, and the papers' nodes.\n");
  if (is_gates(r->target))
    fprintf(
        out,
        "um2 at a node: of the cells alone, GE times the NAND gates of published libraries (synth/nand2.csv), mean "
        "and least to greatest of\n"
        "them; between two published nodes along the line in logarithms; a node with one library has the fit's worst, "
        "%.2f times.\n",
        r->nand2.residual);
  if (left_out)
    fprintf(out,
            "%zu of %zu cells are not used: they have no function (or several registers, three states, a bus), or the "
            "library says dont_use.\n",
            left_out, c->library.count);
}

static void print_cell_rules(FILE *out, const area_rules_t *r) {
  const cells_t *t = r->target->cells;
  fprintf(out,
          "um2: of the cells alone, %s, %u nm, without wires. " PATH_RULE
          "Macros: um2 = %.4f x bits + %.4f x (bits of a row)^2 at %d "
          "nm,\n"
          "fitted to memories of CACTI (synth/sram_1r1w.csv; within %.0f %% of each), times the square of the nodes' "
          "quotient;\n"
          "extrapolated: outside of theirs. Memories of less than 4 Kbit are flip-flops and counted as such.\n",
          t->name, t->nm, r->fit.area.per_bit, r->fit.area.per_width2, SRAM_DATA_NM, 100 * r->fit.area.worst);
  fprintf(out,
          "40 nm, 20 nm: cells times %.3f and %.3f (Stillmaker and Baas, Integration 58, 2017: synth/scaling.csv; a "
          "library may\n"
          "be %.0f %% smaller or %.0f %% larger than that), and the macros. Near banks twice that on a DRAM die "
          "(MPU paper, VI-A).\n",
          node_factor(&r->factors, 40) / node_factor(&r->factors, t->nm),
          node_factor(&r->factors, 20) / node_factor(&r->factors, t->nm), 100 * (1 - NODE_LOW), 100 * (NODE_HIGH - 1));
}

void area_print_rules(FILE *out, const area_rules_t *r) {
  if (has_node(r->target)) print_cell_rules(out, r);
  else if (!area_is_fpga(r->target)) print_no_node_rules(out, r);
  else
    fprintf(out,
            "%s: what Yosys' %s makes, not placed and not routed. Memories are block RAM where they fit one, with the "
            "logic that\n"
            "makes a read of the row being written give its old content. Levels: cells (LUTs, carries, multiplexers) "
            "on the\n"
            "longest path; there is no timing data here, so no time.\n",
            r->target->name, r->target->synth);
}

/* ---- JSON */

static json_t *macros_json(const area_job_t *j, const area_t *a, const area_rules_t *r) {
  json_t *list = json_array();
  for (const area_macro_t *m = a->macros; m < a->macros + a->num_macros; m++)
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:I, s:I, s:o, s:b}", "name", m->name, "bits", (json_int_t)(m->rows * m->width),
                        "rows", (json_int_t)m->rows, "width", (json_int_t)m->width, "um2",
                        has_node(j->target) ? json_real(sram_um2(&r->fit, m->rows, m->width, j->target->cells->nm))
                                            : json_null(),
                        "extrapolated", sram_outside(&r->fit, m->rows, m->width)));
  return list;
}

static json_t *parts_json(const area_t *a) {
  json_t *list = json_array();
  for (const area_part_t *p = a->parts; p < a->parts + a->num_parts; p++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:I, s:I, s:f}", "block", p->block, "params", p->params,
                                          "count", (int)p->count, "cells", (json_int_t)p->cells, "flipflops",
                                          (json_int_t)p->flipflops, "area", p->area));
  return list;
}

/* The area at each node of the papers. dram_um2 is twice that, for blocks on a DRAM die. */
static json_t *scaled_json(const area_job_t *j, const area_t *a, const area_rules_t *r) {
  json_t *list = json_array();
  for (const unsigned *nm = node_papers; *nm; nm++) {
    node_area_t n = at_node(a, r, *nm);
    double um2 = n.cells + n.macros;
    json_t *one = json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "nm", (int)*nm, "um2", um2, "low", n.low,
                            "high", n.high, "cells_um2", n.cells, "macros_um2", n.macros, "ideal_um2", n.ideal, "rule",
                            "cells: Stillmaker and Baas 2017 (synth/scaling.csv); macros: fit to CACTI, by the square");
    if (j->dram_die) json_object_set_new(one, "dram_um2", json_real(2 * um2));
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *gates_json(const area_job_t *j, const area_t *a, const area_rules_t *r) {
  json_t *list = json_array();
  for (const unsigned *nm = node_papers; *nm; nm++) {
    const nand2_area_t n = nand2_at(&r->nand2, *nm);
    if (n.um2 < 0) continue;
    json_t *one =
        json_pack("{s:i, s:f, s:f, s:f, s:f, s:i, s:o}", "nm", (int)*nm, "um2", a->area * n.um2, "low", a->area * n.low,
                  "high", a->area * n.high, "nand2_um2", n.um2, "libraries", (int)n.libraries, "between",
                  n.above > 0 ? json_pack("[f, f]", n.above, n.below) : json_null());
    if (j->dram_die) json_object_set_new(one, "dram_um2", json_real(2 * a->area * n.um2));
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *base_json(const area_job_t *j, const char *status) {
  return json_pack("{s:s, s:s, s:s, s:s}", "block", j->own ? j->subject : j->block, "target", j->target->name, "params",
                   j->params, "status", status);
}

/* Null stands for a figure below 0: not known. */
static json_t *positive(double value) {
  return value < 0 ? json_null() : json_real(value);
}

/* A figure is under its unit's name (um2 or ge, ns or fo4); the other name has null. */
static json_t *cells_json(const area_job_t *j, const area_t *a, const area_rules_t *r) {
  const bool real = is_real(j->target->cells), node = has_node(j->target);
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "um2", positive(real ? a->area : -1), "ge",
                   positive(real ? -1 : a->area), "macros_um2",
                   node ? json_real(area_macros_um2(r, a, j->target->cells->nm)) : json_null(), "macros",
                   macros_json(j, a, r), "longest_path_ns", positive(real ? a->path : -1), "longest_path_fo4",
                   positive(real ? -1 : a->path), "scaled", node ? scaled_json(j, a, r) : json_null(), "at_nodes",
                   real ? json_null() : gates_json(j, a, r));
}

json_t *area_row_json(const area_job_t *j, const area_t *a, const area_rules_t *r) {
  bool fpga = area_is_fpga(j->target);
  json_t *row = base_json(j, "ok");
  json_t *more = json_pack("{s:I, s:I, s:f, s:f, s:b, s:s, s:o, s:n}", "cells", (json_int_t)a->cells, "flipflops",
                           (json_int_t)a->flipflops, "seconds", a->seconds, "cpu_seconds", a->cpu_seconds, "cached",
                           a->cached, "method", a->by_parts ? "parts" : "flat", "parts", parts_json(a), "paper");
  json_object_update(row, more), json_decref(more);
  if (fpga)
    more = json_pack("{s:I, s:I, s:I, s:o, s:n, s:n, s:[], s:n}", "luts", (json_int_t)a->luts, "rams",
                     (json_int_t)a->rams, "dsps", (json_int_t)a->dsps, "longest_path_levels",
                     a->path_levels < 0 ? json_null() : json_integer(a->path_levels), "um2", "longest_path_ns",
                     "macros", "scaled");
  else more = cells_json(j, a, r);
  json_object_update(row, more), json_decref(more);
  return row;
}

json_t *area_failure_json(const area_job_t *j, const char *status, const char *why) {
  json_t *row = base_json(j, status);
  json_object_set_new(row, "why", json_string(why));
  return row;
}
