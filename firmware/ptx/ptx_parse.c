/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, declarations and bodies of the PTX reader: recursive descent, one token ahead.
 *
 * Debug information (.file, .loc, .section, @@DWARF), .pragma and tuning directives that change no result are read to
 * their end, so that what they hide cannot be an error, and dropped.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_internal.h"

static char *token_string(parser_t *p, const token_t *t) {
  return arena_string(p, t->text, t->length);
}

static token_t expect_name(parser_t *p, const char *what) {
  token_t t = p->tok;
  if (t.kind != TOK_NAME) ptx_fail(p, &t, "%s where %s should stand", tok_text(p, &t), what);
  lex_next(p);
  return t;
}

static bool accept_dot(parser_t *p, const char *name) {
  if (!tok_is_dot(p, name)) return false;
  lex_next(p);
  return true;
}

static uint64_t expect_range(parser_t *p, const char *what, uint64_t least, uint64_t most) {
  token_t t = p->tok;
  int64_t v = parse_int(p, what);
  if (v < 0 || (uint64_t)v < least || (uint64_t)v > most)
    ptx_fail(p, &t, "%s is %lld; it must be %llu to %llu", what, (long long)v, (unsigned long long)least, (unsigned long long)most);
  return (uint64_t)v;
}

static uint64_t round_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

/* ---- Declarations of variables ----------------------------------------------------------------------------------- */

typedef struct {
  ptx_var_t var;   /* what all declarators share */
  uint32_t align;  /* 0: natural */
} decl_t;

static ptx_linkage_t accept_linkage(parser_t *p) {
  if (accept_dot(p, "extern")) return PTX_LINK_EXTERN;
  if (accept_dot(p, "visible")) return PTX_LINK_VISIBLE;
  if (accept_dot(p, "weak")) return PTX_LINK_WEAK;
  if (accept_dot(p, "common")) return PTX_LINK_COMMON;
  return PTX_LINK_NONE;
}

static bool accept_space(parser_t *p, ptx_space_t *space) {
  static const struct { const char *name; ptx_space_t space; } spaces[] = {
      {"global", PTX_SPACE_GLOBAL}, {"const", PTX_SPACE_CONST}, {"param", PTX_SPACE_PARAM},
      {"shared", PTX_SPACE_SHARED}, {"local", PTX_SPACE_LOCAL}, {"shared::cta", PTX_SPACE_SHARED},
  };
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    if (!tok_is_dot(p, spaces[i].name)) continue;
    *space = spaces[i].space;
    lex_next(p);
    return true;
  }
  return false;
}

/* .attribute(.managed) or .attribute(.unified(1, 2)): where memory lives, which changes no result. */
static void skip_parentheses(parser_t *p) {
  token_t open = p->tok;
  unsigned depth = 0;
  tok_expect(p, '(', "after .attribute");
  for (depth = 1; depth; lex_next(p)) {
    if (p->tok.kind == TOK_END) ptx_fail(p, &open, "'(' that is not closed");
    if (tok_is(p, '(')) depth++;
    if (tok_is(p, ')')) depth--;
  }
}

static void parse_align(parser_t *p, uint32_t *align) {
  token_t t = p->tok;
  uint64_t v = expect_range(p, "an alignment", 1, 1 << 20);
  if (v & (v - 1)) ptx_fail(p, &t, "alignment %llu is not a power of two", (unsigned long long)v);
  *align = (uint32_t)v;
}

/* .ptr .global .align 16 of a kernel parameter. */
static void parse_ptr(parser_t *p, ptx_var_t *var) {
  accept_space(p, &var->ptr_space);
  if (accept_dot(p, "align")) parse_align(p, &var->ptr_align);
}

/* .align 8 .v2 .f32 and what may stand between a space and a name, in any order that compilers write. */
static void parse_decl_type(parser_t *p, decl_t *d) {
  d->var.vec = 1;
  while (p->tok.kind == TOK_DOT) {
    token_t t = p->tok;
    ptx_type_t type = type_find(t.text, t.length);
    lex_next(p);
    if (type && d->var.type) ptx_fail(p, &t, "second type %s in a declaration; keep one", tok_text(p, &t));
    if (type)
      d->var.type = type;
    else if (t.length == 5 && memcmp(t.text, "align", 5) == 0)
      parse_align(p, &d->align);
    else if (t.length == 2 && t.text[0] == 'v' && strchr("248", t.text[1]))
      d->var.vec = (uint8_t)(t.text[1] - '0');
    else if (t.length == 9 && memcmp(t.text, "attribute", 9) == 0)
      skip_parentheses(p);
    else if (t.length == 3 && memcmp(t.text, "ptr", 3) == 0)
      parse_ptr(p, &d->var);
    else
      ptx_fail(p, &t, "%s in a declaration; a type such as .b32 should stand there", tok_text(p, &t));
  }
  if (!d->var.type) ptx_fail(p, &p->tok, "declaration without a type; write for example .b32 before the name");
}

static void parse_dims(parser_t *p, ptx_var_t *v, bool *unsized) {
  while (tok_accept(p, '[')) {
    if (v->num_dims == 4) ptx_fail(p, &p->tok, "more than 4 dimensions; multiply some");
    bool empty = tok_is(p, ']') && v->num_dims == 0;
    *unsized |= empty;
    v->dim[v->num_dims++] = empty ? 0 : expect_range(p, "a dimension", 0, MAX_BODY_BYTES);
    tok_expect(p, ']', "after a dimension");
  }
}

/* ---- Initialisers ---- */

typedef struct {
  ptx_var_t *var;
  uint8_t *bytes;     /* grows for unsized arrays */
  uint64_t room, at, filled;
  bool unsized;
} init_t;

static void init_room(parser_t *p, init_t *in, uint64_t end, const token_t *t) {
  if (end <= in->room) return;
  if (!in->unsized) ptx_fail(p, t, "initialiser is longer than '%.80s', which has %llu bytes", in->var->name, (unsigned long long)in->var->size);
  uint64_t room = in->room ? in->room * 2 : 64;
  while (room < end) room *= 2;
  if (room > MAX_BODY_BYTES) ptx_fail(p, t, "initialiser of more than %d bytes", MAX_BODY_BYTES);
  uint8_t *grown = arena_alloc(p, room);
  if (in->room) memcpy(grown, in->bytes, in->room);
  in->bytes = grown;
  in->room = room;
}

static void init_symbol(parser_t *p, init_t *in, unsigned bytes, bool generic) {
  token_t t = expect_name(p, "a variable or function");
  const symbol_t *s = symbol_find(p, t.text, t.length);
  if (!s) ptx_fail(p, &t, "%s is not declared; declare it before this variable", tok_text(p, &t));
  if (s->kind != SYM_VAR && s->kind != SYM_FUNC) ptx_fail(p, &t, "%s has no address", tok_text(p, &t));
  if (bytes < 4) ptx_fail(p, &t, "an address needs 4 or 8 bytes, the variable's elements have %u", bytes);
  int64_t addend = 0;
  bool minus = tok_is(p, '-');
  if (tok_accept(p, '+') || tok_accept(p, '-')) addend = parse_int(p, "an offset");
  uint32_t i = VECTOR_ADD(p, p->relocs);
  p->relocs.data[i] = (ptx_reloc_t){.at = in->at, .addend = minus ? (int64_t)(0 - (uint64_t)addend) : addend,
                                     .var = s->kind == SYM_VAR ? s->index : PTX_NONE,
                                     .func = s->kind == SYM_FUNC ? s->index : PTX_NONE,
                                     .bytes = (uint8_t)(bytes > 8 ? 8 : bytes), .generic = generic};
}

static uint64_t init_number(parser_t *p, ptx_type_t type) {
  token_t t = p->tok;
  bool minus = tok_is(p, '-');
  bool is_float = ptx_type_kind(type) == 'F' && ptx_type_bytes(type) >= 4;
  if (minus && is_float) lex_next(p);
  if (p->tok.kind == TOK_F32 || p->tok.kind == TOK_F64) {
    if (!is_float && ptx_type_kind(type) != 'B') ptx_fail(p, &t, "floating-point number for .%s elements", ptx_type_name(type));
    uint64_t bits = float_bits(&p->tok, is_float ? type : p->tok.kind == TOK_F32 ? PTX_F32 : PTX_F64);
    lex_next(p);
    return minus ? bits ^ UINT64_C(1) << (ptx_type_bytes(type) * 8 - 1) : bits;
  }
  if (is_float) { /* an integer: its value */
    token_t wide = {.kind = TOK_F64};
    double value = (double)parse_int(p, "a number");
    value = minus ? -value : value;
    memcpy(&wide.integer, &value, 8);
    return float_bits(&wide, type);
  }
  return (uint64_t)parse_int(p, "a number");
}

static void init_element(parser_t *p, init_t *in) {
  ptx_type_t type = in->var->type;
  unsigned bytes = ptx_type_bytes(type);
  token_t t = p->tok;
  init_room(p, in, in->at + bytes, &t);
  if (tok_is_name(p, "generic")) {
    lex_next(p);
    tok_expect(p, '(', "after generic");
    init_symbol(p, in, bytes, true);
    tok_expect(p, ')', "after generic(symbol");
  } else if (p->tok.kind == TOK_NAME && !tok_is_name(p, "WARP_SZ")) {
    init_symbol(p, in, bytes, false);
  } else {
    uint64_t value = init_number(p, type);
    if (tok_is(p, '(')) ptx_fail(p, &p->tok, "mask(address) initialisers are not supported; store the whole address in a .b64 element");
    memcpy(in->bytes + in->at, &value, bytes > 8 ? 8 : bytes);
  }
  in->at += bytes;
  if (in->at > in->filled) in->filled = in->at;
}

static uint64_t row_bytes(const ptx_var_t *v, unsigned dim) {
  uint64_t bytes = (uint64_t)ptx_type_bytes(v->type) * v->vec;
  for (unsigned i = dim; i < v->num_dims; i++) bytes *= v->dim[i];
  return bytes;
}

/* {a, {b, c}, ...}: a nested group starts at a row of its own, missing elements are zero. */
static void init_group(parser_t *p, init_t *in, unsigned dim) {
  uint64_t start = in->at;
  if (++p->nesting > 16) ptx_fail(p, &p->tok, "initialiser nested more than 16 deep");
  tok_expect(p, '{', "before an initialiser");
  while (!tok_is(p, '}')) {
    if (tok_is(p, '{')) {
      uint64_t row = row_bytes(in->var, dim + 1);
      in->at = row ? start + round_up(in->at - start, row) : in->at;
      uint64_t from = in->at;
      init_group(p, in, dim + 1);
      in->at = row ? from + row : in->at;
    } else {
      init_element(p, in);
    }
    if (!tok_is(p, '}')) tok_expect(p, ',', "between elements");
  }
  lex_next(p);
  p->nesting--;
}

static void parse_initialiser(parser_t *p, ptx_var_t *v, bool unsized) {
  init_t in = {.var = v, .unsized = unsized};
  token_t t = p->tok;
  p->relocs.count = 0;
  if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
    ptx_fail(p, &t, ".%s variables have no initialiser; only .global and .const ones do", ptx_space_name(v->space));
  if (!unsized) {
    in.room = v->size;
    in.bytes = arena_alloc(p, v->size);
  }
  if (tok_is(p, '{'))
    init_group(p, &in, 0);
  else
    init_element(p, &in);
  if (unsized) {
    uint64_t row = row_bytes(v, 1);
    v->dim[0] = row ? (in.filled + row - 1) / row : 0;
    v->size = v->dim[0] * row;
    init_room(p, &in, v->size, &t);
  }
  v->init = in.bytes;
  v->num_relocs = p->relocs.count;
  v->relocs = arena_copy(p, p->relocs.data, p->relocs.count * sizeof *p->relocs.data);
}

/* ---- Placing ---- */

static uint64_t *frame_of(parser_t *p, const ptx_var_t *v) {
  ptx_module_t *m = &p->owner->module;
  switch (v->space) {
    case PTX_SPACE_GLOBAL: return &m->global_bytes;
    case PTX_SPACE_CONST: return &m->const_bytes;
    case PTX_SPACE_LOCAL: return &p->local_bytes;
    default: return &p->call_param_bytes;
  }
}

static void place(parser_t *p, ptx_var_t *v, const token_t *t, bool unsized) {
  if (unsized && v->linkage != PTX_LINK_EXTERN && !v->init)
    ptx_fail(p, t, "'%.80s' has no size; write one between the brackets, or an initialiser", v->name);
  v->dynamic = unsized && v->space == PTX_SPACE_SHARED;
  if (v->space == PTX_SPACE_SHARED) return; /* shared_layout does */
  uint64_t *frame = frame_of(p, v);
  v->offset = round_up(*frame, v->align);
  *frame = v->offset + v->size;
  if (*frame > UINT64_C(1) << 40) ptx_fail(p, t, "variables of .%s space need more than 1 TB", ptx_space_name(v->space));
}

static int32_t add_var(parser_t *p, const ptx_var_t *v, const token_t *at) {
  uint32_t i = VECTOR_ADD(p, p->vars);
  p->vars.data[i] = *v;
  symbol_add(p, v->name, SYM_VAR, (int32_t)i, at);
  return (int32_t)i;
}

/* One name of a declaration with its dimensions: size and alignment are known after it. */
static ptx_var_t parse_declarator(parser_t *p, const decl_t *d, token_t *name, bool *unsized) {
  ptx_var_t v = d->var;
  *name = expect_name(p, "a variable's name");
  v.name = token_string(p, name);
  v.line = name->line;
  v.column = name->column;
  v.func = p->func;
  v.reg = PTX_NONE;
  *unsized = false;
  parse_dims(p, &v, unsized);
  uint32_t natural = ptx_type_bytes(v.type) * v.vec;
  v.align = d->align ? d->align : natural;
  uint64_t elements = 1;
  for (unsigned i = 0; i < v.num_dims; i++) {
    elements *= v.dim[i];
    if (elements * natural > MAX_BODY_BYTES) ptx_fail(p, name, "'%.80s' is larger than %d bytes", v.name, MAX_BODY_BYTES);
  }
  v.size = elements * natural;
  return v;
}

/* An extern and its definition are one variable: the definition replaces what the declaration said. */
static bool redeclares(parser_t *p, const ptx_var_t *v, const token_t *name) {
  const symbol_t *s = symbol_find(p, name->text, name->length);
  if (!s || s->kind != SYM_VAR || s->depth != p->depth) return false;
  ptx_var_t *old = &p->vars.data[s->index];
  if (old->linkage != PTX_LINK_EXTERN && v->linkage != PTX_LINK_EXTERN) return false;
  if (old->type != v->type || old->space != v->space)
    ptx_fail(p, name, "'%.80s' is declared before as .%s .%s", v->name, ptx_space_name(old->space), ptx_type_name(old->type));
  if (v->linkage != PTX_LINK_EXTERN) *old = *v;
  return true;
}

static void parse_variables(parser_t *p, ptx_space_t space, ptx_linkage_t linkage) {
  decl_t d = {.var = {.space = space, .linkage = linkage}};
  if (space == PTX_SPACE_CONST && tok_accept(p, '[')) { /* .const[3]: PTX 1.x banks */
    expect_range(p, "a constant bank", 0, 10);
    tok_expect(p, ']', "after a constant bank");
  }
  parse_decl_type(p, &d);
  if (d.var.type == PTX_PRED) ptx_fail(p, &p->tok, "a variable in memory cannot be .pred; use .b8");
  do {
    token_t name;
    bool unsized;
    ptx_var_t v = parse_declarator(p, &d, &name, &unsized);
    v.is_call_param = space == PTX_SPACE_PARAM;
    if (tok_accept(p, '=')) {
      if (linkage == PTX_LINK_EXTERN) ptx_fail(p, &name, ".extern '%.80s' cannot have an initialiser", v.name);
      if (ptx_type_kind(v.type) == 'X') {
        token_t open = p->tok;
        ptx_fail(p, &open, "initialisers of .%s variables are not supported; set it from the host", ptx_type_name(v.type));
      }
      parse_initialiser(p, &v, unsized);
    }
    place(p, &v, &name, unsized);
    if (!redeclares(p, &v, &name)) add_var(p, &v, &name);
  } while (tok_accept(p, ','));
  tok_expect(p, ';', "after a declaration");
}

static void parse_registers(parser_t *p) {
  decl_t d = {.var = {.vec = 1}};
  parse_decl_type(p, &d);
  do {
    token_t t = expect_name(p, "a register's name");
    const char *name = token_string(p, &t);
    if (tok_accept(p, '<')) {
      /* The range ends at '>', which would otherwise be taken for an operator. */
      token_t n = p->tok;
      if (n.kind != TOK_INT || n.integer < 1 || n.integer > INT32_MAX) ptx_fail(p, &n, "%s where the number of registers should stand", tok_text(p, &n));
      lex_next(p);
      tok_expect(p, '>', "after the number of registers");
      symbol_t *s = symbol_add(p, name, SYM_REG_RANGE, (int32_t)n.integer, &t);
      s->type = d.var.type;
      s->vec = d.var.vec;
    } else {
      symbol_t *s = symbol_add(p, name, d.var.vec > 1 ? SYM_REG_VECTOR : SYM_REG, 0, &t);
      s->type = d.var.type;
      s->vec = d.var.vec;
      s->index = register_add(p, name, d.var.type);
      for (unsigned i = 1; i < s->vec; i++) register_add(p, name, d.var.type);
    }
  } while (tok_accept(p, ','));
  tok_expect(p, ';', "after registers");
}

/* ---- Directives that change no result ---------------------------------------------------------------------------- */

static void skip_loc(parser_t *p) {
  for (int i = 0; i < 3; i++) {
    if (p->tok.kind != TOK_INT) ptx_fail(p, &p->tok, "%s in .loc; write .loc FILE LINE COLUMN", tok_text(p, &p->tok));
    lex_next(p);
  }
  if (!tok_accept(p, ',')) return;
  if (!tok_is_name(p, "function_name")) ptx_fail(p, &p->tok, "%s in .loc; function_name should stand there", tok_text(p, &p->tok));
  lex_next(p);
  expect_name(p, "a label");
  if (tok_accept(p, '+')) parse_int(p, "an offset");
  tok_expect(p, ',', "before inlined_at");
  if (!tok_is_name(p, "inlined_at")) ptx_fail(p, &p->tok, "%s in .loc; inlined_at should stand there", tok_text(p, &p->tok));
  lex_next(p);
  for (int i = 0; i < 3; i++) expect_range(p, "a number of inlined_at", 0, UINT32_MAX);
}

static void skip_file(parser_t *p) {
  expect_range(p, "a file's number", 0, UINT32_MAX);
  if (p->tok.kind != TOK_STRING) ptx_fail(p, &p->tok, "%s in .file; its name should stand there in quotes", tok_text(p, &p->tok));
  while (p->tok.kind == TOK_STRING) lex_next(p);
  while (tok_accept(p, ',')) expect_range(p, "a file's time or size", 0, INT64_MAX);
}

static void skip_section(parser_t *p) {
  token_t open = p->tok;
  if (p->tok.kind != TOK_DOT && p->tok.kind != TOK_NAME) ptx_fail(p, &p->tok, "%s where a section's name should stand", tok_text(p, &p->tok));
  lex_next(p);
  tok_expect(p, '{', "after a section's name");
  while (!tok_is(p, '}')) {
    if (p->tok.kind == TOK_END) ptx_fail(p, &open, "section that is not closed; end it with }");
    lex_next(p);
  }
  lex_next(p);
}

static void skip_pragma(parser_t *p) {
  do {
    if (p->tok.kind != TOK_STRING) ptx_fail(p, &p->tok, "%s in .pragma; a string should stand there", tok_text(p, &p->tok));
    lex_next(p);
  } while (tok_accept(p, ','));
  tok_expect(p, ';', "after .pragma");
}

/* .loc, .file, .section, .pragma, @@DWARF: true when there was one. */
static bool skip_debug(parser_t *p) {
  if (accept_dot(p, "loc")) {
    skip_loc(p);
  } else if (accept_dot(p, "file")) {
    skip_file(p);
  } else if (accept_dot(p, "section")) {
    skip_section(p);
  } else if (accept_dot(p, "pragma")) {
    skip_pragma(p);
  } else if (tok_is(p, '@') && p->pos < p->size && p->source[p->pos] == '@') {
    lex_next(p);
    lex_next(p);
    if (!tok_is_name(p, "DWARF")) ptx_fail(p, &p->tok, "%s after '@@'; only @@DWARF is known", tok_text(p, &p->tok));
    lex_skip_line(p);
  } else {
    return false;
  }
  return true;
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

static void parse_body(parser_t *p);

static void add_label(parser_t *p, const token_t *t) {
  const char *name = token_string(p, t);
  uint32_t i = VECTOR_ADD(p, p->labels);
  p->labels.data[i] = (ptx_label_t){name, p->instrs.count, t->line, t->column};
  symbol_add(p, name, SYM_LABEL, (int32_t)p->instrs.count, t);
}

static int32_t function_named(parser_t *p, const token_t *t) {
  const symbol_t *s = symbol_find(p, t->text, t->length);
  if (!s || s->kind != SYM_FUNC) ptx_fail(p, t, "%s is not a function that is declared before", tok_text(p, t));
  return s->index;
}

static void parse_table_items(parser_t *p, uint32_t table, bool labels) {
  p->names.count = 0;
  do {
    uint32_t i = VECTOR_ADD(p, p->names);
    p->names.data[i] = expect_name(p, "a target's name");
  } while (tok_accept(p, ','));
  uint32_t count = p->names.count;
  int32_t *index = arena_alloc(p, count * sizeof *index);
  p->tables.data[table].index = index;
  p->tables.data[table].count = count;
  for (uint32_t i = 0; i < count; i++) {
    if (labels)
      label_use(p, &p->names.data[i], true, table, i);
    else
      index[i] = function_named(p, &p->names.data[i]);
  }
}

/* name: .callprototype (.param .b32 _) _ (.param .b64 _); only its shape is checked. */
static void parse_prototype(parser_t *p) {
  while (!tok_is(p, ';')) {
    bool known = p->tok.kind == TOK_DOT || p->tok.kind == TOK_NAME || p->tok.kind == TOK_INT || tok_is(p, '(') || tok_is(p, ')') ||
                 tok_is(p, ',') || tok_is(p, '[') || tok_is(p, ']');
    if (!known) ptx_fail(p, &p->tok, "%s in .callprototype", tok_text(p, &p->tok));
    lex_next(p);
  }
}

static bool parse_table(parser_t *p, const token_t *name) {
  ptx_table_kind_t kind;
  if (accept_dot(p, "branchtargets"))
    kind = PTX_TABLE_BRANCH;
  else if (accept_dot(p, "calltargets"))
    kind = PTX_TABLE_CALL;
  else if (accept_dot(p, "callprototype"))
    kind = PTX_TABLE_PROTOTYPE;
  else
    return false;
  uint32_t i = VECTOR_ADD(p, p->tables);
  const char *text = token_string(p, name);
  p->tables.data[i] = (ptx_table_t){.name = text, .kind = kind};
  symbol_add(p, text, SYM_TABLE, (int32_t)i, name);
  if (kind == PTX_TABLE_PROTOTYPE)
    parse_prototype(p);
  else
    parse_table_items(p, i, kind == PTX_TABLE_BRANCH);
  tok_expect(p, ';', "after a table");
  return true;
}

/* The statement that starts with a name: a label, a table, or an instruction. */
static void parse_named_statement(parser_t *p) {
  size_t ahead = p->pos;
  while (ahead < p->size && (p->source[ahead] == ' ' || p->source[ahead] == '\t')) ahead++;
  if (ahead >= p->size || p->source[ahead] != ':') {
    parse_instruction(p);
    return;
  }
  token_t t = p->tok;
  lex_next(p);
  lex_next(p);
  if (!parse_table(p, &t)) add_label(p, &t);
}

static void parse_statement(parser_t *p) {
  ptx_space_t space;
  token_t t = p->tok;
  if (t.kind == TOK_NAME || (tok_is(p, '@') && !(p->pos < p->size && p->source[p->pos] == '@'))) {
    if (t.kind == TOK_NAME)
      parse_named_statement(p);
    else
      parse_instruction(p);
  } else if (tok_is(p, '{')) {
    parse_body(p);
  } else if (tok_accept(p, ';')) {
    return; /* empty statement */
  } else if (accept_dot(p, "reg")) {
    parse_registers(p);
  } else if (skip_debug(p)) {
    return;
  } else {
    ptx_linkage_t linkage = accept_linkage(p);
    if (!accept_space(p, &space)) ptx_fail(p, &p->tok, "%s in a body; an instruction, a label or a declaration should stand there", tok_text(p, &p->tok));
    parse_variables(p, space, linkage);
  }
}

static void parse_body(parser_t *p) {
  token_t open = p->tok;
  tok_expect(p, '{', "before a body");
  scope_open(p);
  while (!tok_is(p, '}')) {
    if (p->tok.kind == TOK_END) ptx_fail(p, &open, "'{' that is not closed; the file ends in the body of '%.80s'", p->funcs.data[p->func].name);
    parse_statement(p);
  }
  /* The function's own scope holds its parameters too and is closed by its caller. */
  scope_close(p);
  p->body_close = p->tok;
  lex_next(p);
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

typedef struct {
  int32_t *index;
  uint32_t count;
  uint64_t bytes;
} params_t;

/* (.param .u64 a, .param .align 8 .b8 b[16], .reg .f32 c) */
static params_t parse_params(parser_t *p) {
  params_t out = {NULL, 0, 0};
  p->params.count = 0;
  tok_expect(p, '(', "before parameters");
  while (!tok_is(p, ')')) {
    decl_t d = {.var = {.space = PTX_SPACE_PARAM}};
    bool reg = tok_is_dot(p, "reg");
    token_t name;
    bool unsized;
    if (!reg && !tok_is_dot(p, "param"))
      ptx_fail(p, &p->tok, "%s in a parameter list; .param or .reg should stand there", tok_text(p, &p->tok));
    lex_next(p);
    parse_decl_type(p, &d);
    ptx_var_t v = parse_declarator(p, &d, &name, &unsized);
    v.is_register = reg;
    if (!reg) {
      v.offset = round_up(out.bytes, v.align);
      out.bytes = v.offset + v.size;
    }
    bool anonymous = strcmp(v.name, "_") == 0;
    uint32_t at = VECTOR_ADD(p, p->vars);
    if (reg) v.reg = register_add(p, v.name, v.type);
    p->vars.data[at] = v;
    if (!anonymous) {
      symbol_t *s = symbol_add(p, v.name, reg ? SYM_REG : SYM_VAR, reg ? v.reg : (int32_t)at, &name);
      s->type = v.type;
    }
    uint32_t i = VECTOR_ADD(p, p->params);
    p->params.data[i] = (int32_t)at;
    if (!tok_is(p, ')')) tok_expect(p, ',', "between parameters");
  }
  lex_next(p);
  out.index = arena_copy(p, p->params.data, p->params.count * sizeof *p->params.data);
  out.count = p->params.count;
  return out;
}

static void parse_threads(parser_t *p, uint32_t *dims) {
  dims[0] = (uint32_t)expect_range(p, "a number of threads", 1, UINT32_MAX);
  dims[1] = dims[2] = 1;
  for (int i = 1; i < 3 && tok_accept(p, ','); i++) dims[i] = (uint32_t)expect_range(p, "a number of threads", 1, UINT32_MAX);
}

/* Directives between a head and its body. */
static void parse_tuning(parser_t *p, ptx_func_t *f) {
  uint32_t ignored[3]; /* clusters and tuning: no result depends on them */
  for (;;) {
    if (accept_dot(p, "maxntid"))
      parse_threads(p, f->maxntid);
    else if (accept_dot(p, "reqntid"))
      parse_threads(p, f->reqntid);
    else if (accept_dot(p, "minnctapersm"))
      f->minnctapersm = (uint32_t)expect_range(p, "a number of blocks", 1, UINT32_MAX);
    else if (accept_dot(p, "maxnreg"))
      f->maxnreg = (uint32_t)expect_range(p, "a number of registers", 1, UINT32_MAX);
    else if (accept_dot(p, "noreturn"))
      f->noreturn = true;
    else if (accept_dot(p, "maxnctapersm") || accept_dot(p, "reqnctapercluster") || accept_dot(p, "maxclusterrank") ||
             accept_dot(p, "abi_preserve") || accept_dot(p, "abi_preserve_control"))
      parse_threads(p, ignored);
    else if (accept_dot(p, "explicitcluster") || accept_dot(p, "blocksareclusters") || accept_dot(p, "unified"))
      continue;
    else if (!skip_debug(p))
      return;
  }
}

static void start_function(parser_t *p, int32_t func) {
  p->func = func;
  p->regs.count = p->instrs.count = p->elements.count = p->labels.count = p->tables.count = p->fixups.count = 0;
  p->local_bytes = p->call_param_bytes = 0;
}

static bool ends_body(const parser_t *p) {
  if (!p->instrs.count) return false;
  const ptx_instr_t *last = &p->instrs.data[p->instrs.count - 1];
  for (uint32_t i = 0; i < p->labels.count; i++)
    if (p->labels.data[i].instr == p->instrs.count) return false;
  unsigned op = last->op;
  return !last->guarded && (op == PTX_OP_bra || op == PTX_OP_brx || op == PTX_OP_ret || op == PTX_OP_exit || op == PTX_OP_trap);
}

static void add_implicit_ret(parser_t *p, const token_t *close) {
  uint32_t i = VECTOR_ADD(p, p->instrs);
  p->instrs.data[i] = (ptx_instr_t){.op = PTX_OP_ret, .vec = 1, .implicit = true, .guard = PTX_NONE, .target = PTX_NONE, .reconv = PTX_NONE,
                                    .line = close->line, .column = close->column, .text = "ret", .source = "ret;"};
}

static void finish_function(parser_t *p, ptx_func_t *f) {
  f->num_regs = p->regs.count;
  f->regs = arena_copy(p, p->regs.data, p->regs.count * sizeof *p->regs.data);
  f->num_elements = p->elements.count;
  f->elements = arena_copy(p, p->elements.data, p->elements.count * sizeof *p->elements.data);
  f->num_instrs = p->instrs.count;
  f->instrs = arena_copy(p, p->instrs.data, p->instrs.count * sizeof *p->instrs.data);
  f->num_labels = p->labels.count;
  f->labels = arena_copy(p, p->labels.data, p->labels.count * sizeof *p->labels.data);
  f->num_tables = p->tables.count;
  f->tables = arena_copy(p, p->tables.data, p->tables.count * sizeof *p->tables.data);
  f->local_bytes = p->local_bytes;
  f->call_param_bytes = p->call_param_bytes;
  flow_analyse(p, f);
}

static int32_t declare_function(parser_t *p, const token_t *t, bool is_kernel, ptx_linkage_t linkage) {
  symbol_t *s = symbol_find(p, t->text, t->length);
  if (s && s->kind != SYM_FUNC) ptx_fail(p, t, "%s is already a variable; rename one", tok_text(p, t));
  if (s) return s->index;
  uint32_t i = VECTOR_ADD(p, p->funcs);
  p->funcs.data[i] = (ptx_func_t){.name = token_string(p, t), .is_kernel = is_kernel, .linkage = linkage, .line = t->line, .column = t->column};
  uint32_t depth = p->depth;
  p->depth = 0; /* functions belong to the module, though their parameters' scope is open */
  symbol_add(p, p->funcs.data[i].name, SYM_FUNC, (int32_t)i, t);
  p->depth = depth;
  return (int32_t)i;
}

static void parse_function(parser_t *p, bool is_kernel, ptx_linkage_t linkage) {
  params_t rets = {NULL, 0, 0}, params = {NULL, 0, 0};
  start_function(p, (int32_t)p->funcs.count);
  scope_open(p);
  if (tok_is_dot(p, "attribute")) {
    lex_next(p);
    skip_parentheses(p);
  }
  if (!is_kernel && tok_is(p, '(')) rets = parse_params(p);
  token_t name = expect_name(p, is_kernel ? "a kernel's name" : "a function's name");
  int32_t index = declare_function(p, &name, is_kernel, linkage);
  if (p->funcs.data[index].defined) ptx_fail(p, &name, "%s has a body already; rename one", tok_text(p, &name));
  if (p->funcs.data[index].is_kernel != is_kernel) ptx_fail(p, &name, "%s was declared as a %s before", tok_text(p, &name), is_kernel ? ".func" : ".entry");
  for (uint32_t i = 0; i < rets.count; i++) p->vars.data[rets.index[i]].func = index;
  p->func = index;
  if (tok_is(p, '(')) params = parse_params(p);
  if (is_kernel && params.bytes > 32764) ptx_fail(p, &name, "%s has %llu bytes of parameters; PTX allows 32764", tok_text(p, &name), (unsigned long long)params.bytes);
  ptx_func_t f = p->funcs.data[index];
  f.params = params.index;
  f.num_params = params.count;
  f.param_bytes = params.bytes;
  f.rets = rets.index;
  f.num_rets = rets.count;
  parse_tuning(p, &f);
  p->funcs.data[index] = f;
  if (tok_accept(p, ';')) {
    scope_close(p);
  } else {
    if (linkage == PTX_LINK_EXTERN) ptx_fail(p, &p->tok, ".extern %s cannot have a body; end it with ';' or drop .extern", tok_text(p, &name));
    p->funcs.data[index].defined = true;
    parse_body(p);
    scope_close(p);
    if (!ends_body(p)) add_implicit_ret(p, &p->body_close);
    f = p->funcs.data[index];
    finish_function(p, &f);
    p->funcs.data[index] = f;
  }
  p->func = PTX_NONE;
}

/* ---- Modules ----------------------------------------------------------------------------------------------------- */

static void parse_version(parser_t *p) {
  token_t t = p->tok;
  ptx_module_t *m = &p->owner->module;
  double value;
  if (p->seen_version) ptx_fail(p, &t, "second .version; a module has one");
  if (t.kind != TOK_F64 || !t.is_decimal) ptx_fail(p, &t, "%s after .version; write for example .version 6.0", tok_text(p, &t));
  memcpy(&value, &t.integer, 8);
  const char *dot = memchr(p->source + t.at, '.', t.end - t.at);
  m->version_major = (unsigned)value;
  m->version_minor = 0;
  for (const char *c = dot + 1; dot && c < p->source + t.end && m->version_minor < 1000; c++)
    m->version_minor = m->version_minor * 10 + (unsigned)(*c - '0') % 10;
  unsigned version = m->version_major * 100 + m->version_minor;
  if (!dot || version < 100 || version > 900 || m->version_minor > 99)
    ptx_fail(p, &t, ".version %.*s is not one this reader knows; it reads 1.0 to 9.0", (int)(t.end - t.at), p->source + t.at);
  p->seen_version = true;
  lex_next(p);
}

static void parse_target(parser_t *p) {
  size_t from = p->tok.at, to;
  do {
    token_t t = expect_name(p, "a target such as sm_35");
    to = t.end;
  } while (tok_accept(p, ','));
  p->owner->module.target = arena_string(p, p->source + from, to - from);
  p->seen_target = true;
}

static void parse_address_size(parser_t *p) {
  token_t t = p->tok;
  if (t.kind != TOK_INT || (t.integer != 32 && t.integer != 64)) ptx_fail(p, &t, "%s after .address_size; write 32 or 64", tok_text(p, &t));
  p->owner->module.address_bytes = (unsigned)t.integer / 8;
  lex_next(p);
}

static void parse_alias(parser_t *p) {
  token_t name = expect_name(p, "an alias"), old;
  tok_expect(p, ',', "after an alias");
  old = expect_name(p, "a function");
  int32_t target = function_named(p, &old);
  symbol_t *s = symbol_find(p, name.text, name.length);
  if (s && s->kind == SYM_FUNC)
    s->index = target;
  else
    symbol_add(p, token_string(p, &name), SYM_FUNC, target, &name);
  tok_expect(p, ';', "after .alias");
}

/* # 12 "file": a line of the C preprocessor. */
static void skip_hash_line(parser_t *p) {
  token_t t = p->tok;
  lex_next(p);
  if (p->tok.kind != TOK_INT && !tok_is_name(p, "line"))
    ptx_fail(p, &t, "preprocessor directive; run the file through the C preprocessor first");
  lex_skip_line(p);
}

static void parse_toplevel(parser_t *p) {
  ptx_space_t space;
  token_t t = p->tok;
  if (accept_dot(p, "version")) {
    parse_version(p);
    return;
  }
  if (!p->seen_version && !tok_is(p, '#')) ptx_fail(p, &t, "%s before .version; a PTX file starts with .version and .target", tok_text(p, &t));
  if (accept_dot(p, "target")) {
    parse_target(p);
  } else if (accept_dot(p, "address_size")) {
    parse_address_size(p);
  } else if (tok_is(p, '#')) {
    skip_hash_line(p);
  } else if (tok_accept(p, ';') || skip_debug(p)) {
    return;
  } else if (accept_dot(p, "alias")) {
    parse_alias(p);
  } else {
    ptx_linkage_t linkage = accept_linkage(p);
    token_t at = p->tok;
    if (!p->seen_target) ptx_fail(p, &at, "%s before .target; write for example .target sm_35", tok_text(p, &at));
    if (accept_dot(p, "entry"))
      parse_function(p, true, linkage);
    else if (accept_dot(p, "func"))
      parse_function(p, false, linkage);
    else if (accept_dot(p, "tex"))
      parse_variables(p, PTX_SPACE_GLOBAL, linkage);
    else if (accept_space(p, &space) && space != PTX_SPACE_PARAM)
      parse_variables(p, space, linkage);
    else
      ptx_fail(p, &at, "%s at the top of a module; a directive, variable or function should stand there", tok_text(p, &at));
  }
}

static void finish_module(parser_t *p) {
  ptx_module_t *m = &p->owner->module;
  m->num_vars = p->vars.count;
  m->vars = arena_copy(p, p->vars.data, p->vars.count * sizeof *p->vars.data);
  m->num_funcs = p->funcs.count;
  m->funcs = arena_copy(p, p->funcs.data, p->funcs.count * sizeof *p->funcs.data);
  shared_layout(p);
}

static void parse_module(parser_t *p) {
  ptx_module_t *m = &p->owner->module;
  m->file = arena_string(p, p->file, strlen(p->file));
  m->address_bytes = 4;
  p->line = 1;
  p->func = PTX_NONE;
  lex_next(p);
  while (p->tok.kind != TOK_END) parse_toplevel(p);
  if (!p->seen_version) ptx_fail(p, &p->tok, "file without .version; a PTX file starts with .version and .target");
  if (!p->seen_target) ptx_fail(p, &p->tok, "file without .target; write for example .target sm_35 after .version");
  finish_module(p);
}

static void free_parser(parser_t *p) {
  free(p->vars.data);
  free(p->funcs.data);
  free(p->regs.data);
  free(p->instrs.data);
  free(p->elements.data);
  free(p->labels.data);
  free(p->tables.data);
  free(p->fixups.data);
  free(p->names.data);
  free(p->params.data);
  free(p->relocs.data);
  free(p);
}

void ptx_free(ptx_module_t *module) {
  ptx_owner_t *owner = (ptx_owner_t *)module;
  if (!owner) return;
  for (arena_chunk_t *c = owner->chunks, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(owner);
}

static ptx_module_t *fail_alone(ptx_error_t *err, int status, const char *file, const char *why) {
  *err = (ptx_error_t){.status = status};
  snprintf(err->text, sizeof err->text, "%.200s: %s", file, why);
  return NULL;
}

ptx_module_t *ptx_parse(const char *text, size_t size, const char *file, ptx_error_t *err) {
  parser_t *p = calloc(1, sizeof *p);
  ptx_owner_t *owner = calloc(1, sizeof *owner);
  memset(err, 0, sizeof *err);
  if (!p || !owner) {
    free(p);
    free(owner);
    return fail_alone(err, 3, file, "out of memory");
  }
  p->owner = owner;
  p->err = err;
  p->file = file;
  p->source = text;
  p->size = size;
  if (setjmp(p->on_error)) {
    ptx_free(&p->owner->module);
    free_parser(p);
    return NULL;
  }
  parse_module(p);
  ptx_module_t *module = &p->owner->module;
  free_parser(p);
  return module;
}

ptx_module_t *ptx_read(const char *path, ptx_error_t *err) {
  FILE *f = fopen(path, "rb");
  char why[128];
  char *text = NULL;
  size_t size = 0, room = 0, got;
  if (!f) {
    snprintf(why, sizeof why, "%s; give the path of a PTX file", strerror(errno));
    return fail_alone(err, 2, path, why);
  }
  do {
    if (room - size < 65536) {
      char *grown = realloc(text, room = room ? room * 2 : 1 << 17);
      if (!grown) {
        free(text);
        fclose(f);
        return fail_alone(err, 3, path, "out of memory");
      }
      text = grown;
    }
    got = fread(text + size, 1, room - size, f);
    size += got;
  } while (got);
  bool bad = ferror(f);
  snprintf(why, sizeof why, "%s; give the path of a PTX file", strerror(errno));
  fclose(f);
  ptx_module_t *module = bad ? fail_alone(err, 2, path, why) : ptx_parse(text, size, path, err);
  free(text);
  return module;
}

const ptx_func_t *ptx_find_kernel(const ptx_module_t *module, const char *name) {
  const ptx_func_t *found = NULL;
  for (uint32_t i = 0; i < module->num_funcs; i++) {
    const ptx_func_t *f = &module->funcs[i];
    if (!f->is_kernel || !f->defined || (name && strcmp(f->name, name) != 0)) continue;
    if (found) return NULL;
    found = f;
  }
  return found;
}
