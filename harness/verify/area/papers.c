/* SPDX-License-Identifier: Apache-2.0
 *
 * A row's macros are those whose names start with `include` and not with `exclude` (papers.def).
 */
#include "papers.h"

#include <string.h>

const paper_t papers[] = {
#define PAPER(...) {__VA_ARGS__},
#define FIGURE(...)
#include "papers.def"
};
const unsigned papers_count = sizeof papers / sizeof *papers;

typedef struct {
  const char *id;
  double bits, mm2;
  unsigned count;
} figure_t;

static const figure_t figures[] = {
#define PAPER(...)
#define FIGURE(...) {__VA_ARGS__},
#include "papers.def"
};

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static bool is_kb(const paper_t *p) {
  return strcmp(p->unit, "KB") == 0;
}

/* A row without a block of ours is the sum of its FIGUREs. */
static double by_bits(const paper_t *p) {
  double sum = 0;
  for (const figure_t *f = figures; f < figures + sizeof figures / sizeof *figures; f++)
    if (strcmp(f->id, p->id) == 0) sum += f->count * (is_kb(p) ? f->bits / 8192 : f->mm2);
  return sum;
}

/* Area of the flip-flops in the cells' unit, without those in excluded parts. */
static double flipflops(const paper_t *p, const area_t *a) {
  double area = a->flipflops_area;
  for (const area_part_t *part = a->parts; part < a->parts + a->num_parts; part++)
    if (starts(part->block, p->exclude)) area -= part->count * part->flipflops_area;
  return area;
}

double paper_ours(const paper_t *p, const area_t *a, unsigned nm, const node_factors_t *factors,
                  const sram_fit_t *fit) {
  bool with_flipflops = strcmp(p->include, "flipflops") == 0;
  double bits = 0, um2 = 0;
  if (!*p->block) return by_bits(p);
  if (!a || (with_flipflops && !nm)) return -1;
  for (const area_macro_t *m = a->macros; m < a->macros + a->num_macros; m++) {
    if ((!with_flipflops && !starts(m->name, p->include)) || starts(m->name, p->exclude)) continue;
    bits += (double)m->rows * (double)m->width;
    um2 += sram_um2(fit, m->rows, m->width, SRAM_DATA_NM);
  }
  if (is_kb(p)) return p->count * bits / 8192;
  node_area_t n = node_scale(factors, fit, with_flipflops ? flipflops(p, a) : 0, nm ? nm : NODE_CELLS_NM, um2, p->nm);
  return 2 * p->count * (n.cells + n.macros) * 1e-6;
}
