/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses at a fixed offset (section 3.2.1). Which accesses of a candidate are always at the same
 * distance from another one of the same trip? Which from themselves a trip later?
 *
 * An address is a sum of products of symbols (tom_value.h). The distance of two is fixed if
 * their difference is the same for all threads of a launch: constants, the kernel's
 * parameters, sizes of the grid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tom_value.h"

/* ---- What addresses have in common ----------------------------------------------------------- */

/* Do the sum's symbols mean the same at both instructions? Whatever differs from trip to trip must
 * be of loops that have both or neither. */
static bool means_one(const values_t *v, const sum_t *sum, uint32_t instr, uint32_t other) {
  const kernel_t *k = v->k;
  const uint32_t a = k->f->instrs[instr].block, b = k->f->instrs[other].block;
  for (uint32_t i = 0; i < sum->count; i++)
    for (unsigned j = 0; j < term_degree(sum->term[i].symbol); j++) {
      const symbol_t *s = &v->symbols[sum->term[i].symbol[j]];
      for (int32_t l = s->fixed ? PTX_NONE : s->loop; l != PTX_NONE; l = k->loops[l].parent)
        if (k->loops[l].has[a] != k->loops[l].has[b]) return false;
    }
  return true;
}

/* What one more trip of the loop adds to the sum. False: not the same each time. */
static bool find_sum_of_step(const values_t *v, const sum_t *sum, uint32_t loop, sum_t *step) {
  *step = (sum_t){0};
  for (uint32_t i = 0; i < sum->count; i++) {
    term_t t = {.factor = sum->term[i].factor};
    unsigned differ = 0;
    for (unsigned j = 0; j < term_degree(sum->term[i].symbol); j++) {
      const uint32_t s = sum->term[i].symbol[j];
      const symbol_t *of = &v->symbols[s];
      if (!value_differs_in(v, s, (int32_t)loop)) term_add_symbol(t.symbol, s);
      else if (of->kind == SYMBOL_TRIPS && of->loop == (int32_t)loop && !of->of[0] && !differ) differ++;
      else return false;
    }
    if (differ && (!value_symbols_are_fixed(v, t.symbol) || !sum_add_term(step, t))) return false;
  }
  return true;
}

/* The symbol as users know it; only fixed symbols are printed. */
static void symbol_name(const values_t *v, uint32_t s, char *text, size_t size) {
  const kernel_t *k = v->k;
  const symbol_t *of = &v->symbols[s];
  switch (of->kind) {
  case SYMBOL_PARAM: snprintf(text, size, of->b ? "%.40s[%u]" : "%.40s", k->module->vars[of->a].name, of->b); break;
  case SYMBOL_ADDRESS: snprintf(text, size, "%.40s", k->module->vars[of->a].name); break;
  case SYMBOL_SREG:
    tom_reg_name(k->f, &(tom_reg_t){.reg = PTX_NONE, .sreg = (uint16_t)of->a, .sel = (uint8_t)of->b}, text, size);
    break;
  case SYMBOL_OPAQUE: snprintf(text, size, "%.40s", k->f->regs[k->list[of->a]].name); break;
  default: snprintf(text, size, "?"); break; /* no fixed one */
  }
}

/* What is added before what is taken away, the constant last. */
static int by_sign(const void *a, const void *b) {
  const term_t *x = a, *y = b;
  if (!x->symbol[0] != !y->symbol[0]) return !x->symbol[0] - !y->symbol[0];
  if ((x->factor < 0) != (y->factor < 0)) return (x->factor < 0) - (y->factor < 0);
  return memcmp(x->symbol, y->symbol, sizeof x->symbol) < 0 ? -1 : 1;
}

/* Writes "k_b - k_a + 4 * k_n + 8"; "0" for a sum without terms. Cut off at `size`. */
static void write_sum_of_terms(const values_t *v, const sum_t *sum, char *text, size_t size) {
  sum_t sorted = *sum;
  char name[64];
  size_t n = 0;
  qsort(sorted.term, sorted.count, sizeof *sorted.term, by_sign);
  snprintf(text, size, "0");
  for (uint32_t i = 0; i < sorted.count && n < size; i++) {
    const term_t *t = &sorted.term[i];
    const bool less = t->factor < 0;
    const uint64_t factor = less ? -(uint64_t)t->factor : (uint64_t)t->factor;
    const char *joint = less ? " - " : " + ", *sign = less ? "-" : "";
    n += (size_t)snprintf(text + n, size - n, "%s", i ? joint : sign);
    if (n < size && (factor != 1 || !t->symbol[0]))
      n += (size_t)snprintf(text + n, size - n, "%llu%s", (unsigned long long)factor, t->symbol[0] ? " * " : "");
    for (unsigned j = 0; j < term_degree(t->symbol) && n < size; j++) {
      symbol_name(v, t->symbol[j], name, sizeof name);
      n += (size_t)snprintf(text + n, size - n, "%s%s", j ? " * " : "", name);
    }
  }
}

/* ---- Accesses of a candidate ----------------------------------------------------------------- */

typedef struct {
  sum_t address;
  bool known;
} address_t;

static uint32_t count_accesses(const kernel_t *k, const tom_block_t *b) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < k->f->num_instrs; i++) count += b->inside[i] && is_access(k->act[i]);
  return count;
}

/* The innermost loop that is wholly in the candidate and has the instruction. */
static int32_t loop_inside(const kernel_t *k, const tom_block_t *b, uint32_t instr) {
  const ptx_func_t *f = k->f;
  const int32_t loop = k->innermost[f->instrs[instr].block];
  for (uint32_t block = 0; loop != PTX_NONE && block < f->num_blocks; block++)
    for (uint32_t i = f->blocks[block].first; k->loops[loop].has[block] && i <= f->blocks[block].last; i++)
      if (!b->inside[i]) return PTX_NONE;
  return loop;
}

/* Is access `a` always at the same distance from `other`? Then notes `to` and the distance. */
static bool fix_to_other(values_t *v, const address_t *a, const address_t *other, tom_access_t *access, uint32_t to) {
  if (!a->known || !other->known || !means_one(v, &a->address, access->instr, to) ||
      !means_one(v, &other->address, access->instr, to))
    return false;
  sum_t distance = a->address;
  if (!sum_add(&distance, &other->address, -1) || !value_is_fixed(v, &distance)) return false;
  access->to = to;
  write_sum_of_terms(v, &distance, access->offset, sizeof access->offset);
  return true;
}

/* Notes what each trip of the innermost loop inside adds, if that is fixed. */
static void find_step(values_t *v, const tom_block_t *b, const address_t *a, tom_access_t *access) {
  const int32_t loop = loop_inside(v->k, b, access->instr);
  sum_t step;
  access->has_step = a->known && loop != PTX_NONE && find_sum_of_step(v, &a->address, (uint32_t)loop, &step);
  if (access->has_step) write_sum_of_terms(v, &step, access->step, sizeof access->step);
}

/* All accesses of one candidate, each compared with the others until one is at a fixed offset.
 * False: out of memory. */
static bool find_block_offsets(values_t *v, tom_block_t *b) {
  const kernel_t *k = v->k;
  const uint32_t count = count_accesses(k, b);
  tom_access_t *list = calloc(count + 1, sizeof *list);
  address_t *addresses = calloc(count + 1, sizeof *addresses);
  b->accesses = list;
  for (uint32_t i = 0; list && addresses && i < k->f->num_instrs; i++) {
    if (!b->inside[i] || !is_access(k->act[i])) continue;
    addresses[b->num_accesses].known = value_of_address(v, i, &addresses[b->num_accesses].address);
    list[b->num_accesses++] = (tom_access_t){.instr = i, .to = TOM_NO_INSTR};
  }
  for (uint32_t i = 0; addresses && i < b->num_accesses; i++) {
    for (uint32_t j = 0; j < b->num_accesses; j++)
      if (i != j && fix_to_other(v, &addresses[i], &addresses[j], &list[i], list[j].instr)) break;
    find_step(v, b, &addresses[i], &list[i]);
    b->num_fixed += list[i].to != TOM_NO_INSTR;
    b->num_regular += list[i].to != TOM_NO_INSTR || list[i].has_step;
  }
  free(addresses);
  return list && addresses && !v->failed;
}

bool offsets_find(kernel_t *k, tom_program_t *p) {
  values_t v;
  bool ok = values_make(&v, k);
  for (uint32_t i = 0; i < p->num_blocks && ok; i++) ok = find_block_offsets(&v, &p->blocks[i]);
  values_free(&v);
  return ok;
}
