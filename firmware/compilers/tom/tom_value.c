/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of registers. Asked for a register at an instruction, the search follows its writers:
 *
 *    one writer that dominates        -> what that instruction computes
 *    a writer above in the block      -> what that instruction computes
 *    else up, all ways bring the same -> that; otherwise a symbol (JOIN)
 *    at the header of a loop          -> a symbol (HEADER) for what the loop writes
 *
 * A trip may change a header's register by a sum of terms. Then the register is what it was at
 * entry plus, for each term, its sum over the trips so far (TRIPS). Two pointers that move alike
 * have the same TRIPS, which their difference does not have.
 */
#include "tom_value.h"

#include <stdlib.h>
#include <string.h>

/* Depth of the recursion; headers written out in one sum. */
enum { MAX_DEPTH = 192, MAX_STEPS = 512 };
enum { ASKED = 1, KNOWN, NOT_KNOWN }; /* symbol_t.known */

static void value_at(values_t *v, uint32_t block, uint32_t end, uint32_t reg, unsigned depth, sum_t *sum);

/* ---- Symbols --------------------------------------------------------------------------------- */

/* Makes room for one more element. Out of memory: v->failed, and the old list is returned. */
static void *grow_array(values_t *v, void *list, uint32_t count, uint32_t *room, size_t element) {
  if (count < *room) return list;
  uint32_t larger = *room ? 2 * *room : 32;
  void *grown = realloc(list, larger * element);
  v->failed |= !grown;
  if (!grown) return list;
  *room = larger;
  return grown;
}

/* The number of the symbol: an equal one's, or a new one's. The latest are the likeliest, so the
 * search begins at the end. */
static uint32_t intern_symbol(values_t *v, const symbol_t *s) {
  for (uint32_t i = v->num_symbols; i-- > 1;) {
    const symbol_t *o = &v->symbols[i];
    if (o->kind == s->kind && o->a == s->a && o->b == s->b && o->loop == s->loop && term_same_symbols(o->of, s->of))
      return i;
  }
  v->symbols = grow_array(v, v->symbols, v->num_symbols, &v->symbols_room, sizeof *v->symbols);
  if (v->failed) return 0;
  v->symbols[v->num_symbols] = *s;
  return v->num_symbols++;
}

static sum_t sum_of_new(values_t *v, symbol_kind_t kind, uint32_t a, uint32_t b, int32_t loop, bool fixed) {
  return sum_of_symbol(intern_symbol(v, &(symbol_t){.kind = kind, .a = a, .b = b, .loop = loop, .fixed = fixed}));
}

/* Are all symbols of a term the same in all threads? */
bool value_symbols_are_fixed(const values_t *v, const uint32_t *symbols) {
  for (unsigned i = 0; i < term_degree(symbols); i++)
    if (!v->symbols[symbols[i]].fixed) return false;
  return true;
}

bool value_is_fixed(const values_t *v, const sum_t *sum) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (!value_symbols_are_fixed(v, sum->term[i].symbol)) return false;
  return true;
}

/* Is the loop `around`, or in it? */
static bool is_within(const kernel_t *k, int32_t loop, int32_t around) {
  while (loop != PTX_NONE && loop != around) loop = k->loops[loop].parent;
  return loop != PTX_NONE;
}

/* May it differ from trip to trip of the loop? */
bool value_differs_in(const values_t *v, uint32_t s, int32_t loop) {
  return !v->symbols[s].fixed && is_within(v->k, v->symbols[s].loop, loop);
}

/* The same in all threads of a launch. */
static bool is_fixed_sreg(uint16_t sreg) {
  return sreg == PTX_SREG_ntid || sreg == PTX_SREG_nctaid || sreg == PTX_SREG_envreg;
}

/* The same in one thread as long as it lives. */
static bool is_constant_sreg(uint16_t sreg) {
  return is_fixed_sreg(sreg) || sreg == PTX_SREG_tid || sreg == PTX_SREG_ctaid || sreg == PTX_SREG_laneid;
}

/* ---- Kept values ----------------------------------------------------------------------------- */

/* Puts the sum into v->terms; its terms cost as much as they are. */
static kept_t keep_sum(values_t *v, const sum_t *sum) {
  kept_t kept = {v->num_terms, sum->count};
  for (uint32_t i = 0; i < sum->count; i++) {
    v->terms = grow_array(v, v->terms, v->num_terms, &v->terms_room, sizeof *v->terms);
    if (v->failed) return (kept_t){0, 0};
    v->terms[v->num_terms++] = sum->term[i];
  }
  return kept;
}

static void recall_sum(const values_t *v, kept_t kept, sum_t *sum) {
  sum->count = kept.count;
  if (kept.count) memcpy(sum->term, v->terms + kept.first, kept.count * sizeof *sum->term);
}

/* The slot of a block and register: its own, or the free one where it belongs. Linear probing; the
 * room is a power of two. */
static at_entry_t *entry_of(const values_t *v, uint32_t block, uint32_t reg) {
  uint32_t at = (block * UINT32_C(2654435761) + reg * UINT32_C(40503)) & (v->entries_room - 1);
  while (v->of_entry[at].value.count != NOWHERE && (v->of_entry[at].block != block || v->of_entry[at].reg != reg))
    at = (at + 1) & (v->entries_room - 1);
  return &v->of_entry[at];
}

/* An empty table. False: out of memory. */
static bool make_entries(values_t *v, uint32_t room) {
  v->of_entry = malloc(room * sizeof *v->of_entry);
  v->entries_room = room;
  v->failed |= !v->of_entry;
  for (uint32_t i = 0; v->of_entry && i < room; i++) v->of_entry[i].value.count = NOWHERE;
  return v->of_entry != NULL;
}

/* The table doubles when it is half full. */
static void keep_entry(values_t *v, uint32_t block, uint32_t reg, const sum_t *sum) {
  if (2 * v->num_entries >= v->entries_room) {
    at_entry_t *old = v->of_entry;
    const uint32_t room = v->entries_room;
    if (!make_entries(v, 2 * room)) v->of_entry = old, v->entries_room = room;
    else {
      for (uint32_t i = 0; i < room; i++)
        if (old[i].value.count != NOWHERE) *entry_of(v, old[i].block, old[i].reg) = old[i];
      free(old);
    }
  }
  if (v->failed) return;
  *entry_of(v, block, reg) = (at_entry_t){block, reg, keep_sum(v, sum)};
  v->num_entries++;
}

/* ---- Where ways meet ------------------------------------------------------------------------- */

/* The loop that the block is the header of, or PTX_NONE. */
static int32_t loop_headed(const kernel_t *k, uint32_t block) {
  const int32_t loop = k->innermost[block];
  return loop != PTX_NONE && k->loops[loop].header == block ? loop : PTX_NONE;
}

/* Does a block of the loop write the register? */
static bool loop_writes(const kernel_t *k, int32_t loop, uint32_t reg) {
  for (uint32_t b = 0; b < k->f->num_blocks; b++)
    if (k->loops[loop].has[b] && has_id(k->written + (size_t)b * k->words, reg)) return true;
  return false;
}

/* What the ways into a block bring: of a header those from inside its loop, or those from outside.
 * False: they differ, or there are none. */
static bool meet_ways(values_t *v, uint32_t block, uint32_t reg, bool inside, unsigned depth, sum_t *sum) {
  const kernel_t *k = v->k;
  const ptx_block_t *b = &k->f->blocks[block];
  const int32_t loop = loop_headed(k, block);
  unsigned ways = 0;
  if (block == 0 && !inside) *sum = sum_of_new(v, SYMBOL_START, reg, 0, PTX_NONE, false), ways++;
  for (uint32_t p = 0; p < b->num_preds; p++) {
    const uint32_t from = b->preds[p];
    sum_t other;
    if (!reachable(k, from) || (loop != PTX_NONE && (bool)k->loops[loop].has[from] != inside)) continue;
    value_at(v, from, k->f->blocks[from].last + 1, reg, depth + 1, ways ? &other : sum);
    if (ways++ && !sum_equal(sum, &other)) return false;
  }
  return ways != 0;
}

/* The value at the beginning of a block, worked out once. MAX_DEPTH ends long chains with a
 * symbol. */
static void value_at_entry(values_t *v, uint32_t block, uint32_t reg, unsigned depth, sum_t *sum) {
  const kernel_t *k = v->k;
  const at_entry_t *known = entry_of(v, block, reg);
  const int32_t loop = loop_headed(k, block);
  if (known->value.count != NOWHERE) {
    recall_sum(v, known->value, sum);
    return;
  }
  if (loop != PTX_NONE && loop_writes(k, loop, reg)) *sum = sum_of_new(v, SYMBOL_HEADER, block, reg, loop, false);
  else if (depth > MAX_DEPTH || !meet_ways(v, block, reg, false, depth, sum))
    *sum = sum_of_new(v, SYMBOL_JOIN, block, reg, k->innermost[block], false);
  keep_entry(v, block, reg, sum);
}

/* ---- What instructions write ----------------------------------------------------------------- */

/* False: the operand has no value that could be followed. */
static bool value_of_operand(values_t *v, uint32_t at, const ptx_operand_t *o, unsigned depth, sum_t *sum) {
  const kernel_t *k = v->k;
  switch (o->kind) {
  case PTX_OPND_IMM: *sum = sum_of_constant(o->imm); return true;
  case PTX_OPND_SREG:
    *sum = sum_of_new(v, SYMBOL_SREG, (uint32_t)o->index, o->sel, PTX_NONE, is_fixed_sreg((uint16_t)o->index));
    return is_constant_sreg((uint16_t)o->index);
  case PTX_OPND_VAR:
    *sum = sum_of_constant(o->imm);
    return sum_add_term(sum, sum_of_new(v, SYMBOL_ADDRESS, (uint32_t)o->index, 0, PTX_NONE, true).term[0]);
  case PTX_OPND_REG:
    if (o->negated || o->sel) return false;
    value_at(v, k->f->instrs[at].block, at, (uint32_t)o->index, depth + 1, sum);
    return true;
  default: return false;
  }
}

/* Two operands in a row, from `first` on. */
static bool two_operands(values_t *v, uint32_t at, unsigned first, unsigned depth, sum_t *a, sum_t *b) {
  const ptx_instr_t *in = &v->k->f->instrs[at];
  return value_of_operand(v, at, &in->operand[first], depth, a) &&
         value_of_operand(v, at, &in->operand[first + 1], depth, b);
}

static bool is_integer(const ptx_instr_t *in) {
  for (unsigned t = 0; t < in->num_types; t++)
    if (!strchr("USB", ptx_type_kind((ptx_type_t)in->type[t]))) return false;
  return in->num_types > 0;
}

/* A shift by a constant is a product. */
static bool value_of_shift(values_t *v, uint32_t at, unsigned depth, sum_t *sum) {
  sum_t by;
  int64_t bits;
  if (!two_operands(v, at, 1, depth, sum, &by) || !sum_is_constant(&by, &bits) || bits < 0 || bits > 62) return false;
  const sum_t power = sum_of_constant(INT64_C(1) << bits);
  return sum_multiply(sum, &power, sum);
}

/* mul, and mad if `adds`; the high half cannot be told. */
static bool value_of_product(values_t *v, uint32_t at, bool adds, unsigned depth, sum_t *sum) {
  const ptx_instr_t *in = &v->k->f->instrs[at];
  sum_t a, b;
  if (ptx_has(in, PTX_MOD_hi) || ptx_has(in, PTX_MOD_sat) || !two_operands(v, at, 1, depth, &a, &b) ||
      !sum_multiply(&a, &b, sum))
    return false;
  return !adds || (value_of_operand(v, at, &in->operand[3], depth, &a) && sum_add(sum, &a, 1));
}

/* or adds, if the constant's bits lie below all of the sum's factors. */
static bool value_of_or(values_t *v, uint32_t at, unsigned depth, sum_t *sum) {
  sum_t b;
  int64_t bits;
  uint64_t all = 0;
  if (!two_operands(v, at, 1, depth, sum, &b) || !sum_is_constant(&b, &bits)) return false;
  for (uint32_t i = 0; i < sum->count; i++) all |= (uint64_t)sum->term[i].factor;
  const uint64_t lowest = all & -all; /* 0: the sum is 0 */
  return (!all || (uint64_t)bits < lowest) && sum_add(sum, &b, 1);
}

/* Between integers, and to no fewer bits. */
static bool value_of_conversion(values_t *v, uint32_t at, unsigned depth, sum_t *sum) {
  const ptx_instr_t *in = &v->k->f->instrs[at];
  const bool wider =
      in->num_types == 2 && ptx_type_bytes((ptx_type_t)in->type[0]) >= ptx_type_bytes((ptx_type_t)in->type[1]);
  return wider && !in->num_mods && value_of_operand(v, at, &in->operand[1], depth, sum);
}

/* Parameters alone; the type is part of the symbol, as an 8-byte and a 4-byte load differ. */
static bool value_of_load(values_t *v, uint32_t at, sum_t *sum) {
  const ptx_instr_t *in = &v->k->f->instrs[at];
  const ptx_operand_t *from = &in->operand[1];
  if (in->space != PTX_SPACE_PARAM || v->k->act[at] != ACT_PLAIN || from->base != PTX_BASE_VAR || in->vec > 1)
    return false;
  const symbol_t param = {.kind = SYMBOL_PARAM,
                          .a = (uint32_t)from->index,
                          .b = (uint32_t)from->imm,
                          .of = {in->type[0]},
                          .loop = PTX_NONE,
                          .fixed = true};
  *sum = sum_of_symbol(intern_symbol(v, &param));
  return true;
}

/* The value that the instruction writes. False: it cannot be followed. */
static bool follow_instr(values_t *v, uint32_t at, unsigned depth, sum_t *sum) {
  const ptx_instr_t *in = &v->k->f->instrs[at];
  sum_t b;
  if (in->guarded || depth > MAX_DEPTH || in->operand[0].kind != PTX_OPND_REG || !is_integer(in)) return false;
  switch (in->op) {
  case PTX_OP_mov: return value_of_operand(v, at, &in->operand[1], depth, sum);
  case PTX_OP_cvta: return value_of_operand(v, at, &in->operand[1], depth, sum);
  case PTX_OP_add: return !in->num_mods && two_operands(v, at, 1, depth, sum, &b) && sum_add(sum, &b, 1);
  case PTX_OP_sub: return !in->num_mods && two_operands(v, at, 1, depth, sum, &b) && sum_add(sum, &b, -1);
  case PTX_OP_neg:
    b = (sum_t){0};
    return value_of_operand(v, at, &in->operand[1], depth, sum) && sum_add(&b, sum, -1) && (*sum = b, true);
  case PTX_OP_mul:
  case PTX_OP_mul24: return value_of_product(v, at, false, depth, sum);
  case PTX_OP_mad:
  case PTX_OP_mad24: return value_of_product(v, at, true, depth, sum);
  case PTX_OP_shl: return value_of_shift(v, at, depth, sum);
  case PTX_OP_or: return value_of_or(v, at, depth, sum);
  case PTX_OP_cvt: return value_of_conversion(v, at, depth, sum);
  case PTX_OP_ld: return value_of_load(v, at, sum);
  default: return false;
  }
}

/* Arithmetic on what is the same in all threads gives what is the same in all threads. */
static bool gives_fixed(values_t *v, uint32_t at, unsigned depth) {
  const kernel_t *k = v->k;
  const ptx_instr_t *in = &k->f->instrs[at];
  sum_t sum;
  if (k->act[at] != ACT_PLAIN || in->guarded || depth > MAX_DEPTH ||
      (in->op == PTX_OP_ld && in->space != PTX_SPACE_CONST))
    return false;
  for (uint32_t u = k->uses[at]; u < k->defs[at]; u++) {
    const uint32_t id = k->list[u];
    if (id >= k->f->num_regs) {
      if (!is_fixed_sreg(k->ids[id].sreg)) return false;
      continue;
    }
    value_at(v, in->block, at, id, depth + 1, &sum);
    if (!value_is_fixed(v, &sum)) return false;
  }
  return true;
}

/* The value of a definition, worked out once. d: its place in the list of what is written. */
static void value_of_def(values_t *v, uint32_t d, unsigned depth, sum_t *sum) {
  const uint32_t at = v->instr_of[d];
  if (v->of_def[d].count != NOWHERE) {
    recall_sum(v, v->of_def[d], sum);
    return;
  }
  if (!follow_instr(v, at, depth, sum)) {
    const bool fixed = gives_fixed(v, at, depth);
    *sum = sum_of_new(v, SYMBOL_OPAQUE, d, 0, v->k->innermost[v->k->f->instrs[at].block], fixed);
  }
  v->of_def[d] = keep_sum(v, sum);
}

/* The value before instruction `end` of a block, or behind its last one. */
static void value_at(values_t *v, uint32_t block, uint32_t end, uint32_t reg, unsigned depth, sum_t *sum) {
  const kernel_t *k = v->k;
  if (!v->writers[reg]) {
    *sum = sum_of_new(v, SYMBOL_START, reg, 0, PTX_NONE, false);
    return;
  }
  const uint32_t only = v->writer[reg], at = v->instr_of[only], from = k->f->instrs[at].block;
  if (v->writers[reg] == 1 && (from == block ? at < end : dominates(k, from, block)))
    return value_of_def(v, only, depth, sum);
  if (has_id(k->written + (size_t)block * k->words, reg))
    for (uint32_t i = end; i-- > k->f->blocks[block].first;)
      for (uint32_t d = k->defs[i]; d < k->uses[i + 1]; d++)
        if (k->list[d] == reg) return value_of_def(v, d, depth, sum);
  value_at_entry(v, block, reg, depth, sum);
}

/* ---- Loops ----------------------------------------------------------------------------------- */

static bool write_out_headers(values_t *v, sum_t *sum, int32_t inside);

/* Adds the sum of a term over the loop's trips so far. Factors that do not differ in the loop go
 * before that sum. */
static bool add_trips(values_t *v, int32_t loop, const term_t *t, sum_t *sum) {
  symbol_t trips = {.kind = SYMBOL_TRIPS, .loop = loop};
  term_t whole = {.factor = t->factor};
  for (unsigned i = 0; i < term_degree(t->symbol); i++)
    if (!term_add_symbol(value_differs_in(v, t->symbol[i], loop) ? trips.of : whole.symbol, t->symbol[i])) return false;
  return term_add_symbol(whole.symbol, intern_symbol(v, &trips)) && sum_add_term(sum, whole);
}

/* A header's register as its value at entry and what each trip adds. False: a trip
 * does something else. */
static bool find_header(values_t *v, uint32_t s, sum_t *value) {
  const uint32_t block = v->symbols[s].a, reg = v->symbols[s].b;
  const int32_t loop = v->symbols[s].loop;
  const sum_t self = sum_of_symbol(s);
  sum_t step;
  if (!meet_ways(v, block, reg, true, 0, &step) || !write_out_headers(v, &step, loop) || !sum_add(&step, &self, -1))
    return false;
  if (!meet_ways(v, block, reg, false, 0, value))
    *value = sum_of_new(v, SYMBOL_ENTRY, block, reg, v->k->loops[loop].parent, false);
  for (uint32_t i = 0; i < step.count; i++)
    if (!add_trips(v, loop, &step.term[i], value)) return false;
  return true;
}

/* Worked out once; ASKED stands meanwhile for "not known", which ends recursion. */
static bool header_is_known(values_t *v, uint32_t s) {
  if (!v->symbols[s].known) {
    sum_t value;
    v->symbols[s].known = ASKED;
    const bool known = find_header(v, s, &value);
    v->symbols[s].known = known ? KNOWN : NOT_KNOWN;
    if (known) v->symbols[s].value = keep_sum(v, &value);
  }
  return v->symbols[s].known == KNOWN;
}

/* Finds a symbol of the term that can be written out. `inside`: of loops inside that one,
 * PTX_NONE: of any. */
static bool find_known(values_t *v, const term_t *t, int32_t inside, unsigned *place) {
  for (*place = 0; *place < term_degree(t->symbol); ++*place) {
    const symbol_t s = v->symbols[t->symbol[*place]];
    const bool asked =
        s.kind == SYMBOL_HEADER && (inside == PTX_NONE || (s.loop != inside && is_within(v->k, s.loop, inside)));
    if (asked && header_is_known(v, t->symbol[*place])) return true;
  }
  return false;
}

/* Replaces headers by their values until none is left. False: too many steps or terms. */
static bool write_out_headers(values_t *v, sum_t *sum, int32_t inside) {
  unsigned steps = 0, place;
  for (uint32_t i = 0; i < sum->count;) {
    term_t t = sum->term[i];
    if (!find_known(v, &t, inside, &place)) {
      i++;
      continue;
    }
    if (++steps > MAX_STEPS) return false;
    sum_t value, rest = {.count = 1}, whole;
    recall_sum(v, v->symbols[t.symbol[place]].value, &value);
    memmove(t.symbol + place, t.symbol + place + 1, (TERM_DEGREE - place - 1) * sizeof *t.symbol);
    t.symbol[TERM_DEGREE - 1] = 0;
    rest.term[0] = t;
    sum->term[i] = sum->term[--sum->count];
    if (!sum_multiply(&rest, &value, &whole) || !sum_add(sum, &whole, 1)) return false;
    i = 0;
  }
  return true;
}

bool value_of_address(values_t *v, uint32_t instr, sum_t *sum) {
  const ptx_instr_t *in = &v->k->f->instrs[instr];
  const ptx_operand_t *o = &in->operand[in->op == PTX_OP_st ? 0 : 1];
  if (!v->follows || o->kind != PTX_OPND_ADDR) return false;
  *sum = (sum_t){0};
  if (o->base == PTX_BASE_REG) value_at(v, in->block, instr, (uint32_t)o->index, 0, sum);
  if (o->base == PTX_BASE_VAR) *sum = sum_of_new(v, SYMBOL_ADDRESS, (uint32_t)o->index, 0, PTX_NONE, true);
  const sum_t more = sum_of_constant(o->imm);
  return sum_add(sum, &more, 1) && write_out_headers(v, sum, PTX_NONE) && !v->failed;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Are all circles natural loops? A block is taken off once all ways into it have been, those back
 * to a header apart. What is left is in another circle. */
static bool is_reducible(values_t *v) {
  const kernel_t *k = v->k;
  const ptx_func_t *f = k->f;
  uint32_t *left = calloc(f->num_blocks + 1, sizeof *left), top = 0, done = 0, all = 0;
  v->failed |= !left;
  for (uint32_t b = 0; left && b < f->num_blocks; b++) {
    for (uint32_t p = 0; p < f->blocks[b].num_preds; p++)
      left[b] += reachable(k, f->blocks[b].preds[p]) && !dominates(k, b, f->blocks[b].preds[p]);
    all += reachable(k, b);
    if (reachable(k, b) && !left[b]) k->stack[top++] = b;
  }
  while (left && top) {
    const uint32_t b = k->stack[--top];
    done++;
    for (uint32_t s = 0; s < f->blocks[b].num_succs; s++) {
      const uint32_t to = f->blocks[b].succs[s];
      if (!dominates(k, to, b) && !--left[to]) k->stack[top++] = to;
    }
  }
  free(left);
  return done == all;
}

/* Writers of each register in reachable code, and the instruction of each place in the list. */
static void list_writers(values_t *v) {
  const kernel_t *k = v->k;
  for (uint32_t i = 0; i < k->f->num_instrs; i++)
    for (uint32_t d = k->defs[i]; d < k->uses[i + 1]; d++) {
      v->instr_of[d] = i;
      if (!reachable(k, k->f->instrs[i].block)) continue;
      v->writers[k->list[d]]++;
      v->writer[k->list[d]] = d;
    }
}

bool values_make(values_t *v, kernel_t *k) {
  const uint32_t listed = k->uses[k->f->num_instrs], regs = k->f->num_regs;
  *v = (values_t){.k = k, .num_symbols = 1};
  v->of_def = malloc((listed + 1) * sizeof *v->of_def);
  v->instr_of = calloc(listed + 1, sizeof *v->instr_of);
  v->writers = calloc(regs + 1, sizeof *v->writers);
  v->writer = calloc(regs + 1, sizeof *v->writer);
  if (!v->of_def || !v->instr_of || !v->writers || !v->writer || !make_entries(v, 64)) return false;
  for (uint32_t d = 0; d < listed; d++) v->of_def[d].count = NOWHERE;
  list_writers(v);
  v->follows = is_reducible(v);
  return !v->failed;
}

void values_free(values_t *v) {
  free(v->symbols);
  free(v->terms);
  free(v->of_def);
  free(v->of_entry);
  free(v->writers);
  free(v->writer);
  free(v->instr_of);
}
