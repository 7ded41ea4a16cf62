/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the PTX reader: nested scopes, ranges of registers, labels used before they are
 * declared.
 *
 * All names live in one hash table. An inner scope's names come first in their bucket:
 *
 *    bucket:  %r1 (depth 3) -> %r1 (depth 1) -> %f7 (depth 1)
 *
 * When a scope closes, its names are taken out; p->newest lists them, deepest first. Registers get
 * their number when they are first used, so that %r<100000> costs nothing.
 */
#include <stdio.h>
#include <string.h>

#include "ptx_internal.h"

/* FNV-1a. */
static uint32_t hash_name(const char *text, size_t length) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h % NUM_BUCKETS;
}

/* The innermost symbol of the name, ranges included. */
static symbol_t *symbol_lookup(parser_t *p, const char *name, size_t length) {
  for (symbol_t *s = p->buckets[hash_name(name, length)]; s; s = s->next)
    if (strncmp(s->name, name, length) == 0 && s->name[length] == 0) return s;
  return NULL;
}

/* Puts the symbol before others of its depth, in its bucket and in the list p->newest. A range's
 * member may go into an outer scope, hence the search. */
static symbol_t *symbol_insert(parser_t *p, const char *name, symbol_kind_t kind, int32_t index, uint32_t depth) {
  symbol_t *s = arena_alloc(p, sizeof *s);
  symbol_t **bucket = &p->buckets[hash_name(name, strlen(name))];
  *s = (symbol_t){.name = name, .kind = kind, .index = index, .depth = depth, .vec = 1};
  while (*bucket && (*bucket)->depth > depth) bucket = &(*bucket)->next;
  s->next = *bucket;
  *bucket = s;
  symbol_t **newest = &p->newest;
  while (*newest && (*newest)->depth > depth) newest = &(*newest)->older;
  s->older = *newest;
  *newest = s;
  return s;
}

symbol_t *symbol_add(parser_t *p, const char *name, symbol_kind_t kind, int32_t index, const token_t *at) {
  symbol_t *old = symbol_lookup(p, name, strlen(name));
  if (old && old->depth == p->depth) ptx_fail(p, at, "'%s' is declared twice in one scope; rename one", name);
  return symbol_insert(p, name, kind, index, p->depth);
}

static int32_t register_add(parser_t *p, const char *name, ptx_type_t type) {
  if (p->regs.count >= MAX_REGS) ptx_fail(p, &p->tok, "more than %d registers in a function; split it", MAX_REGS);
  uint32_t index = VECTOR_ADD(p, p->regs);
  p->regs.data[index] = (ptx_reg_t){name, type};
  return (int32_t)index;
}

int32_t registers_add(parser_t *p, const char *name, ptx_type_t type, unsigned count) {
  int32_t first = register_add(p, name, type);
  for (unsigned i = 1; i < count; i++) register_add(p, name, type);
  return first;
}

/* %r12 of .reg .b32 %r<100>: declared at its first use, in the scope of its range. Tries every
 * split into a stem and a number without leading zeros. */
static symbol_t *find_in_range(parser_t *p, const char *name, size_t length) {
  size_t stem = length;
  uint64_t number = 0, scale = 1;
  while (stem > 1 && name[stem - 1] >= '0' && name[stem - 1] <= '9' && length - stem < 9) {
    stem--;
    number += (uint64_t)(name[stem] - '0') * scale;
    scale *= 10;
    bool leading_zero = name[stem] == '0' && length - stem > 1;
    symbol_t *s = leading_zero ? NULL : symbol_lookup(p, name, stem);
    if (s && s->kind == SYM_REG_RANGE && number < (uint64_t)(uint32_t)s->index) {
      const char *copy = arena_string(p, name, length);
      symbol_t *made = symbol_insert(p, copy, s->vec > 1 ? SYM_REG_VECTOR : SYM_REG, 0, s->depth);
      made->type = s->type;
      made->vec = s->vec;
      made->index = registers_add(p, copy, s->type, s->vec);
      return made;
    }
  }
  return NULL;
}

symbol_t *symbol_find(parser_t *p, const char *name, size_t length) {
  symbol_t *s = symbol_lookup(p, name, length);
  return s && s->kind != SYM_REG_RANGE ? s : find_in_range(p, name, length);
}

void scope_open(parser_t *p) {
  if (++p->depth > MAX_DEPTH) ptx_fail(p, &p->tok, "scopes nested more than %d deep; flatten them", MAX_DEPTH);
}

/* Fills in the use of a label or table. brx and call want a table, others a label. */
static void resolve_fixup(parser_t *p, const fixup_t *f, const symbol_t *s) {
  if (f->in_table) {
    ptx_table_t *table = &p->tables.data[f->instr];
    if (s->kind != SYM_LABEL) ptx_fail(p, &f->token, "'%s' is not a label; .branchtargets lists labels", f->name);
    ((int32_t *)table->index)[f->operand] = s->index;
    return;
  }
  ptx_instr_t *instr = &p->instrs.data[f->instr];
  ptx_operand_t *operand = &instr->operand[f->operand];
  bool want_table = instr->op == PTX_OP_brx || instr->op == PTX_OP_call;
  if (s->kind == SYM_TABLE && want_table) {
    operand->kind = PTX_OPND_TABLE;
  } else if (s->kind == SYM_LABEL && !want_table) {
    operand->kind = PTX_OPND_LABEL;
    if (instr->op == PTX_OP_bra) instr->target = s->index;
  } else {
    ptx_fail(p, &f->token, "'%s' is not a %s", f->name,
             want_table ? "table of targets (.branchtargets, .calltargets, .callprototype)" : "label");
  }
  operand->index = s->index;
}

/* The operand or slot stays empty until the scope closes. */
void label_use(parser_t *p, const token_t *token, bool in_table, uint32_t instr, uint32_t operand) {
  uint32_t i = VECTOR_ADD(p, p->fixups);
  p->fixups.data[i] = (fixup_t){.name = arena_string(p, token->text, token->length),
                                .depth = p->depth,
                                .in_table = in_table,
                                .instr = instr,
                                .operand = operand,
                                .token = *token};
}

/* Resolves the uses whose label the closing scope declares. The others now belong to the scope
 * around it. */
static void close_labels(parser_t *p) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->fixups.count; i++) {
    fixup_t f = p->fixups.data[i];
    symbol_t *s = f.depth == p->depth ? symbol_lookup(p, f.name, strlen(f.name)) : NULL;
    if (s && s->depth == p->depth) {
      resolve_fixup(p, &f, s);
      continue;
    }
    if (f.depth == p->depth) f.depth--;
    p->fixups.data[kept++] = f;
  }
  p->fixups.count = kept;
}

/* The nearest name in any open scope; NULL: none within two changes. */
const char *suggest_name(parser_t *p, const token_t *token) {
  size_t best = 3;
  const char *name = NULL;
  for (const symbol_t *s = p->newest; s; s = s->older)
    if (s->kind != SYM_REG_RANGE && suggest(token->text, token->length, s->name, &best)) name = s->name;
  return name;
}

/* As close_labels, at the function's end: a use that is left over is an error. */
void labels_close(parser_t *p) {
  close_labels(p);
  if (!p->fixups.count) return;
  const fixup_t *f = &p->fixups.data[0];
  const char *near = NULL;
  size_t best = 3;
  for (uint32_t i = 0; i < p->labels.count; i++)
    if (suggest(f->token.text, f->token.length, p->labels.data[i].name, &best)) near = p->labels.data[i].name;
  if (near) ptx_fail(p, &f->token, "label '%s' is not declared in this function; did you mean '%s'?", f->name, near);
  ptx_fail(p, &f->token, "label '%s' is not declared in this function; declare it as '%s:'", f->name, f->name);
}

void scope_close(parser_t *p) {
  if (p->depth > 1) close_labels(p);
  else labels_close(p);
  while (p->newest && p->newest->depth == p->depth) {
    symbol_t *s = p->newest;
    symbol_t **at = &p->buckets[hash_name(s->name, strlen(s->name))];
    while (*at != s) at = &(*at)->next;
    *at = s->next;
    p->newest = s->older;
  }
  p->depth--;
}

/* A variable or function without linkage is its source's own. */
static bool has_no_linkage(const parser_t *p, const symbol_t *s) {
  if (s->kind == SYM_VAR) return p->vars.data[s->index].linkage == PTX_LINK_NONE;
  return s->kind == SYM_FUNC && p->funcs.data[s->index].linkage == PTX_LINK_NONE;
}

/* The next source may declare the same names. */
void scope_forget_locals(parser_t *p) {
  for (symbol_t **at = &p->newest; *at;) {
    symbol_t *s = *at;
    if (!has_no_linkage(p, s)) {
      at = &s->older;
      continue;
    }
    symbol_t **bucket = &p->buckets[hash_name(s->name, strlen(s->name))];
    while (*bucket != s) bucket = &(*bucket)->next;
    *bucket = s->next;
    *at = s->older;
  }
}
