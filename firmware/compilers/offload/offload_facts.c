/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of a kernel that do not depend on where a block begins: what may be inside one, where
 * values come from, which loads are indirect, which registers hold uniform constants.
 */
#include <stdlib.h>
#include <string.h>

#include "offload_internal.h"

/* Does the instruction have one of the modifiers? */
static bool has_any(const ptx_instr_t *in, const ptx_mod_t *mods, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (ptx_has(in, mods[i])) return true;
  return false;
}

/* Elements of 8 bytes travel as two words of 4, narrower ones as a word each. */
offload_access_t offload_access(const ptx_instr_t *in) {
  unsigned bytes = ptx_type_bytes((ptx_type_t)in->type[0]);
  return (offload_access_t){(uint8_t)(bytes == 8 ? 2 * in->vec : in->vec), (uint8_t)(bytes == 8 ? 4 : bytes)};
}

/* Plain loads and stores of global memory. Elements are words of 1, 2 or 4 bytes, or two words of
 * 4. Accesses with an order or a hint for the caches are the GPU's alone. */
static bool is_plain_access(const ptx_instr_t *in) {
  static const ptx_mod_t ordered[] = {PTX_MOD_volatile, PTX_MOD_relaxed, PTX_MOD_acquire,
                                      PTX_MOD_release,  PTX_MOD_mmio,    PTX_MOD_cv,
                                      PTX_MOD_async,    PTX_MOD_bulk,    PTX_MOD_L2_cache_hint};
  unsigned bytes = ptx_type_bytes((ptx_type_t)in->type[0]);
  char kind = ptx_type_kind((ptx_type_t)in->type[0]);
  return in->space == PTX_SPACE_GLOBAL && in->num_operands == 2 && bytes <= 8 && kind != 'X' && kind != 'P' &&
         !has_any(in, ordered, sizeof ordered / sizeof *ordered);
}

/* Reads parameters or the const segment. The parameters of a call are not the launch's, so they do
 * not count. */
static bool is_constant_load(const kernel_t *k, const ptx_instr_t *in) {
  if (in->op != PTX_OP_ld || in->num_operands != 2) return false;
  if (in->space == PTX_SPACE_CONST) return true;
  const ptx_operand_t *o = &in->operand[1];
  return in->space == PTX_SPACE_PARAM && !(o->base == PTX_BASE_VAR && k->module->vars[o->index].is_call_param);
}

/* The GPU may execute it inside a block. A carry (.cc) is no register that could be sent. */
static bool is_arithmetic(const ptx_instr_t *in) {
  return ptx_op_computes((ptx_op_t)in->op) && !ptx_has(in, PTX_MOD_cc);
}

/* Does the instruction give the same result at another time? No, if it indexes the constants by a
 * register (an access of memory) or reads one of the clocks. */
static bool gives_same_later(const ptx_instr_t *in) {
  const ptx_operand_t *from = &in->operand[1];
  if (in->op == PTX_OP_ld) return from->base == PTX_BASE_VAR;
  return from->kind != PTX_OPND_SREG || from->index < PTX_SREG_clock || from->index > PTX_SREG_globaltimer_hi;
}

/* mov.u64 r, texture: only the GPU knows the handle. */
static bool names_reference(const kernel_t *k, const ptx_instr_t *in) {
  for (unsigned i = 0; i < in->num_operands; i++) {
    const ptx_operand_t *o = &in->operand[i];
    const unsigned type = o->kind == PTX_OPND_VAR ? k->module->vars[o->index].type : PTX_NO_TYPE;
    if (type == PTX_TEXREF || type == PTX_SAMPLERREF || type == PTX_SURFREF) return true;
  }
  return false;
}

/* The class by form alone. facts_make turns accesses that do not translate into CLASS_HARD. */
static class_t class_of_instr(const kernel_t *k, const ptx_instr_t *in) {
  if (names_reference(k, in)) return CLASS_HARD;
  if ((in->op == PTX_OP_ld || in->op == PTX_OP_ldu) && is_plain_access(in)) return CLASS_LOAD;
  if (in->op == PTX_OP_st && is_plain_access(in)) return CLASS_STORE;
  return is_arithmetic(in) || is_constant_load(k, in) ? CLASS_ALU : CLASS_HARD;
}

/* ---- Where values come from ---- */

typedef struct {
  kernel_t *k;
  int32_t *last_def; /* of each register, in this basic block */
  uint32_t count, room;
  bool failed;
} use_list_t;

/* Appends one use with the definition that reaches it within the basic block. */
static void add_use(use_list_t *l, int32_t reg, use_kind_t kind) {
  if (l->count == l->room) {
    uint32_t room = l->room ? l->room * 2 : 256;
    use_t *grown = realloc(l->k->uses, room * sizeof *grown);
    if (!grown) {
      l->failed = true;
      return;
    }
    l->k->uses = grown;
    l->room = room;
  }
  l->k->uses[l->count++] = (use_t){reg, l->last_def[reg], kind};
}

/* Appends the instruction's uses in the order of ptx_uses: guard, then operands. The registers of a
 * load are all address. A store's address register comes first, if it has one. */
static void add_uses(use_list_t *l, uint32_t i) {
  const ptx_func_t *f = l->k->func;
  const ptx_instr_t *in = &f->instrs[i];
  fact_t *fact = &l->k->facts[i];
  int32_t regs[PTX_MAX_INSTR_REGS];
  bool access = fact->class == CLASS_LOAD || fact->class == CLASS_STORE;
  const ptx_operand_t *address = access ? &in->operand[fact->class == CLASS_LOAD] : NULL;
  fact->first_use = l->count;
  unsigned n = ptx_uses(f, in, regs, PTX_MAX_INSTR_REGS), from = 0;
  if (in->guarded) add_use(l, regs[from++], USE_GUARD); /* ptx_uses names the guard first */
  bool address_left = address && address->base == PTX_BASE_REG;
  bool address_first = fact->class == CLASS_STORE; /* st [address], data: operands in order */
  for (unsigned u = from; u < n; u++) {
    bool is_address = address_left && (address_first ? u == from : true);
    add_use(l, regs[u], is_address ? USE_ADDRESS : USE_DATA);
    if (is_address && address_first) address_left = false;
  }
  /* the NSU sets the high word itself, under the guard */
  if (in->guarded && fact->class == CLASS_LOAD && load_widens(f, in)) add_use(l, in->guard, USE_DATA);
  /* where the guard is false the old value stays, which is a use, too */
  if (in->guarded && fact->class != CLASS_HARD) {
    n = ptx_defs(f, in, regs, PTX_MAX_INSTR_REGS);
    for (unsigned d = 0; d < n; d++) add_use(l, regs[d], USE_OLD);
  }
  fact->num_uses = l->count - fact->first_use;
}

/* Lists the registers that each instruction writes, all in one array. False: out of memory. */
static bool find_defs(kernel_t *k) {
  const ptx_func_t *f = k->func;
  int32_t regs[PTX_MAX_INSTR_REGS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    unsigned n = ptx_defs(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
    k->facts[i].first_def = count;
    count += k->facts[i].num_defs = n < PTX_MAX_INSTR_REGS ? n : PTX_MAX_INSTR_REGS;
  }
  if (!(k->defs = malloc((count + 1) * sizeof *k->defs))) return false;
  for (uint32_t i = 0; i < f->num_instrs; i++)
    ptx_defs(f, &f->instrs[i], k->defs + k->facts[i].first_def, k->facts[i].num_defs);
  return true;
}

/* Walks each basic block once; last_def is empty at its start. False: out of memory. */
static bool find_uses(kernel_t *k) {
  const ptx_func_t *f = k->func;
  use_list_t l = {.k = k, .last_def = malloc((f->num_regs + 1) * sizeof(int32_t))};
  int32_t regs[PTX_MAX_INSTR_REGS];
  if (!l.last_def) return false;
  for (uint32_t b = 0; b < f->num_blocks; b++) {
    memset(l.last_def, 0xff, f->num_regs * sizeof(int32_t));
    for (uint32_t i = f->blocks[b].first; i <= f->blocks[b].last; i++) {
      add_uses(&l, i);
      unsigned n = ptx_defs(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
      for (unsigned d = 0; d < n && d < PTX_MAX_INSTR_REGS; d++) l.last_def[regs[d]] = (int32_t)i;
    }
  }
  free(l.last_def);
  return !l.failed;
}

/* ---- Indirect loads: the address comes, by whatever way, from a value that was loaded ---- */

/* Marks what the instruction writes if it reads memory or a marked register. True: a mark is
 * new. */
static bool spread_taint(const ptx_func_t *f, const ptx_instr_t *in, uint8_t *tainted) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  bool memory = (in->op == PTX_OP_ld && (in->space == PTX_SPACE_GLOBAL || in->space == PTX_SPACE_GENERIC)) ||
                in->op == PTX_OP_ldu || in->op == PTX_OP_tex || in->op == PTX_OP_atom;
  bool from = memory, changed = false;
  unsigned n = ptx_uses(f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned u = in->guarded; u < n && !from; u++) from = tainted[regs[u]];
  if (!from || in->op == PTX_OP_setp) return false; /* a choice between addresses is no address from memory */
  n = ptx_defs(f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned d = 0; d < n && d < PTX_MAX_INSTR_REGS; d++) {
    changed |= !tainted[regs[d]];
    tainted[regs[d]] = 1;
  }
  return changed;
}

/* Spreads the marks to a fixed point over the whole kernel, then looks at the addresses of loads.
 * False: out of memory. */
static bool find_indirect(kernel_t *k) {
  const ptx_func_t *f = k->func;
  uint8_t *tainted = calloc(f->num_regs + 1, 1);
  if (!tainted) return false;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f->num_instrs; i++) changed |= spread_taint(f, &f->instrs[i], tainted);
  }
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    const ptx_operand_t *address = &f->instrs[i].operand[1];
    k->facts[i].indirect = k->facts[i].class == CLASS_LOAD && address->base == PTX_BASE_REG && tainted[address->index];
  }
  free(tainted);
  return true;
}

/* ---- Uniform constants ---- */

/* A constant of 4 to 8 bytes at a fixed place, which LDC can fetch. */
static bool is_word_constant(const kernel_t *k, const ptx_instr_t *in) {
  const ptx_operand_t *o = &in->operand[1];
  unsigned bytes = in->num_types ? ptx_type_bytes((ptx_type_t)in->type[0]) : 0;
  return is_constant_load(k, in) && o->base == PTX_BASE_VAR && in->vec == 1 && in->operand[0].kind == PTX_OPND_REG &&
         bytes >= 4 && bytes <= 8;
}

/* A register is uniform if its only definition is an unguarded constant load. The NSU then fetches
 * the value itself, and the command need not carry it. */
static void find_uniform(kernel_t *k) {
  const ptx_func_t *f = k->func;
  enum { MANY = -2 };
  int32_t regs[PTX_MAX_INSTR_REGS];
  for (uint32_t r = 0; r < f->num_regs; r++) k->uniform[r] = PTX_NONE;
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    unsigned n = ptx_defs(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
    for (unsigned d = 0; d < n && d < PTX_MAX_INSTR_REGS; d++)
      k->uniform[regs[d]] = k->uniform[regs[d]] == PTX_NONE ? (int32_t)i : MANY;
  }
  for (uint32_t r = 0; r < f->num_regs; r++) {
    int32_t i = k->uniform[r];
    bool keep = i >= 0 && k->facts[i].translates && !f->instrs[i].guarded && is_word_constant(k, &f->instrs[i]);
    if (!keep) k->uniform[r] = PTX_NONE;
  }
}

bool facts_make(kernel_t *k, const ptx_module_t *module, const ptx_func_t *func, uint32_t const_offset) {
  *k = (kernel_t){.module = module, .func = func, .const_offset = const_offset};
  k->facts = calloc(func->num_instrs + 1, sizeof *k->facts);
  k->uniform = malloc((func->num_regs + 1) * sizeof *k->uniform);
  k->seen = calloc(func->live_words + 1, sizeof *k->seen);
  size_t virtuals = (size_t)func->num_regs * 2 + MAX_NSU;
  k->end = malloc(virtuals * sizeof *k->end);
  k->slot = malloc(virtuals * sizeof *k->slot);
  if (!k->facts || !k->uniform || !k->seen || !k->end || !k->slot) return false;
  memset(k->slot, 0xff, virtuals * sizeof *k->slot);
  /* translate_instr gives its verdict here; its code is thrown away, plan_emit asks again */
  for (uint32_t i = 0; i < func->num_instrs; i++) {
    vinstr_t out[MAX_EXPAND];
    uint32_t temps = 0;
    k->facts[i].class = class_of_instr(k, &func->instrs[i]);
    k->facts[i].translates = k->facts[i].class != CLASS_HARD && translate_instr(k, i, out, &temps) > 0;
    if (k->facts[i].class != CLASS_ALU && !k->facts[i].translates) k->facts[i].class = CLASS_HARD;
    k->facts[i].repeats = k->facts[i].class == CLASS_ALU && gives_same_later(&func->instrs[i]);
  }
  find_uniform(k);
  return find_uses(k) && find_defs(k) && find_indirect(k) && live_make(k) && alias_make(k);
}

void facts_free(kernel_t *k) {
  free(k->facts);
  free(k->uses);
  free(k->defs);
  free(k->uniform);
  free(k->seen);
  free(k->first_touch);
  free(k->touches);
  free(k->end);
  free(k->slot);
}
