/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU code of a planned block: translation, linear-scan allocation of F0 .. F15, encoding.
 *
 *    plan --translate_block--> vinstr_t code[] --find_ends--> ends --allocate_and_encode--> words
 *
 * A GPU register, or half of a 64-bit one, is one virtual register with one interval. The interval
 * reaches from OFLD.BEG or the first write to OFLD.END or the last use. An instruction reads before
 * it writes, so its result may take the register of an operand that ends there.
 */
#include <string.h>

#include "nsu_isa.h"
#include "offload_internal.h"

/* The state of one plan_emit. k->slot and k->end hold the intervals, indexed by virtual register;
 * `touched` lists the entries used, for the reset. */
typedef struct {
  const kernel_t *k;
  plan_t *plan;
  vinstr_t code[MAX_NSU];
  uint32_t count, temps;
  uint32_t fetched; /* bit u: uniform u has been loaded */
  uint32_t free;    /* bit r: F[r] */
  int32_t touched[12 * MAX_NSU];
  uint8_t paired[MAX_NSU / 8 + 1]; /* bit t: temporary t is half of a pair */
  uint32_t num_touched;
} emit_t;

/* Appends instruction i; `source` is the origin that the NSU code names. False: the NSU lacks the
 * instruction, or the space for code or temporaries runs out. */
static bool append_translation(emit_t *e, uint32_t i, int32_t source) {
  vinstr_t out[MAX_EXPAND];
  unsigned n = translate_instr(e->k, i, out, &e->temps);
  if (!n || e->count + n > MAX_NSU - 2 || e->temps > MAX_NSU - MAX_EXPAND) return false;
  for (unsigned v = 0; v < n; v++) {
    out[v].source = source;
    e->code[e->count++] = out[v];
  }
  return true;
}

/* Appends LDC of the constants that instruction i is the first to read on the NSU. Their definition
 * lies before the block. */
static bool fetch_uniforms(emit_t *e, uint32_t i) {
  const fact_t *fact = &e->k->facts[i];
  const plan_t *p = e->plan;
  for (uint32_t u = 0; u < fact->num_uses; u++) {
    const use_t *use = &e->k->uses[fact->first_use + u];
    bool reads = fact->class == CLASS_ALU || use->kind == USE_DATA || use->kind == USE_OLD;
    for (uint32_t c = 0; reads && use->def < (int32_t)p->first && c < p->num_uniform; c++) {
      if (p->uniform[c] != use->reg || e->fetched >> c & 1) continue;
      e->fetched |= 1u << c;
      if (!append_translation(e, (uint32_t)e->k->uniform[use->reg], PTX_NONE)) return false;
    }
  }
  return true;
}

/* Translates every instruction that has a part on the NSU, after the constants that it needs. */
static bool translate_block(emit_t *e) {
  const plan_t *p = e->plan;
  for (uint32_t i = p->first; i <= p->last; i++) {
    if (p->role[i - p->first] == OFFLOAD_GPU) continue;
    if (!fetch_uniforms(e, i) || !append_translation(e, i, (int32_t)i)) return false;
  }
  return true;
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* The other half of a 64-bit register, whose halves need neighbouring F registers; PTX_NONE for
 * other registers. Both halves live and die together. */
static int32_t other_half(const emit_t *e, int32_t v) {
  const int32_t regs = 2 * (int32_t)e->k->func->num_regs;
  if (v < regs) return reg_words(e->k->func, v / 2) == 2 ? v ^ 1 : PTX_NONE;
  return e->paired[(v - regs) / 8] >> ((v - regs) % 8) & 1 ? v ^ 1 : PTX_NONE;
}

/* The virtual register lives until position `end`. Calls come in ascending order, so the last one
 * wins. */
static void extend_word_interval(emit_t *e, int32_t v, int32_t end) {
  if (e->k->slot[v] == PTX_NONE) {
    e->k->slot[v] = -2; /* known, not in a register yet */
    e->touched[e->num_touched++] = v;
  }
  e->k->end[v] = end;
}

/* As extend_word_interval, for both halves of a pair. PTX_NONE is ignored. */
static void extend_interval(emit_t *e, int32_t v, int32_t end) {
  if (v == PTX_NONE) return;
  extend_word_interval(e, v, end);
  if (other_half(e, v) != PTX_NONE) extend_word_interval(e, other_half(e, v), end);
}

/* Marks the temporaries that some instruction takes as an even-odd pair. */
static void find_pairs(emit_t *e) {
  const int32_t regs = 2 * (int32_t)e->k->func->num_regs;
  memset(e->paired, 0, sizeof e->paired);
  for (uint32_t i = 0; i < e->count; i++) {
    const vinstr_t *v = &e->code[i];
    const unsigned pairs = isa_pairs(v->op);
    const int32_t operands[] = {v->rd, v->ra, v->rb, v->rc};
    for (unsigned o = 0; o < 4; o++)
      if (pairs >> o & 1 && operands[o] >= regs)
        e->paired[(operands[o] - regs) / 8] |= (uint8_t)(3u << ((operands[o] - regs) % 8));
  }
}

/* The virtual register of a word sent or returned. */
static int32_t transfer_virtual(const offload_reg_t *r) {
  return r->reg * 2 + r->half;
}

/* Sets the end of every interval. Position -1 is OFLD.BEG, i is code[i], count is OFLD.END. */
static void find_ends(emit_t *e) {
  for (uint32_t s = 0; s < e->plan->num_sent; s++) extend_interval(e, transfer_virtual(&e->plan->sent[s]), -1);
  for (uint32_t i = 0; i < e->count; i++) {
    const vinstr_t *v = &e->code[i];
    const int32_t regs[] = {v->ra, v->rb, v->rc, v->guard, v->rd};
    for (unsigned r = 0; r < 5; r++) extend_interval(e, regs[r], (int32_t)i);
  }
  for (uint32_t r = 0; r < e->plan->num_returned; r++)
    extend_interval(e, transfer_virtual(&e->plan->returned[r]), (int32_t)e->count);
}

/* Gives v the lowest free register, or v's pair the lowest free even-odd pair. False: none is free.
 * There is no spilling, so the block does not fit. */
static bool allocate_register(emit_t *e, int32_t v) {
  if (e->k->slot[v] >= 0) return true;
  if (other_half(e, v) != PTX_NONE) {
    const uint32_t free = e->free & e->free >> 1 & 0x55555555; /* even ones with their neighbours */
    if (!free) return false;
    e->k->slot[v & ~1] = __builtin_ctz(free);
    e->k->slot[v | 1] = e->k->slot[v & ~1] + 1;
    e->free &= ~(3u << e->k->slot[v & ~1]);
    return true;
  }
  if (!e->free) return false;
  e->k->slot[v] = __builtin_ctz(e->free);
  e->free &= e->free - 1;
  return true;
}

/* Frees v's register, and its other half's, if the interval ends at `now` or before. */
static void release_register(emit_t *e, int32_t v, int32_t now) {
  if (v == PTX_NONE || e->k->end[v] > now || e->k->slot[v] < 0) return;
  e->free |= 1u << e->k->slot[v];
  if (other_half(e, v) != PTX_NONE) e->free |= 1u << e->k->slot[v ^ 1];
}

/* A field that the instruction does not use is 0. */
static unsigned register_field(const emit_t *e, int32_t v) {
  return v == PTX_NONE ? 0 : (unsigned)e->k->slot[v];
}

static uint64_t encode_vinstr(const emit_t *e, const vinstr_t *v) {
  uint64_t w = 0;
  w = isa_set_opcode(w, v->op);
  w = isa_set_rd(w, register_field(e, v->rd));
  w = isa_set_ra(w, register_field(e, v->ra));
  w = isa_set_rb(w, register_field(e, v->rb));
  w = isa_set_rc(w, register_field(e, v->rc));
  w = isa_set_guard(w, v->guard != PTX_NONE);
  w = isa_set_ginv(w, v->guard != PTX_NONE && v->guard_inverted);
  w = isa_set_rg(w, register_field(e, v->guard));
  w = isa_set_immb(w, v->is_imm);
  return isa_set_imm(w, v->imm);
}

/* The immediate of OFLD.BEG and OFLD.END: the count in bits 31..28, four bits for each register. */
static uint64_t encode_list(unsigned op, const offload_reg_t *list, uint32_t count) {
  uint64_t imm = (uint64_t)count << 28;
  for (uint32_t i = 0; i < count; i++) imm |= (uint64_t)list[i].nsu_reg << (4 * i);
  return isa_set_imm(isa_set_opcode(0, op), imm);
}

static void append_nsu_word(plan_t *p, uint64_t word, int32_t source) {
  p->nsu[p->num_nsu] = word;
  p->nsu_source[p->num_nsu++] = source;
}

/* One pass over the code in order. All registers sent are taken before any is released, as each
 * beat needs its own. False: out of registers. */
static bool allocate_and_encode(emit_t *e) {
  plan_t *p = e->plan;
  for (uint32_t s = 0; s < p->num_sent; s++) {
    if (!allocate_register(e, transfer_virtual(&p->sent[s]))) return false;
    p->sent[s].nsu_reg = (uint8_t)register_field(e, transfer_virtual(&p->sent[s]));
  }
  for (uint32_t s = 0; s < p->num_sent; s++) release_register(e, transfer_virtual(&p->sent[s]), -1);
  append_nsu_word(p, encode_list(OP_OFLD_BEG, p->sent, p->num_sent), PTX_NONE);
  for (uint32_t i = 0; i < e->count; i++) {
    const vinstr_t *v = &e->code[i];
    const int32_t sources[] = {v->ra, v->rb, v->rc, v->guard};
    for (unsigned s = 0; s < 4; s++) {
      if (sources[s] != PTX_NONE && !allocate_register(e, sources[s]))
        return false; /* read undefined: any register will do */
    }
    for (unsigned s = 0; s < 4; s++) release_register(e, sources[s], (int32_t)i);
    if (v->rd != PTX_NONE && !allocate_register(e, v->rd)) return false;
    append_nsu_word(p, encode_vinstr(e, v), v->source);
    release_register(e, v->rd, (int32_t)i);
  }
  for (uint32_t r = 0; r < p->num_returned; r++)
    p->returned[r].nsu_reg = (uint8_t)register_field(e, transfer_virtual(&p->returned[r]));
  append_nsu_word(p, encode_list(OP_OFLD_END, p->returned, p->num_returned), PTX_NONE);
  return true;
}

bool plan_emit(const kernel_t *k, plan_t *plan) {
  static _Thread_local emit_t e;
  e.k = k;
  e.plan = plan;
  e.count = e.temps = e.fetched = e.num_touched = 0;
  e.free = (1u << ISA_NUM_REGS) - 1;
  plan->num_nsu = 0;
  bool ok = translate_block(&e);
  if (ok) {
    find_pairs(&e);
    find_ends(&e);
    ok = allocate_and_encode(&e);
  }
  /* k->slot is scratch of the whole kernel: only the entries used are reset */
  for (uint32_t i = 0; i < e.num_touched; i++) k->slot[e.touched[i]] = PTX_NONE;
  return ok;
}
