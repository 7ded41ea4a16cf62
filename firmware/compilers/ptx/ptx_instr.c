/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of the PTX reader: guard, opcode with its modifiers, and what is checked of a
 * whole instruction. Operands: ptx_operand.c.
 *
 *    @%p1   add.rn.f32   %f3, %f1, %f2;
 *    guard  opcode       operands          then the checks, then what p->before and p->behind hold
 *
 * What is checked is what later parts rely on: numbers of operands, results that are registers,
 * addresses in brackets, widths of registers. Other rules of PTX are the assembler's business.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "one_line.h"
#include "ptx_internal.h"

/* ---- Opcode ---------------------------------------------------------------------------------- */

/* Names the nearest opcode within two changes, if there is one. */
static _Noreturn void fail_opcode(parser_t *p, const token_t *t) {
  size_t best = 3;
  const char *near = NULL;
  for (int op = 1; op < PTX_NUM_OPS; op++)
    if (suggest(t->text, t->length, ptx_op_name((ptx_op_t)op), &best)) near = ptx_op_name((ptx_op_t)op);
  if (near) ptx_fail(p, t, "unknown opcode %s; did you mean '%s'?", tok_text(p, t), near);
  ptx_fail(p, t, "unknown opcode %s; PTX 9.1 has none like it", tok_text(p, t));
}

/* Is word one of the blank-separated words of list? */
static bool in_list(const char *list, const char *word, size_t length) {
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, " ");
    if (n == length && memcmp(at, word, n) == 0) return true;
    at += n + (at[n] == ' ');
  }
  return false;
}

/* Names the nearest modifier that the opcode takes, or lists them all. */
static _Noreturn void fail_modifier(parser_t *p, const token_t *t, const op_info_t *info) {
  size_t best = 3;
  char near[40] = "";
  for (const char *at = info->mods; *at;) {
    char word[40];
    size_t n = strcspn(at, " ");
    snprintf(word, sizeof word, "%.*s", (int)n, at);
    if (suggest(t->text, t->length, word, &best)) strcpy(near, word);
    at += n + (at[n] == ' ');
  }
  if (*near) ptx_fail(p, t, "%s does not take modifier %s; did you mean '.%s'?", info->name, tok_text(p, t), near);
  if (!*info->mods) ptx_fail(p, t, "%s does not take modifier %s; it takes only a type", info->name, tok_text(p, t));
  ptx_fail(p, t, "%s does not take modifier %s; it takes: %s", info->name, tok_text(p, t), info->mods);
}

/* The state space that a modifier names; PTX_SPACE_GENERIC: none. */
static ptx_space_t mod_space(ptx_mod_t mod) {
  switch (mod) {
  case PTX_MOD_global: return PTX_SPACE_GLOBAL;
  case PTX_MOD_const: return PTX_SPACE_CONST;
  case PTX_MOD_local: return PTX_SPACE_LOCAL;
  case PTX_MOD_param:
  case PTX_MOD_param_entry:
  case PTX_MOD_param_func: return PTX_SPACE_PARAM;
  case PTX_MOD_shared:
  case PTX_MOD_shared_cta:
  case PTX_MOD_shared_cluster: return PTX_SPACE_SHARED;
  default: return PTX_SPACE_GENERIC;
  }
}

/* Of several state spaces the first counts. */
static void add_modifier(parser_t *p, ptx_instr_t *in, const op_info_t *info) {
  const token_t *t = &p->tok;
  bool any = info->mods[0] == '*';
  ptx_mod_t mod = mod_find(t->text, t->length);
  if (!any && !in_list(info->mods, t->text, t->length)) fail_modifier(p, t, info);
  if (in->num_mods == PTX_MAX_MODS)
    ptx_fail(p, t, "more than %d modifiers; none of PTX's instructions has so many", PTX_MAX_MODS);
  in->mod[in->num_mods++] = (uint8_t)(mod ? mod : PTX_MOD_OTHER);
  if (!in->space) in->space = (uint8_t)mod_space(mod);
}

/* One suffix of an opcode: a type, a vector length or a modifier. */
static void parse_suffix(parser_t *p, ptx_instr_t *in, const op_info_t *info) {
  const token_t *t = &p->tok;
  ptx_type_t type = type_find(t->text, t->length);
  if (!t->glued) ptx_fail(p, t, "blank before %s; write it without", tok_text(p, t));
  if (type) {
    if (in->num_types == info->types_most)
      ptx_fail(p, t, "%s takes %u type%s, %s is one too many", info->name, info->types_most,
               info->types_most == 1 ? "" : "s", tok_text(p, t));
    in->type[in->num_types++] = (uint8_t)type;
  } else if (t->length == 2 && t->text[0] == 'v' && strchr("248", t->text[1])) {
    in->vec = (uint8_t)(t->text[1] - '0');
  } else {
    add_modifier(p, in, info);
  }
  lex_next(p);
}

/* add.rn.f32: the name, then suffixes without blanks between them. */
static void parse_opcode(parser_t *p, uint32_t i) {
  ptx_instr_t *in = instr_at(p, i);
  token_t first = p->tok;
  size_t end = first.end;
  if (first.kind != TOK_NAME) ptx_fail(p, &first, "%s where an instruction should start", tok_text(p, &first));
  in->op = (uint16_t)op_find(first.text, first.length);
  in->line = first.line;
  in->column = first.column;
  in->vec = 1;
  if (!in->op) fail_opcode(p, &first);
  const op_info_t *info = op_info((ptx_op_t)in->op);
  lex_next(p);
  while (p->tok.kind == TOK_DOT) {
    end = p->tok.end;
    parse_suffix(p, in, info);
  }
  if (in->num_types < info->types_least)
    ptx_fail(p, &first, "%s without %s; write for example %s.%s", info->name,
             in->num_types ? "its second type" : "a type", info->name, info->types_least > 1 ? "f32.s32" : "u32");
  in->text = arena_string(p, p->source + first.at, end - first.at);
}

/* ---- What is checked of a whole instruction -------------------------------------------------- */

/* The first operand is a result: a register, a sink, or a vector or pair of them. */
static void check_dest(parser_t *p, const ptx_instr_t *in, const token_t *at) {
  const ptx_operand_t *o = &in->operand[0];
  switch (o->kind) {
  case PTX_OPND_REG:
  case PTX_OPND_SINK:
    if (!o->negated) return;
    break;
  case PTX_OPND_VEC:
  case PTX_OPND_PAIR:
    for (unsigned k = 0; k < o->count; k++) {
      unsigned kind = p->elements.data[o->first + k].kind;
      if (kind == PTX_OPND_VEC && o->kind == PTX_OPND_PAIR) continue; /* tex, tld4 */
      if (kind != PTX_OPND_REG && kind != PTX_OPND_SINK)
        ptx_fail(p, at, "%s writes something that is not a register", in->text);
    }
    return;
  case PTX_OPND_ADDR: /* instructions without a fixed shape: mbarrier.init, tcgen05.alloc */
    if (op_info((ptx_op_t)in->op)->mods[0] == '*') return;
    break;
  default: break;
  }
  ptx_fail(p, at, "first operand of %s is its result; it must be a register", in->text);
}

/* The address is in brackets, and the data have as many elements as .v2 or .v4 says. */
static void check_memory(parser_t *p, const ptx_instr_t *in, const token_t *at) {
  unsigned slot;
  switch (in->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
  case PTX_OP_atom: slot = 1; break;
  case PTX_OP_st:
  case PTX_OP_red:
  case PTX_OP_prefetch:
  case PTX_OP_prefetchu: slot = 0; break;
  default: return;
  }
  const ptx_operand_t *o = &in->operand[slot];
  if (o->kind != PTX_OPND_ADDR) ptx_fail(p, at, "operand %u of %s must be an address in brackets", slot + 1, in->text);
  const ptx_operand_t *data = &in->operand[1 - slot];
  if (in->op != PTX_OP_ld && in->op != PTX_OP_ldu && in->op != PTX_OP_st) return;
  unsigned count = data->kind == PTX_OPND_VEC ? data->count : 1;
  if (count != in->vec)
    ptx_fail(p, at, "%s moves %u element%s, its operand has %u", in->text, in->vec, in->vec == 1 ? "" : "s", count);
}

/* Is the register of operand `slot` exactly as wide as the type, where PTX wants that? Operands
 * that are no registers always pass. */
static void check_width(parser_t *p, const ptx_instr_t *in, unsigned slot, ptx_type_t type, const token_t *at) {
  const ptx_operand_t *o = &in->operand[slot];
  if (slot >= in->num_operands || o->kind != PTX_OPND_REG) return;
  bool predicate = type == PTX_PRED, is_predicate = o->type == PTX_PRED;
  if (predicate == is_predicate && (predicate || ptx_type_bytes((ptx_type_t)o->type) == ptx_type_bytes(type))) return;
  ptx_fail(p, at, "operand %u of %s is '%s', a .%s register; it must be as wide as .%s", slot + 1, in->text,
           p->regs.data[o->index].name, ptx_type_name((ptx_type_t)o->type), ptx_type_name(type));
}

/* Which operands must have the instruction's width. Opcodes that are not listed may mix widths. */
static void check_widths(parser_t *p, const ptx_instr_t *in, const token_t *at) {
  ptx_type_t type = (ptx_type_t)in->type[0];
  switch (in->op) {
  case PTX_OP_add:
  case PTX_OP_sub:
  case PTX_OP_fma:
    if (in->num_types > 1) return;
    break;
  case PTX_OP_mul:
  case PTX_OP_mad:
    if (ptx_has(in, PTX_MOD_wide)) {
      check_width(p, in, 1, type, at);
      check_width(p, in, 2, type, at);
      return;
    }
    break;
  case PTX_OP_and:
  case PTX_OP_or:
  case PTX_OP_xor:
  case PTX_OP_not:
  case PTX_OP_div:
  case PTX_OP_rem:
  case PTX_OP_min:
  case PTX_OP_max:
  case PTX_OP_abs:
  case PTX_OP_neg: break;
  case PTX_OP_shl:
  case PTX_OP_shr:
    check_width(p, in, 0, type, at);
    check_width(p, in, 1, type, at);
    check_width(p, in, 2, PTX_U32, at);
    return;
  case PTX_OP_setp:
    check_width(p, in, 0, PTX_PRED, at);
    check_width(p, in, 1, type, at);
    check_width(p, in, 2, type, at);
    check_width(p, in, 3, PTX_PRED, at);
    return;
  case PTX_OP_selp:
    for (unsigned k = 0; k < 3; k++) check_width(p, in, k, type, at);
    check_width(p, in, 3, PTX_PRED, at);
    return;
  default: return;
  }
  for (unsigned k = 0; k < in->num_operands; k++) check_width(p, in, k, type, at);
}

/* How many roundings the instruction has. */
static int rounding_mods(const ptx_instr_t *in) {
  return ptx_has(in, PTX_MOD_rn) + ptx_has(in, PTX_MOD_rz) + ptx_has(in, PTX_MOD_rm) + ptx_has(in, PTX_MOD_rp);
}

/* Modifiers that an opcode needs, or that exclude each other. */
static void check_form(parser_t *p, const ptx_instr_t *in, const token_t *at) {
  bool is_float = ptx_type_kind((ptx_type_t)in->type[0]) == 'F';
  bool is_int = strchr("US", ptx_type_kind((ptx_type_t)in->type[0])) && in->num_types;
  bool half = ptx_has(in, PTX_MOD_lo) || ptx_has(in, PTX_MOD_hi) || ptx_has(in, PTX_MOD_wide);
  if ((in->op == PTX_OP_mul || in->op == PTX_OP_mad) && is_int && !half)
    ptx_fail(p, at, "%s of integers needs .lo, .hi or .wide", in->text);
  if ((in->op == PTX_OP_mul || in->op == PTX_OP_mad) && is_float && half)
    ptx_fail(p, at, "%s: .lo, .hi and .wide are for integers", in->text);
  if (in->op == PTX_OP_fma && !rounding_mods(in)) ptx_fail(p, at, "%s needs a rounding; write fma.rn.f32", in->text);
  if (rounding_mods(in) > 1 && in->op != PTX_OP_red) ptx_fail(p, at, "%s has two roundings; keep one", in->text);
  if ((in->op == PTX_OP_setp || in->op == PTX_OP_set) && !in->num_mods)
    ptx_fail(p, at, "%s needs a comparison; write for example setp.lt.s32", in->text);
  if (in->op == PTX_OP_bra && in->operand[0].kind != PTX_OPND_LABEL) ptx_fail(p, at, "bra needs a label");
}

/* bar writes a register only as bar.red. */
bool writes_first(const ptx_instr_t *in) {
  if (in->op == PTX_OP_bar || in->op == PTX_OP_barrier) return ptx_has(in, PTX_MOD_red);
  return op_info((ptx_op_t)in->op)->dests > 0;
}

void float_operand(ptx_operand_t *o, ptx_type_t type) {
  if (o->kind != PTX_OPND_FLOAT || type != PTX_F32 || o->type != PTX_F64) return;
  token_t t = {.kind = TOK_F64, .integer = (uint64_t)o->imm};
  o->imm = (int64_t)float_bits(&t, PTX_F32);
  o->type = PTX_F32;
}

/* All checks of a whole instruction; decimal literals of .f32 instructions become binary32 at
 * last. */
static void check_instruction(parser_t *p, uint32_t i, const token_t *at) {
  ptx_instr_t *in = instr_at(p, i);
  const op_info_t *info = op_info((ptx_op_t)in->op);
  unsigned least = info->least, most = info->most;
  if (in->num_operands < least || in->num_operands > most) {
    char range[24];
    snprintf(range, sizeof range, least == most ? "%u" : "%u to %u", least, most);
    ptx_fail(p, at, "%s has %u operand%s; it takes %s", in->text, in->num_operands, in->num_operands == 1 ? "" : "s",
             range);
  }
  uint32_t registers = in->guarded;
  for (unsigned k = 0; k < in->num_operands; k++) registers += 2u + in->operand[k].count;
  if (registers > PTX_MAX_INSTR_REGS) ptx_fail(p, at, "%s names more than %d registers", in->text, PTX_MAX_INSTR_REGS);
  if (writes_first(in) && in->num_operands) check_dest(p, in, at);
  check_memory(p, in, at);
  check_widths(p, in, at);
  check_form(p, in, at);
  for (unsigned k = 0; k < in->num_operands && in->num_types; k++)
    float_operand(&in->operand[k], (ptx_type_t)in->type[in->num_types - 1]);
}

/* The source's bytes from `from` to `to` on one line, without comments and with single blanks. */
static const char *statement_text(parser_t *p, size_t from, size_t to) {
  char *text = arena_alloc(p, to - from + 1), *out = text;
  bool blank = false;
  for (size_t i = from; i < to; i++) {
    char c = p->source[i];
    bool pair = c == '/' && i + 1 < to;
    if (pair && p->source[i + 1] == '/') {
      while (i + 1 < to && p->source[i + 1] != '\n') i++;
      c = ' ';
    } else if (pair && p->source[i + 1] == '*') {
      for (i += 2; i + 1 < to && !(p->source[i] == '*' && p->source[i + 1] == '/');) i++;
      i++;
      c = ' ';
    }
    if (isspace((unsigned char)c)) {
      blank = out > text;
      continue;
    }
    if (blank) *out++ = ' ';
    blank = false;
    *out++ = c;
  }
  return text;
}

/* @%p1 or @!%p1. */
static void parse_guard(parser_t *p, uint32_t i) {
  ptx_operand_t o;
  token_t t = p->tok;
  lex_next(p);
  bool negated = tok_accept(p, '!');
  if (p->tok.kind != TOK_NAME)
    ptx_fail(p, &p->tok, "%s after '@'; a predicate register should stand there", tok_text(p, &p->tok));
  parse_named(p, i, UINT32_MAX, &o);
  if (o.kind != PTX_OPND_REG || o.type != PTX_PRED) ptx_fail(p, &t, "a guard must be a .pred register");
  ptx_instr_t *in = instr_at(p, i);
  in->guarded = true;
  in->guard_negated = negated;
  in->guard = o.index;
}

/* ---- Instructions that no source has --------------------------------------------------------- */

/* Its text is built from the parts, as if the source had it. */
ptx_instr_t implicit_instr(parser_t *p, const ptx_instr_t *at, ptx_op_t op, ptx_mod_t mod, unsigned vec,
                           ptx_type_t type) {
  char text[64], width[16] = "";
  if (vec > 1) snprintf(width, sizeof width, ".v%u", vec);
  line_printf(text, sizeof text, "%s%s%s%s%s%s", ptx_op_name(op), mod ? "." : "", mod ? ptx_mod_name(mod) : "", width,
              type ? "." : "", type ? ptx_type_name(type) : "");
  return (ptx_instr_t){.op = (uint16_t)op,
                       .num_types = type != PTX_NO_TYPE,
                       .num_mods = mod != PTX_MOD_NONE,
                       .mod = {(uint8_t)mod},
                       .vec = (uint8_t)vec,
                       .space = (uint8_t)mod_space(mod),
                       .type = {(uint8_t)type},
                       .implicit = true,
                       .guard = PTX_NONE,
                       .target = PTX_NONE,
                       .reconv = PTX_NONE,
                       .line = at->line,
                       .column = at->column,
                       .text = arena_string(p, text, strlen(text))};
}

/* "%r1", "arr", "[arr]", "{%r1, %r2}", "4" */
static size_t operand_text(parser_t *p, const ptx_operand_t *o, char *out, size_t size) {
  size_t n = 0;
  switch (o->kind) {
  case PTX_OPND_REG: return line_printf(out, size, "%s", p->regs.data[o->index].name);
  case PTX_OPND_VAR: return line_printf(out, size, "%s", p->vars.data[o->index].name);
  case PTX_OPND_ADDR: return line_printf(out, size, "[%s]", p->vars.data[o->index].name);
  case PTX_OPND_VEC:
    for (unsigned k = 0; k < o->count; k++) {
      n += line_printf(out + n, size - n, "%s", k ? ", " : "{");
      n += operand_text(p, &p->elements.data[o->first + k], out + n, size - n);
    }
    return n + line_printf(out + n, size - n, "}");
  default: return line_printf(out, size, "%lld", (long long)o->imm);
  }
}

void implicit_source(parser_t *p, ptx_instr_t *in) {
  char source[512];
  const bool guarded = in->guarded;
  const char *mark = in->guard_negated ? "@!" : "@";
  size_t n = line_printf(source, sizeof source, "%s%s%s%s", guarded ? mark : "",
                         guarded ? p->regs.data[in->guard].name : "", guarded ? " " : "", in->text);
  for (unsigned k = 0; k < in->num_operands; k++) {
    n += line_printf(source + n, sizeof source - n, "%s ", k ? "," : "");
    n += operand_text(p, &in->operand[k], source + n, sizeof source - n);
  }
  line_printf(source + n, sizeof source - n, ";");
  in->source = arena_string(p, source, strlen(source));
}

/* Uses of labels that name instruction i must move with it. */
void put_before(parser_t *p, uint32_t i) {
  uint32_t added = p->before.count;
  for (uint32_t k = 0; k < added; k++) VECTOR_ADD(p, p->instrs);
  memmove(instr_at(p, i + added), instr_at(p, i), sizeof *p->instrs.data);
  memcpy(instr_at(p, i), p->before.data, added * sizeof *p->before.data);
  for (uint32_t k = p->fixups.count; k-- > 0;)
    if (!p->fixups.data[k].in_table && p->fixups.data[k].instr == i) p->fixups.data[k].instr += added;
  p->before.count = 0;
}

void put_behind(parser_t *p) {
  for (uint32_t k = 0; k < p->behind.count; k++) {
    uint32_t i = VECTOR_ADD(p, p->instrs);
    p->instrs.data[i] = p->behind.data[k];
  }
  p->behind.count = 0;
}

/* One statement in p->instrs. p->instrs may move while operands are read, so nothing here keeps a
 * pointer into it. */
void parse_instruction(parser_t *p) {
  uint32_t i = VECTOR_ADD(p, p->instrs);
  size_t from = p->tok.at;
  instr_at(p, i)->guard = instr_at(p, i)->target = instr_at(p, i)->reconv = PTX_NONE;
  if (tok_is(p, '@')) parse_guard(p, i);
  token_t at = p->tok;
  parse_opcode(p, i);
  while (!tok_is(p, ';')) {
    ptx_operand_t o;
    uint32_t slot = instr_at(p, i)->num_operands;
    if (slot) tok_expect(p, ',', "or ';' after an operand");
    if (slot == PTX_MAX_OPERANDS) ptx_fail(p, &p->tok, "more than %d operands", PTX_MAX_OPERANDS);
    parse_operand(p, i, slot, &o);
    instr_at(p, i)->operand[slot] = o;
    instr_at(p, i)->num_operands++;
  }
  lex_next(p);
  instr_at(p, i)->source = statement_text(p, from, p->prev_end);
  check_instruction(p, i, &at);
  if (instr_at(p, i)->op == PTX_OP_call) params_call(p, i, &at);
  if (instr_at(p, i)->op == PTX_OP_ret) params_return(p, &p->funcs.data[p->func], instr_at(p, i));
  if (p->before.count) put_before(p, i);
  put_behind(p);
}
