/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of a function once its instructions are: registers read and written, basic blocks,
 * post-dominators, reconvergence, liveness; and where a kernel's shared variables are.
 *
 *    instructions --make_blocks, connect_blocks--> graph --find_post_dominators--> reconvergence
 *                                                      \-find_liveness--> live_in, live_out
 *
 * Post-dominators: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed
 * graph. An exit under a guard ends threads but not the warp's path, so it is no edge.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx_internal.h"

/* ---- Registers of an instruction ------------------------------------------------------------- */

typedef struct {
  int32_t *regs;
  unsigned count, most;
} reg_list_t;

/* Counts past `most`, as snprintf does, so that callers learn the size. */
static void add_reg(reg_list_t *list, int32_t reg) {
  if (list->count < list->most) list->regs[list->count] = reg;
  list->count++;
}

/* The registers of an operand and of its elements. */
static void add_operand(const ptx_func_t *f, const ptx_operand_t *o, reg_list_t *list) {
  if (o->kind == PTX_OPND_REG || (o->kind == PTX_OPND_ADDR && o->base == PTX_BASE_REG)) add_reg(list, o->index);
  for (unsigned k = 0; k < o->count; k++) add_operand(f, &f->elements[o->first + k], list);
}

/* How many leading operands are results. Some opcodes decide it by their form: a call has results
 * if its callee is not first. */
static unsigned num_dests(const ptx_instr_t *in) {
  switch (in->op) {
  case PTX_OP_call: return in->num_operands > 1 && in->operand[0].kind == PTX_OPND_LIST ? 1 : 0;
  case PTX_OP_bar:
  case PTX_OP_barrier: return ptx_has(in, PTX_MOD_red) ? 1 : 0;
  case PTX_OP_lop3: return in->num_operands == 6 && in->operand[0].kind != PTX_OPND_PAIR ? 2 : 1;
  case PTX_OP_mbarrier:
  case PTX_OP_multimem:
  case PTX_OP_clusterlaunchcontrol: return in->num_operands && in->operand[0].kind != PTX_OPND_ADDR ? 1 : 0;
  default: return op_info((ptx_op_t)in->op)->dests;
  }
}

unsigned ptx_defs(const ptx_func_t *func, const ptx_instr_t *in, int32_t *regs, unsigned most) {
  reg_list_t list = {regs, 0, most};
  unsigned dests = num_dests(in);
  for (unsigned k = 0; k < dests && k < in->num_operands; k++)
    if (in->operand[k].kind != PTX_OPND_ADDR) add_operand(func, &in->operand[k], &list);
  return list.count;
}

unsigned ptx_uses(const ptx_func_t *func, const ptx_instr_t *in, int32_t *regs, unsigned most) {
  reg_list_t list = {regs, 0, most};
  unsigned dests = num_dests(in);
  if (in->guarded) add_reg(&list, in->guard);
  for (unsigned k = 0; k < in->num_operands; k++)
    if (k >= dests || in->operand[k].kind == PTX_OPND_ADDR) add_operand(func, &in->operand[k], &list);
  return list.count;
}

unsigned ptx_access_bytes(const ptx_instr_t *in) {
  switch (in->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
  case PTX_OP_st:
  case PTX_OP_atom:
  case PTX_OP_red: return in->num_types ? ptx_type_bytes((ptx_type_t)in->type[in->num_types - 1]) * in->vec : 0;
  default: return 0;
  }
}

/* ---- Basic blocks ---------------------------------------------------------------------------- */

/* Leaves the straight line. A call returns, so it does not. */
static bool ends_block(const ptx_instr_t *in) {
  switch (in->op) {
  case PTX_OP_bra:
  case PTX_OP_brx:
  case PTX_OP_ret:
  case PTX_OP_exit:
  case PTX_OP_trap: return true;
  default: return false;
  }
}

/* The targets of brx; NULL for other instructions. */
static const ptx_table_t *branch_table(const ptx_func_t *f, const ptx_instr_t *in) {
  const ptx_operand_t *o = &in->operand[1];
  if (in->op != PTX_OP_brx || o->kind != PTX_OPND_TABLE) return NULL;
  return f->tables[o->index].kind == PTX_TABLE_BRANCH ? &f->tables[o->index] : NULL;
}

/* Cuts at labels and behind branches, and tells each instruction its block. */
static ptx_block_t *make_blocks(parser_t *p, ptx_func_t *f, ptx_instr_t *instrs) {
  uint32_t n = f->num_instrs, count = 0;
  uint8_t *leader = arena_alloc(p, n + 1);
  leader[0] = 1;
  for (uint32_t i = 0; i < f->num_labels; i++) leader[f->labels[i].instr] = 1;
  for (uint32_t i = 0; i < n; i++)
    if (ends_block(&instrs[i])) leader[i + 1] = 1;
  for (uint32_t i = 0; i < n; i++) count += leader[i];
  ptx_block_t *blocks = arena_alloc(p, count * sizeof *blocks);
  for (uint32_t i = 0, b = 0; i < n; i++) {
    if (leader[i]) blocks[b++] = (ptx_block_t){.first = i, .ipdom = PTX_NONE};
    blocks[b - 1].last = i;
    instrs[i].block = b - 1;
  }
  f->num_blocks = count;
  f->blocks = blocks;
  return blocks;
}

/* Adds an edge once: both ways of a branch may lead to one block. */
static void add_succ(ptx_block_t *b, uint32_t *succs, uint32_t to) {
  for (uint32_t k = 0; k < b->num_succs; k++)
    if (succs[k] == to) return;
  succs[b->num_succs++] = to;
}

/* Successors first, then predecessors: count, allocate, fill. */
static void connect_blocks(parser_t *p, const ptx_func_t *f, ptx_block_t *blocks) {
  for (uint32_t b = 0; b < f->num_blocks; b++) {
    const ptx_instr_t *last = &f->instrs[blocks[b].last];
    const ptx_table_t *table = branch_table(f, last);
    uint32_t *succs = arena_alloc(p, (2 + (table ? table->count : 0)) * sizeof *succs);
    bool falls = !ends_block(last) || last->guarded;
    blocks[b].succs = succs;
    if (falls && blocks[b].last + 1 < f->num_instrs) add_succ(&blocks[b], succs, b + 1);
    if (last->op == PTX_OP_bra) add_succ(&blocks[b], succs, f->instrs[last->target].block);
    for (uint32_t k = 0; table && k < table->count; k++) add_succ(&blocks[b], succs, f->instrs[table->index[k]].block);
  }
  for (uint32_t b = 0; b < f->num_blocks; b++)
    for (uint32_t k = 0; k < blocks[b].num_succs; k++) blocks[blocks[b].succs[k]].num_preds++;
  for (uint32_t b = 0; b < f->num_blocks; b++) {
    blocks[b].preds = arena_alloc(p, blocks[b].num_preds * sizeof(uint32_t));
    blocks[b].num_preds = 0;
  }
  for (uint32_t b = 0; b < f->num_blocks; b++) {
    for (uint32_t k = 0; k < blocks[b].num_succs; k++) {
      ptx_block_t *to = &blocks[blocks[b].succs[k]];
      ((uint32_t *)to->preds)[to->num_preds++] = b;
    }
  }
}

/* ---- Post-dominators ------------------------------------------------------------------------- */

/* Blocks in post-order of a depth-first walk along the edges: successors from block 0, or
 * predecessors from every block without successors. Returns how many blocks the walk reaches. The
 * stack is explicit, as functions may have many thousands of blocks. */
static uint32_t post_order(parser_t *p, const ptx_func_t *f, bool backwards, uint32_t *order) {
  uint32_t n = f->num_blocks, count = 0, top = 0;
  uint8_t *seen = arena_alloc(p, n);
  uint32_t *stack = arena_alloc(p, n * sizeof *stack), *next = arena_alloc(p, n * sizeof *next);
  for (uint32_t root = 0; root < n; root++) {
    bool is_root = backwards ? !f->blocks[root].num_succs : root == 0;
    if (!is_root || seen[root]) continue;
    seen[root] = 1;
    stack[top++] = root;
    while (top) {
      const ptx_block_t *b = &f->blocks[stack[top - 1]];
      uint32_t *k = &next[stack[top - 1]];
      if (*k == (backwards ? b->num_preds : b->num_succs)) {
        order[count++] = stack[--top];
        continue;
      }
      uint32_t to = (backwards ? b->preds : b->succs)[(*k)++];
      if (!seen[to]) {
        seen[to] = 1;
        stack[top++] = to;
      }
    }
  }
  return count;
}

/* The nearest common post-dominator. The virtual exit is number n and has the highest rank. */
static uint32_t common_post_dominator(const uint32_t *idom, const uint32_t *rank, uint32_t a, uint32_t b) {
  while (a != b) {
    while (rank[a] < rank[b]) a = idom[a];
    while (rank[b] < rank[a]) b = idom[b];
  }
  return a;
}

/* Iterates in reverse post-order of the reversed graph until nothing changes. Blocks that reach no
 * exit (endless loops) keep PTX_NONE. */
static void find_post_dominators(parser_t *p, const ptx_func_t *f, ptx_block_t *blocks) {
  uint32_t n = f->num_blocks;
  uint32_t *order = arena_alloc(p, n * sizeof *order), *rank = arena_alloc(p, (n + 1) * sizeof *rank);
  uint32_t *idom = arena_alloc(p, (n + 1) * sizeof *idom);
  uint32_t count = post_order(p, f, true, order);
  bool changed = true;
  memset(idom, 0xff, (n + 1) * sizeof *idom);
  for (uint32_t i = 0; i < count; i++) rank[order[i]] = i;
  rank[n] = count;
  idom[n] = n;
  while (changed) {
    changed = false;
    for (uint32_t i = count; i-- > 0;) {
      uint32_t b = order[i], best = blocks[b].num_succs ? UINT32_MAX : n;
      for (uint32_t k = 0; k < blocks[b].num_succs; k++) {
        uint32_t to = blocks[b].succs[k];
        if (idom[to] == UINT32_MAX) continue;
        best = best == UINT32_MAX ? to : common_post_dominator(idom, rank, best, to);
      }
      changed |= idom[b] != best;
      idom[b] = best;
    }
  }
  for (uint32_t b = 0; b < n; b++) blocks[b].ipdom = idom[b] < n ? (int32_t)idom[b] : PTX_NONE;
}

/* A branch's threads meet again at the start of its block's immediate post-dominator. */
static void set_reconvergence(const ptx_func_t *f, ptx_instr_t *instrs) {
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    if (instrs[i].op != PTX_OP_bra && instrs[i].op != PTX_OP_brx) continue;
    int32_t at = f->blocks[instrs[i].block].ipdom;
    instrs[i].reconv = at == PTX_NONE ? (int32_t)f->num_instrs : (int32_t)f->blocks[at].first;
  }
}

/* ---- Liveness -------------------------------------------------------------------------------- */

static void set_bit(uint64_t *set, int32_t reg) {
  set[reg / 64] |= UINT64_C(1) << (reg % 64);
}

/* Steps a live set backwards over an instruction. */
static void live_step(const ptx_func_t *f, const ptx_instr_t *in, uint64_t *set) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  unsigned n = in->guarded ? 0 : ptx_defs(f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned k = 0; k < n && k < PTX_MAX_INSTR_REGS; k++) set[regs[k] / 64] &= ~(UINT64_C(1) << (regs[k] % 64));
  n = ptx_uses(f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned k = 0; k < n && k < PTX_MAX_INSTR_REGS; k++) set_bit(set, regs[k]);
}

/* Backward data flow in post-order, until nothing changes. Also marks the blocks reached. */
static void find_liveness(parser_t *p, const ptx_func_t *f, ptx_block_t *blocks) {
  uint32_t words = f->live_words, n = f->num_blocks;
  uint32_t *order = arena_alloc(p, n * sizeof *order);
  uint64_t *scratch = arena_alloc(p, words * sizeof *scratch);
  for (uint32_t b = 0; b < n; b++) {
    blocks[b].live_in = arena_alloc(p, words * sizeof *scratch);
    blocks[b].live_out = arena_alloc(p, words * sizeof *scratch);
  }
  uint32_t count = post_order(p, f, false, order);
  for (uint32_t i = 0; i < count; i++) blocks[order[i]].reachable = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < count; i++) {
      ptx_block_t *b = &blocks[order[i]];
      uint64_t *out = (uint64_t *)b->live_out;
      for (uint32_t k = 0; k < b->num_succs; k++)
        for (uint32_t w = 0; w < words; w++) out[w] |= blocks[b->succs[k]].live_in[w];
      memcpy(scratch, out, words * sizeof *out);
      for (uint32_t at = b->last + 1; at-- > b->first;) live_step(f, &f->instrs[at], scratch);
      if (memcmp(scratch, b->live_in, words * sizeof *scratch) == 0) continue;
      memcpy((uint64_t *)b->live_in, scratch, words * sizeof *scratch);
      changed = true;
    }
  }
}

void ptx_live_before(const ptx_func_t *f, uint32_t i, uint64_t *set) {
  const ptx_block_t *b = &f->blocks[f->instrs[i].block];
  memcpy(set, b->live_out, f->live_words * sizeof *set);
  for (uint32_t at = b->last + 1; at-- > i;) live_step(f, &f->instrs[at], set);
}

void flow_analyse(parser_t *p, ptx_func_t *f) {
  ptx_instr_t *instrs = (ptx_instr_t *)f->instrs; /* ours until the module is handed out */
  ptx_block_t *blocks = make_blocks(p, f, instrs);
  f->live_words = (f->num_regs + 63) / 64;
  connect_blocks(p, f, blocks);
  find_post_dominators(p, f, blocks);
  set_reconvergence(f, instrs);
  find_liveness(p, f, blocks);
}

/* ---- Shared memory --------------------------------------------------------------------------- */

/* The search for what a kernel reaches; one byte for each variable and function. */
typedef struct {
  const ptx_module_t *module;
  uint8_t *var_used, *func_seen;
} reach_t;

/* Queues a function once. */
static void reach_function(reach_t *r, int32_t func, uint32_t *queue, uint32_t *count) {
  if (r->func_seen[func]) return;
  r->func_seen[func] = 1;
  queue[(*count)++] = (uint32_t)func;
}

/* Marks the variables and queues the functions that an operand names. A call through a table may
 * reach all its targets. */
static void reach_operand(reach_t *r, const ptx_func_t *f, const ptx_operand_t *o, uint32_t *queue, uint32_t *count) {
  bool is_var = o->kind == PTX_OPND_VAR || (o->kind == PTX_OPND_ADDR && o->base == PTX_BASE_VAR);
  if (is_var) r->var_used[o->index] = 1;
  if (o->kind == PTX_OPND_FUNC) reach_function(r, o->index, queue, count);
  for (uint32_t k = 0;
       o->kind == PTX_OPND_TABLE && f->tables[o->index].kind == PTX_TABLE_CALL && k < f->tables[o->index].count; k++)
    reach_function(r, f->tables[o->index].index[k], queue, count);
}

/* Marks every variable that the kernel, or a function it may reach, names. `queue` has room for all
 * functions. */
static void reach_from_kernel(reach_t *r, int32_t kernel, uint32_t *queue) {
  uint32_t count = 0;
  memset(r->var_used, 0, r->module->num_vars);
  memset(r->func_seen, 0, r->module->num_funcs);
  reach_function(r, kernel, queue, &count);
  for (uint32_t head = 0; head < count; head++) {
    const ptx_func_t *f = &r->module->funcs[queue[head]];
    for (uint32_t i = 0; i < f->num_instrs; i++)
      for (unsigned k = 0; k < f->instrs[i].num_operands; k++)
        reach_operand(r, f, &f->instrs[i].operand[k], queue, &count);
    for (uint32_t i = 0; i < f->num_elements; i++) reach_operand(r, f, &f->elements[i], queue, &count);
  }
}

/* Static variables in order, each aligned; then the dynamic ones, which all begin at the end of the
 * static ones. */
static void place_shared(parser_t *p, const reach_t *r, ptx_func_t *f) {
  const ptx_module_t *m = r->module;
  uint32_t count = 0;
  for (uint32_t v = 0; v < m->num_vars; v++) count += r->var_used[v] && m->vars[v].space == PTX_SPACE_SHARED;
  int32_t *vars = arena_alloc(p, count * sizeof *vars);
  uint64_t *offsets = arena_alloc(p, count * sizeof *offsets);
  f->shared_var = vars;
  f->shared_offset = offsets;
  for (int dynamic = 0; dynamic < 2; dynamic++) {
    for (uint32_t v = 0; v < m->num_vars; v++) {
      const ptx_var_t *var = &m->vars[v];
      if (!r->var_used[v] || var->space != PTX_SPACE_SHARED || var->dynamic != dynamic) continue;
      vars[f->num_shared] = (int32_t)v;
      offsets[f->num_shared++] = (f->shared_bytes + var->align - 1) / var->align * var->align;
      if (!dynamic) f->shared_bytes = offsets[f->num_shared - 1] + var->size;
    }
  }
}

/* Kernel by kernel: a device function's variable may lie elsewhere in each kernel that calls it. */
void shared_layout(parser_t *p) {
  ptx_module_t *m = &p->owner->module;
  reach_t r = {m, arena_alloc(p, m->num_vars), arena_alloc(p, m->num_funcs)};
  uint32_t *queue = arena_alloc(p, m->num_funcs * sizeof *queue);
  for (uint32_t i = 0; i < m->num_funcs; i++) {
    ptx_func_t *f = (ptx_func_t *)&m->funcs[i];
    if (!f->is_kernel || !f->defined) continue;
    reach_from_kernel(&r, (int32_t)i, queue);
    place_shared(p, &r, f);
  }
}

uint64_t ptx_shared_offset(const ptx_func_t *kernel, int32_t var) {
  for (uint32_t i = 0; i < kernel->num_shared; i++)
    if (kernel->shared_var[i] == var) return kernel->shared_offset[i];
  return UINT64_MAX;
}
