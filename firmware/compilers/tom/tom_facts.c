/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of a kernel: what each instruction is to a candidate, what it reads and writes, and what
 * that makes of basic blocks. Special registers count as read: a stack's SM does not have them, so
 * they are sent.
 */
#include <stdlib.h>
#include <string.h>

#include "tom_internal.h"

/* ---- What an instruction is ------------------------------------------------------------------ */

const char *act_text(act_t act) {
  static const char *const texts[] = {
#define TOM_ILLEGAL(name, text) [ACT_##name] = text,
#include "tom_illegal.def"
  };
  return is_illegal(act) ? texts[act] : "";
}

static bool has_any(const ptx_instr_t *in, const ptx_mod_t *mods, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (ptx_has(in, mods[i])) return true;
  return false;
}

/* By state space first. Parameters of a call and ordered accesses are not plain. */
static act_t act_of_access(const ptx_module_t *module, const ptx_instr_t *in) {
  static const ptx_mod_t ordered[] = {PTX_MOD_volatile, PTX_MOD_relaxed, PTX_MOD_acquire,
                                      PTX_MOD_release,  PTX_MOD_mmio,    PTX_MOD_async};
  const ptx_operand_t *at = &in->operand[in->op == PTX_OP_st ? 0 : 1];
  bool call_param = at->base == PTX_BASE_VAR && module->vars[at->index].is_call_param;
  switch (in->op == PTX_OP_ldu ? PTX_SPACE_GLOBAL : in->space) {
  case PTX_SPACE_SHARED: return ACT_SHARED;
  case PTX_SPACE_LOCAL: return ACT_LOCAL;
  case PTX_SPACE_GENERIC: return ACT_GENERIC;
  case PTX_SPACE_CONST: return ACT_PLAIN;
  case PTX_SPACE_PARAM: return call_param || in->op == PTX_OP_st ? ACT_CALL : ACT_PLAIN;
  default: break;
  }
  if (has_any(in, ordered, sizeof ordered / sizeof *ordered)) return ACT_ORDERED;
  return in->op == PTX_OP_st ? ACT_STORE : ACT_LOAD;
}

/* Does the operand say something that another SM would say otherwise? Clocks, and the numbers of
 * the SM and of the warp in it. */
static bool tells_time(const ptx_operand_t *o) {
  return o->kind == PTX_OPND_SREG && ((o->index >= PTX_SREG_clock && o->index <= PTX_SREG_globaltimer_hi) ||
                                      o->index == PTX_SREG_smid || o->index == PTX_SREG_warpid);
}

/* The carry flag cannot be sent to a stack. */
static act_t act_of_arithmetic(const ptx_instr_t *in) {
  if (ptx_has(in, PTX_MOD_cc) || in->op == PTX_OP_addc || in->op == PTX_OP_subc || in->op == PTX_OP_madc)
    return ACT_CARRY;
  for (unsigned k = 0; k < in->num_operands; k++)
    if (tells_time(&in->operand[k])) return ACT_TIME;
  return ACT_PLAIN;
}

act_t act_of(const ptx_module_t *module, const ptx_instr_t *in) {
  switch (in->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
  case PTX_OP_st: return act_of_access(module, in);
  case PTX_OP_bra:
  case PTX_OP_brx: return ACT_BRANCH;
  case PTX_OP_bar:
  case PTX_OP_barrier:
  case PTX_OP_mbarrier: return ACT_BARRIER;
  case PTX_OP_membar:
  case PTX_OP_fence: return ACT_FENCE;
  case PTX_OP_atom:
  case PTX_OP_red: return ACT_ATOMIC;
  case PTX_OP_call: return ACT_CALL;
  case PTX_OP_tex:
  case PTX_OP_tld4:
  case PTX_OP_txq:
  case PTX_OP_suq:
  case PTX_OP_suld:
  case PTX_OP_sust:
  case PTX_OP_sured: return ACT_TEXTURE;
  case PTX_OP_ret:
  case PTX_OP_exit:
  case PTX_OP_trap: return ACT_ENDS;
  case PTX_OP_shfl:
  case PTX_OP_vote:
  case PTX_OP_match:
  case PTX_OP_redux:
  case PTX_OP_activemask:
  case PTX_OP_elect: return ACT_THREADS;
#define ARITHMETIC(name) case PTX_OP_##name:
#include "tom_arithmetic.def"
    return act_of_arithmetic(in);
  default: return ACT_OTHER;
  }
}

/* ---- What it reads and writes ---------------------------------------------------------------- */

/* Words of each thread; 0: a predicate. */
static uint8_t words_of_type(ptx_type_t type) {
  return type == PTX_PRED ? 0 : (uint8_t)((ptx_type_bytes(type) + 3) / 4);
}

/* The id of a special register's component, made at its first use. */
static uint32_t id_of_sreg(kernel_t *k, const ptx_operand_t *o) {
  uint32_t id = k->f->num_regs;
  for (; id < k->num_ids; id++)
    if (k->ids[id].sreg == o->index && k->ids[id].sel == o->sel) return id;
  k->ids[k->num_ids++] = (tom_reg_t){PTX_NONE, (uint16_t)o->index, o->sel, words_of_type((ptx_type_t)o->type)};
  return id;
}

/* Special registers of an operand and of its elements. */
static unsigned count_sregs(const ptx_func_t *f, const ptx_operand_t *o) {
  unsigned n = o->kind == PTX_OPND_SREG;
  for (unsigned e = 0; e < o->count; e++) n += count_sregs(f, &f->elements[o->first + e]);
  return n;
}

/* Appends them to k->list from place `at` on; returns the next place. */
static uint32_t list_sregs(kernel_t *k, const ptx_operand_t *o, uint32_t at) {
  if (o->kind == PTX_OPND_SREG) k->list[at++] = id_of_sreg(k, o);
  for (unsigned e = 0; e < o->count; e++) at = list_sregs(k, &k->f->elements[o->first + e], at);
  return at;
}

static uint32_t smaller_of(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Two passes over the instructions: the first counts, the second lists. False: out of memory. */
static bool list_operands(kernel_t *k) {
  const ptx_func_t *f = k->f;
  int32_t regs[PTX_MAX_INSTR_REGS];
  uint32_t total = 0, sregs = 0, at = 0;
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    const ptx_instr_t *in = &f->instrs[i];
    total += smaller_of(ptx_uses(f, in, regs, PTX_MAX_INSTR_REGS), PTX_MAX_INSTR_REGS) +
             smaller_of(ptx_defs(f, in, regs, PTX_MAX_INSTR_REGS), PTX_MAX_INSTR_REGS);
    for (unsigned o = 0; o < in->num_operands; o++) sregs += count_sregs(f, &in->operand[o]);
  }
  k->list = malloc((total + sregs + 1) * sizeof *k->list);
  k->ids = malloc((f->num_regs + sregs + 1) * sizeof *k->ids);
  if (!k->list || !k->ids) return false;
  for (uint32_t r = 0; r < f->num_regs; r++)
    k->ids[r] = (tom_reg_t){.reg = (int32_t)r, .words = words_of_type(f->regs[r].type)};
  k->num_ids = f->num_regs;
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    const ptx_instr_t *in = &f->instrs[i];
    k->uses[i] = at;
    for (uint32_t n = smaller_of(ptx_uses(f, in, regs, PTX_MAX_INSTR_REGS), PTX_MAX_INSTR_REGS), u = 0; u < n; u++)
      k->list[at++] = (uint32_t)regs[u];
    for (unsigned o = 0; o < in->num_operands; o++) at = list_sregs(k, &in->operand[o], at);
    k->defs[i] = at;
    for (uint32_t n = smaller_of(ptx_defs(f, in, regs, PTX_MAX_INSTR_REGS), PTX_MAX_INSTR_REGS), d = 0; d < n; d++)
      k->list[at++] = (uint32_t)regs[d];
  }
  k->uses[f->num_instrs] = at;
  k->words = (k->num_ids + 63) / 64 + 1;
  return true;
}

/* Definitions go before uses come. A guarded write does not end a life, as threads without the
 * guard keep the old value. */
void step_back(const kernel_t *k, uint32_t i, uint64_t *set) {
  for (uint32_t d = k->defs[i]; d < k->uses[i + 1] && !k->f->instrs[i].guarded; d++)
    set[k->list[d] / 64] &= ~(UINT64_C(1) << (k->list[d] % 64));
  for (uint32_t u = k->uses[i]; u < k->defs[i]; u++) add_id(set, k->list[u]);
}

/* From the block's live_out back to the instruction, without special registers: they
 * are always there. */
void alive_at(const kernel_t *k, uint32_t i, uint64_t *set) {
  const ptx_block_t *b = &k->f->blocks[k->f->instrs[i].block];
  memset(set, 0, k->words * sizeof *set);
  memcpy(set, b->live_out, k->f->live_words * sizeof *set);
  for (uint32_t at = b->last + 1; at-- > i;) step_back(k, at, set);
  for (uint32_t id = k->f->num_regs; id < k->num_ids; id++) set[id / 64] &= ~(UINT64_C(1) << (id % 64));
}

/* Words and predicates of a set. */
tom_size_t size_of(const kernel_t *k, const uint64_t *set) {
  tom_size_t size = {0};
  for (uint32_t w = 0; w < k->words; w++) {
    for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
      uint8_t words = k->ids[w * 64 + (uint32_t)__builtin_ctzll(bits)].words;
      size.words += words;
      size.predicates += !words;
    }
  }
  return size;
}

/* ---- Basic blocks ---------------------------------------------------------------------------- */

/* gen, kill and written of a block, so that region_flow steps over a whole block at once. */
static void sum_up_block(kernel_t *k, uint32_t b) {
  const ptx_block_t *block = &k->f->blocks[b];
  uint64_t *gen = k->gen + (size_t)b * k->words, *kill = k->kill + (size_t)b * k->words,
           *written = k->written + (size_t)b * k->words;
  for (uint32_t i = block->last + 1; i-- > block->first;) {
    step_back(k, i, gen);
    for (uint32_t d = k->defs[i]; d < k->uses[i + 1]; d++) {
      add_id(written, k->list[d]);
      if (!k->f->instrs[i].guarded) add_id(kill, k->list[d]);
    }
  }
}

/* For each instruction the next access, if no branch and no illegal instruction lies between. */
static void find_lines(kernel_t *k) {
  const ptx_func_t *f = k->f;
  for (uint32_t i = f->num_instrs; i-- > 0;) {
    bool stops = k->act[i] == ACT_BRANCH || is_illegal(k->act[i]);
    if (is_access(k->act[i])) k->line_access[i] = i;
    else k->line_access[i] = stops || i + 1 == f->num_instrs ? NOWHERE : k->line_access[i + 1];
  }
}

bool kernel_make(kernel_t *k, const ptx_module_t *module, const ptx_func_t *func) {
  uint32_t n = func->num_instrs, blocks = func->num_blocks;
  *k = (kernel_t){.module = module, .f = func};
  k->act = calloc(n + 1, 1);
  k->access = calloc(n + 1, 1);
  k->uses = calloc(n + 2, sizeof *k->uses);
  k->defs = calloc(n + 2, sizeof *k->defs);
  k->line_access = calloc(n + 1, sizeof *k->line_access);
  if (!k->act || !k->access || !k->uses || !k->defs || !k->line_access || !list_operands(k)) return false;
  size_t sets = (size_t)(blocks + 1) * k->words;
  k->gen = calloc(sets, sizeof *k->gen);
  k->kill = calloc(sets, sizeof *k->kill);
  k->written = calloc(sets, sizeof *k->written);
  k->flow = calloc(sets, sizeof *k->flow);
  k->sets = calloc((size_t)NUM_SETS * k->words, sizeof *k->sets);
  k->stack = calloc(blocks + 1, sizeof *k->stack);
  if (!k->gen || !k->kill || !k->written || !k->flow || !k->sets || !k->stack) return false;
  for (uint32_t i = 0; i < n; i++) {
    k->act[i] = (uint8_t)act_of(module, &func->instrs[i]);
    if (is_access(k->act[i])) k->access[i] = (uint8_t)((ptx_access_bytes(&func->instrs[i]) + 3) / 4);
  }
  for (uint32_t b = 0; b < blocks; b++) sum_up_block(k, b);
  find_lines(k);
  return loops_make(k);
}

void kernel_free(kernel_t *k) {
  for (uint32_t l = 0; l < k->num_loops; l++) free(k->loops[l].has);
  free(k->act);
  free(k->access);
  free(k->uses);
  free(k->defs);
  free(k->list);
  free(k->ids);
  free(k->line_access);
  free(k->gen);
  free(k->kill);
  free(k->written);
  free(k->idom);
  free(k->depth);
  free(k->loops);
  free(k->innermost);
  free(k->flow);
  free(k->sets);
  free(k->stack);
}
