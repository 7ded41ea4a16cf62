/* SPDX-License-Identifier: Apache-2.0
 *
 * All inputs are written, but only those gates and registers that an output depends on. An AND
 * becomes one AND of AIGER; a XOR or a multiplexer becomes three.
 */
#include "aiger.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  const gates_t *g;
  unsigned char *needed;
  uint32_t *lits; /* AIGER's literal of each node */
  uint32_t *ands; /* pairs */
  unsigned inputs, latches, num_ands;
  bool free_state;
} writer_t;

/* AIGER's literal of one of ours. */
static uint32_t mapped_lit(const writer_t *w, lit_t lit) {
  return w->lits[lit / 2] ^ (lit & 1);
}

/* Adds an AND and returns its literal. AIGER wants the larger operand first. */
static uint32_t add_and(writer_t *w, uint32_t a, uint32_t b) {
  w->ands[2 * w->num_ands] = a > b ? a : b;
  w->ands[2 * w->num_ands + 1] = a > b ? b : a;
  return 2 * (w->inputs + w->latches + ++w->num_ands);
}

/* How many of a, b and c the node reads. A free register reads nothing. */
static unsigned count_sources(const writer_t *w, const node_t *n) {
  if (n->kind == NODE_LATCH) return !w->free_state;
  if (n->kind == NODE_MUX) return 3;
  return n->kind >= NODE_AND ? 2 : 0;
}

/* Marks nodes backwards: 1 is found, 2 has its sources marked. A register's next state may have
 * a higher number than the register. The pass has gone by that node, so it repeats. */
static void mark_needed(writer_t *w, const lit_t *outputs, unsigned num) {
  const gates_t *g = w->g;
  for (unsigned i = 0; i < num; i++) w->needed[outputs[i] / 2] = 1;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = g->count; i-- > 1;) {
      const node_t *n = &g->nodes[i];
      if (w->needed[i] != 1) continue;
      w->needed[i] = 2;
      lit_t sources[] = {n->a, n->b, n->c};
      unsigned from = count_sources(w, n);
      for (unsigned k = 0; k < from; k++)
        if (!w->needed[sources[k] / 2]) w->needed[sources[k] / 2] = 1, more |= sources[k] / 2 > i;
    }
  }
}

/* AIGER numbers inputs first, then latches, then ANDs, each of which may use only lower numbers. */
static void number_nodes(writer_t *w) {
  const gates_t *g = w->g;
  for (uint32_t i = 1; i < g->count; i++)
    if (g->nodes[i].kind == NODE_INPUT || (w->free_state && w->needed[i] && g->nodes[i].kind == NODE_LATCH))
      w->lits[i] = 2 * ++w->inputs;
  for (uint32_t i = 1; i < g->count; i++)
    if (!w->free_state && g->nodes[i].kind == NODE_LATCH && w->needed[i]) w->lits[i] = 2 * (w->inputs + ++w->latches);
  for (uint32_t i = 1; i < g->count; i++) {
    const node_t *n = &g->nodes[i];
    if (!w->needed[i] || n->kind < NODE_AND) continue;
    uint32_t a = mapped_lit(w, n->a), b = mapped_lit(w, n->b), c = mapped_lit(w, n->c);
    if (n->kind == NODE_AND) w->lits[i] = add_and(w, a, b);
    else if (n->kind == NODE_XOR) w->lits[i] = add_and(w, add_and(w, a, b) ^ 1, add_and(w, a ^ 1, b ^ 1) ^ 1);
    else w->lits[i] = add_and(w, add_and(w, c, b) ^ 1, add_and(w, c ^ 1, a) ^ 1) ^ 1;
  }
}

/* Seven bits a byte, lowest first; bit 7 says that more bytes follow. */
static void put_delta(FILE *file, uint32_t delta) {
  for (; delta >= 0x80; delta >>= 7) putc((int)(delta & 0x7f) | 0x80, file);
  putc((int)delta, file);
}

static bool print_aiger(const writer_t *w, const lit_t *outputs, unsigned num, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, "aig %u %u %u %u %u\n", w->inputs + w->latches + w->num_ands, w->inputs, w->latches, num, w->num_ands);
  for (uint32_t i = 1; i < w->g->count; i++)
    if (!w->free_state && w->g->nodes[i].kind == NODE_LATCH && w->needed[i])
      fprintf(file, "%u\n", mapped_lit(w, w->g->nodes[i].a));
  for (unsigned i = 0; i < num; i++) fprintf(file, "%u\n", mapped_lit(w, outputs[i]));
  for (unsigned i = 0; i < w->num_ands; i++) {
    uint32_t self = 2 * (w->inputs + w->latches + i + 1);
    put_delta(file, self - w->ands[2 * i]);
    put_delta(file, w->ands[2 * i] - w->ands[2 * i + 1]);
  }
  bool ok = !ferror(file);
  return fclose(file) == 0 && ok;
}

bool aiger_write(const gates_t *g, const lit_t *outputs, unsigned num, bool free_state, const char *path) {
  writer_t w = {
      g, calloc(g->count, 1), calloc(g->count, sizeof(uint32_t)), malloc(6 * (size_t)g->count * sizeof(uint32_t)), 0, 0,
      0, free_state};
  bool ok = w.needed && w.lits && w.ands && !g->failed;
  if (ok) {
    mark_needed(&w, outputs, num);
    number_nodes(&w);
    ok = print_aiger(&w, outputs, num, path);
  }
  free(w.needed);
  free(w.lits);
  free(w.ands);
  return ok;
}
