/* SPDX-License-Identifier: Apache-2.0
 *
 * Precedence climbing: reads an operand, then every operator of at least the requested level, with
 * its right side one level higher. Both sides of &&, || and ?: are evaluated: a side without a
 * value is an error, even where C would skip it.
 *
 *   level  1 ||   2 &&   3 |   4 ^   5 &   6 == !=   7 < > <= >=   8 << >>   9 + -   10 * / %
 */
#include "port_expr.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *p, *text;
  port_name_t *name;
  void *context;
  trouble_t *trouble;
  unsigned depth;
} reader_t;

enum { DEPTH_MOST = 200 };

static const struct {
  const char *sign;
  int level;
} operators[] = {{"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6}, {"&&", 2}, {"||", 1}, {"*", 10},
                 {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<", 7},  {">", 7},  {"&", 5},  {"^", 4},  {"|", 3}};
enum { OPERATORS = sizeof operators / sizeof *operators };

static bool parse_ternary(reader_t *r, long long *value);

#define BAD(r, ...) trouble_set((r)->trouble, TROUBLE_INPUT, __VA_ARGS__)

static void skip_blanks(reader_t *r) {
  while (isspace((unsigned char)*r->p)) r->p++;
}

/* Takes this sign, or sets an error. */
static bool take_sign(reader_t *r, char sign) {
  skip_blanks(r);
  if (*r->p != sign) return BAD(r, "%.120s: `%c` is missing at `%.40s`", r->text, sign, r->p);
  r->p++;
  return true;
}

/* Reads a number in C's notation. */
static bool parse_number(reader_t *r, long long *value) {
  char *end;
  errno = 0;
  *value = strtoll(r->p, &end, 0);
  if (errno || isalnum((unsigned char)*end) || *end == '_' || *end == '.' || *end == '\'')
    return BAD(r, "%.120s: `%.40s` is not a number in C's manner, or too large", r->text, r->p);
  r->p = end;
  return true;
}

static bool parse_clog2(reader_t *r, long long *value) {
  long long of;
  if (!take_sign(r, '(') || !parse_ternary(r, &of) || !take_sign(r, ')')) return false;
  *value = of <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)of - 1);
  return true;
}

/* A name, or CLOG2(x). */
static bool parse_word(reader_t *r, long long *value) {
  const char *name = r->p;
  while (isalnum((unsigned char)*r->p) || *r->p == '_') r->p++;
  const size_t length = (size_t)(r->p - name);
  if (length == 5 && strncmp(name, "CLOG2", 5) == 0) return parse_clog2(r, value);
  skip_blanks(r);
  if (*r->p == '(')
    return BAD(r, "%.120s: there is no function %.*s; CLOG2(x) is the one there is", r->text, (int)length, name);
  return r->name(r->context, name, length, value, r->trouble);
}

/* A number, a name, a parenthesis, or a unary operator with its operand. */
static bool parse_operand(reader_t *r, long long *value) {
  skip_blanks(r);
  const char sign = *r->p;
  if (isdigit((unsigned char)sign)) return parse_number(r, value);
  if (isalpha((unsigned char)sign) || sign == '_') return parse_word(r, value);
  if (!sign)
    return BAD(r, "%.120s%s", *r->text ? r->text : "nothing is here; a number should be",
               *r->text ? ": ends where a number should be" : "");
  if (!strchr("(+-!~", sign)) return BAD(r, "%.120s: a number should be at `%.40s`", r->text, r->p);
  if (++r->depth > DEPTH_MOST) return BAD(r, "%.40s...: is nested too deeply", r->text);
  r->p++;
  if (sign == '(' ? !parse_ternary(r, value) || !take_sign(r, ')') : !parse_operand(r, value)) return false;
  r->depth--;
  if (sign == '-' && __builtin_sub_overflow(0, *value, value)) return BAD(r, "%.120s: is too large", r->text);
  if (sign == '!') *value = !*value;
  if (sign == '~') *value = ~*value;
  return true;
}

/* Index of the next operator; -1: none. Two-character operators come first in the table. */
static int operator_at(reader_t *r) {
  skip_blanks(r);
  for (int i = 0; i < OPERATORS; i++)
    if (strncmp(r->p, operators[i].sign, strlen(operators[i].sign)) == 0) return i;
  return -1;
}

/* Shifts that C leaves undefined are errors; a left shift must not overflow. */
static bool shift_number(reader_t *r, bool left, long long *a, long long b) {
  if (b < 0 || b > 62) return BAD(r, "%.120s: shifts by %lld bits; from 0 to 62", r->text, b);
  if (!left) *a >>= b;
  else if (__builtin_mul_overflow(*a, 1ll << b, a)) return BAD(r, "%.120s: is too large", r->text);
  return true;
}

/* Division by zero is an error. -1 needs care: the smallest number has no negative. */
static bool divide_number(reader_t *r, bool rest, long long *a, long long b) {
  if (!b) return BAD(r, "%.120s: divides by zero", r->text);
  if (b == -1 && rest) *a = 0;
  else if (b == -1) return !__builtin_sub_overflow(0, *a, a) || BAD(r, "%.120s: is too large", r->text);
  else *a = rest ? *a % b : *a / b;
  return true;
}

/* Applies a binary operator to *a and b; overflow is an error. */
static bool apply_operator(reader_t *r, const char *sign, long long *a, long long b) {
  bool large = false;
  switch (sign[0]) {
  case '*': large = __builtin_mul_overflow(*a, b, a); break;
  case '+': large = __builtin_add_overflow(*a, b, a); break;
  case '-': large = __builtin_sub_overflow(*a, b, a); break;
  case '/':
  case '%': return divide_number(r, sign[0] == '%', a, b);
  case '<':
  case '>':
    if (sign[1] == sign[0]) return shift_number(r, sign[0] == '<', a, b);
    *a = sign[1] ? (sign[0] == '<' ? *a <= b : *a >= b) : (sign[0] == '<' ? *a < b : *a > b);
    break;
  case '=': *a = *a == b; break;
  case '!': *a = *a != b; break;
  case '&': *a = sign[1] ? *a && b : *a & b; break;
  case '|': *a = sign[1] ? *a || b : *a | b; break;
  default: *a ^= b;
  }
  return !large || BAD(r, "%.120s: is too large", r->text);
}

/* An operand and all following operators of at least this level. */
static bool parse_binary(reader_t *r, int level, long long *value) {
  if (!parse_operand(r, value)) return false;
  for (int i; (i = operator_at(r)) >= 0 && operators[i].level >= level;) {
    long long right;
    r->p += strlen(operators[i].sign);
    if (!parse_binary(r, operators[i].level + 1, &right) || !apply_operator(r, operators[i].sign, value, right))
      return false;
  }
  return true;
}

/* A binary expression, and ?: behind it. The entry of the grammar. */
static bool parse_ternary(reader_t *r, long long *value) {
  long long yes, no;
  if (!parse_binary(r, 1, value)) return false;
  skip_blanks(r);
  if (*r->p != '?') return true;
  if (++r->depth > DEPTH_MOST) return BAD(r, "%.40s...: is nested too deeply", r->text);
  r->p++;
  if (!parse_ternary(r, &yes) || !take_sign(r, ':') || !parse_ternary(r, &no)) return false;
  r->depth--;
  *value = *value ? yes : no;
  return true;
}

bool port_expr(const char *text, port_name_t *name, void *context, long long *value, trouble_t *trouble) {
  reader_t r = {.p = text, .text = text, .name = name, .context = context, .trouble = trouble};
  if (!parse_ternary(&r, value)) return false;
  skip_blanks(&r);
  return !*r.p || BAD(&r, "%.120s: an operator should be at `%.40s`", text, r.p);
}
