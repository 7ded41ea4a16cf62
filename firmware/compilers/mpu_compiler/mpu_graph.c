/* SPDX-License-Identifier: Apache-2.0
 *
 * The register interference graph.
 *
 * Each block is walked backwards from what is alive at its end. At an instruction its results
 * interfere with each other and with all that is alive after it, dead results included. What is
 * alive at the entry interferes as if it were written there.
 *
 *    live_out -> [instr n] -> ... -> [instr 1] -> live_in   results get edges to the set
 *
 * Threads that wait while others of their warp are on another path have values too: those alive
 * where they wait. They wait where a branch on the way goes, or at its reconvergence point.
 * Registers of one width may share rows all the same. A write leaves the waiting threads' words
 * alone, and the track table knows where the row is. The table knows a pair by its first row alone.
 * So a 32-bit register does not share a row with a 64-bit one of another path: moving the pair
 * would overwrite the waiting threads' words of the second row.
 *
 * The live registers are kept as one list a class, with the place of each register in its list: a
 * step costs what changes, an edge costs itself, and there is no matrix. A first walk finds how
 * many rows are alive at most. Beyond the limit no colouring helps, and the edges, which could be
 * any number, are never made.
 */
#include <stdlib.h>
#include <string.h>

#include "mpu_internal.h"

typedef struct {
  const mpu_program_t *p;
  uint32_t *alive[NUM_CLASSES]; /* registers */
  uint32_t count[NUM_CLASSES];
  uint32_t rows[NUM_CLASSES]; /* rows that these take */
  uint32_t *slot;             /* for each register: 1 + its place in its list; 0: not alive */
  uint32_t most;              /* the most rows of all classes alive at once */
  graph_t *out;
  bool want_edges;
  uint32_t (*edges)[2];
  size_t num_edges, room;
  bool failed;
} walk_t;

/* Predicates are never in rows with registers, so they have classes of their own. */
unsigned class_of(const mpu_program_t *p, int32_t reg) {
  if (p->func->regs[reg].type == PTX_PRED) return p->regs[reg].loc == MPU_N ? CLASS_NEAR_PRED : CLASS_PRED;
  switch (p->regs[reg].loc) {
  case MPU_N: return CLASS_NEAR;
  case MPU_F: return CLASS_FAR;
  default: return CLASS_BOTH;
  }
}

static uint32_t rows_of_register(const walk_t *w, uint32_t reg) {
  return w->p->func->regs[reg].type == PTX_PRED ? 1 : w->p->regs[reg].rows;
}

/* Adds the register to the list of its class. */
static void make_alive(walk_t *w, uint32_t reg) {
  unsigned c = class_of(w->p, (int32_t)reg);
  if (w->slot[reg] || w->p->regs[reg].loc == MPU_U) return; /* U: a device function's result that no code writes */
  w->alive[c][w->count[c]++] = reg;
  w->slot[reg] = w->count[c];
  w->rows[c] += rows_of_register(w, reg);
}

/* Removes the register: the list's last one takes its place. */
static void end_life(walk_t *w, uint32_t reg) {
  unsigned c = class_of(w->p, (int32_t)reg);
  if (!w->slot[reg]) return;
  uint32_t last = w->alive[c][--w->count[c]];
  w->alive[c][w->slot[reg] - 1] = last;
  w->slot[last] = w->slot[reg];
  w->slot[reg] = 0;
  w->rows[c] -= rows_of_register(w, reg);
}

/* Duplicates are allowed; drop_duplicates removes them. */
static void add_edge(walk_t *w, uint32_t a, uint32_t b) {
  if (w->num_edges == w->room) {
    size_t room = w->room ? w->room * 2 : 1024;
    void *grown = realloc(w->edges, room * sizeof *w->edges);
    w->failed |= !grown;
    if (!grown) return;
    w->edges = grown;
    w->room = room;
  }
  w->edges[w->num_edges][0] = a;
  w->edges[w->num_edges++][1] = b;
}

/* Updates the peaks with what is alive now. */
static void measure_rows(walk_t *w, int line) {
  uint32_t all = 0;
  for (unsigned c = 0; c < NUM_CLASSES; c++) {
    all += w->rows[c];
    if (w->rows[c] > w->out->peak[c]) w->out->peak[c] = w->rows[c];
  }
  if (all <= w->most) return;
  w->most = all;
  w->out->peak_line = line;
}

/* The registers are written at once: edges from each to all that is alive in its class. */
static void add_interference(walk_t *w, const int32_t *regs, unsigned n, int line) {
  measure_rows(w, line);
  if (!w->want_edges) return;
  for (unsigned k = 0; k < n && !w->failed; k++) {
    uint32_t reg = (uint32_t)regs[k];
    unsigned c = class_of(w->p, regs[k]);
    for (uint32_t i = 0; i < w->count[c]; i++)
      if (w->alive[c][i] != reg) add_edge(w, reg, w->alive[c][i]);
  }
}

/* From behind the instruction to before it. A guarded write does not end a life. */
static void step_over_instr(walk_t *w, const ptx_instr_t *in) {
  int32_t defs[PTX_MAX_INSTR_REGS], uses[PTX_MAX_INSTR_REGS];
  unsigned d = ptx_defs(w->p->func, in, defs, PTX_MAX_INSTR_REGS);
  unsigned u = ptx_uses(w->p->func, in, uses, PTX_MAX_INSTR_REGS);
  for (unsigned k = 0; k < d; k++) make_alive(w, (uint32_t)defs[k]);
  /* a vector is done element by element: its results must not overwrite an address still to be
   * read */
  for (unsigned k = 0; (d > 1 || in->vec > 1) && k < u; k++) make_alive(w, (uint32_t)uses[k]);
  add_interference(w, defs, d, in->line);
  for (unsigned k = 0; k < d && !in->guarded; k++) end_life(w, (uint32_t)defs[k]);
  for (unsigned k = 0; k < u; k++) make_alive(w, (uint32_t)uses[k]);
  if (u) measure_rows(w, in->line);
}

static void clear_alive(walk_t *w) {
  for (unsigned c = 0; c < NUM_CLASSES; c++)
    while (w->count[c]) end_life(w, w->alive[c][w->count[c] - 1]);
}

/* The set becomes the block's live_out. */
static void start_block(walk_t *w, const ptx_block_t *b) {
  clear_alive(w);
  for (uint32_t word = 0; word < w->p->func->live_words; word++)
    for (uint64_t bits = b->live_out[word]; bits; bits &= bits - 1)
      make_alive(w, word * 64 + (uint32_t)__builtin_ctzll(bits));
}

/* Registers alive at the entry have their values at once: edges from each to all. */
static void enter_function(walk_t *w) {
  for (unsigned c = 0; c < NUM_CLASSES; c++)
    for (uint32_t i = 0; i < w->count[c] && !w->failed; i++) {
      int32_t reg = (int32_t)w->alive[c][i];
      add_interference(w, &reg, 1, w->p->func->line);
    }
}

/* One pass over the reachable blocks; measures, and makes edges if they are wanted. */
static void walk_blocks(walk_t *w, bool want_edges) {
  const ptx_func_t *func = w->p->func;
  w->want_edges = want_edges;
  for (uint32_t b = 0; b < func->num_blocks && !w->failed; b++) {
    const ptx_block_t *block = &func->blocks[b];
    if (!block->reachable) continue;
    start_block(w, block);
    for (uint32_t i = block->last + 1; i-- > block->first;) step_over_instr(w, &func->instrs[i]);
    if (b == 0) enter_function(w);
  }
}

/* ---- Paths that diverge ---------------------------------------------------------------------- */

typedef struct {
  walk_t *walk;
  uint64_t *waits;  /* for each block: registers alive where threads may wait while others are in the block */
  uint64_t *values; /* what one branch adds to `waits` */
  uint32_t *todo;
  uint8_t *seen; /* a byte for each block, later for each register */
} paths_t;

static void unite_sets(uint64_t *to, const uint64_t *from, uint32_t words) {
  for (uint32_t w = 0; w < words; w++) to[w] |= from[w];
}

/* Walks the blocks from the branch's target k up to where its threads meet again. Meanwhile
 * others wait there or, to begin with, at another target; what they hold is united into the
 * waits of each block. */
static void follow_target(paths_t *s, const ptx_block_t *from, uint32_t k) {
  const ptx_func_t *func = s->walk->p->func;
  uint32_t words = func->live_words, count = 0;
  if ((int32_t)from->succs[k] == from->ipdom) return;
  memset(s->values, 0, words * sizeof *s->values);
  memset(s->seen, 0, func->num_blocks);
  if (from->ipdom != PTX_NONE) unite_sets(s->values, func->blocks[from->ipdom].live_in, words);
  for (uint32_t other = 0; other < from->num_succs; other++)
    if (from->succs[other] != from->succs[k]) unite_sets(s->values, func->blocks[from->succs[other]].live_in, words);
  s->seen[from->succs[k]] = 1;
  s->todo[count++] = from->succs[k];
  while (count) {
    uint32_t at = s->todo[--count];
    const ptx_block_t *b = &func->blocks[at];
    unite_sets(s->waits + (size_t)at * words, s->values, words);
    for (uint32_t next = 0; next < b->num_succs; next++) {
      if ((int32_t)b->succs[next] == from->ipdom || s->seen[b->succs[next]]) continue;
      s->seen[b->succs[next]] = 1;
      s->todo[count++] = b->succs[next];
    }
  }
}

/* Adds edges between registers that the block writes and registers that waiting threads hold, if
 * their widths differ. */
static void keep_widths_apart(paths_t *s, uint32_t block) {
  walk_t *w = s->walk;
  const mpu_program_t *p = w->p;
  int32_t defs[PTX_MAX_INSTR_REGS];
  const uint64_t *waits = s->waits + (size_t)block * p->func->live_words;
  memset(s->seen, 0, p->func->num_regs);
  for (uint32_t i = p->func->blocks[block].first; i <= p->func->blocks[block].last; i++) {
    unsigned n = ptx_defs(p->func, &p->func->instrs[i], defs, PTX_MAX_INSTR_REGS);
    for (unsigned k = 0; k < n; k++) {
      if (s->seen[defs[k]]) continue;
      s->seen[defs[k]] = 1;
      for (uint32_t word = 0; word < p->func->live_words; word++)
        for (uint64_t bits = waits[word]; bits && !w->failed; bits &= bits - 1) {
          int32_t other = (int32_t)(word * 64 + (uint32_t)__builtin_ctzll(bits));
          if (p->regs[other].rows + p->regs[defs[k]].rows == 3 && class_of(p, other) == class_of(p, defs[k]))
            add_edge(w, (uint32_t)defs[k], (uint32_t)other);
        }
    }
  }
}

/* All branches first, as waits grow; then the edges of all blocks. */
static void add_divergence(walk_t *w) {
  const ptx_func_t *func = w->p->func;
  uint32_t blocks = func->num_blocks, most = blocks > func->num_regs ? blocks : func->num_regs;
  paths_t s = {w, calloc((size_t)blocks * func->live_words + 1, sizeof *s.waits),
               calloc(func->live_words + 1, sizeof *s.values), calloc(blocks + 1, sizeof *s.todo), calloc(most + 1, 1)};
  w->failed |= !s.waits || !s.values || !s.todo || !s.seen;
  for (uint32_t b = 0; b < blocks && !w->failed; b++)
    for (uint32_t k = 0; func->blocks[b].reachable && func->blocks[b].num_succs > 1 && k < func->blocks[b].num_succs;
         k++)
      follow_target(&s, &func->blocks[b], k);
  for (uint32_t b = 0; b < blocks && !w->failed; b++)
    if (func->blocks[b].reachable) keep_widths_apart(&s, b);
  free(s.waits);
  free(s.values);
  free(s.todo);
  free(s.seen);
}

/* ---- Lists of neighbours --------------------------------------------------------------------- */

/* Compacts the lists in place; seen[x] == r + 1 means x is in r's list. */
static void drop_duplicates(graph_t *g, uint32_t num_regs, uint32_t *seen) {
  uint32_t to = 0, from = 0;
  for (uint32_t r = 0; r < num_regs; r++) {
    uint32_t end = g->start[r + 1];
    g->start[r] = to;
    for (; from < end; from++) {
      uint32_t other = g->list[from];
      if (seen[other] == r + 1) continue;
      seen[other] = r + 1;
      g->list[to++] = other;
    }
  }
  g->start[num_regs] = to;
}

/* Turns edges into lists of neighbours: count, sum up, place, drop duplicates. */
static graph_result_t make_lists(graph_t *g, const walk_t *w, uint32_t num_regs) {
  if (w->num_edges > UINT32_MAX / 2) return GRAPH_NO_MEMORY;
  uint32_t *next = calloc(num_regs + 1, sizeof *next);
  g->start = calloc(num_regs + 2, sizeof *g->start);
  g->list = malloc((2 * w->num_edges + 1) * sizeof *g->list);
  if (!next || !g->start || !g->list) {
    free(next);
    return GRAPH_NO_MEMORY;
  }
  for (size_t e = 0; e < w->num_edges; e++)
    for (unsigned k = 0; k < 2; k++) g->start[w->edges[e][k] + 1]++;
  for (uint32_t r = 0; r < num_regs; r++) {
    g->start[r + 1] += g->start[r];
    next[r] = g->start[r];
  }
  for (size_t e = 0; e < w->num_edges; e++)
    for (unsigned k = 0; k < 2; k++) g->list[next[w->edges[e][k]]++] = w->edges[e][1 - k];
  memset(next, 0, num_regs * sizeof *next);
  drop_duplicates(g, num_regs, next);
  free(next);
  return GRAPH_OK;
}

graph_result_t graph_make(graph_t *g, const mpu_program_t *p) {
  uint32_t num_regs = p->func->num_regs, need = 0;
  uint32_t *room = calloc((size_t)(NUM_CLASSES + 1) * (num_regs + 1), sizeof *room);
  walk_t w = {.p = p, .out = g, .slot = room};
  graph_result_t result = GRAPH_NO_MEMORY;
  *g = (graph_t){0};
  for (unsigned c = 0; room && c < NUM_CLASSES; c++) w.alive[c] = room + (size_t)(c + 1) * (num_regs + 1);
  if (room) walk_blocks(&w, false);
  for (unsigned c = 0; c < NUM_CLASSES; c++) need += g->peak[c];
  if (need > MPU_MAX_ROWS) {
    result = GRAPH_TOO_MANY;
  } else if (room) {
    walk_blocks(&w, true);
    add_divergence(&w);
    if (!w.failed) result = make_lists(g, &w, num_regs);
  }
  free(w.edges);
  free(room);
  return result;
}

void graph_free(graph_t *g) {
  free(g->start);
  free(g->list);
  *g = (graph_t){0};
}
