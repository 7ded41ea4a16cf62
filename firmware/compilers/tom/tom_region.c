/* SPDX-License-Identifier: Apache-2.0
 *
 * One region: its instructions, the test for one way in and one way out, and the registers that
 * live into it and out of it.
 *
 *    block 3:        [ begin ........ ]      a region has at most one stretch
 *    blocks 4, 5:    [ all of it ]           of each basic block
 *    block 6:        [ .... ] exit
 */
#include <stdlib.h>
#include <string.h>

#include "tom_internal.h"

bool region_alloc(const kernel_t *k, region_t *r) {
  uint32_t n = k->f->num_blocks + 1;
  *r = (region_t){
      .from = malloc(n * sizeof *r->from), .to = malloc(n * sizeof *r->to), .blocks = malloc(n * sizeof *r->blocks)};
  if (r->from) memset(r->from, 0xff, n * sizeof *r->from);
  return r->from && r->to && r->blocks;
}

void region_free(region_t *r) {
  free(r->from);
  free(r->to);
  free(r->blocks);
}

/* Costs as much as the region has blocks. */
void region_clear(region_t *r) {
  for (uint32_t i = 0; i < r->num_blocks; i++) r->from[r->blocks[i]] = NOWHERE;
  r->num_blocks = 0;
}

/* Sets the block's stretch, and lists the block if it is new. */
void region_add(region_t *r, uint32_t block, uint32_t from, uint32_t to) {
  if (r->from[block] == NOWHERE) r->blocks[r->num_blocks++] = block;
  r->from[block] = from;
  r->to[block] = to;
}

bool region_has(const kernel_t *k, const region_t *r, uint32_t instr) {
  uint32_t b = k->f->instrs[instr].block;
  return r->from[b] != NOWHERE && instr >= r->from[b] && instr <= r->to[b];
}

/* Adds the stretch from instruction `at` to the end of its block, or to exit. */
static void reach_stretch(const kernel_t *k, region_t *r, uint32_t at) {
  uint32_t b = k->f->instrs[at].block, last = k->f->blocks[b].last;
  uint32_t to = k->f->instrs[r->exit].block == b && r->exit > at ? r->exit - 1 : last;
  region_add(r, b, at, to);
}

/* Is the block entered only by blocks that the region has to their ends? */
static bool one_way_in(const kernel_t *k, const region_t *r, uint32_t b) {
  const ptx_block_t *block = &k->f->blocks[b];
  if (r->from[b] == r->begin) return true;
  if (r->from[b] != block->first || b == 0) return false; /* the kernel itself is entered at block 0 */
  for (uint32_t p = 0; p < block->num_preds; p++) {
    uint32_t from = block->preds[p];
    bool inside = r->from[from] != NOWHERE && r->to[from] == k->f->blocks[from].last;
    if (reachable(k, from) && !inside) return false;
  }
  return true;
}

/* The list of blocks is the queue of the walk. Edges back to begin are allowed: the region is
 * a loop then. */
bool region_collect(kernel_t *k, region_t *r, uint32_t begin, uint32_t exit) {
  const ptx_func_t *f = k->f;
  bool reaches = false;
  region_clear(r);
  r->begin = begin;
  r->exit = exit;
  if (begin == exit) return false;
  reach_stretch(k, r, begin);
  for (uint32_t i = 0; i < r->num_blocks; i++) {
    uint32_t b = r->blocks[i];
    const ptx_block_t *block = &f->blocks[b];
    reaches |= r->to[b] + 1 == exit && r->to[b] < block->last;
    if (r->to[b] < block->last) continue;
    if (!block->num_succs) return false;
    for (uint32_t s = 0; s < block->num_succs; s++) {
      uint32_t to = block->succs[s], first = f->blocks[to].first;
      if (first == exit) reaches = true;
      else if (r->from[to] == NOWHERE) reach_stretch(k, r, first);
      else if (r->from[to] != first) return false; /* a circle into the middle of begin's block */
    }
  }
  for (uint32_t i = 0; i < r->num_blocks; i++)
    if (!one_way_in(k, r, r->blocks[i])) return false;
  return reaches;
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* Steps a live set backwards over the region's part of a block; whole blocks are summed up. */
static void step_over(const kernel_t *k, const region_t *r, uint32_t b, uint64_t *set) {
  const ptx_block_t *block = &k->f->blocks[b];
  const uint64_t *gen = k->gen + (size_t)b * k->words, *kill = k->kill + (size_t)b * k->words;
  if (r->from[b] == block->first && r->to[b] == block->last) {
    for (uint32_t w = 0; w < k->words; w++) set[w] = (set[w] & ~kill[w]) | gen[w];
    return;
  }
  for (uint32_t i = r->to[b] + 1; i-- > r->from[b];) step_back(k, i, set);
}

/* Backward data flow inside the region until nothing changes. */
void region_flow(kernel_t *k, const region_t *r, const uint64_t *seed) {
  const ptx_func_t *f = k->f;
  uint64_t *set = k->sets + (size_t)3 * k->words;
  for (uint32_t i = 0; i < r->num_blocks; i++)
    memset(k->flow + (size_t)r->blocks[i] * k->words, 0, k->words * sizeof *set);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = r->num_blocks; i-- > 0;) {
      uint32_t b = r->blocks[i];
      const ptx_block_t *block = &f->blocks[b];
      uint64_t *before = k->flow + (size_t)b * k->words;
      memset(set, 0, k->words * sizeof *set);
      if (r->to[b] < block->last) memcpy(set, seed, k->words * sizeof *set);
      for (uint32_t s = 0; r->to[b] == block->last && s < block->num_succs; s++) {
        uint32_t to = block->succs[s];
        const uint64_t *alive = f->blocks[to].first == r->exit ? seed : k->flow + (size_t)to * k->words;
        for (uint32_t w = 0; w < k->words; w++) set[w] |= alive[w];
      }
      step_over(k, r, b, set);
      if (memcmp(set, before, k->words * sizeof *set) == 0) continue;
      memcpy(before, set, k->words * sizeof *set);
      changed = true;
    }
  }
}

/* Returned: written inside and alive at exit. Sent: alive at begin if only the returned ones are
 * alive at exit. */
void region_registers(kernel_t *k, const region_t *r, uint64_t *sent, uint64_t *returned) {
  alive_at(k, r->exit, returned);
  memset(sent, 0, k->words * sizeof *sent);
  for (uint32_t i = 0; i < r->num_blocks; i++)
    for (uint32_t at = r->from[r->blocks[i]]; at <= r->to[r->blocks[i]]; at++)
      for (uint32_t d = k->defs[at]; d < k->uses[at + 1]; d++) add_id(sent, k->list[d]);
  for (uint32_t w = 0; w < k->words; w++) returned[w] &= sent[w]; /* what is written inside and read behind */
  region_flow(k, r, returned);
  memcpy(sent, k->flow + (size_t)k->f->instrs[r->begin].block * k->words, k->words * sizeof *sent);
}

int region_line(const kernel_t *k, const region_t *r, const uint64_t *sent, const char **why) {
  uint32_t first = k->line_access[r->begin];
  if (first == NOWHERE || !region_has(k, r, first)) {
    uint32_t i = r->begin;
    while (k->act[i] != ACT_BRANCH && i + 1 < k->f->num_instrs && region_has(k, r, i + 1)) i++;
    *why = "a branch before the first access";
    return k->f->instrs[i].line;
  }
  for (uint32_t i = r->begin; i < first; i++)
    for (uint32_t d = k->defs[i]; d < k->uses[i + 1]; d++)
      if (has_id(sent, k->list[d])) {
        *why = "a live-in is overwritten before the first access";
        return k->f->instrs[i].line;
      }
  return 0;
}
