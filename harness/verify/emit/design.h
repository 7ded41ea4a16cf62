/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the emitter share: the design as Verilator elaborated it, and the text that is
 * written. Only files of this folder use it.
 *
 * A vector, a struct and an array without a place in a memory are all one vector: element 0 of an
 * array, the last member of a struct are its lowest bits.
 */
#ifndef EMIT_DESIGN_H
#define EMIT_DESIGN_H

#include "trouble.h"
#include "words.h"
#include "xml_tree.h"

#include <stdint.h>
#include <stdio.h>

enum { EMIT_NAME = 1024 };

typedef struct {
  unsigned width;    /* of all bits; 0: no bits (string, real, class) */
  unsigned elements; /* of an unpacked array, all dimensions; else 1 */
} emit_type_t;

/* A variable; xml_node_t.data of its <var>. */
typedef struct {
  const char *name; /* as it is written, "\gen[0].x " */
  emit_type_t type;
  bool is_memory;  /* declared as an array of words */
  bool in_process; /* an always block, a task's result or an initial block writes it: a reg */
  bool in_assign;  /* an assign or an instance drives it: a wire */
  bool read;       /* something takes its value */
  bool vector;     /* bits of it are chosen: declared with a range also where it has one bit */
  bool known;      /* it counts in a loop that is being unrolled, and now is `value` */
  uint64_t value;
  bool whole; /* used other than word by word, or written other than as a memory is */
} emit_var_t;

typedef struct {
  xml_node_t *root, *netlist;
  const char *top;
  xml_node_t **types; /* by id */
  size_t num_types;
  xml_node_t *module;  /* the one that is being written */
  words_t texts;       /* owns all texts */
  words_t functions;   /* names of functions of this module that are to be written, in order of need */
  words_t helpers;     /* names of those that stand for operators Verilog 2005 has not */
  words_t helper_text; /* and their texts */
  const char *xml;     /* its path: Verilator ran in its folder */
  words_t sources;     /* lines of source files, "FILE" and text in turns */
  FILE *out;
  const char *file; /* where readers of the output are: file and line of the source */
  unsigned line;
  unsigned loops; /* that are being unrolled */
  unsigned flags; /* flags of jumps so far in the module */
  trouble_t *trouble;
  bool failed;
} emit_t;

/* Formatted text that lives as long as `e`. */
const char *emit_text(emit_t *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes to the output, and keeps count of its lines. */
void emit_put(emit_t *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says by a `line directive which line of the source comes next. */
void emit_line(emit_t *e, const xml_node_t *node);

/* The place of a node. Returns the source's name, "" if it has none. */
const char *emit_place(const emit_t *e, const xml_node_t *node, unsigned *line, unsigned *column);
/* Text of the source where the node is, to the line's end; "": unknown. `before`: what stands on
 * the line before it. */
const char *emit_source(emit_t *e, const xml_node_t *node, const char **before);
/* True if the source has this word at the node. */
bool emit_source_is(emit_t *e, const xml_node_t *node, const char *word);

/* Refuses the design: "FILE:LINE: WHAT cannot be written as Verilog 2005". The first reason
 * counts. */
void emit_refuse(emit_t *e, const xml_node_t *node, const char *what);

emit_type_t emit_type_of(emit_t *e, const xml_node_t *node); /* by its dtype_id */
xml_node_t *emit_dtype(emit_t *e, const xml_node_t *node);   /* without other names; NULL: none */
xml_node_t *emit_dtype_by(emit_t *e, const char *id);
/* The type of an element of an array, or of a member of a struct, and where it lies. */
unsigned emit_width(emit_t *e, const xml_node_t *node);
unsigned emit_dtype_width(emit_t *e, const xml_node_t *type);

/* The variable that a <varref> or <varxref> names; NULL after emit_refuse. */
emit_var_t *emit_var(emit_t *e, const xml_node_t *ref);
/* True if the module itself has the variable, and Verilator keeps no constant with it. */
bool emit_is_own(emit_t *e, const xml_node_t *ref);
/* Undoes what Verilator makes of [, ] and ., and other letters that no identifier has. */
void emit_plain_name(const char *name, char to[EMIT_NAME]);
/* A name with \ and blank where it is no plain identifier. */
const char *emit_name(emit_t *e, const char *name);
/* Names of the scopes around a node, up to the module or function, "gen[0]."; "": none. */
const char *emit_scope(emit_t *e, const xml_node_t *node);

/* ---- emit_expr.c */

/* An expression that has its width by itself. One that begins with ( takes a wider one from where
 * it stands; emit_closed puts it in braces then. */
const char *emit_expr(emit_t *e, const xml_node_t *node);
const char *emit_closed(emit_t *e, const xml_node_t *node);
const char *emit_target(emit_t *e, const xml_node_t *node); /* of an assignment */
const char *emit_range(emit_t *e, const char *text, unsigned width, unsigned low, unsigned bits);
const char *emit_constant(emit_t *e, const xml_node_t *node);
const char *emit_string(emit_t *e, const xml_node_t *node);     /* of a constant that is a text */
bool emit_number(const xml_node_t *node, unsigned long *value); /* of a constant below 2^32 */
/* What a case item or eqwild compares: true if the constant has bits that match anything. */
bool emit_is_wild(const xml_node_t *node);

/* Bits of an expression; of a variable or a part of it also as a target. */
const char *emit_bits(emit_t *e, const xml_node_t *node, unsigned low, unsigned bits);

/* ---- emit_array.c */

/* True if an array of type `from` that goes to one of type `to` is another vector there. */
bool emit_turns(emit_t *e, const xml_node_t *from, const xml_node_t *to);
/* The array, an expression or a target, as a vector in the order of type `to`. */
const char *emit_turned(emit_t *e, const xml_node_t *node, const xml_node_t *to);

unsigned emit_expr_width(emit_t *e, const xml_node_t *node);

/* emit_fold.c: the value of an expression, if it is constant now. */
bool emit_fold(emit_t *e, const xml_node_t *node, uint64_t *value);

/* ---- emit_stmt.c */

void emit_statements(emit_t *e, const xml_node_t *first, unsigned depth);
void emit_flags(emit_t *e, const xml_node_t *within, unsigned depth); /* declares what its jumps need */

/* ---- emit_vars.c */

/* True if the process stands for an assign. */
bool emit_was_assign(emit_t *e, const xml_node_t *process);
bool emit_is_left(const xml_node_t *node); /* stands for nothing */

void emit_find_vars(emit_t *e, xml_node_t *within); /* of a module, or of a package's function */
void emit_declare(emit_t *e, const xml_node_t *var, const char *kind);
/* The function or task that a call names. */
xml_node_t *emit_callee(emit_t *e, const xml_node_t *call);
const xml_node_t *emit_argument(const xml_node_t *callee, const xml_node_t *before);
const char *emit_callee_name(emit_t *e, const xml_node_t *callee);
void emit_functions(emit_t *e);

#endif
