/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of the PTX reader: variables with their sizes, places and initialisers, registers.
 *
 *    .global .align 8 .v2 .f32  table[4][8]  = { {1, 2}, ... }, next;
 *    space   parse_decl_type    parse_declarator  parse_initialiser   place_variable
 */
#include <stdlib.h>
#include <string.h>

#include "ptx_internal.h"

char *token_string(parser_t *p, const token_t *t) {
  return arena_string(p, t->text, t->length);
}

token_t expect_name(parser_t *p, const char *what) {
  token_t t = p->tok;
  if (t.kind != TOK_NAME) ptx_fail(p, &t, "%s where %s should stand", tok_text(p, &t), what);
  lex_next(p);
  return t;
}

bool accept_dot(parser_t *p, const char *name) {
  if (!tok_is_dot(p, name)) return false;
  lex_next(p);
  return true;
}

uint64_t expect_range(parser_t *p, const char *what, uint64_t least, uint64_t most) {
  token_t t = p->tok;
  int64_t v = parse_int(p, what);
  if (v < 0 || (uint64_t)v < least || (uint64_t)v > most)
    ptx_fail(p, &t, "%s is %lld; it must be %llu to %llu", what, (long long)v, (unsigned long long)least,
             (unsigned long long)most);
  return (uint64_t)v;
}

uint64_t round_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

/* ---- Declarations of variables --------------------------------------------------------------- */

/* Steps over a linkage directive; PTX_LINK_NONE: there is none. */
ptx_linkage_t accept_linkage(parser_t *p) {
  if (accept_dot(p, "extern")) return PTX_LINK_EXTERN;
  if (accept_dot(p, "visible")) return PTX_LINK_VISIBLE;
  if (accept_dot(p, "weak")) return PTX_LINK_WEAK;
  if (accept_dot(p, "common")) return PTX_LINK_COMMON;
  return PTX_LINK_NONE;
}

/* Steps over a state space; .shared::cta is .shared. False: there is none. */
bool accept_space(parser_t *p, ptx_space_t *space) {
  static const struct {
    const char *name;
    ptx_space_t space;
  } spaces[] = {
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

/* .attribute(.managed) or .attribute(.unified(1, 2)) say where memory lives; no result depends on
 * it. */
void skip_parentheses(parser_t *p) {
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

/* .ptr .global .align 16 of a kernel parameter: hints about what it points at. */
static void parse_ptr(parser_t *p, ptx_var_t *var) {
  accept_space(p, &var->ptr_space);
  if (accept_dot(p, "align")) parse_align(p, &var->ptr_align);
}

/* .align 8 .v2 .f32, and all else between a space and a name, in any order that compilers write.
 * Exactly one type is required. */
void parse_decl_type(parser_t *p, decl_t *d) {
  d->var.vec = 1;
  while (p->tok.kind == TOK_DOT) {
    token_t t = p->tok;
    ptx_type_t type = type_find(t.text, t.length);
    lex_next(p);
    if (type && d->var.type) ptx_fail(p, &t, "second type %s in a declaration; keep one", tok_text(p, &t));
    if (type) d->var.type = type;
    else if (t.length == 5 && memcmp(t.text, "align", 5) == 0) parse_align(p, &d->align);
    else if (t.length == 2 && t.text[0] == 'v' && strchr("248", t.text[1])) d->var.vec = (uint8_t)(t.text[1] - '0');
    else if (t.length == 9 && memcmp(t.text, "attribute", 9) == 0) skip_parentheses(p);
    else if (t.length == 3 && memcmp(t.text, "ptr", 3) == 0) parse_ptr(p, &d->var);
    else ptx_fail(p, &t, "%s in a declaration; a type such as .b32 should stand there", tok_text(p, &t));
  }
  if (!d->var.type) ptx_fail(p, &p->tok, "declaration without a type; write for example .b32 before the name");
}

/* [4][8], at most four dimensions; only the first may be empty. */
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

/* The bytes of a variable while its initialiser is read. `filled` is the end of the last element
 * written, `at` the place of the next. */
typedef struct {
  ptx_var_t *var;
  uint8_t *bytes; /* grows for unsized arrays */
  uint64_t room, at, filled;
  bool unsized;
} init_t;

/* Limits the bytes of all initialised variables together: a small file must not ask for much
 * memory. */
static void init_bytes(parser_t *p, uint64_t bytes, const token_t *t) {
  p->init_bytes += bytes;
  if (p->init_bytes > MAX_BODY_BYTES)
    ptx_fail(p, t, "initialised variables of more than %d bytes in all", MAX_BODY_BYTES);
}

/* Makes room up to byte `end`: an unsized array grows, another fails. */
static void init_room(parser_t *p, init_t *in, uint64_t end, const token_t *t) {
  if (end <= in->room) return;
  if (!in->unsized)
    ptx_fail(p, t, "initialiser is longer than '%s', which has %llu bytes", in->var->name,
             (unsigned long long)in->var->size);
  uint64_t room = in->room ? in->room * 2 : 64;
  while (room < end) room *= 2;
  if (room > MAX_BODY_BYTES) ptx_fail(p, t, "initialiser of more than %d bytes", MAX_BODY_BYTES);
  init_bytes(p, room, t);
  uint8_t *grown = arena_alloc(p, room);
  if (in->room) memcpy(grown, in->bytes, in->room);
  in->bytes = grown;
  in->room = room;
}

/* An address as an element, symbol + offset or generic(symbol) + offset, becomes a relocation:
 * places are not final yet. */
static void init_symbol(parser_t *p, init_t *in, unsigned bytes, bool generic) {
  if (generic) tok_expect(p, '(', "after generic");
  token_t t = expect_name(p, "a variable or function");
  const symbol_t *s = symbol_find(p, t.text, t.length);
  if (!s) ptx_fail(p, &t, "%s is not declared; declare it before this variable", tok_text(p, &t));
  if (s->kind != SYM_VAR && s->kind != SYM_FUNC) ptx_fail(p, &t, "%s has no address", tok_text(p, &t));
  if (bytes < 4) ptx_fail(p, &t, "an address needs 4 or 8 bytes, the variable's elements have %u", bytes);
  if (generic) tok_expect(p, ')', "after generic(symbol; an offset stands behind it");
  int64_t addend = 0;
  bool minus = tok_is(p, '-');
  if (tok_accept(p, '+') || tok_accept(p, '-')) addend = parse_int(p, "an offset");
  uint32_t i = VECTOR_ADD(p, p->relocs);
  p->relocs.data[i] = (ptx_reloc_t){.at = in->at,
                                    .addend = minus ? (int64_t)(0 - (uint64_t)addend) : addend,
                                    .var = s->kind == SYM_VAR ? s->index : PTX_NONE,
                                    .func = s->kind == SYM_FUNC ? s->index : PTX_NONE,
                                    .bytes = (uint8_t)(bytes > 8 ? 8 : bytes),
                                    .generic = generic};
}

/* The bits of one number. A sign before a float flips its sign bit; an integer for float elements
 * is converted. */
static uint64_t init_number(parser_t *p, ptx_type_t type) {
  token_t t = p->tok;
  bool minus = tok_is(p, '-');
  bool is_float = ptx_type_kind(type) == 'F' && ptx_type_bytes(type) >= 4;
  if (minus && is_float) lex_next(p);
  if (p->tok.kind == TOK_F32 || p->tok.kind == TOK_F64) {
    if (!is_float && ptx_type_kind(type) != 'B')
      ptx_fail(p, &t, "floating-point number for .%s elements", ptx_type_name(type));
    const ptx_type_t written = p->tok.kind == TOK_F32 ? PTX_F32 : PTX_F64;
    uint64_t bits = float_bits(&p->tok, is_float ? type : written);
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

/* One element at in->at: an address, generic(address) or a number. */
static void init_element(parser_t *p, init_t *in) {
  ptx_type_t type = in->var->type;
  unsigned bytes = ptx_type_bytes(type);
  token_t t = p->tok;
  init_room(p, in, in->at + bytes, &t);
  if (tok_is_name(p, "generic")) {
    lex_next(p);
    init_symbol(p, in, bytes, true);
  } else if (p->tok.kind == TOK_NAME && !tok_is_name(p, "WARP_SZ")) {
    init_symbol(p, in, bytes, false);
  } else {
    uint64_t value = init_number(p, type);
    if (tok_is(p, '('))
      ptx_fail(p, &p->tok, "mask(address) initialisers are not supported; store the whole address in a .b64 element");
    memcpy(in->bytes + in->at, &value, bytes > 8 ? 8 : bytes);
  }
  in->at += bytes;
  if (in->at > in->filled) in->filled = in->at;
}

/* Bytes that the dimensions from `dim` on span: of the whole array for 0, of an element beyond the
 * last. */
static uint64_t row_bytes(const ptx_var_t *v, unsigned dim) {
  uint64_t bytes = (uint64_t)ptx_type_bytes(v->type) * v->vec;
  for (unsigned i = dim; i < v->num_dims && i < 4; i++) bytes *= v->dim[i];
  return bytes;
}

/* {a, {b, c}, ...}: a nested group begins at a row of its own. Missing elements are zero. */
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

/* Steps over one of the names and gives its number, or fails. */
static unsigned expect_one_of(parser_t *p, const char *const *names, unsigned count, const char *what) {
  for (unsigned i = 0; i < count; i++) {
    if (!tok_is_name(p, names[i])) continue;
    lex_next(p);
    return i;
  }
  ptx_fail(p, &p->tok, "%s is not %s", tok_text(p, &p->tok), what);
}

/* addr_mode_0 = wrap and the like; the value's names depend on the field. */
static void sampler_field(parser_t *p, ptx_sampler_t *s) {
  static const char *const fields[] = {"addr_mode_0", "addr_mode_1", "addr_mode_2", "filter_mode",
                                       "force_unnormalized_coords"};
  static const char *const modes[] = {"wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"},
                           *const filters[] = {"nearest", "linear"};
  const unsigned field =
      expect_one_of(p, fields, 5, "a field of a sampler: addr_mode_0 to _2, filter_mode, force_unnormalized_coords");
  tok_expect(p, '=', "after a field of a sampler");
  if (field < 3)
    s->address[field] =
        (uint8_t)expect_one_of(p, modes, 5, "an address mode: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border");
  else if (field == 3) s->linear = expect_one_of(p, filters, 2, "a filter: nearest, linear");
  else s->unnormalized = expect_range(p, "0 or 1", 0, 1);
}

/* {addr_mode_0 = wrap, filter_mode = linear} */
static void parse_sampler(parser_t *p, ptx_var_t *v) {
  ptx_sampler_t *s = arena_alloc(p, sizeof *s);
  *s = (ptx_sampler_t){.linear = false};
  tok_expect(p, '{', "before what a sampler is");
  while (!tok_is(p, '}')) {
    sampler_field(p, s);
    if (!tok_is(p, '}')) tok_expect(p, ',', "between fields of a sampler");
  }
  lex_next(p);
  v->sampler = s;
}

/* What stands behind '='. For an unsized array the initialiser says the first dimension. */
static void parse_initialiser(parser_t *p, ptx_var_t *v, bool unsized) {
  if (v->type == PTX_SAMPLERREF) {
    parse_sampler(p, v);
    return;
  }
  init_t in = {.var = v, .unsized = unsized};
  token_t t = p->tok;
  p->relocs.count = 0;
  if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
    ptx_fail(p, &t, ".%s variables have no initialiser; only .global and .const ones do", ptx_space_name(v->space));
  if (!unsized) {
    in.room = v->size;
    init_bytes(p, v->size, &t);
    in.bytes = arena_alloc(p, v->size);
  }
  if (tok_is(p, '{')) init_group(p, &in, 0);
  else init_element(p, &in);
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

/* The count of bytes that the variable's space has so far. */
static uint64_t *frame_of(parser_t *p, const ptx_var_t *v) {
  ptx_module_t *m = &p->owner->module;
  switch (v->space) {
  case PTX_SPACE_GLOBAL: return &m->global_bytes;
  case PTX_SPACE_CONST: return &m->const_bytes;
  case PTX_SPACE_LOCAL: return &p->local_bytes;
  default: return &p->call_param_bytes;
  }
}

/* Gives the variable the next aligned offset of its space. Shared variables get theirs per kernel,
 * in shared_layout. */
static void place_variable(parser_t *p, ptx_var_t *v, const token_t *t, bool unsized) {
  if (unsized && v->linkage != PTX_LINK_EXTERN && !v->init)
    ptx_fail(p, t, "'%s' has no size; write one between the brackets, or an initialiser", v->name);
  v->dynamic = unsized && v->space == PTX_SPACE_SHARED;
  if (v->space == PTX_SPACE_SHARED) return; /* shared_layout does */
  uint64_t *frame = frame_of(p, v);
  v->offset = round_up(*frame, v->align);
  *frame = v->offset + v->size;
  if (*frame > UINT64_C(1) << 40)
    ptx_fail(p, t, "variables of .%s space need more than 1 TB", ptx_space_name(v->space));
}

/* Appends the variable to the module and gives its number. */
static int32_t add_var(parser_t *p, const ptx_var_t *v) {
  uint32_t i = VECTOR_ADD(p, p->vars);
  p->vars.data[i] = *v;
  return (int32_t)i;
}

/* The variable is as large and as aligned as its type. */
int32_t call_param_add(parser_t *p, const char *name, ptx_type_t type) {
  const uint32_t bytes = ptx_type_bytes(type);
  const token_t t = p->tok;
  ptx_var_t v = {.name = name,
                 .space = PTX_SPACE_PARAM,
                 .type = type,
                 .vec = 1,
                 .is_call_param = true,
                 .align = bytes,
                 .size = bytes};
  v.func = p->func, v.reg = PTX_NONE, v.line = t.line, v.column = t.column;
  place_variable(p, &v, &t, false);
  return add_var(p, &v);
}

/* One name of a declaration with its dimensions. Size and alignment follow from them. */
ptx_var_t parse_declarator(parser_t *p, const decl_t *d, token_t *name, bool *unsized) {
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
    if (elements * natural > MAX_BODY_BYTES) ptx_fail(p, name, "'%s' is larger than %d bytes", v.name, MAX_BODY_BYTES);
  }
  v.size = elements * natural;
  return v;
}

/* .weak and .common give way to another definition of the name. */
static bool yields_to_others(ptx_linkage_t linkage) {
  return linkage == PTX_LINK_WEAK || linkage == PTX_LINK_COMMON;
}

/* Of two declarations of one name: is the later the one that counts? */
static bool replaces_older(const ptx_var_t *old, const ptx_var_t *v) {
  if (old->linkage == PTX_LINK_COMMON && v->linkage == PTX_LINK_COMMON) return v->size > old->size;
  return v->linkage != PTX_LINK_EXTERN && (old->linkage == PTX_LINK_EXTERN || !yields_to_others(v->linkage));
}

/* Is it another declaration of a known name? An .extern and its definition are one variable, and so
 * are weak and common ones of linked sources. The winner replaces what the other said. */
static bool redeclares(parser_t *p, const ptx_var_t *v, const token_t *name) {
  const symbol_t *s = symbol_find(p, name->text, name->length);
  if (!s || s->kind != SYM_VAR || s->depth != p->depth) return false;
  ptx_var_t *old = &p->vars.data[s->index];
  const bool either = old->linkage == PTX_LINK_EXTERN || v->linkage == PTX_LINK_EXTERN ||
                      yields_to_others(old->linkage) || yields_to_others(v->linkage);
  if (!either) return false;
  if (old->type != v->type || old->space != v->space)
    ptx_fail(p, name, "'%s' is declared before as .%s .%s", v->name, ptx_space_name(old->space),
             ptx_type_name(old->type));
  if (replaces_older(old, v)) *old = *v;
  return true;
}

/* name, name[4], name = 5; with the space, linkage and type read before. */
static void declare_variables(parser_t *p, decl_t d) {
  const ptx_space_t space = d.var.space;
  const ptx_linkage_t linkage = d.var.linkage;
  do {
    token_t name;
    bool unsized;
    ptx_var_t v = parse_declarator(p, &d, &name, &unsized);
    v.is_call_param = space == PTX_SPACE_PARAM;
    if (tok_accept(p, '=')) {
      if (linkage == PTX_LINK_EXTERN) ptx_fail(p, &name, ".extern '%s' cannot have an initialiser", v.name);
      if (ptx_type_kind(v.type) == 'X' && v.type != PTX_SAMPLERREF) {
        token_t open = p->tok;
        ptx_fail(p, &open, "initialisers of .%s variables are not supported; set it from the host",
                 ptx_type_name(v.type));
      }
      parse_initialiser(p, &v, unsized);
    }
    place_variable(p, &v, &name, unsized);
    if (!redeclares(p, &v, &name)) symbol_add(p, v.name, SYM_VAR, add_var(p, &v), &name);
  } while (tok_accept(p, ','));
  tok_expect(p, ';', "after a declaration");
}

/* One declaration behind its state space. */
void parse_variables(parser_t *p, ptx_space_t space, ptx_linkage_t linkage) {
  decl_t d = {.var = {.space = space, .linkage = linkage}};
  if (space == PTX_SPACE_CONST && tok_accept(p, '[')) { /* .const[3]: PTX 1.x banks */
    expect_range(p, "a constant bank", 0, PTX_CONST_BANKS - 1);
    d.var.banked = true;
    tok_expect(p, ']', "after a constant bank");
  }
  parse_decl_type(p, &d);
  if (d.var.type == PTX_PRED) ptx_fail(p, &p->tok, "a variable in memory cannot be .pred; use .b8");
  declare_variables(p, d);
}

/* .tex .u32 name; is .global .texref name; in today's PTX. */
void parse_textures(parser_t *p, ptx_linkage_t linkage) {
  decl_t d = {.var = {.space = PTX_SPACE_GLOBAL, .linkage = linkage}};
  token_t t = p->tok;
  parse_decl_type(p, &d);
  if (d.var.type != PTX_U32 && d.var.type != PTX_U64 && d.var.type != PTX_B32 && d.var.type != PTX_B64)
    ptx_fail(p, &t, "%s after .tex; write .tex .u32 before the name", tok_text(p, &t));
  d.var.type = PTX_TEXREF;
  declare_variables(p, d);
}

/* .reg .b32 %r<100>; declares a range. Its members get numbers when they are used (ptx_scope.c). */
void parse_registers(parser_t *p) {
  decl_t d = {.var = {.vec = 1}};
  parse_decl_type(p, &d);
  do {
    token_t t = expect_name(p, "a register's name");
    const char *name = token_string(p, &t);
    if (tok_accept(p, '<')) {
      /* The range ends at '>', which would otherwise be taken for an operator. */
      token_t n = p->tok;
      if (n.kind != TOK_INT || n.integer < 1 || n.integer > INT32_MAX)
        ptx_fail(p, &n, "%s where the number of registers should stand", tok_text(p, &n));
      lex_next(p);
      tok_expect(p, '>', "after the number of registers");
      symbol_t *s = symbol_add(p, name, SYM_REG_RANGE, (int32_t)n.integer, &t);
      s->type = d.var.type;
      s->vec = d.var.vec;
    } else {
      symbol_t *s = symbol_add(p, name, d.var.vec > 1 ? SYM_REG_VECTOR : SYM_REG, 0, &t);
      s->type = d.var.type;
      s->vec = d.var.vec;
      s->index = registers_add(p, name, d.var.type, s->vec);
    }
  } while (tok_accept(p, ','));
  tok_expect(p, ';', "after registers");
}
