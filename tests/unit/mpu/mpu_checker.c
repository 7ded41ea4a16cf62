/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of mpu_checker.h.
 *
 * Rows: each block is walked backwards with the registers that are alive. No two of them
 * may have a row in common.
 * Locations: the instructions that fix a place mark their registers, and marks spread to
 * whatever computes a marked register.
 * Paths: two threads execute the program, with two register files whose rows remember who
 * wrote them.
 */
#include "mpu_checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

typedef struct {
  int32_t defs[PTX_MAX_INSTR_REGS], uses[PTX_MAX_INSTR_REGS];
  unsigned num_defs, num_uses;
} regs_t;

/* The registers that an instruction writes and reads. */
static void regs_of(const ptx_func_t *f, const ptx_instr_t *in, regs_t *r) {
  r->num_defs = ptx_defs(f, in, r->defs, PTX_MAX_INSTR_REGS);
  r->num_uses = ptx_uses(f, in, r->uses, PTX_MAX_INSTR_REGS);
}

static bool is_pred(const mpu_program_t *p, int32_t reg) {
  return p->func->regs[reg].type == PTX_PRED;
}

/* All predicates that are not values. */
static bool steers(const mpu_program_t *p, int32_t reg) {
  return is_pred(p, reg) && p->regs[reg].loc != MPU_N;
}

/* Is the instruction in a block that some path reaches? */
static bool reachable(const mpu_program_t *p, uint32_t i) {
  return p->func->blocks[p->func->instrs[i].block].reachable;
}

/* The finding with its function, instruction, line and register. reg -1: of none. */
static const char *describe_wrong(const mpu_program_t *p, int32_t reg, uint32_t i, const char *what) {
  static char text[256];
  snprintf(text, sizeof text, "%s, instruction %u (line %d), register %s: %s", p->func->name, i,
           i < p->func->num_instrs ? p->func->instrs[i].line : 0, reg >= 0 ? p->func->regs[reg].name : "-", what);
  return text;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Rows of a register: two for 64 bits, none for a predicate. */
static unsigned rows_of(const mpu_program_t *p, uint32_t reg) {
  if (is_pred(p, (int32_t)reg)) return 0;
  return ptx_type_bytes(p->func->regs[reg].type) == 8 ? 2 : 1;
}

/* near_only rows, then rows of both files, then far_only rows; pairs
 * at even rows; predicates counted apart, those near the banks last. */
static const char *check_layout(const mpu_program_t *p) {
  uint32_t both_end = p->near_only + p->both, all = both_end + p->far_only;
  if (p->near_rows != both_end || p->far_rows != p->both + p->far_only) return "the sizes of the files";
  if (all + p->predicates > MPU_MAX_ROWS) return "too many rows";
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    const mpu_reg_t *at = &p->regs[r];
    uint32_t first = (uint32_t)at->row, end = first + at->rows;
    const unsigned rows = rows_of(p, r);
    if ((at->loc == MPU_U) != (at->row == -1))
      return describe_wrong(p, (int32_t)r, 0, "a row without a location, or the other way round");
    if (at->rows != rows) return describe_wrong(p, (int32_t)r, 0, "not its size");
    if (at->loc == MPU_U) continue;
    const uint32_t far = p->predicates - p->near_predicates;
    if (rows == 0 && (at->loc == MPU_B || first >= p->predicates || (at->loc == MPU_N) != (first >= far)))
      return describe_wrong(p, (int32_t)r, 0, "no such predicate");
    if (rows == 2 && first % 2) return describe_wrong(p, (int32_t)r, 0, "a pair at an odd row");
    if (rows && at->loc == MPU_N && end > p->near_only) return describe_wrong(p, (int32_t)r, 0, "not a near row");
    if (rows && at->loc == MPU_B && (first < p->near_only || end > both_end))
      return describe_wrong(p, (int32_t)r, 0, "not a row of both");
    if (rows && at->loc == MPU_F && (first < both_end || end > all))
      return describe_wrong(p, (int32_t)r, 0, "not a far row");
  }
  return NULL;
}

/* Rows taken so far at one point of the program: by which register. */
typedef struct {
  const mpu_program_t *p;
  int32_t owner[2 * MPU_MAX_ROWS]; /* rows, then predicates */
  uint32_t stamp[2 * MPU_MAX_ROWS], now;
} taken_t;

/* Takes a register's rows at this point. False: another register has one of them. */
static bool take_rows(taken_t *t, int32_t reg) {
  const mpu_reg_t *at = &t->p->regs[reg];
  unsigned first = (unsigned)at->row + (is_pred(t->p, reg) ? MPU_MAX_ROWS : 0), rows = at->rows ? at->rows : 1;
  for (unsigned k = first; k < first + rows && at->row >= 0; k++) {
    if (t->stamp[k] == t->now && t->owner[k] != reg) return false;
    t->stamp[k] = t->now;
    t->owner[k] = reg;
  }
  return true;
}

/* One point of the program: what is alive there, and
 * what the instruction writes, have rows of their own. */
static const char *check_point(taken_t *t, const uint64_t *live, const regs_t *written, uint32_t i) {
  t->now++;
  for (uint32_t w = 0; w < t->p->func->live_words; w++)
    for (uint64_t bits = live[w]; bits; bits &= bits - 1) {
      int32_t reg = (int32_t)(w * 64 + (uint32_t)__builtin_ctzll(bits));
      if (!take_rows(t, reg)) return describe_wrong(t->p, reg, i, "shares a row with another register that is alive");
    }
  for (unsigned k = 0; written && k < written->num_defs; k++)
    if (!take_rows(t, written->defs[k]))
      return describe_wrong(t->p, written->defs[k], i, "is written over a register that is alive");
  return NULL;
}

/* Backwards from what is alive at the block's end: a write ends
 * a register's life, a read begins it. A guarded write ends
 * nothing, as threads that are left out keep the old value. */
static const char *check_block(taken_t *t, const ptx_block_t *b, uint64_t *live) {
  const ptx_func_t *f = t->p->func;
  const char *bad = NULL;
  regs_t r;
  memcpy(live, b->live_out, f->live_words * sizeof *live);
  for (uint32_t i = b->last + 1; i-- > b->first && !bad;) {
    regs_of(f, &f->instrs[i], &r);
    bad = check_point(t, live, &r, i);
    for (unsigned k = 0; k < r.num_defs && !f->instrs[i].guarded; k++)
      live[r.defs[k] / 64] &= ~(UINT64_C(1) << (r.defs[k] % 64));
    for (unsigned k = 0; k < r.num_uses; k++) live[r.uses[k] / 64] |= UINT64_C(1) << (r.uses[k] % 64);
  }
  return bad ? bad : check_point(t, live, NULL, b->first);
}

const char *mpu_check_rows(const mpu_program_t *p) {
  taken_t t = {.p = p};
  uint64_t *live = calloc(p->func->live_words + 1, sizeof *live);
  const char *bad = check_layout(p);
  for (uint32_t b = 0; b < p->func->num_blocks && !bad; b++)
    if (p->func->blocks[b].reachable) bad = check_block(&t, &p->func->blocks[b], live);
  free(live);
  return bad;
}

/* ---- Roles of operands: the engine's second step --------------------------------------------- */

/* Is the register in the operand: itself, as the base of an address, or in a list? */
static bool operand_names_reg(const ptx_func_t *f, const ptx_operand_t *o, int32_t reg) {
  bool found = (o->kind == PTX_OPND_REG || (o->kind == PTX_OPND_ADDR && o->base == PTX_BASE_REG)) && o->index == reg;
  for (unsigned k = 0; k < o->count; k++) found |= operand_names_reg(f, &f->elements[o->first + k], reg);
  return found;
}

/* Places where an instruction that runs at `place` reads
 * a register: both for a store of its own address. */
static unsigned read_places(const mpu_program_t *p, uint32_t i, int32_t reg, unsigned place) {
  const ptx_instr_t *in = &p->func->instrs[i];
  unsigned places = 0;
  if (mpu_kind(p, in) != MPU_KIND_GLOBAL) return place;
  for (unsigned k = 0; k < in->num_operands; k++) {
    bool value = in->op == PTX_OP_st ? k == 1 : k == 0;
    if (operand_names_reg(p->func, &in->operand[k], reg) && !(value && in->op != PTX_OP_st))
      places |= value ? MPU_N : MPU_F;
  }
  return places;
}

/* A load from global memory writes near the banks, wherever the warp runs. */
static unsigned write_place(const mpu_program_t *p, uint32_t i, unsigned place) {
  return mpu_kind(p, &p->func->instrs[i]) == MPU_KIND_GLOBAL ? MPU_N : place;
}

/* ---- Locations ------------------------------------------------------------------------------- */

/* Marks pass through arithmetic that may run on either die. */
static bool propagates(const mpu_program_t *p, uint32_t i) {
  return !p->instrs[i].far_op && mpu_kind(p, &p->func->instrs[i]) == MPU_KIND_OTHER;
}

/* Marks a register that has `loc`, and then the sources of whatever computes it. */
static void spread_location(const mpu_program_t *p, uint8_t *has, int32_t reg, unsigned loc) {
  if (steers(p, reg) || has[reg] & loc) return;
  has[reg] |= (uint8_t)loc;
  for (uint32_t i = 0; i < p->func->num_instrs; i++) {
    regs_t r;
    bool writes = false;
    if (!reachable(p, i) || !propagates(p, i)) continue;
    regs_of(p->func, &p->func->instrs[i], &r);
    for (unsigned k = 0; k < r.num_defs; k++) writes |= r.defs[k] == reg;
    for (unsigned k = 0; k < r.num_uses && writes; k++) spread_location(p, has, r.uses[k], loc);
  }
}

/* The marks that one instruction sets: memory accesses, instructions
 * that only the front end has, and predicates that steer. */
static void spread_from_instruction(const mpu_program_t *p, uint32_t i, uint8_t *has) {
  mpu_kind_t kind = mpu_kind(p, &p->func->instrs[i]);
  bool predicate = false;
  regs_t r;
  regs_of(p->func, &p->func->instrs[i], &r);
  for (unsigned k = 0; k < r.num_defs; k++) {
    predicate |= steers(p, r.defs[k]);
    if (kind != MPU_KIND_OTHER)
      spread_location(p, has, r.defs[k], kind == MPU_KIND_SHARED && !p->smem_near ? MPU_F : MPU_N);
  }
  for (unsigned k = 0; k < r.num_uses; k++) {
    if (kind == MPU_KIND_OTHER && (p->instrs[i].far_op || predicate)) spread_location(p, has, r.uses[k], MPU_F);
    if (kind == MPU_KIND_OTHER) continue;
    unsigned places = kind == MPU_KIND_SHARED && !p->smem_near ? MPU_F : read_places(p, i, r.uses[k], MPU_N);
    if (places & MPU_N) spread_location(p, has, r.uses[k], MPU_N);
    if (places & MPU_F) spread_location(p, has, r.uses[k], MPU_F);
  }
}

/* A register without a mark is far, one with both marks is on both dies. */
static const char *check_annotated(const mpu_program_t *p, uint8_t *has) {
  for (uint32_t i = 0; i < p->func->num_instrs; i++)
    if (reachable(p, i)) spread_from_instruction(p, i, has);
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    unsigned want = has[r];
    if (p->regs[r].loc == MPU_U) want = MPU_U;
    else if (steers(p, (int32_t)r) || !has[r]) want = MPU_F;
    if (p->regs[r].annotated != want) return describe_wrong(p, (int32_t)r, 0, "not Algorithm 1's location");
  }
  return NULL;
}

/* With annotation every instruction has a hint: where
 * its destination is. Other policies have none. */
static const char *check_hint(const mpu_program_t *p, uint32_t i, const uint8_t *has) {
  unsigned dest = 0;
  regs_t r;
  regs_of(p->func, &p->func->instrs[i], &r);
  for (unsigned k = 0; k < r.num_defs; k++) dest |= steers(p, r.defs[k]) ? MPU_F : has[r.defs[k]];
  if (p->policy != MPU_ANNOTATED)
    return p->instrs[i].hint ? describe_wrong(p, -1, i, "a hint without annotation") : NULL;
  if (p->instrs[i].hint != MPU_N && p->instrs[i].hint != MPU_F) return describe_wrong(p, -1, i, "no hint");
  if (propagates(p, i) && dest != MPU_B && p->instrs[i].hint != (dest ? dest : MPU_F))
    return describe_wrong(p, -1, i, "its hint is not where its destination is");
  return NULL;
}

/* Where an instruction runs if nothing of the moment decides it. */
static unsigned fixed_place(const mpu_program_t *p, uint32_t i) {
  if (mpu_kind(p, &p->func->instrs[i]) == MPU_KIND_SHARED) return p->smem_near ? MPU_N : MPU_F;
  if (p->instrs[i].far_op) return MPU_F;
  if (p->policy == MPU_ANNOTATED) return p->instrs[i].hint;
  return p->policy == MPU_ALL_NEAR ? MPU_N : MPU_F;
}

/* An instruction has a place, and every register
 * that it reads or writes there has a copy there. */
static const char *check_place(const mpu_program_t *p, uint32_t i) {
  unsigned place = p->instrs[i].place;
  regs_t r;
  if (!place) return describe_wrong(p, -1, i, "no place");
  if ((p->policy != MPU_HW_DEFAULT || !propagates(p, i)) && place != fixed_place(p, i))
    return describe_wrong(p, -1, i, "another place");
  regs_of(p->func, &p->func->instrs[i], &r);
  for (unsigned k = 0; k < r.num_defs; k++)
    if (!steers(p, r.defs[k]) && write_place(p, i, place) & ~p->regs[r.defs[k]].loc)
      return describe_wrong(p, r.defs[k], i, "no copy where it is written");
  for (unsigned k = 0; k < r.num_uses; k++)
    if (!steers(p, r.uses[k]) && read_places(p, i, r.uses[k], place) & ~p->regs[r.uses[k]].loc)
      return describe_wrong(p, r.uses[k], i, "no copy where it is read");
  return NULL;
}

/* ---- Predicates that are values ---- */

/* Is the register made of loaded values alone? seen: registers that are being asked about. */
static bool is_loaded(const mpu_program_t *p, int32_t reg, uint8_t *seen) {
  bool loaded = true;
  if (seen[reg]) return true;
  seen[reg] = 1;
  for (uint32_t i = 0; i < p->func->num_instrs && loaded; i++) {
    regs_t r;
    bool writes = false;
    regs_of(p->func, &p->func->instrs[i], &r);
    for (unsigned k = 0; k < r.num_defs; k++) writes |= r.defs[k] == reg;
    if (!writes || !reachable(p, i)) continue;
    const mpu_kind_t kind = mpu_kind(p, &p->func->instrs[i]);
    if (kind != MPU_KIND_OTHER) loaded = kind == MPU_KIND_GLOBAL || p->smem_near;
    else if (p->instrs[i].far_op) loaded = false;
    for (unsigned k = 0; k < r.num_uses && loaded && kind == MPU_KIND_OTHER; k++)
      loaded = !steers(p, r.uses[k]) && is_loaded(p, r.uses[k], seen);
  }
  return loaded;
}

/* Read and written near the banks alone, never a guard, and of loaded values. */
static const char *check_value(const mpu_program_t *p, int32_t pred, uint8_t *seen) {
  memset(seen, 0, p->func->num_regs);
  if (p->policy != MPU_ANNOTATED) return describe_wrong(p, pred, 0, "near the banks without annotation");
  if (!is_loaded(p, pred, seen)) return describe_wrong(p, pred, 0, "near the banks, though what it is of is not");
  for (uint32_t i = 0; i < p->func->num_instrs; i++) {
    const ptx_instr_t *in = &p->func->instrs[i];
    regs_t r;
    bool names_it = false;
    if (!reachable(p, i)) continue;
    regs_of(p->func, in, &r);
    for (unsigned k = 0; k < r.num_defs; k++) names_it |= r.defs[k] == pred;
    for (unsigned k = 0; k < r.num_uses; k++) names_it |= r.uses[k] == pred;
    if (names_it && (p->instrs[i].place != MPU_N || (in->guarded && in->guard == pred)))
      return describe_wrong(p, pred, i, "near the banks, but wanted by the front end");
  }
  return NULL;
}

/* All predicates that live near the banks. */
static const char *check_values(const mpu_program_t *p) {
  uint8_t *seen = calloc(p->func->num_regs + 1, 1);
  const char *bad = NULL;
  for (uint32_t r = 0; r < p->func->num_regs && !bad; r++)
    if (is_pred(p, (int32_t)r) && p->regs[r].loc == MPU_N) bad = check_value(p, (int32_t)r, seen);
  free(seen);
  return bad;
}

const char *mpu_check_locations(const mpu_program_t *p) {
  uint8_t *has = calloc(p->func->num_regs + 1, 1);
  const char *bad = check_values(p);
  if (p->policy == MPU_ANNOTATED && !bad) bad = check_annotated(p, has);
  for (uint32_t i = 0; i < p->func->num_instrs && !bad; i++) {
    bool unreached = !reachable(p, i);
    if (unreached && (p->instrs[i].place || p->instrs[i].hint)) bad = describe_wrong(p, -1, i, "it is never reached");
    if (!unreached) bad = check_hint(p, i, has);
    if (!unreached && !bad) bad = check_place(p, i);
  }
  free(has);
  return bad;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

enum { FILE_NEAR, FILE_FAR, NUM_FILES, NUM_LANES = 2 };

typedef struct {
  const mpu_program_t *p;
  uint64_t *seed;
  unsigned lane; /* that executes */
  uint32_t pc[NUM_LANES];
  uint64_t *value[NUM_LANES]; /* of each register: number of the write, 0: undefined */
  uint64_t writes;
  uint64_t row[NUM_FILES][2 * MPU_MAX_ROWS][NUM_LANES]; /* predicates are rows of the far file from MPU_MAX_ROWS on */
  bool valid[NUM_FILES][2 * MPU_MAX_ROWS];
} machine_t;

/* Has the register a row in the file? A predicate is in one of them. */
static bool in_file(const mpu_program_t *p, unsigned file, const mpu_reg_t *at) {
  uint32_t first = (uint32_t)at->row, end = first + at->rows;
  if (at->row < 0) return false;
  if (!at->rows) return file == (at->loc == MPU_N ? FILE_NEAR : FILE_FAR);
  return file == FILE_NEAR ? end <= p->near_rows : first >= p->near_only && end <= p->near_only + p->far_rows;
}

/* The register's first row and the one behind its last, predicates behind all others. */
static unsigned first_row(const machine_t *m, int32_t reg) {
  return (unsigned)m->p->regs[reg].row + (is_pred(m->p, reg) ? MPU_MAX_ROWS : 0);
}

static unsigned end_row(const machine_t *m, int32_t reg) {
  return first_row(m, reg) + (m->p->regs[reg].rows ? m->p->regs[reg].rows : 1);
}

/* Under the hardware's own policy an instruction runs near if all
 * its sources have valid rows there. Without sources it runs far.
 * Where two predicates are read, the second may be anywhere. */
static unsigned place_now(const machine_t *m, uint32_t i, const regs_t *r) {
  if (m->p->policy != MPU_HW_DEFAULT || !propagates(m->p, i)) return fixed_place(m->p, i);
  int32_t carried = PTX_NONE;
  bool sources = false;
  for (unsigned k = 0; k < r->num_uses; k++) {
    bool pred = is_pred(m->p, r->uses[k]);
    sources |= !pred || (carried != PTX_NONE && carried != r->uses[k]);
    if (pred && carried == PTX_NONE) carried = r->uses[k];
    if (pred && carried != r->uses[k] && test_random(m->seed) % 2) return MPU_F; /* the second may be anywhere */
  }
  if (!sources) return MPU_F;
  for (unsigned k = 0; k < r->num_uses; k++)
    if (!is_pred(m->p, r->uses[k]) && !m->valid[FILE_NEAR][m->p->regs[r->uses[k]].row]) return MPU_F;
  return MPU_N;
}

/* A valid copy of all threads' values in the file. */
static const char *bring_rows(machine_t *m, uint32_t i, int32_t reg, unsigned file) {
  const mpu_reg_t *at = &m->p->regs[reg];
  if (!in_file(m->p, file, at)) return describe_wrong(m->p, reg, i, "no row where it is read or written");
  for (unsigned k = first_row(m, reg); k < end_row(m, reg); k++) {
    if (m->valid[file][k]) continue;
    if (!in_file(m->p, !file, at)) return describe_wrong(m->p, reg, i, "moved from where it has no row");
    memcpy(m->row[file][k], m->row[!file][k], sizeof m->row[file][k]);
    m->valid[file][k] = true;
  }
  return NULL;
}

/* The row holds what this thread wrote last. A
 * register that was never written may hold anything. */
static const char *read_at(machine_t *m, uint32_t i, int32_t reg, unsigned file) {
  const char *bad = bring_rows(m, i, reg, file);
  uint64_t value = m->value[m->lane][reg];
  unsigned first = first_row(m, reg);
  for (unsigned k = first; k < end_row(m, reg) && !bad && value; k++)
    if (m->row[file][k][m->lane] != 2 * value + k - first) bad = describe_wrong(m->p, reg, i, "its value was lost");
  return bad;
}

/* Writes this thread's part of the row; the other file's copy is stale from now on. */
static const char *write_at(machine_t *m, uint32_t i, int32_t reg, unsigned file) {
  const char *bad = bring_rows(m, i, reg, file);
  unsigned first = first_row(m, reg);
  m->value[m->lane][reg] = ++m->writes;
  for (unsigned k = first; k < end_row(m, reg) && !bad; k++) {
    m->row[file][k][m->lane] = 2 * m->writes + k - first;
    m->valid[!file][k] = false;
  }
  return bad;
}

/* Reads all sources where the instruction runs, then writes all destinations there. */
static const char *execute_instruction(machine_t *m, uint32_t i) {
  const char *bad = NULL;
  regs_t r;
  regs_of(m->p->func, &m->p->func->instrs[i], &r);
  unsigned place = place_now(m, i, &r);
  if (place & ~m->p->instrs[i].place) return describe_wrong(m->p, -1, i, "it runs elsewhere");
  for (unsigned k = 0; k < r.num_uses && !bad; k++) {
    unsigned places = steers(m->p, r.uses[k]) ? MPU_F : read_places(m->p, i, r.uses[k], place);
    if (places & MPU_N) bad = read_at(m, i, r.uses[k], FILE_NEAR);
    if (places & MPU_F && !bad) bad = read_at(m, i, r.uses[k], FILE_FAR);
  }
  unsigned file = write_place(m->p, i, place) == MPU_N ? FILE_NEAR : FILE_FAR;
  for (unsigned k = 0; k < r.num_defs && !bad; k++)
    bad = write_at(m, i, r.defs[k], steers(m->p, r.defs[k]) ? FILE_FAR : file);
  return bad;
}

/* The next instruction, or num_instrs: the end. */
static uint32_t next_instruction(machine_t *m, uint32_t i, bool taken) {
  const ptx_func_t *f = m->p->func;
  const ptx_instr_t *in = &f->instrs[i];
  if (!taken) return i + 1;
  switch (in->op) {
  case PTX_OP_bra: return (uint32_t)in->target;
  case PTX_OP_brx: {
    const ptx_table_t *table = &f->tables[in->operand[1].index];
    return table->count ? (uint32_t)table->index[test_random(m->seed) % table->count] : f->num_instrs;
  }
  case PTX_OP_ret:
  case PTX_OP_exit:
  case PTX_OP_trap: return f->num_instrs;
  default: return i + 1;
  }
}

/* One instruction of the lane. A guard is read by the front end, and goes either way. */
static const char *step_lane(machine_t *m) {
  uint32_t *pc = &m->pc[m->lane];
  const ptx_instr_t *in = &m->p->func->instrs[*pc];
  bool taken = !in->guarded || test_random(m->seed) % 2;
  const char *bad = in->guarded ? read_at(m, *pc, in->guard, FILE_FAR) : NULL;
  if (taken && !bad) bad = execute_instruction(m, *pc);
  *pc = next_instruction(m, *pc, taken);
  return bad;
}

const char *mpu_check_path(const mpu_program_t *p, uint32_t steps, uint64_t *seed) {
  machine_t *m = calloc(1, sizeof *m);
  const char *bad = NULL;
  m->p = p;
  m->seed = seed;
  for (unsigned lane = 0; lane < NUM_LANES; lane++)
    m->value[lane] = calloc(p->func->num_regs + 1, sizeof *m->value[lane]);
  memset(m->valid, 1, sizeof m->valid);
  while (steps-- && !bad) {
    m->lane = (unsigned)(test_random(seed) % NUM_LANES);
    if (m->pc[m->lane] < p->func->num_instrs) bad = step_lane(m);
  }
  for (unsigned lane = 0; lane < NUM_LANES; lane++) free(m->value[lane]);
  free(m);
  return bad;
}
