/* SPDX-License-Identifier: Apache-2.0
 *
 * Precedence climbing: an operand, then every operator that binds at least as tightly as was asked
 * for, with its right side read at one level more. Both sides of &&, || and ?: are evaluated: a
 * side that has no value is an error even where C would not look at it.
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

static bool ternary(reader_t *r, long long *value);

#define BAD(r, ...) trouble_set((r)->trouble, TROUBLE_INPUT, __VA_ARGS__)

static void blank(reader_t *r) {
  while (isspace((unsigned char)*r->p)) r->p++;
}

static bool take(reader_t *r, char sign) {
  blank(r);
  if (*r->p != sign) return BAD(r, "%.120s: `%c` is missing at `%.40s`", r->text, sign, r->p);
  r->p++;
  return true;
}

static bool number(reader_t *r, long long *value) {
  char *end;
  errno = 0;
  *value = strtoll(r->p, &end, 0);
  if (errno || isalnum((unsigned char)*end) || *end == '_' || *end == '.' || *end == '\'')
    return BAD(r, "%.120s: `%.40s` is not a number in C's manner, or too large", r->text, r->p);
  r->p = end;
  return true;
}

static bool clog2(reader_t *r, long long *value) {
  long long of;
  if (!take(r, '(') || !ternary(r, &of) || !take(r, ')')) return false;
  *value = of <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)of - 1);
  return true;
}

static bool word(reader_t *r, long long *value) {
  const char *name = r->p;
  while (isalnum((unsigned char)*r->p) || *r->p == '_') r->p++;
  const size_t length = (size_t)(r->p - name);
  if (length == 5 && strncmp(name, "CLOG2", 5) == 0) return clog2(r, value);
  blank(r);
  if (*r->p == '(')
    return BAD(r, "%.120s: there is no function %.*s; CLOG2(x) is the one there is", r->text, (int)length, name);
  return r->name(r->context, name, length, value, r->trouble);
}

static bool operand(reader_t *r, long long *value) {
  blank(r);
  const char sign = *r->p;
  if (isdigit((unsigned char)sign)) return number(r, value);
  if (isalpha((unsigned char)sign) || sign == '_') return word(r, value);
  if (!sign)
    return BAD(r, "%.120s%s", *r->text ? r->text : "nothing is here; a number should be",
               *r->text ? ": ends where a number should be" : "");
  if (!strchr("(+-!~", sign)) return BAD(r, "%.120s: a number should be at `%.40s`", r->text, r->p);
  if (++r->depth > DEPTH_MOST) return BAD(r, "%.40s...: is nested too deeply", r->text);
  r->p++;
  if (sign == '(' ? !ternary(r, value) || !take(r, ')') : !operand(r, value)) return false;
  r->depth--;
  if (sign == '-' && __builtin_sub_overflow(0, *value, value)) return BAD(r, "%.120s: is too large", r->text);
  if (sign == '!') *value = !*value;
  if (sign == '~') *value = ~*value;
  return true;
}

/* Index of the operator that is next; -1: none. */
static int operator_at(reader_t *r) {
  blank(r);
  for (int i = 0; i < OPERATORS; i++)
    if (strncmp(r->p, operators[i].sign, strlen(operators[i].sign)) == 0) return i;
  return -1;
}

static bool shift(reader_t *r, bool left, long long *a, long long b) {
  if (b < 0 || b > 62) return BAD(r, "%.120s: shifts by %lld bits; from 0 to 62", r->text, b);
  if (!left) *a >>= b;
  else if (__builtin_mul_overflow(*a, 1ll << b, a)) return BAD(r, "%.120s: is too large", r->text);
  return true;
}

static bool divide(reader_t *r, bool rest, long long *a, long long b) {
  if (!b) return BAD(r, "%.120s: divides by zero", r->text);
  if (b == -1)
    return rest ? (*a = 0, true) : __builtin_sub_overflow(0, *a, a) ? BAD(r, "%.120s: is too large", r->text) : true;
  *a = rest ? *a % b : *a / b;
  return true;
}

static bool apply(reader_t *r, const char *sign, long long *a, long long b) {
  bool large = false;
  switch (sign[0]) {
  case '*': large = __builtin_mul_overflow(*a, b, a); break;
  case '+': large = __builtin_add_overflow(*a, b, a); break;
  case '-': large = __builtin_sub_overflow(*a, b, a); break;
  case '/':
  case '%': return divide(r, sign[0] == '%', a, b);
  case '<':
  case '>':
    if (sign[1] == sign[0]) return shift(r, sign[0] == '<', a, b);
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

static bool binary(reader_t *r, int level, long long *value) {
  if (!operand(r, value)) return false;
  for (int i; (i = operator_at(r)) >= 0 && operators[i].level >= level;) {
    long long right;
    r->p += strlen(operators[i].sign);
    if (!binary(r, operators[i].level + 1, &right) || !apply(r, operators[i].sign, value, right)) return false;
  }
  return true;
}

static bool ternary(reader_t *r, long long *value) {
  long long yes, no;
  if (!binary(r, 1, value)) return false;
  blank(r);
  if (*r->p != '?') return true;
  if (++r->depth > DEPTH_MOST) return BAD(r, "%.40s...: is nested too deeply", r->text);
  r->p++;
  if (!ternary(r, &yes) || !take(r, ':') || !ternary(r, &no)) return false;
  r->depth--;
  *value = *value ? yes : no;
  return true;
}

bool port_expr(const char *text, port_name_t *name, void *context, long long *value, trouble_t *trouble) {
  reader_t r = {.p = text, .text = text, .name = name, .context = context, .trouble = trouble};
  if (!ternary(&r, value)) return false;
  blank(&r);
  return !*r.p || BAD(&r, "%.120s: an operator should be at `%.40s`", text, r.p);
}
