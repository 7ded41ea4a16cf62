/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of the PTX reader.
 *
 * Some operands must be computed: a register plus a constant, or an element of an array by a
 * register. Inserted instructions in front (p->before) compute them. So the module's instructions
 * have registers, constants and plain addresses alone.
 */
#include <stdio.h>
#include <string.h>

#include "ptx_internal.h"

/* Names the nearest declared name, if there is one. */
static _Noreturn void fail_undeclared(parser_t *p, const token_t *t) {
  const char *near = suggest_name(p, t);
  if (near) ptx_fail(p, t, "%s is not declared; did you mean '%s'?", tok_text(p, t), near);
  ptx_fail(p, t, "%s is not declared; declare it before its use%s", tok_text(p, t),
           t->text[0] == '%' ? " with .reg" : "");
}

/* .x .y .z .w, or .r .g .b .a, as 0 to 3; -1: another token. */
static int component_of(const token_t *t) {
  static const char names[] = "xyzwrgba";
  const char *at = t->length == 1 ? strchr(names, t->text[0]) : NULL;
  return at ? (int)(at - names) % 4 : -1;
}

/* Appends operands to the function's elements; returns the first one's number. */
static uint32_t add_elements(parser_t *p, const ptx_operand_t *items, uint32_t count) {
  uint32_t first = p->elements.count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = VECTOR_ADD(p, p->elements);
    p->elements.data[at] = items[i];
  }
  return first;
}

/* Turns a special register into the vector of its first `count` components. */
static void vector_of_sreg(parser_t *p, unsigned count, ptx_operand_t *out) {
  ptx_operand_t items[4];
  for (unsigned c = 0; c < count && c < 4; c++)
    items[c] = (ptx_operand_t){.kind = PTX_OPND_SREG, .type = out->type, .index = out->index, .sel = (uint8_t)c};
  *out = (ptx_operand_t){.kind = PTX_OPND_VEC,
                         .count = (uint8_t)(count < 4 ? count : 4),
                         .first = add_elements(p, items, count < 4 ? count : 4)};
}

/* %tid.x, %laneid, %envreg3, or %tid as a vector. False: not a special register. */
static bool parse_sreg(parser_t *p, uint32_t instr, const token_t *t, ptx_operand_t *out) {
  for (int i = 0; i < PTX_NUM_SREGS; i++) {
    const char *name = ptx_sreg_name((ptx_sreg_t)i);
    if (name[0] != t->text[1]) continue;
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
    } else if (components == 4 && p->tok.kind != TOK_DOT && instr_at(p, instr)->vec > 1) { /* mov.v4.u32 v, %tid */
      vector_of_sreg(p, instr_at(p, instr)->vec, out);
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

/* .b0 .. .b3, .h0, .h1, .h10, .b3210 and the like of a video instruction's operand. Returns
 * ptx_operand_t.sel; 0: the token is none. *digits: a nibble each, if there are several. */
static unsigned selector_of(const token_t *t, int64_t *digits) {
  *digits = 0;
  if (t->kind != TOK_DOT || !t->length || !strchr("bh", t->text[0])) return 0;
  const bool half = t->text[0] == 'h';
  const size_t n = t->length - 1;
  if (n < 1 || n > (half ? 2 : 4)) return 0;
  for (size_t k = 1; k <= n; k++) {
    if (t->text[k] < '0' || t->text[k] > '7') return 0;
    *digits = *digits << 4 | (t->text[k] - '0');
  }
  if (n > 1) return half ? 7 : 6 + (unsigned)n;
  const int64_t digit = *digits;
  *digits = 0;
  if (digit >= (half ? 2 : 4)) return 0;
  return (half ? 5u : 1u) + (unsigned)digit;
}

static void register_operand(const symbol_t *s, int32_t index, ptx_operand_t *out) {
  *out = (ptx_operand_t){.kind = PTX_OPND_REG, .type = (uint8_t)s->type, .index = index};
}

/* v.x is one register, v alone all of them. */
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

/* + or - a constant; 0 if neither stands there. */
static int64_t parse_offset(parser_t *p) {
  bool minus = tok_is(p, '-');
  if (!tok_accept(p, '+') && !tok_accept(p, '-')) return 0;
  int64_t value = parse_int(p, "an offset");
  return minus ? (int64_t)(0 - (uint64_t)value) : value;
}

/* ---- Operands that are computed ---- */

/* What is needed of an inserted instruction; `result` is the type of its register. */
typedef struct {
  ptx_op_t op;
  ptx_mod_t mod;
  ptx_type_t type, result;
} computation_t;

/* Appends the instruction to p->before and makes *out its result: a new register with the name that
 * the source uses, such as "%r1+4". */
static void add_computation(parser_t *p, uint32_t instr, computation_t c, const char *name,
                            const ptx_operand_t *sources, unsigned count, ptx_operand_t *out) {
  ptx_instr_t in = implicit_instr(p, instr_at(p, instr), c.op, c.mod, 1, c.type);
  *out = (ptx_operand_t){.kind = PTX_OPND_REG, .type = (uint8_t)c.result, .index = registers_add(p, name, c.result, 1)};
  in.operand[0] = *out;
  memcpy(in.operand + 1, sources, count * sizeof *sources);
  in.num_operands = (uint8_t)(count + 1);
  implicit_source(p, &in);
  uint32_t i = VECTOR_ADD(p, p->before);
  p->before.data[i] = in;
}

/* The source's text from a token to the current one. */
static const char *text_since(parser_t *p, const token_t *from) {
  return arena_string(p, p->source + from->at, p->prev_end - from->at);
}

/* A computed operand cannot be what the instruction writes. */
static void check_not_result(parser_t *p, uint32_t instr, uint32_t slot, const token_t *at) {
  const ptx_instr_t *in = instr_at(p, instr);
  if (slot == 0 && writes_first(in))
    ptx_fail(p, at, "first operand of %s is its result; it must be a register", in->text);
}

/* %r1+4: a register plus a constant, computed in front of the instruction. */
static void add_constant(parser_t *p, uint32_t instr, uint32_t slot, const token_t *t, ptx_operand_t *out) {
  ptx_type_t type = (ptx_type_t)out->type;
  unsigned bytes = ptx_type_bytes(type);
  if (!tok_is(p, '+') && !tok_is(p, '-')) return;
  check_not_result(p, instr, slot, t);
  if (!strchr("BUS", ptx_type_kind(type)) || bytes < 2 || bytes > 8)
    ptx_fail(p, t, "%s is a .%s register; a constant can be added to integers of 16, 32 and 64 bits", tok_text(p, t),
             ptx_type_name(type));
  ptx_operand_t sources[2] = {*out, {.kind = PTX_OPND_IMM, .imm = parse_offset(p)}};
  ptx_type_t word = bytes == 8 ? PTX_U64 : PTX_U32;
  if (bytes == 2) word = PTX_U16;
  add_computation(p, instr, (computation_t){PTX_OP_add, PTX_MOD_NONE, word, type}, text_since(p, t), sources, 2, out);
}

/* v[%r1+2]: mov base, v; mad index * element + base. A .b32 register is a signed index, as C's are;
 * a narrow one is widened by mad.wide. */
static void index_by_register(parser_t *p, uint32_t instr, const token_t *t, int64_t element, ptx_operand_t *out) {
  ptx_operand_t index, base;
  bool wide = p->address_bytes == 8;
  ptx_type_t address = wide ? PTX_U64 : PTX_U32;
  token_t name = p->tok;
  parse_named(p, instr, UINT32_MAX, &index);
  ptx_type_t type = (ptx_type_t)index.type;
  bool same = ptx_type_bytes(type) == ptx_type_bytes(address);
  if (index.kind != PTX_OPND_REG || index.sel || !strchr("BUS", ptx_type_kind(type)) ||
      !(same || ptx_type_bytes(type) == 4))
    ptx_fail(p, &name, "%s is no index; write a constant or an integer register of %s bits", tok_text(p, &name),
             wide ? "32 or 64" : "32");
  out->imm = parse_offset(p) * element;
  tok_expect(p, ']', "after an index");
  const char *text = text_since(p, t);
  add_computation(p, instr, (computation_t){PTX_OP_mov, PTX_MOD_NONE, address, address}, text, out, 1, &base);
  ptx_operand_t sources[3] = {index, {.kind = PTX_OPND_IMM, .imm = element}, base};
  ptx_type_t word = ptx_type_bytes(type) == 8 ? PTX_S64 : PTX_S32;
  if (ptx_type_kind(type) == 'U') word = ptx_type_bytes(type) == 8 ? PTX_U64 : PTX_U32;
  add_computation(p, instr, (computation_t){PTX_OP_mad, same ? PTX_MOD_lo : PTX_MOD_wide, word, address}, text, sources,
                  3, out);
}

static void index_by_constant(parser_t *p, int64_t element, ptx_operand_t *out) {
  out->imm = parse_int(p, "an index") * element;
  tok_expect(p, ']', "after an index");
}

/* A variable, v+8, or one of its elements, v[2]. For mov and cvta an element is its address, for
 * all others what is there. */
static void parse_variable(parser_t *p, uint32_t instr, uint32_t slot, const token_t *t, int32_t var,
                           ptx_operand_t *out) {
  const ptx_var_t *v = &p->vars.data[var];
  const int64_t element = (int64_t)ptx_type_bytes(v->type) * v->vec;
  unsigned op = instr_at(p, instr)->op;
  *out = (ptx_operand_t){.kind = PTX_OPND_VAR, .index = var};
  if (slot == UINT32_MAX || !tok_is(p, '[')) {
    out->imm = parse_offset(p);
    return;
  }
  check_not_result(p, instr, slot, t);
  if (v->num_dims != 1)
    ptx_fail(p, &p->tok, "%s has %u dimensions; only a variable of one can be indexed", tok_text(p, t), v->num_dims);
  lex_next(p);
  if (p->tok.kind == TOK_NAME && !tok_is_name(p, "WARP_SZ")) index_by_register(p, instr, t, element, out);
  else index_by_constant(p, element, out);
  if (op == PTX_OP_mov || op == PTX_OP_cvta) return;
  ptx_operand_t at = *out;
  *out = (ptx_operand_t){.kind = PTX_OPND_ADDR,
                         .base = at.kind == PTX_OPND_REG ? PTX_BASE_REG : PTX_BASE_VAR,
                         .type = at.kind == PTX_OPND_REG ? at.type : 0,
                         .index = at.index,
                         .imm = at.kind == PTX_OPND_REG ? 0 : at.imm};
}

/* An operand that begins with a name. A branch target need not be declared yet, so it becomes a
 * fixup. */
void parse_named(parser_t *p, uint32_t instr, uint32_t slot, ptx_operand_t *out) {
  token_t t = p->tok;
  const symbol_t *s = symbol_find(p, t.text, t.length);
  unsigned op = instr_at(p, instr)->op;
  bool target =
      (op == PTX_OP_bra) || (op == PTX_OP_brx && slot == 1) || (op == PTX_OP_call && slot != UINT32_MAX && slot >= 1);
  lex_next(p);
  if (target && (!s || s->kind == SYM_LABEL || s->kind == SYM_TABLE)) {
    *out = (ptx_operand_t){.kind = PTX_OPND_LABEL, .index = PTX_NONE};
    label_use(p, &t, false, instr, slot);
    return;
  }
  if (!s && t.length == 7 && memcmp(t.text, "WARP_SZ", 7) == 0) {
    *out = (ptx_operand_t){.kind = PTX_OPND_IMM, .imm = parse_int_rest(p, "a constant", 32, false)};
    return;
  }
  if (!s && t.text[0] == '%' && parse_sreg(p, instr, &t, out)) return;
  if (!s) fail_undeclared(p, &t);
  switch (s->kind) {
  case SYM_REG:
    register_operand(s, s->index, out);
    out->sel = (uint8_t)selector_of(&p->tok, &out->imm);
    if (out->sel) lex_next(p);
    break;
  case SYM_REG_VECTOR: parse_vector_register(p, &t, s, out); break;
  case SYM_VAR: parse_variable(p, instr, slot, &t, s->index, out); break;
  case SYM_FUNC: *out = (ptx_operand_t){.kind = PTX_OPND_FUNC, .index = s->index}; break;
  default: ptx_fail(p, &t, "%s is a label; only branches name labels", tok_text(p, &t));
  }
}

/* Integers may go on as an expression, 4 * 8; floats may not. */
static void parse_number(parser_t *p, bool minus, ptx_operand_t *out) {
  token_t t = p->tok;
  lex_next(p);
  if (t.kind == TOK_INT) {
    uint64_t first = minus ? 0 - t.integer : t.integer;
    *out = (ptx_operand_t){.kind = PTX_OPND_IMM,
                           .imm = parse_int_rest(p, "a constant", first, t.is_unsigned || t.integer > INT64_MAX)};
    return;
  }
  ptx_type_t type = t.kind == TOK_F32 ? PTX_F32 : PTX_F64;
  uint64_t sign = type == PTX_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
  *out = (ptx_operand_t){
      .kind = PTX_OPND_FLOAT, .type = (uint8_t)type, .imm = (int64_t)(minus ? t.integer ^ sign : t.integer)};
}

static bool is_number(const token_t *t) {
  return t->kind == TOK_INT || t->kind == TOK_F32 || t->kind == TOK_F64;
}

/* A constant that does not start with a number: (1 << 4), ~0, -(2 + 3). */
static void parse_constant(parser_t *p, ptx_operand_t *out) {
  *out = (ptx_operand_t){.kind = PTX_OPND_IMM, .imm = parse_int(p, "a constant")};
}

/* {a, b} or (a, b), up to `close`; groups do not nest. */
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

/* [register + 4], [variable + 4] or [number]; a texture's address has coordinates behind a
 * comma. */
static void parse_address(parser_t *p, uint32_t instr, ptx_operand_t *out) {
  ptx_operand_t base, more[2];
  uint32_t count = 0;
  *out = (ptx_operand_t){.kind = PTX_OPND_ADDR, .base = PTX_BASE_NONE, .index = PTX_NONE};
  tok_expect(p, '[', "before an address");
  if (p->tok.kind == TOK_NAME) {
    token_t t = p->tok;
    parse_named(p, instr, UINT32_MAX, &base);
    if (base.kind == PTX_OPND_REG && !base.sel) out->base = PTX_BASE_REG;
    else if (base.kind == PTX_OPND_VAR) out->base = PTX_BASE_VAR;
    else
      ptx_fail(p, &t, "%s is not an address; write [register], [variable] or either with + and a number",
               tok_text(p, &t));
    out->index = base.index;
    out->type = base.type;
    out->imm = base.kind == PTX_OPND_VAR ? base.imm : parse_offset(p);
  } else {
    out->imm = parse_int(p, "an address");
  }
  while (tok_accept(p, ',')) { /* texture coordinates, a sampler before them, or a second part as tensor copies have */
    if (count == 2) ptx_fail(p, &p->tok, "more than three parts of an address; write [texture, sampler, coordinates]");
    parse_operand(p, instr, UINT32_MAX, &more[count++]);
  }
  if (count) out->first = add_elements(p, more, count);
  out->count = (uint8_t)count;
  tok_expect(p, ']', "after an address");
}

/* -5, -%r1 (video instructions) or !%p1. */
static void parse_negated(parser_t *p, uint32_t instr, ptx_operand_t *out) {
  token_t t = p->tok;
  bool minus = tok_is(p, '-');
  lex_next(p);
  if (minus && is_number(&p->tok)) {
    parse_number(p, true, out);
    return;
  }
  if (p->tok.kind != TOK_NAME)
    ptx_fail(p, &p->tok, "%s after '%c'; a %s should stand there", tok_text(p, &p->tok), minus ? '-' : '!',
             minus ? "number" : "predicate register");
  parse_named(p, instr, UINT32_MAX, out);
  bool predicate = out->kind == PTX_OPND_REG && out->type == PTX_PRED;
  if (!minus && !predicate) ptx_fail(p, &t, "'!' needs a predicate register");
  if (minus && (out->kind != PTX_OPND_REG || predicate)) ptx_fail(p, &t, "'-' needs a number or a data register");
  out->negated = true;
}

/* p|q, or {a, b, c, d}|p of a texture instruction that reports residency. */
static void parse_pair(parser_t *p, uint32_t instr, ptx_operand_t *out) {
  ptx_operand_t items[2] = {*out};
  const unsigned op = instr_at(p, instr)->op;
  const bool resident = out->kind == PTX_OPND_VEC && (op == PTX_OP_tex || op == PTX_OP_tld4); /* {a, b, c, d}|p */
  if (out->kind != PTX_OPND_REG && out->kind != PTX_OPND_SINK && !resident)
    ptx_fail(p, &p->tok, "'|' must stand between two registers");
  lex_next(p);
  if (p->tok.kind != TOK_NAME)
    ptx_fail(p, &p->tok, "%s after '|'; a register should stand there", tok_text(p, &p->tok));
  parse_operand(p, instr, UINT32_MAX, &items[1]);
  if (items[1].kind != PTX_OPND_REG && items[1].kind != PTX_OPND_SINK)
    ptx_fail(p, &p->tok, "'|' must stand between two registers");
  *out = (ptx_operand_t){.kind = PTX_OPND_PAIR, .count = 2, .first = add_elements(p, items, 2)};
}

/* The first token decides; a '|' behind it makes a pair. */
void parse_operand(parser_t *p, uint32_t instr, uint32_t slot, ptx_operand_t *out) {
  const token_t *t = &p->tok;
  if (++p->nesting > MAX_DEPTH) ptx_fail(p, t, "operands nested more than %d deep", MAX_DEPTH);
  if (tok_is(p, '{')) {
    parse_group(p, instr, '}', PTX_OPND_VEC, out);
  } else if (tok_is(p, '[')) {
    parse_address(p, instr, out);
  } else if (tok_is(p, '(') && instr_at(p, instr)->op == PTX_OP_call) {
    parse_group(p, instr, ')', PTX_OPND_LIST, out);
  } else if (tok_is(p, '-') && p->pos < p->size && strchr("(~", p->source[p->pos])) {
    parse_constant(p, out);
  } else if (tok_is(p, '!') || tok_is(p, '-')) {
    parse_negated(p, instr, out);
  } else if (tok_is_name(p, "_")) {
    *out = (ptx_operand_t){.kind = PTX_OPND_SINK};
    lex_next(p);
  } else if (t->kind == TOK_NAME) {
    token_t name = *t;
    parse_named(p, instr, slot, out);
    if (out->kind == PTX_OPND_REG && !out->sel && slot != UINT32_MAX) add_constant(p, instr, slot, &name, out);
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
