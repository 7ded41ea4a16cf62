/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the PTX reader share: memory, tokens, scopes.
 *
 *    ptx_parse    modules, linking, entry points      ptx_lex      memory, errors, tokens
 *    ptx_func     heads, parameters, bodies           ptx_scope    names, labels
 *    ptx_decl     variables, registers                ptx_expr     constant expressions
 *    ptx_instr    instructions and their checks       ptx_operand  operands
 *    ptx_call     parameters passed in registers      ptx_flow     blocks, liveness, shared memory
 *
 * Every parse_ function begins at the current token p->tok and leaves the first token behind what
 * it read. Errors leave the reader by longjmp (ptx_fail), so no function returns a failure.
 */
#ifndef PTX_INTERNAL_H
#define PTX_INTERNAL_H

#include <setjmp.h>

#include "ptx.h"

enum {
  MAX_DEPTH = 200,          /* nested scopes, expressions, initialisers */
  MAX_REGS = 1 << 20,       /* used registers of a function */
  MAX_BODY_BYTES = 1 << 30, /* of one variable */
  MAX_FILE_BYTES = 256 << 20
};

/* ---- Memory: an arena that lives and dies with the module ---- */

typedef struct arena_chunk {
  struct arena_chunk *next;
  size_t used, size;
} arena_chunk_t;

/* The module and the memory that belongs to it. */
typedef struct {
  ptx_module_t module; /* first: ptx_free casts back */
  arena_chunk_t *chunks;
} ptx_owner_t;

/* ---- Tokens ---- */

typedef enum {
  TOK_END,
  TOK_NAME,   /* add, %r1, $L__BB0_2, _foo */
  TOK_DOT,    /* .global, .f32, .L1::evict_last: text without the dot */
  TOK_INT,    /* integer, is_unsigned */
  TOK_F32,    /* integer = bits (0f3f800000) */
  TOK_F64,    /* integer = bits (0d..., 1.5) */
  TOK_STRING, /* text without quotes */
  TOK_PUNCT   /* punct: the character; << >> <= >= == != && || as two characters */
} token_kind_t;

typedef struct {
  token_kind_t kind;
  const char *text;
  size_t length;
  uint64_t integer;
  bool is_unsigned;
  bool is_decimal; /* TOK_F64 written in decimal */
  uint16_t punct;
  bool glued; /* no blank before it */
  int line, column;
  size_t at, end; /* in the source */
} token_t;

/* ---- Names ---- */

/* What a name stands for. RANGE is .reg .b32 %r<100>, VECTOR a .v2 or .v4 register. */
typedef enum { SYM_REG, SYM_REG_RANGE, SYM_REG_VECTOR, SYM_VAR, SYM_FUNC, SYM_LABEL, SYM_TABLE } symbol_kind_t;

typedef struct symbol {
  const char *name;
  symbol_kind_t kind;
  int32_t index;   /* register, variable, function, instruction, table; RANGE: number of registers */
  ptx_type_t type; /* registers */
  uint8_t vec;
  uint32_t depth;      /* scope it belongs to */
  struct symbol *next; /* in its bucket: inner scopes first */
  struct symbol *older;
} symbol_t;

/* A use of a label or table before its scope is closed. */
typedef struct {
  const char *name;
  uint32_t depth;
  bool in_table;    /* slot of a table, otherwise operand of an instruction */
  uint32_t instr;   /* or table */
  uint32_t operand; /* or slot */
  token_t token;
} fixup_t;

#define VECTOR_OF(type)   \
  struct {                \
    type *data;           \
    uint32_t count, room; \
  }

enum { NUM_BUCKETS = 4096 };

/* The state of reading one module. Vectors "of the function being read" start empty with each
 * function; finish_function copies them into the arena. */
typedef struct {
  ptx_owner_t *owner;
  ptx_error_t *err;
  jmp_buf on_error;
  const char *file, *source;
  size_t size, pos;
  int line;
  size_t line_start;
  token_t tok;         /* the current one */
  size_t prev_end;     /* end of the one before */
  uint32_t depth;      /* scopes */
  uint32_t nesting;    /* recursion */
  uint64_t init_bytes; /* that initialisers have taken */
  symbol_t *buckets[NUM_BUCKETS];
  symbol_t *newest;
  VECTOR_OF(ptx_var_t) vars;
  VECTOR_OF(ptx_func_t) funcs;
  /* of the function being read */
  int32_t func; /* PTX_NONE: at module level */
  VECTOR_OF(ptx_reg_t) regs;
  VECTOR_OF(ptx_instr_t) instrs;
  VECTOR_OF(ptx_instr_t) before; /* instructions that compute operands of the one being read */
  VECTOR_OF(ptx_instr_t) behind; /* instructions that take its results to where they belong */
  VECTOR_OF(ptx_operand_t) elements;
  VECTOR_OF(ptx_label_t) labels;
  VECTOR_OF(ptx_table_t) tables;
  VECTOR_OF(fixup_t) fixups;
  VECTOR_OF(token_t) names; /* of a list being read */
  VECTOR_OF(int32_t) params;
  VECTOR_OF(ptx_reloc_t) relocs;
  uint64_t local_bytes, call_param_bytes;
  token_t body_close;             /* the last body's } */
  bool seen_version, seen_target; /* of the source being read */
  unsigned address_bytes;
} parser_t;

/* Reports the error at a token's place and leaves the reader; the module is freed. */
_Noreturn void ptx_fail(parser_t *p, const token_t *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void ptx_fail_memory(parser_t *p);

void *arena_alloc(parser_t *p, size_t bytes); /* zeroed; fails by ptx_fail_memory */
char *arena_string(parser_t *p, const char *text, size_t length);
void *arena_copy(parser_t *p, const void *data, size_t bytes); /* NULL for 0 bytes */
/* Appends a zeroed element, `element` bytes large, and gives its index. Doubles the room. */
uint32_t vector_grow(parser_t *p, void **data, uint32_t *count, uint32_t *room, size_t element);

/* Appends a zeroed element and gives its index. */
#define VECTOR_ADD(p, v) vector_grow((p), (void **)&(v).data, &(v).count, &(v).room, sizeof *(v).data)

/* Lexer. lex_next makes the next token p->tok. tok_is and its kin ask about it. tok_accept steps
 * over it if it is the one; tok_expect fails if it is not. */
void lex_next(parser_t *p);
bool tok_is(const parser_t *p, unsigned punct);
bool tok_is_name(const parser_t *p, const char *name);
bool tok_is_dot(const parser_t *p, const char *name);
bool tok_accept(parser_t *p, unsigned punct);
void tok_expect(parser_t *p, unsigned punct, const char *where);
const char *tok_text(parser_t *p, const token_t *token); /* for messages: quoted, or "the file ends" */
void lex_skip_line(parser_t *p);                         /* to the first token of the next line */

/* Scopes. symbol_find searches from the inner scope to the outer, and declares the members of
 * register ranges on the way. symbol_add fails if the name is declared in the same scope. */
void scope_open(parser_t *p);
void scope_close(parser_t *p);
symbol_t *symbol_find(parser_t *p, const char *name, size_t length);
symbol_t *symbol_add(parser_t *p, const char *name, symbol_kind_t kind, int32_t index, const token_t *at);
/* adds `count` registers, a vector's if more than one; returns the first one's number */
int32_t registers_add(parser_t *p, const char *name, ptx_type_t type, unsigned count);
void label_use(parser_t *p, const token_t *token, bool in_table, uint32_t instr, uint32_t operand);
void scope_forget_locals(parser_t *p); /* forgets the names that no other source sees */
void labels_close(parser_t *p);        /* at the function's end: uses that are left over are errors */
const char *suggest_name(parser_t *p, const token_t *token);

/* Expressions. */
int64_t parse_int(parser_t *p, const char *what); /* constant expression */
/* a constant expression whose first number has been read */
int64_t parse_int_rest(parser_t *p, const char *what, uint64_t first, bool is_unsigned);
/* The bits of a number token as a value of `type`, converted between F32 and F64 if need be. */
uint64_t float_bits(const token_t *token, ptx_type_t type);

/* Declarations. */
typedef struct {
  ptx_var_t var;  /* what all declarators share */
  uint32_t align; /* 0: natural */
} decl_t;
/* The token's text, in the arena. */
char *token_string(parser_t *p, const token_t *t);
/* Steps over a name, or fails: "... where WHAT should stand". */
token_t expect_name(parser_t *p, const char *what);
/* Steps over .NAME if it is the current token. */
bool accept_dot(parser_t *p, const char *name);
/* A constant expression between `least` and `most`, or fails. */
uint64_t expect_range(parser_t *p, const char *what, uint64_t least, uint64_t most);
/* The next multiple of `align`, which need not be a power of two. */
uint64_t round_up(uint64_t value, uint64_t align);
ptx_linkage_t accept_linkage(parser_t *p);
bool accept_space(parser_t *p, ptx_space_t *space);
void skip_parentheses(parser_t *p);
void parse_decl_type(parser_t *p, decl_t *d);
ptx_var_t parse_declarator(parser_t *p, const decl_t *d, token_t *name, bool *unsized);
/* .tex .u32 name: .global .texref name, as PTX before 1.5 has it */
void parse_textures(parser_t *p, ptx_linkage_t linkage);
void parse_variables(parser_t *p, ptx_space_t space, ptx_linkage_t linkage);
void parse_registers(parser_t *p);
/* a .param variable of the function, which no source names */
int32_t call_param_add(parser_t *p, const char *name, ptx_type_t type);

/* Functions, and the directives that change no result. */
bool skip_debug(parser_t *p); /* .loc, .file, .section, .pragma, @@DWARF: true when there was one */
void parse_body(parser_t *p);
int32_t function_named(parser_t *p, const token_t *t);
void parse_function(parser_t *p, bool is_kernel, ptx_linkage_t linkage);

/* Instructions. */
void parse_instruction(parser_t *p);
bool writes_first(const ptx_instr_t *in);              /* its first operand is a result */
void float_operand(ptx_operand_t *o, ptx_type_t type); /* makes a decimal literal binary32, if `type` is .f32 */
void put_before(parser_t *p, uint32_t i);              /* p->before goes in front of instruction i, the last one */
void put_behind(parser_t *p);                          /* p->behind goes behind the last instruction */
/* An instruction that no source has, at the place of another. implicit_source() completes it when
 * its operands are there. PTX_NO_TYPE: it has no type. */
ptx_instr_t implicit_instr(parser_t *p, const ptx_instr_t *at, ptx_op_t op, ptx_mod_t mod, unsigned vec,
                           ptx_type_t type);
void implicit_source(parser_t *p, ptx_instr_t *in);
static inline ptx_instr_t *instr_at(parser_t *p, uint32_t i) {
  return &p->instrs.data[i];
}

/* Parameters that calls pass in registers (ptx_call.c). */
/* into p->behind: a body begins with them */
void params_enter(parser_t *p, const ptx_func_t *f);
void params_return(parser_t *p, const ptx_func_t *f, const ptx_instr_t *ret); /* into p->before */
/* into p->before and p->behind; the call's lists */
void params_call(parser_t *p, uint32_t call, const token_t *at);

/* Operands. slot: UINT32_MAX: inside of a group or an address, or a guard. */
void parse_named(parser_t *p, uint32_t instr, uint32_t slot, ptx_operand_t *out);
void parse_operand(parser_t *p, uint32_t instr, uint32_t slot, ptx_operand_t *out);
bool suggest(const char *word, size_t length, const char *candidate, size_t *best);

/* Facts of ptx_op.def and ptx_names.def. */
ptx_op_t op_find(const char *text, size_t length);
ptx_type_t type_find(const char *text, size_t length);
ptx_mod_t mod_find(const char *text, size_t length);
typedef struct {
  const char *name;
  uint8_t least, most, dests, types_least, types_most;
  const char *mods;
} op_info_t;
const op_info_t *op_info(ptx_op_t op);
unsigned sreg_components(ptx_sreg_t sreg);
ptx_type_t sreg_type(ptx_sreg_t sreg);

/* Which shared variables each kernel needs, and where they are. module.vars and funcs are final. */
void shared_layout(parser_t *p);

/* Control flow of a function whose instructions are final. */
void flow_analyse(parser_t *p, ptx_func_t *func);

#endif
