/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of the PTX reader: guard, opcode with its modifiers, operands.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ptx_internal.h"

static void parse_operand(parser_t *p, uint32_t instr, uint32_t slot, ptx_operand_t *out);

static ptx_instr_t *instr_at(parser_t *p, uint32_t i) {
  return &p->instrs.data[i];
}

/* ---- Opcode ------------------------------------------------------------------------------------------------------ */

static _Noreturn void fail_opcode(parser_t *p, const token_t *t) {
  size_t best = 3;
  const char *near = NULL;
  for (int op = 1; op < PTX_NUM_OPS; op++)
    if (suggest(t->text, t->length, ptx_op_name((ptx_op_t)op), &best)) near = ptx_op_name((ptx_op_t)op);
  if (near) ptx_fail(p, t, "unknown opcode %s; did you mean '%s'?", tok_text(p, t), near);
  ptx_fail(p, t, "unknown opcode %s; PTX 9.0 has none like it", tok_text(p, t));
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

static void add_modifier(parser_t *p, ptx_instr_t *in, const op_info_t *info) {
  const token_t *t = &p->tok;
  bool any = info->mods[0] == '*';
  ptx_mod_t mod = mod_find(t->text, t->length);
  if (!any && !in_list(info->mods, t->text, t->length)) fail_modifier(p, t, info);
  if (in->num_mods == PTX_MAX_MODS) ptx_fail(p, t, "more than %d modifiers; none of PTX's instructions has so many", PTX_MAX_MODS);
  in->mod[in->num_mods++] = (uint8_t)(mod ? mod : PTX_MOD_OTHER);
  if (!in->space) in->space = (uint8_t)mod_space(mod);
}

static void parse_suffix(parser_t *p, ptx_instr_t *in, const op_info_t *info) {
  const token_t *t = &p->tok;
  ptx_type_t type = type_find(t->text, t->length);
  if (!t->glued) ptx_fail(p, t, "blank before %s; write it without", tok_text(p, t));
  if (type) {
    if (in->num_types == info->types_most)
      ptx_fail(p, t, "%s takes %u type%s, %s is one too many", info->name, info->types_most, info->types_most == 1 ? "" : "s", tok_text(p, t));
    in->type[in->num_types++] = (uint8_t)type;
  } else if (t->length == 2 && t->text[0] == 'v' && strchr("248", t->text[1])) {
    in->vec = (uint8_t)(t->text[1] - '0');
  } else {
    add_modifier(p, in, info);
  }
  lex_next(p);
}

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
    ptx_fail(p, &first, "%s without %s; write for example %s.%s", info->name, in->num_types ? "its second type" : "a type", info->name,
             info->types_least > 1 ? "f32.s32" : "u32");
  in->text = arena_string(p, p->source + first.at, end - first.at);
}

/* ---- Operands ---------------------------------------------------------------------------------------------------- */

static _Noreturn void fail_undeclared(parser_t *p, const token_t *t) {
  const char *near = suggest_name(p, t);
  if (near) ptx_fail(p, t, "%s is not declared; did you mean '%.80s'?", tok_text(p, t), near);
  ptx_fail(p, t, "%s is not declared; declare it before its use%s", tok_text(p, t), t->text[0] == '%' ? " with .reg" : "");
}

static int component_of(const token_t *t) {
  static const char names[] = "xyzwrgba";
  const char *at = t->length == 1 ? strchr(names, t->text[0]) : NULL;
  return at ? (int)(at - names) % 4 : -1;
}

static bool parse_sreg(parser_t *p, const token_t *t, ptx_operand_t *out) {
  for (int i = 0; i < PTX_NUM_SREGS; i++) {
    const char *name = ptx_sreg_name((ptx_sreg_t)i);
    size_t n = strlen(name);
    unsigned components = sreg_components((ptx_sreg_t)i);
    bool numbered = components > 4 && t->length > n + 1 && t->length <= n + 3 && strncmp(t->text + 1, name, n) == 0;
    if (!numbered && (t->length != n + 1 || strncmp(t->text + 1, name, n) != 0)) continue;
    *out = (ptx_operand_t){.kind = PTX_OPND_SREG, .type = (uint8_t)sreg_type((ptx_sreg_t)i), .index = i};
    if (numbered) {
      unsigned number = 0;
      for (size_t k = n + 1; k < t->length; k++) number = number * 10 + (unsigned)(t->text[k] - '0');
      if (number >= components) return false;
      out->sel = (uint8_t)number;
    } else if (components == 4) {
      int c = p->tok.kind == TOK_DOT ? component_of(&p->tok) : -1;
      if (c < 0) ptx_fail(p, &p->tok, "%s needs a component; write %%%s.x, .y or .z", tok_text(p, t), name);
      out->sel = (uint8_t)c;
      lex_next(p);
    } else if (components > 4) {
      return false;
    }
    return true;
  }
  return false;
}

/* .b0 .. .b3, .h0, .h1 of a video instruction's operand: 0 when the token is none. */
static unsigned selector_of(const token_t *t) {
  if (t->kind != TOK_DOT || t->length != 2) return 0;
  if (t->text[0] == 'b' && t->text[1] >= '0' && t->text[1] <= '3') return 1u + (unsigned)(t->text[1] - '0');
  if (t->text[0] == 'h' && (t->text[1] == '0' || t->text[1] == '1')) return 5u + (unsigned)(t->text[1] - '0');
  return 0;
}

static uint32_t add_elements(parser_t *p, const ptx_operand_t *items, uint32_t count) {
  uint32_t first = p->elements.count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = VECTOR_ADD(p, p->elements);
    p->elements.data[at] = items[i];
  }
  return first;
}

static void register_operand(const symbol_t *s, int32_t index, ptx_operand_t *out) {
  *out = (ptx_operand_t){.kind = PTX_OPND_REG, .type = (uint8_t)s->type, .index = index};
}

static void parse_vector_register(parser_t *p, const token_t *t, const symbol_t *s, ptx_operand_t *out) {
  ptx_operand_t items[8];
  if (p->tok.kind == TOK_DOT) {
    int c = component_of(&p->tok);
    if (c < 0 || c >= s->vec) ptx_fail(p, &p->tok, "%s has no component %s", tok_text(p, t), tok_text(p, &p->tok));
    register_operand(s, s->index + c, out);
    lex_next(p);
    return;
  }
  for (int i = 0; i < s->vec; i++) register_operand(s, s->index + i, &items[i]);
  *out = (ptx_operand_t){.kind = PTX_OPND_VEC, .count = s->vec, .first = add_elements(p, items, s->vec)};
}

static int64_t parse_offset(parser_t *p) {
  bool minus = tok_is(p, '-');
  if (!tok_accept(p, '+') && !tok_accept(p, '-')) return 0;
  int64_t value = parse_int(p, "an offset");
  return minus ? (int64_t)(0 - (uint64_t)value) : value;
}

static void parse_named(parser_t *p, uint32_t instr, uint32_t slot, ptx_operand_t *out) {
  token_t t = p->tok;
  const symbol_t *s = symbol_find(p, t.text, t.length);
  unsigned op = instr_at(p, instr)->op;
  bool target = (op == PTX_OP_bra) || (op == PTX_OP_brx && slot == 1) || (op == PTX_OP_call && slot != UINT32_MAX && slot >= 1);
  lex_next(p);
  if (target && (!s || s->kind == SYM_LABEL || s->kind == SYM_TABLE)) {
    *out = (ptx_operand_t){.kind = PTX_OPND_LABEL, .index = PTX_NONE};
    label_use(p, &t, false, instr, slot);
    return;
  }
  if (!s && t.length == 7 && memcmp(t.text, "WARP_SZ", 7) == 0) {
    *out = (ptx_operand_t){.kind = PTX_OPND_IMM, .imm = 32};
    return;
  }
  if (!s && t.text[0] == '%' && parse_sreg(p, &t, out)) return;
  if (!s) fail_undeclared(p, &t);
  switch (s->kind) {
  case SYM_REG:
    register_operand(s, s->index, out);
    out->sel = (uint8_t)selector_of(&p->tok);
    if (out->sel) lex_next(p);
    break;
  case SYM_REG_VECTOR: parse_vector_register(p, &t, s, out); break;
  case SYM_VAR: *out = (ptx_operand_t){.kind = PTX_OPND_VAR, .index = s->index, .imm = parse_offset(p)}; break;
  case SYM_FUNC: *out = (ptx_operand_t){.kind = PTX_OPND_FUNC, .index = s->index}; break;
  default: ptx_fail(p, &t, "%s is a label; only branches name labels", tok_text(p, &t));
  }
}

static void parse_number(parser_t *p, bool minus, ptx_operand_t *out) {
  token_t t = p->tok;
  lex_next(p);
  if (t.kind == TOK_INT) {
    *out = (ptx_operand_t){.kind = PTX_OPND_IMM, .imm = (int64_t)(minus ? 0 - t.integer : t.integer)};
    return;
  }
  ptx_type_t type = t.kind == TOK_F32 ? PTX_F32 : PTX_F64;
  uint64_t sign = type == PTX_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
  *out = (ptx_operand_t){.kind = PTX_OPND_FLOAT, .type = (uint8_t)type, .imm = (int64_t)(minus ? t.integer ^ sign : t.integer)};
}

static bool is_number(const token_t *t) {
  return t->kind == TOK_INT || t->kind == TOK_F32 || t->kind == TOK_F64;
}

/* A parenthesised or computed constant: (1 << 4), ~0, 3*4. Numbers alone are the common case. */
static void parse_constant(parser_t *p, ptx_operand_t *out) {
  *out = (ptx_operand_t){.kind = PTX_OPND_IMM, .imm = parse_int(p, "a constant")};
}

static void parse_group(parser_t *p, uint32_t instr, unsigned close, ptx_opnd_kind_t kind, ptx_operand_t *out) {
  enum { MOST = 128 };
  ptx_operand_t items[MOST];
  uint32_t count = 0;
  lex_next(p);
  while (!tok_is(p, close)) {
    if (count == MOST) ptx_fail(p, &p->tok, "more than %d elements", MOST);
    token_t t = p->tok;
    parse_operand(p, instr, UINT32_MAX, &items[count]);
    if (items[count].kind == PTX_OPND_VEC || items[count].kind == PTX_OPND_LIST)
      ptx_fail(p, &t, "a group inside of a group; write the elements one after the other");
    count++;
    if (!tok_is(p, close)) tok_expect(p, ',', "between elements");
  }
  lex_next(p);
  *out = (ptx_operand_t){.kind = (uint8_t)kind, .count = (uint8_t)count, .first = add_elements(p, items, count)};
}

static void parse_address(parser_t *p, uint32_t instr, ptx_operand_t *out) {
  ptx_operand_t base, coordinates = {.count = 0};
  *out = (ptx_operand_t){.kind = PTX_OPND_ADDR, .base = PTX_BASE_NONE, .index = PTX_NONE};
  tok_expect(p, '[', "before an address");
  if (p->tok.kind == TOK_NAME) {
    token_t t = p->tok;
    parse_named(p, instr, UINT32_MAX, &base);
    if (base.kind == PTX_OPND_REG && !base.sel) out->base = PTX_BASE_REG;
    else if (base.kind == PTX_OPND_VAR) out->base = PTX_BASE_VAR;
    else ptx_fail(p, &t, "%s is not an address; write [register], [variable] or either with + and a number", tok_text(p, &t));
    out->index = base.index;
    out->type = base.type;
    out->imm = base.kind == PTX_OPND_VAR ? base.imm : parse_offset(p);
  } else {
    out->imm = parse_int(p, "an address");
  }
  if (tok_accept(p, ',')) { /* texture coordinates, or a second part as tensor copies have */
    parse_operand(p, instr, UINT32_MAX, &coordinates);
    out->first = add_elements(p, &coordinates, 1);
    out->count = 1;
  }
  tok_expect(p, ']', "after an address");
}

static void parse_negated(parser_t *p, uint32_t instr, ptx_operand_t *out) {
  token_t t = p->tok;
  bool minus = tok_is(p, '-');
  lex_next(p);
  if (minus && is_number(&p->tok)) {
    parse_number(p, true, out);
    return;
  }
  if (p->tok.kind != TOK_NAME)
    ptx_fail(p, &p->tok, "%s after '%c'; a %s should stand there", tok_text(p, &p->tok), minus ? '-' : '!', minus ? "number" : "predicate register");
  parse_named(p, instr, UINT32_MAX, out);
  bool predicate = out->kind == PTX_OPND_REG && out->type == PTX_PRED;
  if (!minus && !predicate) ptx_fail(p, &t, "'!' needs a predicate register");
  if (minus && (out->kind != PTX_OPND_REG || predicate)) ptx_fail(p, &t, "'-' needs a number or a data register");
  out->negated = true;
}

static void parse_pair(parser_t *p, uint32_t instr, ptx_operand_t *out) {
  ptx_operand_t items[2] = {*out};
  if (out->kind != PTX_OPND_REG && out->kind != PTX_OPND_SINK) ptx_fail(p, &p->tok, "'|' must stand between two registers");
  lex_next(p);
  if (p->tok.kind != TOK_NAME) ptx_fail(p, &p->tok, "%s after '|'; a register should stand there", tok_text(p, &p->tok));
  parse_operand(p, instr, UINT32_MAX, &items[1]);
  if (items[1].kind != PTX_OPND_REG && items[1].kind != PTX_OPND_SINK) ptx_fail(p, &p->tok, "'|' must stand between two registers");
  *out = (ptx_operand_t){.kind = PTX_OPND_PAIR, .count = 2, .first = add_elements(p, items, 2)};
}

static void parse_operand(parser_t *p, uint32_t instr, uint32_t slot, ptx_operand_t *out) {
  const token_t *t = &p->tok;
  if (++p->nesting > MAX_DEPTH) ptx_fail(p, t, "operands nested more than %d deep", MAX_DEPTH);
  if (tok_is(p, '{')) {
    parse_group(p, instr, '}', PTX_OPND_VEC, out);
  } else if (tok_is(p, '[')) {
    parse_address(p, instr, out);
  } else if (tok_is(p, '(') && instr_at(p, instr)->op == PTX_OP_call) {
    parse_group(p, instr, ')', PTX_OPND_LIST, out);
  } else if (tok_is(p, '!') || tok_is(p, '-')) {
    parse_negated(p, instr, out);
  } else if (tok_is_name(p, "_")) {
    *out = (ptx_operand_t){.kind = PTX_OPND_SINK};
    lex_next(p);
  } else if (t->kind == TOK_NAME) {
    parse_named(p, instr, slot, out);
  } else if (is_number(t)) {
    parse_number(p, false, out);
  } else if (tok_is(p, '(') || tok_is(p, '~')) {
    parse_constant(p, out);
  } else {
    ptx_fail(p, t, "%s where an operand should stand", tok_text(p, t));
  }
  if (tok_is(p, '|')) parse_pair(p, instr, out);
  p->nesting--;
}

/* ---- What is checked of a whole instruction ---------------------------------------------------------------------- */

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
      if (kind != PTX_OPND_REG && kind != PTX_OPND_SINK) ptx_fail(p, at, "%s writes something that is not a register", in->text);
    }
    return;
  case PTX_OPND_ADDR: /* instructions without a fixed shape: mbarrier.init, tcgen05.alloc */
    if (op_info((ptx_op_t)in->op)->mods[0] == '*') return;
    break;
  default: break;
  }
  ptx_fail(p, at, "first operand of %s is its result; it must be a register", in->text);
}

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
  if (count != in->vec) ptx_fail(p, at, "%s moves %u element%s, its operand has %u", in->text, in->vec, in->vec == 1 ? "" : "s", count);
}

/* Bits of a register, where PTX wants exactly the instruction's. */
static void check_width(parser_t *p, const ptx_instr_t *in, unsigned slot, ptx_type_t type, const token_t *at) {
  const ptx_operand_t *o = &in->operand[slot];
  if (slot >= in->num_operands || o->kind != PTX_OPND_REG) return;
  bool predicate = type == PTX_PRED, is_predicate = o->type == PTX_PRED;
  if (predicate == is_predicate && (predicate || ptx_type_bytes((ptx_type_t)o->type) == ptx_type_bytes(type))) return;
  ptx_fail(p, at, "operand %u of %s is '%.60s', a .%s register; it must be as wide as .%s", slot + 1, in->text, p->regs.data[o->index].name,
           ptx_type_name((ptx_type_t)o->type), ptx_type_name(type));
}

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

static int rounding_mods(const ptx_instr_t *in) {
  return ptx_has(in, PTX_MOD_rn) + ptx_has(in, PTX_MOD_rz) + ptx_has(in, PTX_MOD_rm) + ptx_has(in, PTX_MOD_rp);
}

static void check_form(parser_t *p, const ptx_instr_t *in, const token_t *at) {
  bool is_float = ptx_type_kind((ptx_type_t)in->type[0]) == 'F';
  bool is_int = strchr("US", ptx_type_kind((ptx_type_t)in->type[0])) && in->num_types;
  bool half = ptx_has(in, PTX_MOD_lo) || ptx_has(in, PTX_MOD_hi) || ptx_has(in, PTX_MOD_wide);
  if ((in->op == PTX_OP_mul || in->op == PTX_OP_mad) && is_int && !half) ptx_fail(p, at, "%s of integers needs .lo, .hi or .wide", in->text);
  if ((in->op == PTX_OP_mul || in->op == PTX_OP_mad) && is_float && half) ptx_fail(p, at, "%s: .lo, .hi and .wide are for integers", in->text);
  if (in->op == PTX_OP_fma && !rounding_mods(in)) ptx_fail(p, at, "%s needs a rounding; write fma.rn.f32", in->text);
  if (rounding_mods(in) > 1 && in->op != PTX_OP_red) ptx_fail(p, at, "%s has two roundings; keep one", in->text);
  if ((in->op == PTX_OP_setp || in->op == PTX_OP_set) && !in->num_mods) ptx_fail(p, at, "%s needs a comparison; write for example setp.lt.s32", in->text);
  if (in->op == PTX_OP_bra && in->operand[0].kind != PTX_OPND_LABEL) ptx_fail(p, at, "bra needs a label");
}

static bool writes_first(const ptx_instr_t *in) {
  if (in->op == PTX_OP_bar || in->op == PTX_OP_barrier) return ptx_has(in, PTX_MOD_red);
  return op_info((ptx_op_t)in->op)->dests > 0;
}

static void check_instruction(parser_t *p, uint32_t i, const token_t *at) {
  ptx_instr_t *in = instr_at(p, i);
  const op_info_t *info = op_info((ptx_op_t)in->op);
  unsigned least = info->least, most = info->most;
  if (in->num_operands < least || in->num_operands > most) {
    char range[24];
    snprintf(range, sizeof range, least == most ? "%u" : "%u to %u", least, most);
    ptx_fail(p, at, "%s has %u operand%s; it takes %s", in->text, in->num_operands, in->num_operands == 1 ? "" : "s", range);
  }
  uint32_t registers = in->guarded;
  for (unsigned k = 0; k < in->num_operands; k++) registers += 2u + in->operand[k].count;
  if (registers > PTX_MAX_INSTR_REGS) ptx_fail(p, at, "%s names more than %d registers", in->text, PTX_MAX_INSTR_REGS);
  if (writes_first(in) && in->num_operands) check_dest(p, in, at);
  check_memory(p, in, at);
  check_widths(p, in, at);
  check_form(p, in, at);
  /* A decimal literal of an .f32 instruction is an f32. */
  for (unsigned k = 0; k < in->num_operands && in->num_types; k++) {
    ptx_operand_t *o = &in->operand[k];
    if (o->kind != PTX_OPND_FLOAT || in->type[in->num_types - 1] != PTX_F32 || o->type != PTX_F64) continue;
    token_t t = {.kind = TOK_F64, .integer = (uint64_t)o->imm};
    o->imm = (int64_t)float_bits(&t, PTX_F32);
    o->type = PTX_F32;
  }
}

/* The statement on one line, without comments and with single blanks. */
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

static void parse_guard(parser_t *p, uint32_t i) {
  ptx_operand_t o;
  token_t t = p->tok;
  lex_next(p);
  bool negated = tok_accept(p, '!');
  if (p->tok.kind != TOK_NAME) ptx_fail(p, &p->tok, "%s after '@'; a predicate register should stand there", tok_text(p, &p->tok));
  parse_named(p, i, UINT32_MAX, &o);
  if (o.kind != PTX_OPND_REG || o.type != PTX_PRED) ptx_fail(p, &t, "a guard must be a .pred register");
  ptx_instr_t *in = instr_at(p, i);
  in->guarded = true;
  in->guard_negated = negated;
  in->guard = o.index;
}

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
}
