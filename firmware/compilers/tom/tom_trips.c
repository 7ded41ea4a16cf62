/* SPDX-License-Identifier: Apache-2.0
 *
 * How often a loop is run (section 3.1.3): a constant, or what registers say before it is
 * entered, or unknown.
 *
 *    header:   i = phi(start, i + step)
 *              ...
 *    test:     setp.lt p, i, bound;  @p bra header          trips = (bound - start) / step
 *
 * A loop has a counter if two things hold. Its only exit test compares, once in each trip, a
 * register of the header with what the loop never writes; either side may have a constant added.
 * And that register moves by the same step in every trip. Values are followed back through mov, add
 * and sub of one trip.
 */
#include <stdio.h>
#include <string.h>

#include "tom_internal.h"

enum { MAX_DEPTH = 16 };

typedef enum { VALUE_UNKNOWN, VALUE_CONST, VALUE_OUTSIDE, VALUE_HEADER } value_kind_t;

/* CONST: add. OUTSIDE: a register that the loop does not write, + add. HEADER: a register as it is
 * at the header, + add + steps * step_reg. */
typedef struct {
  value_kind_t kind;
  int32_t reg, step_reg;
  int64_t add;
  int steps;
} value_t;

/* The loop that is being looked at. */
typedef struct {
  kernel_t *k;
  loop_t *l;
  int32_t index; /* of l */
} walk_t;

static const value_t unknown = {.kind = VALUE_UNKNOWN};

static value_t constant_value(int64_t add) {
  return (value_t){VALUE_CONST, PTX_NONE, PTX_NONE, add, 0};
}

/* Counts the writers of a register inside the loop, or outside; *one is one of them. */
static uint32_t count_writers(const walk_t *w, int32_t reg, bool inside, uint32_t *one) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < w->k->f->num_blocks; b++) {
    if ((bool)w->l->has[b] != inside || !reachable(w->k, b) ||
        !has_id(w->k->written + (size_t)b * w->k->words, (uint32_t)reg))
      continue;
    for (uint32_t i = w->k->f->blocks[b].first; i <= w->k->f->blocks[b].last; i++)
      for (uint32_t d = w->k->defs[i]; d < w->k->uses[i + 1]; d++)
        if (w->k->list[d] == (uint32_t)reg) count++, *one = i;
  }
  return count;
}

/* Does instruction a run before b whenever b runs? */
static bool runs_before(const kernel_t *k, uint32_t a, uint32_t b) {
  uint32_t x = k->f->instrs[a].block, y = k->f->instrs[b].block;
  return x == y ? a < b : dominates(k, x, y);
}

/* Is there a way from block to block? in_trip: in the loop, and without passing its header. Uses
 * k->stack and k->flow as scratch. */
static bool has_path(const walk_t *w, uint32_t from, uint32_t to, bool in_trip) {
  uint32_t top = 0, *queue = w->k->stack;
  uint64_t *seen = w->k->flow; /* bits of blocks */
  memset(seen, 0, ((size_t)w->k->f->num_blocks / 64 + 1) * sizeof *seen);
  queue[top++] = from;
  while (top) {
    const ptx_block_t *b = &w->k->f->blocks[queue[--top]];
    for (uint32_t s = 0; s < b->num_succs; s++) {
      uint32_t next = b->succs[s];
      if (has_id(seen, next) || (in_trip && (!w->l->has[next] || next == w->l->header))) continue;
      if (next == to) return true;
      add_id(seen, next);
      queue[top++] = next;
    }
  }
  return false;
}

static bool follows_in_trip(const walk_t *w, uint32_t from, uint32_t to) {
  return has_path(w, from, to, true);
}

/* From the loop to a block, on whatever way. */
static bool leads_to(const walk_t *w, uint32_t to) {
  return has_path(w, w->l->header, to, false);
}

/* ---- Values at the entry --------------------------------------------------------------------- */

static value_t entry_value(const walk_t *w, uint32_t block, uint32_t end, int32_t reg, unsigned depth);

/* A constant that an operand of instruction `at` has. */
static value_t entry_operand(const walk_t *w, uint32_t at, const ptx_operand_t *o, unsigned depth) {
  if (o->kind == PTX_OPND_IMM) return constant_value(o->imm);
  if (o->kind != PTX_OPND_REG) return unknown;
  return entry_value(w, w->k->f->instrs[at].block, at, o->index, depth + 1);
}

/* Only an unguarded mov passes a constant on. */
static value_t entry_instr(const walk_t *w, uint32_t at, unsigned depth) {
  const ptx_instr_t *in = &w->k->f->instrs[at];
  if (in->guarded || in->op != PTX_OP_mov || in->operand[0].kind != PTX_OPND_REG) return unknown;
  return entry_operand(w, at, &in->operand[1], depth);
}

/* The constant in a register before instruction `end` of a block. The search goes up while there is
 * one way, then asks for the only writer that dominates. */
static value_t entry_value(const walk_t *w, uint32_t block, uint32_t end, int32_t reg, unsigned depth) {
  uint32_t one = 0;
  if (depth > MAX_DEPTH) return unknown;
  for (unsigned up = 0; up < MAX_DEPTH; up++) {
    const ptx_block_t *b = &w->k->f->blocks[block];
    for (uint32_t i = end; i-- > b->first;)
      for (uint32_t d = w->k->defs[i]; d < w->k->uses[i + 1]; d++)
        if (w->k->list[d] == (uint32_t)reg) return entry_instr(w, i, depth);
    uint32_t ways = 0, from = 0;
    for (uint32_t p = 0; p < b->num_preds; p++)
      if (reachable(w->k, b->preds[p]) && (block != w->l->header || !w->l->has[b->preds[p]]))
        ways++, from = b->preds[p];
    if (ways != 1 || block == 0) break;
    block = from;
    end = w->k->f->blocks[from].last + 1;
  }
  if (count_writers(w, reg, false, &one) != 1 || !dominates(w->k, w->k->f->instrs[one].block, block)) return unknown;
  uint32_t inside = 0;
  if (count_writers(w, reg, true, &inside) && leads_to(w, block))
    return unknown; /* values that the loop wrote could arrive, too */
  return entry_instr(w, one, depth);
}

/* The value at the header, on the way in from outside. */
static value_t at_entry(const walk_t *w, int32_t reg) {
  return entry_value(w, w->l->header, w->k->f->blocks[w->l->header].first, reg, 0);
}

/* ---- Values in a trip ------------------------------------------------------------------------ */

static value_t value_in_trip(const walk_t *w, const ptx_operand_t *o, uint32_t at, unsigned depth);

/* a + sign * b, as far as value_t can say it; a register's step may be added several times. */
static value_t add_or_subtract(value_t a, value_t b, int sign) {
  if (sign > 0 && b.kind == VALUE_HEADER) {
    value_t swap = a;
    a = b;
    b = swap;
  }
  if (b.kind == VALUE_CONST && a.kind != VALUE_UNKNOWN) {
    a.add += sign * b.add;
    return a;
  }
  if (a.kind == VALUE_CONST && sign > 0 && b.kind == VALUE_OUTSIDE) {
    b.add += a.add;
    return b;
  }
  bool adds =
      a.kind == VALUE_HEADER && b.kind == VALUE_OUTSIDE && !b.add && (a.step_reg == PTX_NONE || a.step_reg == b.reg);
  if (!adds) return unknown;
  a.step_reg = b.reg;
  a.steps += sign;
  return a;
}

/* What the instruction writes, if it is an unguarded mov, add or sub of integers. */
static value_t value_of_instr(const walk_t *w, uint32_t at, unsigned depth) {
  const ptx_instr_t *in = &w->k->f->instrs[at];
  bool integer = in->num_types && strchr("USB", ptx_type_kind((ptx_type_t)in->type[0]));
  if (in->guarded || !integer || depth > MAX_DEPTH || in->operand[0].kind != PTX_OPND_REG || in->num_mods)
    return unknown;
  if (in->op == PTX_OP_mov) return value_in_trip(w, &in->operand[1], at, depth + 1);
  if (in->op != PTX_OP_add && in->op != PTX_OP_sub) return unknown;
  return add_or_subtract(value_in_trip(w, &in->operand[1], at, depth + 1),
                         value_in_trip(w, &in->operand[2], at, depth + 1), in->op == PTX_OP_add ? 1 : -1);
}

/* What the operand of instruction `at` holds in a trip. Without a writer before it in the trip,
 * the header's value. */
static value_t value_in_trip(const walk_t *w, const ptx_operand_t *o, uint32_t at, unsigned depth) {
  const kernel_t *k = w->k;
  uint32_t def = 0;
  if (o->kind == PTX_OPND_IMM) return constant_value(o->imm);
  if (o->kind != PTX_OPND_REG || o->negated || o->sel) return unknown;
  uint32_t count = count_writers(w, o->index, true, &def);
  if (count == 0) {
    value_t v = at_entry(w, o->index);
    return v.kind == VALUE_CONST ? v : (value_t){VALUE_OUTSIDE, o->index, PTX_NONE, 0, 0};
  }
  if (count > 1 || k->innermost[k->f->instrs[def].block] != w->index) return unknown;
  if (runs_before(k, def, at)) return value_of_instr(w, def, depth);
  if (follows_in_trip(w, k->f->instrs[def].block, k->f->instrs[at].block)) return unknown;
  return (value_t){VALUE_HEADER, o->index, PTX_NONE, 0, 0};
}

/* ---- The exit test --------------------------------------------------------------------------- */

typedef enum { CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_NE, CMP_EQ, CMP_NONE } cmp_t;

/* lo, ls, hi, hs compare unsigned whatever the type says. */
static cmp_t comparison_of(const ptx_instr_t *in, bool *is_unsigned) {
  static const struct {
    ptx_mod_t mod;
    cmp_t cmp;
    bool is_unsigned;
  } table[] = {{PTX_MOD_lt, CMP_LT, false}, {PTX_MOD_le, CMP_LE, false}, {PTX_MOD_gt, CMP_GT, false},
               {PTX_MOD_ge, CMP_GE, false}, {PTX_MOD_ne, CMP_NE, false}, {PTX_MOD_eq, CMP_EQ, false},
               {PTX_MOD_lo, CMP_LT, true},  {PTX_MOD_ls, CMP_LE, true},  {PTX_MOD_hi, CMP_GT, true},
               {PTX_MOD_hs, CMP_GE, true}};
  for (unsigned i = 0; in->num_mods == 1 && i < sizeof table / sizeof *table; i++)
    if (in->mod[0] == table[i].mod) {
      *is_unsigned |= table[i].is_unsigned;
      return table[i].cmp;
    }
  return CMP_NONE;
}

static cmp_t negate_comparison(cmp_t c) {
  static const cmp_t table[] = {CMP_GE, CMP_GT, CMP_LE, CMP_LT, CMP_EQ, CMP_NE, CMP_NONE};
  return table[c];
}

/* a < b is b > a. */
static cmp_t mirror_comparison(cmp_t c) {
  static const cmp_t table[] = {CMP_GT, CMP_GE, CMP_LT, CMP_LE, CMP_NE, CMP_EQ, CMP_NONE};
  return table[c];
}

/* Trips are unknown; line and reason go to the user. */
static void set_no_trips(loop_t *l, int line, const char *why) {
  l->trips = (trips_t){.kind = TRIPS_UNKNOWN, .line = line, .step_reg = PTX_NONE};
  snprintf(l->trips.why, sizeof l->trips.why, "%s", why);
}

/* Does the block run once in every trip, and in no loop inside? */
static bool in_every_trip(const walk_t *w, uint32_t block) {
  const ptx_block_t *header = &w->k->f->blocks[w->l->header];
  if (w->k->innermost[block] != w->index) return false;
  for (uint32_t p = 0; p < header->num_preds; p++)
    if (w->l->has[header->preds[p]] && !dominates(w->k, block, header->preds[p])) return false;
  return true;
}

/* Does an access come behind the test in a trip? Then the trips are the times that
 * the test continues. */
static bool accesses_behind(const walk_t *w, uint32_t test) {
  for (uint32_t b = 0; b < w->k->f->num_blocks; b++) {
    if (!w->l->has[b] || b == test || !follows_in_trip(w, test, b)) continue;
    for (uint32_t i = w->k->f->blocks[b].first; i <= w->k->f->blocks[b].last; i++)
      if (is_access(w->k->act[i])) return true;
  }
  return false;
}

/* How far the header's register moves in a trip: one writer, once in every trip. */
static value_t step_of_counter(const walk_t *w, int32_t reg) {
  uint32_t def = 0;
  if (count_writers(w, reg, true, &def) != 1 || !in_every_trip(w, w->k->f->instrs[def].block)) return unknown;
  value_t v = value_of_instr(w, def, 0);
  return v.kind == VALUE_HEADER && v.reg == reg ? v : unknown;
}

/* Cuts a constant to the register's width and extends it again. */
static int64_t as_width(int64_t value, unsigned bytes, bool is_signed) {
  if (bytes >= 8 || !bytes) return value;
  uint64_t mask = (UINT64_C(1) << (8 * bytes)) - 1, bits = (uint64_t)value & mask;
  return is_signed && bits >> (8 * bytes - 1) ? (int64_t)(bits | ~mask) : (int64_t)bits;
}

/* Sets start, bound and offset. Constants on either side of the test go into `offset`. False: a
 * constant beside a step that is in a register. */
static bool set_ends(const walk_t *w, trips_t *t, value_t counter, value_t bound, unsigned bytes) {
  value_t start = at_entry(w, counter.reg);
  t->start = counter.reg;
  t->start_is_const = start.kind == VALUE_CONST;
  t->start_value = t->start_is_const ? as_width(start.add, bytes, t->is_signed) : 0;
  t->bound = bound.reg;
  t->bound_is_const = bound.kind == VALUE_CONST;
  t->bound_value = t->bound_is_const ? as_width(bound.add, bytes, t->is_signed) : 0;
  int64_t shift = as_width(counter.add, bytes, true) - (t->bound_is_const ? 0 : as_width(bound.add, bytes, true));
  t->offset = t->up ? shift : -shift;
  if (t->step_reg == PTX_NONE) return true;
  if (shift || (t->start_is_const && t->start_value) || (t->bound_is_const && t->bound_value)) return false;
  t->offset = t->up ? counter.steps : -counter.steps;
  return t->offset >= 0;
}

/* Constant ends: the trips themselves. False: the counter wraps round first. */
static bool count_trips(trips_t *t) {
  int64_t distance = t->up ? t->bound_value - t->start_value : t->start_value - t->bound_value;
  int64_t least = t->offset + (t->exact ? t->step : t->strict), times = 0;
  /* a test for equality that is stepped over never holds */
  if (t->exact && (distance < t->offset || (distance - t->offset) % t->step)) return false;
  if (distance >= least) times = (distance - least) / t->step + 1;
  t->kind = TRIPS_CONSTANT;
  t->count = (uint64_t)times + (t->behind ? 0 : 1);
  return true;
}

/* Everything that must fit: step, direction, comparison, width. What does not
 * goes to set_no_trips. */
static void set_counter(const walk_t *w, uint32_t test, cmp_t cmp, bool is_unsigned, value_t counter, value_t bound) {
  loop_t *l = w->l;
  const ptx_instr_t *setp = &w->k->f->instrs[test];
  unsigned bytes = ptx_type_bytes((ptx_type_t)setp->type[0]);
  value_t step = step_of_counter(w, counter.reg);
  if (step.kind == VALUE_UNKNOWN)
    return set_no_trips(l, setp->line, "the exit test's register does not move by the same step in every trip");
  if (step.step_reg != PTX_NONE && step.add)
    return set_no_trips(l, setp->line, "the counter's step is no single register");
  if (counter.step_reg != PTX_NONE && counter.step_reg != step.step_reg)
    return set_no_trips(l, setp->line, "the exit test compares with another step than the counter's");
  int64_t move = step.step_reg == PTX_NONE ? as_width(step.add, bytes, true) : step.steps;
  trips_t t = {.kind = TRIPS_REGISTER,
               .step_reg = step.step_reg,
               .up = move > 0,
               .step = move > 0 ? move : -move,
               .exact = cmp == CMP_NE};
  bool fits = t.up ? cmp == CMP_LT || cmp == CMP_LE || cmp == CMP_NE : cmp == CMP_GT || cmp == CMP_GE || cmp == CMP_NE;
  if (!fits || !move || (step.step_reg != PTX_NONE && t.step != 1))
    return set_no_trips(l, setp->line, "the exit test does not fit the counter's step");
  t.is_signed = !is_unsigned;
  t.strict = cmp == CMP_LT || cmp == CMP_GT;
  t.behind = accesses_behind(w, setp->block);
  if (!set_ends(w, &t, counter, bound, bytes))
    return set_no_trips(l, setp->line, "a constant beside a step that is in a register");
  bool constant_ends = t.start_is_const && t.bound_is_const && t.step_reg == PTX_NONE;
  if (bytes != 4 && !constant_ends) return set_no_trips(l, setp->line, "the counter does not have 32 bits");
  if (constant_ends && !count_trips(&t))
    return set_no_trips(l, setp->line, "the counter wraps round before the test for equality holds");
  if (t.start_is_const && t.bound_is_const && !constant_ends)
    return set_no_trips(l, setp->line, "constants, but for a step that is in a register");
  l->trips = t;
}

/* Brings the exit test into the form "counter compares with bound: go on". */
static void read_test(const walk_t *w, uint32_t branch, uint32_t test) {
  const kernel_t *k = w->k;
  const ptx_instr_t *bra = &k->f->instrs[branch], *setp = &k->f->instrs[test];
  bool is_unsigned = setp->num_types && ptx_type_kind((ptx_type_t)setp->type[0]) != 'S';
  bool integer = setp->num_types && strchr("USB", ptx_type_kind((ptx_type_t)setp->type[0]));
  cmp_t cmp = setp->op == PTX_OP_setp && integer && !setp->guarded && setp->num_operands == 3
                  ? comparison_of(setp, &is_unsigned)
                  : CMP_NONE;
  if (cmp == CMP_NONE || setp->operand[0].kind != PTX_OPND_REG)
    return set_no_trips(w->l, setp->line, "the exit test is no comparison of two integers");
  bool leaves_if_true = ((uint32_t)bra->target == w->l->exit) != bra->guard_negated;
  if (leaves_if_true) cmp = negate_comparison(cmp);
  value_t a = value_in_trip(w, &setp->operand[1], test, 0), b = value_in_trip(w, &setp->operand[2], test, 0);
  if (b.kind == VALUE_HEADER && a.kind != VALUE_HEADER) {
    value_t swap = a;
    a = b;
    b = swap;
    cmp = mirror_comparison(cmp);
  }
  if (a.kind != VALUE_HEADER) return set_no_trips(w->l, setp->line, "the exit test has no counter");
  if (b.kind != VALUE_CONST && b.kind != VALUE_OUTSIDE)
    return set_no_trips(w->l, setp->line, "the counter's bound is written inside of the loop");
  set_counter(w, test, cmp, is_unsigned, a, b);
}

void trips_find(kernel_t *k, uint32_t loop) {
  loop_t *l = &k->loops[loop];
  walk_t w = {k, l, (int32_t)loop};
  uint32_t test = 0;
  if (!l->single_exit)
    return set_no_trips(l, l->exit_line[1], l->exit_line[0] ? "it leaves to two places" : "it does not leave");
  if (l->exit_from == NOWHERE) return set_no_trips(l, l->exit_line[0], "it has several exits");
  uint32_t branch = k->f->blocks[l->exit_from].last;
  const ptx_instr_t *bra = &k->f->instrs[branch];
  if (bra->op != PTX_OP_bra || !bra->guarded) return set_no_trips(l, bra->line, "the exit is no branch with a guard");
  if (!in_every_trip(&w, l->exit_from))
    return set_no_trips(l, bra->line, "the exit test is not made once in every trip");
  if (count_writers(&w, bra->guard, true, &test) != 1)
    return set_no_trips(l, bra->line, "the exit test is not made once in every trip");
  if (!in_every_trip(&w, k->f->instrs[test].block) || !runs_before(k, test, branch))
    return set_no_trips(l, bra->line, "the exit test is not made once in every trip");
  read_test(&w, branch, test);
}

/* ---- The condition --------------------------------------------------------------------------- */

/* The smallest power of two that is not below n, as a shift. */
static uint8_t log_up(uint64_t n) {
  uint8_t shift = 0;
  while ((UINT64_C(1) << shift) < n) shift++;
  return shift;
}

/* The test must continue `times` times. The hardware cannot multiply a step in a register. So the
 * number of steps is rounded up to a power of two. */
bool trips_condition(const trips_t *t, uint64_t least, tom_condition_t *cond, const char **why) {
  uint64_t times = least - (t->behind ? 0 : 1); /* that the test continues */
  *cond = (tom_condition_t){.kind = TOM_ALWAYS, .start = PTX_NONE, .bound = PTX_NONE, .step = PTX_NONE};
  *why = "";
  if (!times) return true;
  cond->up = t->up;
  cond->is_signed = t->is_signed;
  cond->start = t->start_is_const ? PTX_NONE : t->start;
  cond->bound = t->bound_is_const ? PTX_NONE : t->bound;
  if (t->step_reg != PTX_NONE) {
    /* steps after which the test still continues: below its bound, up to it, or a step before it */
    const uint64_t steps = times - 1 + (uint64_t)t->offset;
    cond->kind = TOM_STEPS;
    cond->step = t->step_reg;
    cond->beyond = t->strict && log_up(steps) < log_up(steps + 1);
    cond->shift = log_up(steps + (t->exact || (t->strict && !cond->beyond)));
    *why = "the threshold is too large";
    return cond->shift < 16;
  }
  int64_t imm = t->offset + (t->exact ? (int64_t)times * t->step : (int64_t)(times - 1) * t->step + t->strict);
  imm += t->up ? t->start_value - t->bound_value : t->bound_value - t->start_value;
  cond->kind = TOM_DISTANCE;
  cond->imm = (int32_t)imm;
  *why = "the threshold does not fit into 32 bits";
  return imm == (int32_t)imm;
}

/* ---- Accesses of one trip -------------------------------------------------------------------- */

/* Saturates, so that no sum of many overflows. */
static uint64_t times_capped(uint64_t a, uint64_t b) {
  enum { MOST = 1 << 30 }; /* enough for any candidate, and no sum overflows */
  return a && b > MOST / a ? MOST : a * b;
}

void loop_accesses(const kernel_t *k, uint32_t loop, uint64_t *loads, uint64_t *stores) {
  *loads = *stores = 0;
  for (uint32_t b = 0; b < k->f->num_blocks; b++) {
    if (!k->loops[loop].has[b]) continue;
    uint64_t trips = 1;
    for (int32_t l = k->innermost[b]; l != (int32_t)loop; l = k->loops[l].parent)
      if (k->loops[l].trips.kind == TRIPS_CONSTANT) trips = times_capped(trips, k->loops[l].trips.count);
    for (uint32_t i = k->f->blocks[b].first; i <= k->f->blocks[b].last; i++) {
      if (k->act[i] == ACT_LOAD) *loads += times_capped(k->access[i], trips);
      if (k->act[i] == ACT_STORE) *stores += times_capped(k->access[i], trips);
    }
  }
}
