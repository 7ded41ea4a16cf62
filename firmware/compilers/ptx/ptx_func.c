/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the PTX reader: heads, parameters, bodies, labels and tables; and the directives
 * that change no result.
 *
 * Debug information (.file, .loc, .section, @@DWARF), .pragma and tuning directives are read to
 * their end and dropped. So nothing inside them can be an error.
 */
#include <string.h>

#include "ptx_internal.h"

/* ---- Directives that change no result -------------------------------------------------------- */

/* .loc FILE LINE COLUMN, function_name LABEL + OFFSET, inlined_at FILE LINE COLUMN */
static void skip_loc(parser_t *p) {
  for (int i = 0; i < 3; i++) {
    if (p->tok.kind != TOK_INT) ptx_fail(p, &p->tok, "%s in .loc; write .loc FILE LINE COLUMN", tok_text(p, &p->tok));
    lex_next(p);
  }
  if (!tok_accept(p, ',')) return;
  if (!tok_is_name(p, "function_name"))
    ptx_fail(p, &p->tok, "%s in .loc; function_name should stand there", tok_text(p, &p->tok));
  lex_next(p);
  expect_name(p, "a label");
  if (tok_accept(p, '+')) parse_int(p, "an offset");
  tok_expect(p, ',', "before inlined_at");
  if (!tok_is_name(p, "inlined_at"))
    ptx_fail(p, &p->tok, "%s in .loc; inlined_at should stand there", tok_text(p, &p->tok));
  lex_next(p);
  for (int i = 0; i < 3; i++) expect_range(p, "a number of inlined_at", 0, UINT32_MAX);
}

/* .file NUMBER "name", TIME, SIZE */
static void skip_file(parser_t *p) {
  expect_range(p, "a file's number", 0, UINT32_MAX);
  if (p->tok.kind != TOK_STRING)
    ptx_fail(p, &p->tok, "%s in .file; its name should stand there in quotes", tok_text(p, &p->tok));
  while (p->tok.kind == TOK_STRING) lex_next(p);
  while (tok_accept(p, ',')) expect_range(p, "a file's time or size", 0, INT64_MAX);
}

/* .section .debug_info { ... }, without a look at its contents. */
static void skip_section(parser_t *p) {
  token_t open = p->tok;
  if (p->tok.kind != TOK_DOT && p->tok.kind != TOK_NAME)
    ptx_fail(p, &p->tok, "%s where a section's name should stand", tok_text(p, &p->tok));
  lex_next(p);
  tok_expect(p, '{', "after a section's name");
  while (!tok_is(p, '}')) {
    if (p->tok.kind == TOK_END) ptx_fail(p, &open, "section that is not closed; end it with }");
    lex_next(p);
  }
  lex_next(p);
}

/* .pragma "nounroll", "other"; */
static void skip_pragma(parser_t *p) {
  do {
    if (p->tok.kind != TOK_STRING)
      ptx_fail(p, &p->tok, "%s in .pragma; a string should stand there", tok_text(p, &p->tok));
    lex_next(p);
  } while (tok_accept(p, ','));
  tok_expect(p, ';', "after .pragma");
}

/* Steps over .loc, .file, .section, .pragma or @@DWARF; false: there is none. */
bool skip_debug(parser_t *p) {
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

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* The label names the next instruction. It may come before that instruction is known, or be the
 * last. */
static void add_label(parser_t *p, const token_t *t) {
  const char *name = token_string(p, t);
  uint32_t i = VECTOR_ADD(p, p->labels);
  p->labels.data[i] = (ptx_label_t){name, p->instrs.count, t->line, t->column};
  symbol_add(p, name, SYM_LABEL, (int32_t)p->instrs.count, t);
}

/* The function's number; fails if it is not declared before. */
int32_t function_named(parser_t *p, const token_t *t) {
  const symbol_t *s = symbol_find(p, t->text, t->length);
  if (!s || s->kind != SYM_FUNC) ptx_fail(p, t, "%s is not a function that is declared before", tok_text(p, t));
  return s->index;
}

/* Names of labels are resolved later, as they may stand ahead; functions must be known. */
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
    if (labels) label_use(p, &p->names.data[i], true, table, i);
    else index[i] = function_named(p, &p->names.data[i]);
  }
}

/* name: .callprototype (.param .b32 _) _ (.param .b64 _); only its shape is checked. */
static void parse_prototype(parser_t *p) {
  while (!tok_is(p, ';')) {
    bool known = p->tok.kind == TOK_DOT || p->tok.kind == TOK_NAME || p->tok.kind == TOK_INT || tok_is(p, '(') ||
                 tok_is(p, ')') || tok_is(p, ',') || tok_is(p, '[') || tok_is(p, ']');
    if (!known) ptx_fail(p, &p->tok, "%s in .callprototype", tok_text(p, &p->tok));
    lex_next(p);
  }
}

/* name: .branchtargets a, b; false: another statement. */
static bool parse_table(parser_t *p, const token_t *name) {
  ptx_table_kind_t kind;
  if (accept_dot(p, "branchtargets")) kind = PTX_TABLE_BRANCH;
  else if (accept_dot(p, "calltargets")) kind = PTX_TABLE_CALL;
  else if (accept_dot(p, "callprototype")) kind = PTX_TABLE_PROTOTYPE;
  else return false;
  uint32_t i = VECTOR_ADD(p, p->tables);
  const char *text = token_string(p, name);
  p->tables.data[i] = (ptx_table_t){.name = text, .kind = kind};
  symbol_add(p, text, SYM_TABLE, (int32_t)i, name);
  if (kind == PTX_TABLE_PROTOTYPE) parse_prototype(p);
  else parse_table_items(p, i, kind == PTX_TABLE_BRANCH);
  tok_expect(p, ';', "after a table");
  return true;
}

/* The statement that begins with a name: a label, a table, or an instruction. The character behind
 * the name decides, as the lexer looks one token ahead only. */
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

/* One statement of a body. '@' begins a guard, '@@' a line of debug information. */
static void parse_statement(parser_t *p) {
  ptx_space_t space;
  token_t t = p->tok;
  if (t.kind == TOK_NAME || (tok_is(p, '@') && !(p->pos < p->size && p->source[p->pos] == '@'))) {
    if (t.kind == TOK_NAME) parse_named_statement(p);
    else parse_instruction(p);
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
    if (!accept_space(p, &space))
      ptx_fail(p, &p->tok, "%s in a body; an instruction, a label or a declaration should stand there",
               tok_text(p, &p->tok));
    parse_variables(p, space, linkage);
  }
}

/* { ... }, a scope of its own; also nested ones. */
void parse_body(parser_t *p) {
  token_t open = p->tok;
  tok_expect(p, '{', "before a body");
  scope_open(p);
  while (!tok_is(p, '}')) {
    if (p->tok.kind == TOK_END)
      ptx_fail(p, &open, "'{' that is not closed; the file ends in the body of '%s'", p->funcs.data[p->func].name);
    parse_statement(p);
  }
  /* The function's own scope holds its parameters too and is closed by its caller. */
  scope_close(p);
  p->body_close = p->tok;
  lex_next(p);
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* A parameter list: numbers of variables, how many, bytes of the block. */
typedef struct {
  int32_t *index;
  uint32_t count;
  uint64_t bytes;
} params_t;

/* Turns *v into the .param variable that stands for a register; a predicate's is a number. */
static void param_of_register(parser_t *p, ptx_var_t *v, const token_t *name) {
  if (v->num_dims)
    ptx_fail(p, name, "%s is a .reg parameter and an array; write .param before its type", tok_text(p, name));
  if (v->type == PTX_PRED) v->type = PTX_U32;
  v->size = v->align = ptx_type_bytes(v->type) * v->vec;
}

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
    bool anonymous = strcmp(v.name, "_") == 0;
    uint32_t at = VECTOR_ADD(p, p->vars);
    if (reg) v.reg = registers_add(p, v.name, v.type, v.vec);
    if (reg) param_of_register(p, &v, &name);
    v.offset = round_up(out.bytes, v.align);
    out.bytes = v.offset + v.size;
    p->vars.data[at] = v;
    if (!anonymous) {
      const symbol_kind_t as_register = v.vec > 1 ? SYM_REG_VECTOR : SYM_REG;
      symbol_kind_t kind = reg ? as_register : SYM_VAR;
      symbol_t *s = symbol_add(p, v.name, kind, reg ? v.reg : (int32_t)at, &name);
      s->type = reg ? p->regs.data[v.reg].type : v.type;
      s->vec = v.vec;
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

/* One to three numbers; missing ones are 1. */
static void parse_threads(parser_t *p, uint32_t *dims) {
  dims[0] = (uint32_t)expect_range(p, "a number of threads", 1, UINT32_MAX);
  dims[1] = dims[2] = 1;
  for (int i = 1; i < 3 && tok_accept(p, ','); i++)
    dims[i] = (uint32_t)expect_range(p, "a number of threads", 1, UINT32_MAX);
}

/* Directives between a head and its body. */
static void parse_tuning(parser_t *p, ptx_func_t *f) {
  uint32_t ignored[3]; /* clusters and tuning: no result depends on them */
  for (;;) {
    if (accept_dot(p, "maxntid")) parse_threads(p, f->maxntid);
    else if (accept_dot(p, "reqntid")) parse_threads(p, f->reqntid);
    else if (accept_dot(p, "minnctapersm"))
      f->minnctapersm = (uint32_t)expect_range(p, "a number of blocks", 1, UINT32_MAX);
    else if (accept_dot(p, "maxnreg")) f->maxnreg = (uint32_t)expect_range(p, "a number of registers", 1, UINT32_MAX);
    else if (accept_dot(p, "noreturn")) f->noreturn = true;
    else if (accept_dot(p, "maxnctapersm") || accept_dot(p, "reqnctapercluster") || accept_dot(p, "maxclusterrank") ||
             accept_dot(p, "abi_preserve") || accept_dot(p, "abi_preserve_control"))
      parse_threads(p, ignored);
    else if (accept_dot(p, "explicitcluster") || accept_dot(p, "blocksareclusters") || accept_dot(p, "unified"))
      continue;
    else if (!skip_debug(p)) return;
  }
}

/* Empties what belongs to the function being read. */
static void start_function(parser_t *p, int32_t func) {
  p->func = func;
  p->regs.count = p->instrs.count = p->before.count = p->behind.count = p->elements.count = p->labels.count =
      p->tables.count = p->fixups.count = 0;
  p->local_bytes = p->call_param_bytes = 0;
}

/* Does control surely not run past the last instruction? No label may stand behind it. */
static bool ends_body(const parser_t *p) {
  if (!p->instrs.count) return false;
  const ptx_instr_t *last = &p->instrs.data[p->instrs.count - 1];
  for (uint32_t i = 0; i < p->labels.count; i++)
    if (p->labels.data[i].instr == p->instrs.count) return false;
  unsigned op = last->op;
  return !last->guarded &&
         (op == PTX_OP_bra || op == PTX_OP_brx || op == PTX_OP_ret || op == PTX_OP_exit || op == PTX_OP_trap);
}

/* PTX lets a body fall off its end; the module has a ret there. */
static void add_implicit_ret(parser_t *p, const token_t *close) {
  const ptx_instr_t at = {.line = close->line, .column = close->column};
  ptx_instr_t ret = implicit_instr(p, &at, PTX_OP_ret, PTX_MOD_NONE, 1, PTX_NO_TYPE);
  implicit_source(p, &ret);
  uint32_t i = VECTOR_ADD(p, p->instrs);
  p->instrs.data[i] = ret;
  params_return(p, &p->funcs.data[p->func], &ret);
  put_before(p, i);
}

/* Copies the function's vectors into the arena and analyses its flow. The vectors are used
 * again. */
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

/* The function's number: the known one, or a new one at module level. */
static int32_t declare_function(parser_t *p, const token_t *t, bool is_kernel, ptx_linkage_t linkage) {
  symbol_t *s = symbol_find(p, t->text, t->length);
  if (s && s->kind != SYM_FUNC) ptx_fail(p, t, "%s is already a variable; rename one", tok_text(p, t));
  if (s) return s->index;
  uint32_t i = VECTOR_ADD(p, p->funcs);
  p->funcs.data[i] = (ptx_func_t){.name = token_string(p, t),
                                  .is_kernel = is_kernel,
                                  .linkage = linkage,
                                  .file = p->file,
                                  .line = t->line,
                                  .column = t->column};
  uint32_t depth = p->depth;
  p->depth = 0; /* functions belong to the module, though their parameters' scope is open */
  symbol_add(p, p->funcs.data[i].name, SYM_FUNC, (int32_t)i, t);
  p->depth = depth;
  return (int32_t)i;
}

/* A prototype ends with ';'. nvopencc 3.1 to 4.0 writes none after a .func: the module's next
 * directive, or the file's end, is its end. */
static bool ends_prototype(parser_t *p, bool is_kernel) {
  if (tok_accept(p, ';')) return true;
  return !is_kernel && ((p->tok.kind == TOK_DOT && !tok_is_dot(p, "reg")) || p->tok.kind == TOK_END || tok_is(p, '#'));
}

/* The body of a weak function that another source has defined already. */
static void skip_body(parser_t *p) {
  unsigned depth = 0;
  do {
    if (p->tok.kind == TOK_END) ptx_fail(p, &p->tok, "the file ends within a body");
    if (tok_is(p, '{')) depth++;
    if (tok_is(p, '}')) depth--;
    lex_next(p);
  } while (depth);
}

/* Reads the body; .reg parameters are loaded in front of it. */
static void take_body(parser_t *p, int32_t index) {
  ptx_func_t f = p->funcs.data[index];
  p->funcs.data[index].defined = true;
  p->funcs.data[index].file = p->file;
  params_enter(p, &f);
  put_behind(p);
  parse_body(p);
  scope_close(p);
  if (!ends_body(p)) add_implicit_ret(p, &p->body_close);
  f = p->funcs.data[index];
  finish_function(p, &f);
  p->funcs.data[index] = f;
}

/* .func (results) name (parameters) directives { body } or ;. A prototype and its definition share
 * one number. A strong definition replaces a weak one. */
void parse_function(parser_t *p, bool is_kernel, ptx_linkage_t linkage) {
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
  const ptx_func_t old = p->funcs.data[index];
  if (p->funcs.data[index].is_kernel != is_kernel)
    ptx_fail(p, &name, "%s was declared as a %s before", tok_text(p, &name), is_kernel ? ".func" : ".entry");
  for (uint32_t i = 0; i < rets.count; i++) p->vars.data[rets.index[i]].func = index;
  p->func = index;
  if (tok_is(p, '(')) params = parse_params(p);
  if (is_kernel && params.bytes > 32764)
    ptx_fail(p, &name, "%s has %llu bytes of parameters; PTX allows 32764", tok_text(p, &name),
             (unsigned long long)params.bytes);
  ptx_func_t f = p->funcs.data[index];
  f.params = params.index;
  f.num_params = params.count;
  f.param_bytes = params.bytes;
  f.rets = rets.index;
  f.num_rets = rets.count;
  parse_tuning(p, &f);
  const bool prototype = ends_prototype(p, is_kernel), weak = linkage == PTX_LINK_WEAK;
  if (!prototype && linkage == PTX_LINK_EXTERN)
    ptx_fail(p, &p->tok, ".extern %s cannot have a body; end it with ';' or drop .extern", tok_text(p, &name));
  if (!prototype && old.defined && !weak && old.linkage != PTX_LINK_WEAK)
    ptx_fail(p, &name, "%s has a body already; rename one", tok_text(p, &name));
  if (!prototype) f.linkage = linkage;
  if (!old.defined || (!prototype && !weak)) p->funcs.data[index] = f;
  if (prototype || (old.defined && weak)) {
    if (!prototype) skip_body(p);
    scope_close(p);
  } else {
    take_body(p, index);
  }
  p->func = PTX_NONE;
}
