/* SPDX-License-Identifier: Apache-2.0
 *
 * Dominators (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm") and natural loops.
 *
 *         header <----+          a back edge leads to a block that dominates it;
 *         /    \     |          back edges to one header make one loop
 *      body   body ---+
 *        |
 *       exit
 *
 * What is in a circle with several entries is in no loop here.
 */
#include <stdlib.h>
#include <string.h>

#include "tom_internal.h"

/* ---- Dominators ------------------------------------------------------------------------------ */

/* Lists the reachable blocks in reverse post-order; returns how many. The stack is explicit. */
static uint32_t reverse_post_order(const kernel_t *k, uint32_t *order, uint32_t *next, uint8_t *seen) {
  uint32_t count = 0, top = 0, n = k->f->num_blocks;
  seen[0] = 1;
  k->stack[top++] = 0;
  while (top) {
    const ptx_block_t *b = &k->f->blocks[k->stack[top - 1]];
    uint32_t *at = &next[k->stack[top - 1]];
    if (*at == b->num_succs) {
      order[n - ++count] = k->stack[--top];
    } else if (!seen[b->succs[*at]]) {
      seen[b->succs[*at]] = 1;
      k->stack[top++] = b->succs[(*at)++];
    } else {
      ++*at;
    }
  }
  memmove(order, order + n - count, count * sizeof *order);
  return count;
}

/* The nearest common dominator; a dominator has a lower rank. */
static uint32_t common_dominator(const kernel_t *k, const uint32_t *rank, uint32_t a, uint32_t b) {
  while (a != b) {
    while (rank[a] > rank[b]) a = k->idom[a];
    while (rank[b] > rank[a]) b = k->idom[b];
  }
  return a;
}

/* Iterates until nothing changes, then sets the depths in the tree. */
static void find_dominators(kernel_t *k, const uint32_t *order, uint32_t count, uint32_t *rank) {
  for (uint32_t i = 0; i < count; i++) rank[order[i]] = i;
  for (uint32_t b = 0; b < k->f->num_blocks; b++) k->idom[b] = NOWHERE;
  k->idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < count; i++) {
      const ptx_block_t *b = &k->f->blocks[order[i]];
      uint32_t best = NOWHERE;
      for (uint32_t p = 0; p < b->num_preds; p++) {
        if (k->idom[b->preds[p]] == NOWHERE) continue;
        best = best == NOWHERE ? b->preds[p] : common_dominator(k, rank, best, b->preds[p]);
      }
      changed |= k->idom[order[i]] != best;
      k->idom[order[i]] = best;
    }
  }
  for (uint32_t i = 1; i < count; i++) k->depth[order[i]] = k->depth[k->idom[order[i]]] + 1;
}

/* Climbs from b to a's depth: at most the depth of the tree. */
bool dominates(const kernel_t *k, uint32_t a, uint32_t b) {
  while (k->depth[b] > k->depth[a]) b = k->idom[b];
  return a == b;
}

/* ---- Loops ----------------------------------------------------------------------------------- */

static bool is_back_edge(const kernel_t *k, uint32_t from, uint32_t header) {
  return reachable(k, from) && dominates(k, header, from);
}

/* All blocks that reach a back edge without passing the header, found backwards. */
static void collect_loop(kernel_t *k, loop_t *l) {
  const ptx_block_t *blocks = k->f->blocks;
  uint32_t top = 0;
  l->has[l->header] = 1;
  l->num_blocks = 1;
  k->stack[top++] = l->header;
  while (top) {
    uint32_t b = k->stack[--top];
    for (uint32_t p = 0; p < blocks[b].num_preds; p++) {
      uint32_t from = blocks[b].preds[p];
      if (!reachable(k, from) || l->has[from] || (b == l->header && !is_back_edge(k, from, b))) continue;
      l->has[from] = 1;
      l->num_blocks++;
      k->stack[top++] = from;
    }
  }
}

/* Whether all edges out lead to one instruction (single_exit), and whether there is one edge
 * alone. */
static void find_exits(const kernel_t *k, loop_t *l) {
  uint32_t edges = 0;
  l->single_exit = false;
  for (uint32_t b = 0; b < k->f->num_blocks; b++) {
    const ptx_block_t *block = &k->f->blocks[b];
    for (uint32_t s = 0; l->has[b] && s < block->num_succs; s++) {
      if (l->has[block->succs[s]]) continue;
      uint32_t to = k->f->blocks[block->succs[s]].first;
      if (edges++ == 0) {
        l->single_exit = true;
        l->exit = to;
        l->exit_from = b;
        l->exit_line[0] = k->f->instrs[block->last].line;
        continue;
      }
      l->exit_from = NOWHERE;
      if (l->single_exit && to != l->exit) {
        l->single_exit = false;
        l->exit_line[1] = k->f->instrs[block->last].line;
      }
    }
  }
}

/* Larger loops first, so that a loop stands behind those around it. Ties: the earlier header. */
static int by_size(const void *a, const void *b) {
  const loop_t *x = a, *y = b;
  if (x->num_blocks != y->num_blocks) return x->num_blocks < y->num_blocks ? 1 : -1;
  return (x->header > y->header) - (x->header < y->header);
}

/* One loop a header, then the nesting: the last loop that has a block is its innermost. False:
 * out of memory. */
static bool find_loops(kernel_t *k) {
  const ptx_func_t *f = k->f;
  k->loops = calloc(f->num_blocks + 1, sizeof *k->loops);
  k->innermost = malloc((f->num_blocks + 1) * sizeof *k->innermost);
  if (!k->loops || !k->innermost) return false;
  for (uint32_t h = 0; h < f->num_blocks; h++) {
    bool header = false;
    for (uint32_t p = 0; reachable(k, h) && p < f->blocks[h].num_preds; p++)
      header |= is_back_edge(k, f->blocks[h].preds[p], h);
    if (!header) continue;
    loop_t *l = &k->loops[k->num_loops];
    *l = (loop_t){.header = h, .parent = PTX_NONE, .exit_from = NOWHERE, .has = calloc(f->num_blocks, 1)};
    if (!l->has) return false;
    k->num_loops++;
    collect_loop(k, l);
    find_exits(k, l);
  }
  qsort(k->loops, k->num_loops, sizeof *k->loops, by_size);
  for (uint32_t b = 0; b < f->num_blocks; b++) k->innermost[b] = PTX_NONE;
  for (uint32_t l = 0; l < k->num_loops; l++) {
    k->loops[l].parent = k->innermost[k->loops[l].header];
    for (uint32_t b = 0; b < f->num_blocks; b++)
      if (k->loops[l].has[b]) k->innermost[b] = (int32_t)l;
  }
  return true;
}

bool loops_make(kernel_t *k) {
  uint32_t n = k->f->num_blocks;
  uint32_t *order = calloc(n + 1, sizeof *order), *scratch = calloc(n + 1, sizeof *scratch);
  uint8_t *seen = calloc(n + 1, 1);
  k->idom = calloc(n + 1, sizeof *k->idom);
  k->depth = calloc(n + 1, sizeof *k->depth);
  bool ok = order && scratch && seen && k->idom && k->depth;
  if (ok && n) find_dominators(k, order, reverse_post_order(k, order, scratch, seen), scratch);
  free(order);
  free(scratch);
  free(seen);
  return ok && find_loops(k);
}
