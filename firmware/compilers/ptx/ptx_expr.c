/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant expressions of PTX: integers with C's operators and precedence, casts (.s64) and (.u64).
 *
 * Values are 64 bits. An operation is unsigned if one operand is; shifts go by the left one alone.
 * Precedence climbing:
 *
 *    ternary:  binary ? ternary : ternary
 *    binary:   unary (operator unary)*, where parse_binary(least) takes operators of level >= least
 */
#include "ptx_internal.h"

typedef struct {
  uint64_t bits;
  bool is_unsigned;
} value_t;

static value_t parse_ternary(parser_t *p, const char *what, value_t left);

/* A number, a sign, a cast or a parenthesis. The first operand is read apart from parse_ternary, as
 * some callers have read it already (parse_int_rest). */
static value_t parse_unary(parser_t *p, const char *what) {
  token_t t = p->tok;
  value_t v;
  if (++p->nesting > MAX_DEPTH) ptx_fail(p, &t, "expression nested more than %d deep; compute it by hand", MAX_DEPTH);
  if (t.kind == TOK_INT) {
    v = (value_t){t.integer, t.is_unsigned || t.integer > INT64_MAX};
    lex_next(p);
  } else if (tok_is_name(p, "WARP_SZ")) {
    v = (value_t){32, false};
    lex_next(p);
  } else if (tok_accept(p, '-')) {
    v = parse_unary(p, what);
    v.bits = 0 - v.bits;
  } else if (tok_accept(p, '+')) {
    v = parse_unary(p, what);
  } else if (tok_accept(p, '~')) {
    v = parse_unary(p, what);
    v.bits = ~v.bits;
  } else if (tok_accept(p, '!')) {
    v = parse_unary(p, what);
    v = (value_t){!v.bits, false};
  } else if (tok_accept(p, '(')) {
    if (tok_is_dot(p, "s64") || tok_is_dot(p, "u64")) {
      bool is_unsigned = tok_is_dot(p, "u64");
      lex_next(p);
      tok_expect(p, ')', "after a cast");
      v = parse_unary(p, what);
      v.is_unsigned = is_unsigned;
    } else {
      v = parse_ternary(p, what, parse_unary(p, what));
      tok_expect(p, ')', "to close an expression");
    }
  } else {
    ptx_fail(p, &t, "%s where %s should stand", tok_text(p, &t), what);
  }
  p->nesting--;
  return v;
}

/* How the lexer codes an operator of two characters. */
#define TWO(a, b) ((unsigned)(a) | (unsigned)(b) << 8)

/* 10 binds tightest; 0: not a binary operator. */
static int precedence(unsigned punct) {
  switch (punct) {
  case '*':
  case '/':
  case '%': return 10;
  case '+':
  case '-': return 9;
  case TWO('<', '<'):
  case TWO('>', '>'): return 8;
  case '<':
  case '>':
  case TWO('<', '='):
  case TWO('>', '='): return 7;
  case TWO('=', '='):
  case TWO('!', '='): return 6;
  case '&': return 5;
  case '^': return 4;
  case '|': return 3;
  case TWO('&', '&'): return 2;
  case TWO('|', '|'): return 1;
  default: return 0;
  }
}

/* C's division leaves INT64_MIN / -1 undefined; here it wraps, and its remainder is 0. */
static uint64_t divide_constants(parser_t *p, const token_t *at, value_t a, value_t b, bool is_unsigned,
                                 bool remainder) {
  if (!b.bits) ptx_fail(p, at, "division by zero in a constant");
  if (is_unsigned) return remainder ? a.bits % b.bits : a.bits / b.bits;
  if (b.bits == UINT64_MAX) return remainder ? 0 : 0 - a.bits; /* -1: INT64_MIN wraps */
  return (uint64_t)(remainder ? (int64_t)a.bits % (int64_t)b.bits : (int64_t)a.bits / (int64_t)b.bits);
}

/* Shifts by 64 and more give 0, or the sign. Comparisons and logic are signed 0 or 1. */
static value_t apply_operator(parser_t *p, const token_t *at, value_t a, value_t b) {
  bool u = a.is_unsigned || b.is_unsigned;
  bool less = u ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
  unsigned shift = b.bits > 63 ? 64 : (unsigned)b.bits;
  switch (at->punct) {
  case '*': return (value_t){a.bits * b.bits, u};
  case '/': return (value_t){divide_constants(p, at, a, b, u, false), u};
  case '%': return (value_t){divide_constants(p, at, a, b, u, true), u};
  case '+': return (value_t){a.bits + b.bits, u};
  case '-': return (value_t){a.bits - b.bits, u};
  case TWO('<', '<'): return (value_t){shift > 63 ? 0 : a.bits << shift, a.is_unsigned};
  case TWO('>', '>'):
    if (a.is_unsigned) return (value_t){shift > 63 ? 0 : a.bits >> shift, true};
    return (value_t){(uint64_t)((int64_t)a.bits >> (shift > 63 ? 63 : shift)), false};
  case '<': return (value_t){less, false};
  case '>': return (value_t){!less && a.bits != b.bits, false};
  case TWO('<', '='): return (value_t){less || a.bits == b.bits, false};
  case TWO('>', '='): return (value_t){!less, false};
  case TWO('=', '='): return (value_t){a.bits == b.bits, false};
  case TWO('!', '='): return (value_t){a.bits != b.bits, false};
  case '&': return (value_t){a.bits & b.bits, u};
  case '^': return (value_t){a.bits ^ b.bits, u};
  case '|': return (value_t){a.bits | b.bits, u};
  case TWO('&', '&'): return (value_t){a.bits && b.bits, false};
  default: return (value_t){a.bits || b.bits, false};
  }
}

/* What follows the operand `left`, while its operators bind at least as tightly as `least`. */
static value_t parse_binary(parser_t *p, const char *what, int least, value_t left) {
  for (;;) {
    token_t op = p->tok;
    int level = op.kind == TOK_PUNCT ? precedence(op.punct) : 0;
    if (!level || level < least) return left;
    lex_next(p);
    left = apply_operator(p, &op, left, parse_binary(p, what, level + 1, parse_unary(p, what)));
  }
}

/* Both arms are read and only one is used, so an error in either is an error. */
static value_t parse_ternary(parser_t *p, const char *what, value_t left) {
  value_t v = parse_binary(p, what, 1, left);
  if (!tok_is(p, '?')) return v;
  if (++p->nesting > MAX_DEPTH)
    ptx_fail(p, &p->tok, "expression nested more than %d deep; compute it by hand", MAX_DEPTH);
  lex_next(p);
  value_t yes = parse_ternary(p, what, parse_unary(p, what));
  tok_expect(p, ':', "in a ? b : c");
  value_t no = parse_ternary(p, what, parse_unary(p, what));
  p->nesting--;
  return v.bits ? yes : no;
}

int64_t parse_int(parser_t *p, const char *what) {
  return (int64_t)parse_ternary(p, what, parse_unary(p, what)).bits;
}

int64_t parse_int_rest(parser_t *p, const char *what, uint64_t first, bool is_unsigned) {
  return (int64_t)parse_ternary(p, what, (value_t){first, is_unsigned}).bits;
}
