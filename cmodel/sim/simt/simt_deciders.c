/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_deciders.h"

#include <stdlib.h>

/* A set of blocks or registers is an array of a bool each. */
typedef struct {
  const simt_kernel_t *k;
  const ptx_func_t *func;
  bool *inside;         /* [blocks] in a loop */
  bool *before, *after; /* [blocks] that reach an edge's source; that its target reaches */
  uint32_t *todo;       /* [blocks] */
  bool *decides;        /* [registers] */
  bool *kept;           /* [registers] live where a backward branch goes */
} search_t;

/* Marks the blocks that `from` reaches, forward or backward. */
static void reach_blocks(const search_t *s, uint32_t from, bool forward, bool *seen) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < s->func->num_blocks; b++) seen[b] = false;
  seen[from] = true, s->todo[count++] = from;
  while (count) {
    const ptx_block_t *b = &s->func->blocks[s->todo[--count]];
    const uint32_t *next = forward ? b->succs : b->preds;
    for (uint32_t n = forward ? b->num_succs : b->num_preds; n--;)
      if (!seen[next[n]]) seen[next[n]] = true, s->todo[count++] = next[n];
  }
}

/* A loop has an edge that goes back; it consists of the blocks between its target and source. */
static void add_loop(search_t *s, uint32_t source, uint32_t target) {
  const ptx_func_t *f = s->func;
  reach_blocks(s, target, true, s->after);
  if (!s->after[source]) return;
  reach_blocks(s, source, false, s->before);
  for (uint32_t b = 0; b < f->num_blocks; b++) s->inside[b] |= s->after[b] && s->before[b];
  for (uint32_t r = 0; r < f->num_regs; r++) s->kept[r] |= f->blocks[target].live_in[r / 64] >> r % 64 & 1;
}

static void find_loops(search_t *s) {
  for (uint32_t b = 0; b < s->func->num_blocks; b++)
    for (uint32_t n = 0; n < s->func->blocks[b].num_succs; n++)
      if (s->func->blocks[b].succs[n] <= b) add_loop(s, b, s->func->blocks[b].succs[n]);
}

/* Whether it has no effect but its result. */
static bool computes(const simt_op_t *op) {
  return op->kind == SIMT_ALU || op->kind == SIMT_SFU || op->kind == SIMT_DP || op->kind == SIMT_MATRIX;
}

/* Marks what an instruction reads, if it has an effect or its result decides. True: some is new. */
static bool mark_sources(search_t *s, uint32_t instr) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  const ptx_instr_t *in = &s->func->instrs[instr];
  bool decides = !computes(&s->k->ops[instr]), found = false;
  unsigned n = ptx_defs(s->func, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned i = 0; i < n; i++) decides |= s->decides[regs[i]];
  n = decides ? ptx_uses(s->func, in, regs, PTX_MAX_INSTR_REGS) : 0;
  for (unsigned i = 0; i < n; i++) found |= !s->decides[regs[i]], s->decides[regs[i]] = true;
  return found;
}

static void find_sources(search_t *s) {
  for (bool found = true; found;) {
    found = false;
    for (uint32_t b = s->func->num_blocks; b-- > 0;)
      for (uint32_t i = s->func->blocks[b].last + 1; s->inside[b] && i-- > s->func->blocks[b].first;)
        found |= mark_sources(s, i);
  }
}

/* Lists the places of registers; two may have the same. */
static void list_spans(const search_t *s, simt_kernel_t *k) {
  for (uint32_t r = 0; r < s->func->num_regs; r++) {
    const simt_reg_t *reg = &k->regs[r];
    if (s->decides[r] && s->kept[r] && reg->at != SIMT_NO_OPERAND)
      k->deciders[k->num_deciders++] = (simt_span_t){reg->at, reg->bytes == 1 ? 4 : 32u * reg->bytes};
  }
}

bool simt_deciders_find(simt_kernel_t *k) {
  const ptx_func_t *f = k->func;
  const size_t blocks = f->num_blocks + 1, regs = f->num_regs + 1;
  bool *sets = calloc(3 * blocks + 2 * regs, sizeof *sets);
  uint32_t *todo = calloc(blocks, sizeof *todo);
  k->deciders = calloc(regs, sizeof *k->deciders);
  const bool good = sets && todo && k->deciders;
  if (good) {
    search_t s = {k, f, sets, sets + blocks, sets + 2 * blocks, todo, sets + 3 * blocks, sets + 3 * blocks + regs};
    find_loops(&s);
    find_sources(&s);
    list_spans(&s, k);
  }
  free(sets);
  free(todo);
  return good;
}
