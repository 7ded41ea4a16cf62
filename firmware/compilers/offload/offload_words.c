/* SPDX-License-Identifier: Apache-2.0 */
#include "offload_words.h"

unsigned reg_words(const ptx_func_t *func, int32_t reg) {
  unsigned bytes = ptx_type_bytes(func->regs[reg].type);
  if (bytes == 8) return 2;
  return bytes && bytes <= 4 ? 1 : 0;
}

word_t reg_word(tr_t *t, int32_t reg, unsigned half) {
  if (half >= reg_words(t->k->func, reg)) t->failed = true;
  return (word_t){reg * 2 + (int32_t)half, 0};
}

word_t imm_word(uint32_t imm) {
  return (word_t){PTX_NONE, imm};
}

word_t temp_word(tr_t *t) {
  return (word_t){(int32_t)(t->k->func->num_regs * 2 + (*t->temps)++), 0};
}

word_t operand_word(tr_t *t, const ptx_operand_t *o, unsigned half) {
  if (o->kind == PTX_OPND_REG && !o->sel && !o->negated) return reg_word(t, o->index, half);
  if (o->kind == PTX_OPND_IMM) return imm_word((uint32_t)((uint64_t)o->imm >> (32 * half)));
  bool wide = ptx_type_bytes((ptx_type_t)t->in->type[0]) == 8;
  if (o->kind == PTX_OPND_FLOAT && (o->type == PTX_F32 ? !wide : wide))
    return imm_word((uint32_t)((uint64_t)o->imm >> (32 * half)));
  t->failed = true;
  return imm_word(0);
}

word_t source_word(tr_t *t, unsigned slot, unsigned half) {
  return operand_word(t, &t->in->operand[slot], half);
}

vinstr_t *emit_op(tr_t *t, unsigned op, word_t d) {
  vinstr_t *v = t->count < MAX_EXPAND ? &t->out[t->count] : &t->spill;
  if (t->count == MAX_EXPAND || d.reg == PTX_NONE) t->failed = true;
  t->count += t->count < MAX_EXPAND;
  *v = (vinstr_t){.op = (uint8_t)op,
                  .rd = d.reg,
                  .ra = PTX_NONE,
                  .rb = PTX_NONE,
                  .rc = PTX_NONE,
                  .guard = PTX_NONE,
                  .source = t->source};
  return v;
}

void set_b(vinstr_t *v, word_t b) {
  v->rb = b.reg;
  v->is_imm = b.reg == PTX_NONE;
  v->imm = b.reg == PTX_NONE ? b.imm : 0;
}

void guard_last(tr_t *t) {
  if (!t->in->guarded || !t->count) return;
  vinstr_t *v = &t->out[t->count - 1];
  v->guard = t->in->guard * 2;
  v->guard_inverted = t->in->guard_negated;
}

void emit_b(tr_t *t, unsigned op, word_t d, word_t b) {
  set_b(emit_op(t, op, d), b);
  guard_last(t);
}

word_t in_register(tr_t *t, word_t w) {
  if (w.reg != PTX_NONE) return w;
  word_t temp = temp_word(t);
  set_b(emit_op(t, OP_MOV, temp), w);
  return temp;
}

void emit_ab(tr_t *t, unsigned op, word_t d, word_t a, word_t b) {
  a = in_register(t, a);
  vinstr_t *v = emit_op(t, op, d);
  v->ra = a.reg;
  set_b(v, b);
  guard_last(t);
}

void emit_abc(tr_t *t, unsigned op, word_t d, word_t a, word_t b, word_t c) {
  a = in_register(t, a);
  c = in_register(t, c);
  vinstr_t *v = emit_op(t, op, d);
  v->ra = a.reg;
  v->rc = c.reg;
  set_b(v, b);
  guard_last(t);
}
