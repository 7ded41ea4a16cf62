/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the mpu_op_t's of a kernel's instructions (mpu_ops.h).
 */
#include "mpu_ops.h"

#include "simt_hint.h"

#include <stdlib.h>
#include <string.h>

/* An instruction that the machine does not execute: -1, and the line that says so. */
static int refuse_instruction(mpu_maker_t *m, const ptx_instr_t *in, const char *what) {
  m->why = what;
  return trouble_fail(m->err, TROUBLE_INPUT,
                      "%s:%d:%d: kernel %s: '%s' is not executed by the %s (%s); use the instructions in %s",
                      m->f->file, in->line, in->column, m->k->program->func->name,
                      in->text ? in->text : ptx_op_name(in->op), MPU_MACHINE, what, MPU_PAGE);
}

/* The decoded form of instruction i of the function in work. */
static simt_op_t *op_at(const mpu_maker_t *m, uint32_t i) {
  return &m->k->simt->ops[m->code + i];
}

/* Adds a register to the scoreboard's list, of a wide one both rows, each once. */
static void add_slot(mpu_op_t *o, int id, bool wide) {
  for (int i = id; id >= 0 && i <= id + wide; i++) {
    bool seen = false;
    for (unsigned j = 0; j < o->num_slots; j++) seen |= o->slot[j] == i;
    if (!seen && o->num_slots < MPU_OP_SLOTS) o->slot[o->num_slots++] = (uint8_t)i;
  }
}

/* The result that the instruction writes. Comes before add_src: the first num_dsts slots are
 * written. */
static void set_dst(const mpu_maker_t *m, mpu_op_t *o, int32_t reg) {
  int id = mpu_maker_id(m, reg);
  if (id < 0) return;
  o->dst_valid = true;
  o->dst = (uint8_t)id;
  if (mpu_maker_wide(m, reg)) o->wide |= 16;
  add_slot(o, id, mpu_maker_wide(m, reg));
  o->num_dsts = o->num_slots;
}

/* Adds a source register, each once. False: there are more than three. */
static bool add_src(const mpu_maker_t *m, mpu_op_t *o, int32_t reg) {
  int id = mpu_maker_id(m, reg);
  if (id < 0) return true;
  for (unsigned i = 0; i < 3; i++)
    if (o->src_valid >> i & 1 && o->src[i] == id) return true;
  unsigned n = (unsigned)__builtin_popcount(o->src_valid);
  if (n == 3) return false;
  o->src_valid |= (uint8_t)(1u << n);
  o->src[n] = (uint8_t)id;
  if (mpu_maker_wide(m, reg)) o->wide |= (uint8_t)(1u << n);
  add_slot(o, id, mpu_maker_wide(m, reg));
  return true;
}

static void set_guard(const mpu_maker_t *m, mpu_op_t *o, const ptx_instr_t *in) {
  int id = in->guarded ? mpu_maker_id(m, in->guard) : -1;
  if (id < 0) return;
  o->guard_valid = true;
  o->guard = (uint8_t)id;
  add_slot(o, id, false);
}

/* One of the operands 1 .. end - 1 is this register, apart from a guard. */
static bool reads_itself(const ptx_instr_t *in, int32_t reg, unsigned end) {
  for (unsigned i = 1; i < end; i++)
    if (in->operand[i].kind == PTX_OPND_REG && in->operand[i].index == reg) return true;
  return false;
}

/* An instruction that names a special register (%tid, %clock, ..) runs far. */
static bool names_sreg(const mpu_maker_t *m, const ptx_instr_t *in) {
  for (unsigned i = 0; i < in->num_operands; i++) {
    const ptx_operand_t *o = &in->operand[i];
    if (o->kind == PTX_OPND_SREG) return true;
    for (unsigned k = 0; o->kind == PTX_OPND_VEC && k < o->count; k++)
      if (m->f->elements[o->first + k].kind == PTX_OPND_SREG) return true;
  }
  return false;
}

/* Beats of the message that takes an instruction near the bank, all threads taking part: the
 * header, and one for each constant. The first of these brings the mask, too (README.md). */
static uint8_t message_beats(const simt_op_t *op) {
  unsigned consts = 0;
  for (const uint32_t *at = &op->a; at <= &op->c; at++)
    if (*at != SIMT_NO_OPERAND && *at & SIMT_CONST) consts++;
  return (uint8_t)(1 + consts);
}

/* True: the register is a predicate that the front end reads in the place of the guard. Only the
 * first one can; a predicate that is a value (MPU_N) is a source like others. */
static bool carry_predicate(const mpu_maker_t *m, mpu_op_t *o, int32_t reg) {
  int id = mpu_maker_id(m, reg);
  if (m->f->regs[reg].type != PTX_PRED || id < 0 || m->unit->program->regs[reg].loc == MPU_N) return false;
  if (o->guard_valid) return o->carries && o->guard == id;
  o->guard_valid = o->carries = true;
  o->guard = (uint8_t)id;
  add_slot(o, id, false);
  return true;
}

/* Arithmetic. dst: the result that this mpu_op_t writes, PTX_NONE: none. */
static int make_alu(mpu_maker_t *m, mpu_op_t *o, const ptx_instr_t *in, int32_t dst) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  if (dst != PTX_NONE) set_dst(m, o, dst);
  set_guard(m, o, in);
  unsigned n = ptx_uses(m->f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned i = 0; i < n; i++) {
    if (in->guarded && regs[i] == in->guard && !reads_itself(in, regs[i], in->num_operands)) continue;
    /* its membermask: only when it issues */
    if (in->op == PTX_OP_shfl && !reads_itself(in, regs[i], 4)) add_slot(o, mpu_maker_id(m, regs[i]), false);
    else if (!carry_predicate(m, o, regs[i]) && !add_src(m, o, regs[i]))
      return refuse_instruction(m, in, "more than three source registers");
  }
  o->far_op |= names_sreg(m, in) || (o->op->flags & (SIMT_CARRY_IN | SIMT_CARRY_OUT)) != 0;
  /* of the activation that runs when it is dispatched */
  o->far_op |= o->op->fn == simt_frame_address32 || o->op->fn == simt_frame_address64;
  o->beats = (uint8_t)(message_beats(o->op) + o->carries);
  return 0;
}

/* Element `elem` of what a load writes or a store reads. */
static const ptx_operand_t *data_operand(const mpu_maker_t *m, const ptx_instr_t *in, unsigned elem) {
  const ptx_operand_t *o = &in->operand[in->op == PTX_OP_st ? 1 : 0];
  return o->kind == PTX_OPND_VEC ? &m->f->elements[o->first + elem] : o;
}

/* Which part of the subcore executes it. */
static mpu_class_t class_of(const mpu_maker_t *m, const simt_op_t *op) {
  switch (op->kind) {
  case SIMT_ALU:
  case SIMT_SFU:
  case SIMT_DP: return MPU_OP_ALU;
  case SIMT_LOAD:
  case SIMT_STORE:
    if (mpu_in_dram(m->k->program, op->space)) return MPU_OP_GLOBAL;
    return op->space == PTX_SPACE_SHARED ? MPU_OP_SHARED : MPU_OP_FRONT;
  case SIMT_ATOM: return MPU_OP_ATOMIC;
  default: return MPU_OP_FRONT;
  }
}

/* A load of fewer than 64 bits into a 64-bit register. Near-bank units write rows of 32 bits, so
 * the load brings the low words and another mpu_op_t fills in the high ones. A front end's load
 * fills both. */
static bool is_widening_load(const mpu_maker_t *m, const simt_op_t *op) {
  return op->kind == SIMT_LOAD && op->reg_bytes == 8 && op->bytes < 8 && class_of(m, op) != MPU_OP_FRONT;
}

/* One element of a load or store. */
static int make_access(mpu_maker_t *m, mpu_op_t *o, const ptx_instr_t *in, unsigned elem) {
  const simt_op_t *op = o->op;
  bool store = op->kind == SIMT_STORE;
  const ptx_operand_t *data = data_operand(m, in, elem), *address = &in->operand[store ? 0 : 1];
  o->elem = (uint8_t)elem;
  o->size = (uint8_t)__builtin_ctz(op->bytes);
  o->sign = (op->flags & SIMT_SIGNED) != 0;
  o->addr = MPU_NO_ADDR;
  o->widens = !store && is_widening_load(m, op);
  if (!store && data->kind == PTX_OPND_REG) set_dst(m, o, data->index);
  set_guard(m, o, in);
  if (address->base == PTX_BASE_REG) {
    add_src(m, o, address->index);
    if (o->src_valid) o->addr = 0;
  }
  if (store) { /* the data register is source 1, though it may be the address too */
    const bool reg = data->kind == PTX_OPND_REG, wide = reg ? mpu_maker_wide(m, data->index) : op->reg_bytes == 8;
    const int id = reg ? mpu_maker_id(m, data->index) : (int)m->k->scratch;
    if (id < 0) return 0; /* never executed */
    o->src_valid |= 2;
    o->src[1] = (uint8_t)id;
    if (wide) o->wide |= 2;
    add_slot(o, id, wide);
  }
  return 0;
}

/* An instruction of the front end or of the atomic port. */
static int make_front(mpu_maker_t *m, mpu_op_t *o, const ptx_instr_t *in) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  unsigned n = ptx_defs(m->f, in, regs, PTX_MAX_INSTR_REGS);
  if (n) set_dst(m, o, regs[0]); /* bar.red */
  set_guard(m, o, in);
  n = ptx_uses(m->f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned i = 0; i < n; i++)
    if (!(in->guarded && regs[i] == in->guard) && !add_src(m, o, regs[i]))
      return refuse_instruction(m, in, "more than three source registers");
  return 0;
}

/* The offload engine's lk_regs: source i at bit 8 i, the guard at 24, the destination at 32. */
static uint64_t lookup_word(const mpu_op_t *o) {
  uint64_t regs = 0;
  for (unsigned i = 0; i < 3; i++)
    if (o->src_valid >> i & 1) regs |= (uint64_t)o->src[i] << 8 * i;
  if (o->guard_valid) regs |= (uint64_t)o->guard << 24;
  return regs | (o->dst_valid ? (uint64_t)o->dst << 32 : 0);
}

/* ---- Parts of an instruction ---- */

/* A new mpu_op_t of instruction i. Room was counted by most_parts. */
static mpu_op_t *add_op(mpu_maker_t *m, uint32_t i, const simt_op_t *op) {
  const mpu_instr_t *p = &m->unit->program->instrs[i];
  mpu_op_t *o = &m->k->ops[m->k->num_ops++];
  *o = (mpu_op_t){.op = op,
                  .instr = &m->f->instrs[i],
                  .cls = (uint8_t)class_of(m, op),
                  .far_op = p->far_op,
                  .beats = 1,
                  .addr = MPU_NO_ADDR};
  if (p->hint == MPU_N) o->hint = 1;
  else if (p->hint == MPU_F) o->hint = 2;
  return o;
}

/* A copy of a decoded instruction, to be changed. */
static simt_op_t *add_part(mpu_maker_t *m, const simt_op_t *op) {
  simt_op_t *part = &m->k->parts[m->k->num_parts++];
  *part = *op;
  return part;
}

/* simt_op_t's fn: sign or zero above the 32 bits that a load brought. */
static void extend_high_words(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t *d = simt_dst(w, op->d);
  for (; mask; mask &= mask - 1) {
    uint64_t *x = &d[__builtin_ctz(mask)];
    *x = op->flags & SIMT_SIGNED ? (uint64_t)(int64_t)(int32_t)*x : (uint32_t)*x;
  }
}

/* The ALU operation behind a widening load, where the data are. */
static int make_extension(mpu_maker_t *m, uint32_t i, unsigned elem) {
  const ptx_instr_t *in = &m->f->instrs[i];
  const simt_op_t *load = op_at(m, i);
  const ptx_operand_t *data = data_operand(m, in, elem);
  if (data->kind != PTX_OPND_REG || mpu_maker_id(m, data->index) < 0) return 0;
  simt_op_t *part = add_part(m, load);
  part->kind = SIMT_ALU, part->fn = extend_high_words, part->d = load->v[elem];
  part->a = part->b = part->c = SIMT_NO_OPERAND;
  mpu_op_t *o = add_op(m, i, part);
  o->far_op = false; /* where the data are */
  set_dst(m, o, data->index);
  set_guard(m, o, in);
  add_src(m, o, data->index);
  return 0;
}

/* simt_op_t's fn: a copy of one operand of the register's size. */
static void copy_operand(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint8_t *from = simt_src(w, op->a);
  uint8_t *to = simt_dst(w, op->d);
  for (; mask; mask &= mask - 1)
    memcpy(to + (unsigned)__builtin_ctz(mask) * op->reg_bytes, from + (unsigned)__builtin_ctz(mask) * op->reg_bytes,
           op->reg_bytes);
}

/* Offset of the scratch rows, as a register of the size that op stores. */
static uint32_t scratch_at(const mpu_kernel_t *k, const simt_op_t *op) {
  return op->reg_bytes == 8 ? mpu_kernel_wide_at(k, k->scratch) : mpu_kernel_at(k, k->scratch);
}

/* Data of a store that are no register's go into the scratch rows first, where the store reads
 * them. All threads write them, guard or not, as nobody else reads them. */
static void make_scratch_move(mpu_maker_t *m, uint32_t i, unsigned elem) {
  const simt_op_t *op = op_at(m, i);
  simt_op_t *part = add_part(m, op);
  part->kind = SIMT_ALU, part->fn = copy_operand, part->a = op->v[elem], part->d = scratch_at(m->k, op);
  part->flags &= (uint16_t) ~(SIMT_GUARDED | SIMT_GUARD_NOT);
  part->b = part->c = SIMT_NO_OPERAND;
  mpu_op_t *o = add_op(m, i, part);
  o->far_op = !(op->v[elem] & SIMT_CONST);
  o->hint =
      class_of(m, op) == MPU_OP_GLOBAL || (class_of(m, op) == MPU_OP_SHARED && m->unit->program->smem_near) ? 1 : 2;
  o->beats = message_beats(part);
  o->dst_valid = true;
  o->dst = (uint8_t)m->k->scratch;
  if (op->reg_bytes == 8) o->wide |= 16;
  add_slot(o, o->dst, op->reg_bytes == 8);
  o->num_dsts = o->num_slots;
}

bool mpu_ops_need_scratch(const ptx_func_t *f, const ptx_instr_t *in) {
  if (in->op != PTX_OP_st || in->num_operands < 2 || in->space == PTX_SPACE_PARAM) return false;
  const ptx_operand_t *o = &in->operand[1];
  for (unsigned e = 0; o->kind == PTX_OPND_VEC && e < o->count; e++)
    if (f->elements[o->first + e].kind != PTX_OPND_REG) return true;
  return o->kind != PTX_OPND_REG && o->kind != PTX_OPND_VEC;
}

/* A store, element by element. Neighbours with the same constant share one scratch move. */
static int make_stores(mpu_maker_t *m, uint32_t i) {
  const ptx_instr_t *in = &m->f->instrs[i];
  const simt_op_t *op = op_at(m, i);
  uint32_t there = SIMT_NO_OPERAND; /* in the scratch register */
  for (unsigned e = 0; e < op->vec; e++) {
    const bool reg = data_operand(m, in, e)->kind == PTX_OPND_REG;
    if (!reg && op->v[e] != there) make_scratch_move(m, i, e);
    if (!reg) there = op->v[e];
    simt_op_t *part = add_part(m, op);
    if (!reg) part->v[e] = scratch_at(m->k, op);
    mpu_op_t *o = add_op(m, i, part);
    o->far_op |= o->cls == MPU_OP_FRONT;
    if (make_access(m, o, in, e)) return -1;
  }
  return 0;
}

/* A load or store, element by element. An element that overwrites the address register comes
 * last. */
static int make_accesses(mpu_maker_t *m, uint32_t i) {
  const simt_op_t *op = op_at(m, i);
  unsigned late = op->vec - 1u;
  for (unsigned e = 0; op->kind == SIMT_LOAD && e < op->vec; e++)
    if (op->v[e] == op->base) late = e;
  for (unsigned e = 0; e < op->vec; e++) {
    mpu_op_t *o = add_op(m, i, op);
    o->far_op |= o->cls == MPU_OP_FRONT;
    const unsigned others = e < late ? e : e + 1u;
    if (make_access(m, o, &m->f->instrs[i], e + 1u == op->vec ? late : others)) return -1;
  }
  for (unsigned e = 0; is_widening_load(m, op) && e < op->vec; e++)
    if (make_extension(m, i, e)) return -1;
  return 0;
}

/* A copy of the instruction that writes only its result k. */
static const simt_op_t *only_result(mpu_maker_t *m, uint32_t i, unsigned k) {
  simt_op_t *part = add_part(m, op_at(m, i));
  const ptx_operand_t *to = &m->f->instrs[i].operand[0];
  for (unsigned e = 0; to->kind == PTX_OPND_VEC && e < to->count; e++)
    if (e != k) part->v[e] = SIMT_NO_OPERAND;
  if (to->kind == PTX_OPND_PAIR) *(k ? &part->d : &part->e) = SIMT_NO_OPERAND;
  return part;
}

static bool reads_register(const mpu_maker_t *m, const ptx_instr_t *in, int32_t reg) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  unsigned n = ptx_uses(m->f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned u = 0; u < n; u++)
    if (regs[u] == reg) return true;
  return false;
}

/* An instruction with several results: one operation each. The result that the instruction
 * itself reads comes last; two such results are refused. */
static int make_results(mpu_maker_t *m, uint32_t i) {
  const ptx_instr_t *in = &m->f->instrs[i];
  const ptx_operand_t *to = &in->operand[0], *e = &m->f->elements[to->first];
  unsigned last = PTX_MAX_OPERANDS * PTX_MAX_OPERANDS, made = 0;
  for (unsigned k = 0; k < to->count; k++) {
    if (e[k].kind != PTX_OPND_REG || !reads_register(m, in, e[k].index)) continue;
    if (last < to->count && e[last].index != e[k].index)
      return refuse_instruction(m, in, "several results that it reads itself");
    last = k;
  }
  for (unsigned turn = 0; turn <= to->count; turn++) {
    const unsigned k = turn < to->count ? turn : last;
    if (k >= to->count || e[k].kind != PTX_OPND_REG || (turn < to->count && k == last)) continue;
    if (make_alu(m, add_op(m, i, only_result(m, i, k)), in, e[k].index)) return -1;
    made++;
  }
  return made ? 0 : make_alu(m, add_op(m, i, op_at(m, i)), in, PTX_NONE);
}

/* The results are a vector or a pair (shfl's value and predicate). */
static bool has_results(const mpu_maker_t *m, const ptx_instr_t *in, const simt_op_t *op) {
  return class_of(m, op) == MPU_OP_ALU && in->num_operands &&
         (in->operand[0].kind == PTX_OPND_VEC || in->operand[0].kind == PTX_OPND_PAIR);
}

/* st.param of a vector: an operation an element. */
static int make_param_stores(mpu_maker_t *m, uint32_t i) {
  const ptx_instr_t *in = &m->f->instrs[i];
  const simt_op_t *op = op_at(m, i);
  for (unsigned e = 0; e < op->vec; e++) {
    const ptx_operand_t *data = data_operand(m, in, e);
    simt_op_t *part = add_part(m, op);
    part->vec = 1, part->v[0] = op->v[e], part->imm += (int64_t)e * op->bytes;
    mpu_op_t *o = add_op(m, i, part);
    o->far_op = true;
    set_guard(m, o, in);
    if (data->kind == PTX_OPND_REG) add_src(m, o, data->index);
  }
  return 0;
}

static int make_instr(mpu_maker_t *m, uint32_t i) {
  const ptx_instr_t *in = &m->f->instrs[i];
  const simt_op_t *op = op_at(m, i);
  int32_t dst[1] = {PTX_NONE};
  if (op->kind == SIMT_HOST) return refuse_instruction(m, in, "a call of a function that the host executes");
  if (op->fn == simt_param_store && op->vec > 1) return make_param_stores(m, i);
  if (op->kind == SIMT_STORE && mpu_ops_need_scratch(m->f, in)) return make_stores(m, i);
  if (op->kind == SIMT_LOAD || op->kind == SIMT_STORE) return make_accesses(m, i);
  if (has_results(m, in, op)) return make_results(m, i);
  mpu_op_t *o = add_op(m, i, op);
  if (o->cls == MPU_OP_ALU) {
    if (ptx_defs(m->f, in, dst, 1) > 1) return refuse_instruction(m, in, "more than one destination");
    return make_alu(m, o, in, dst[0]);
  }
  o->far_op = true;
  if (o->cls == MPU_OP_ATOMIC) o->size = (uint8_t)__builtin_ctz(op->bytes);
  return make_front(m, o, simt_without_policy(in, &(ptx_instr_t){0}));
}

/* How many mpu_op_t an instruction can need, and copies of its simt_op_t. */
static size_t most_parts(const mpu_maker_t *m, const ptx_instr_t *in, const simt_op_t *op) {
  if (op->kind == SIMT_LOAD || op->kind == SIMT_STORE) return 2u * op->vec;
  if (has_results(m, in, op)) return in->operand[0].count;
  return op->fn == simt_param_store ? op->vec : 1;
}

/* After a refused instruction of the kernel itself: true if the maker's `refusals` wants to hear
 * of all, so that the work goes on. */
static bool skip_refused(mpu_maker_t *m, uint32_t i) {
  if (!m->refusals || m->err->kind != TROUBLE_INPUT || m->unit != m->k->units) return false;
  m->refusals->each(m->refusals->ctx, i, m->why);
  *m->err = (trouble_t){0};
  return true;
}

static int make_unit(mpu_maker_t *m) {
  mpu_kernel_t *k = m->k;
  for (uint32_t i = 0; i < m->f->num_instrs; i++) {
    k->first[m->code + i] = k->num_ops;
    if (make_instr(m, i) && !skip_refused(m, i)) return -1;
    if (k->num_ops) k->ops[k->num_ops - 1].last = true;
  }
  return 0;
}

int mpu_ops_make(mpu_maker_t *m) {
  mpu_kernel_t *k = m->k;
  size_t most = 0;
  for (uint32_t u = 0; u < k->num_units; u++) {
    mpu_maker_turn(m, u);
    for (uint32_t i = 0; i < m->f->num_instrs; i++) most += most_parts(m, &m->f->instrs[i], op_at(m, i));
  }
  k->ops = calloc(most + 1, sizeof *k->ops);
  k->parts = calloc(most + 1, sizeof *k->parts);
  k->first = calloc(k->simt->num_ops + 1, sizeof *k->first);
  if (!k->ops || !k->parts || !k->first) return trouble_fail(m->err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t u = 0; u < k->num_units; u++) {
    mpu_maker_turn(m, u);
    if (make_unit(m)) return -1;
  }
  for (uint32_t i = 0; i < k->num_ops; i++) k->ops[i].lookup = lookup_word(&k->ops[i]);
  return 0;
}
