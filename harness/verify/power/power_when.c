/* SPDX-License-Identifier: Apache-2.0
 *
 * Boolean expressions of Liberty, from the weakest operator to the strongest:
 *
 *   parse_or     | +
 *   parse_and    & * or a blank
 *   parse_xor    ^
 *   parse_unary  ! before, ' behind, brackets, 0, 1, a pin
 *
 * The parser evaluates while it reads, once for each combination of its pins.
 */
#include "power_cells.h"

#include <ctype.h>
#include <string.h>

enum { MOST = 12, DEEPEST = 64 };

typedef struct {
  const char *at;
  const char *names[MOST];
  size_t lengths[MOST];
  unsigned num, ones; /* pins; those that are 1, a bit each */
  const power_rule_t *rules;
  unsigned num_rules, depth, inner; /* inner: rules within rules */
  bool bad;
} parse_t;

static bool parse_or(parse_t *p);

/* Evaluates the rule's expression in the place of the pin. Rules may nest, MOST deep. */
static bool parse_rule(parse_t *p, const power_rule_t *rule) {
  const char *behind = p->at;
  if (p->inner >= MOST) return p->bad = true;
  p->inner++, p->at = rule->is;
  const bool value = parse_or(p);
  if (*p->at) p->bad = true;
  p->inner--, p->at = behind;
  return value;
}

/* A new pin gets the next bit of `ones`. */
static bool parse_pin(parse_t *p) {
  const char *name = p->at;
  size_t n = 0;
  unsigned i = 0;
  while (isalnum((unsigned char)name[n]) || strchr("_[]", name[n] ? name[n] : ' ')) n++;
  p->at += n;
  if (n == 1 && (*name == '0' || *name == '1')) return *name == '1';
  for (unsigned k = 0; k < p->num_rules; k++)
    if (strlen(p->rules[k].pin) == n && strncmp(p->rules[k].pin, name, n) == 0) return parse_rule(p, &p->rules[k]);
  while (i < p->num && (p->lengths[i] != n || strncmp(p->names[i], name, n))) i++;
  if (!n || i == MOST) return p->bad = true;
  if (i == p->num) p->names[i] = name, p->lengths[i] = n, p->num++;
  return p->ones >> i & 1;
}

static void skip_blanks(parse_t *p) {
  while (isspace((unsigned char)*p->at) || *p->at == '"') p->at++;
}

static bool parse_unary(parse_t *p) {
  bool value;
  skip_blanks(p);
  if (++p->depth > DEEPEST) return p->bad = true;
  if (*p->at == '!') p->at++, value = !parse_unary(p);
  else if (*p->at == '(') {
    p->at++, value = parse_or(p);
    skip_blanks(p);
    if (*p->at == ')') p->at++;
    else p->bad = true;
  } else value = parse_pin(p);
  for (skip_blanks(p); *p->at == '\''; skip_blanks(p)) p->at++, value = !value;
  p->depth--;
  return value;
}

static bool parse_xor(parse_t *p) {
  bool value = parse_unary(p);
  for (; !p->bad && *p->at == '^'; value ^= parse_unary(p)) p->at++;
  return value;
}

static bool parse_and(parse_t *p) {
  bool value = parse_xor(p);
  while (!p->bad && *p->at && !strchr("|+)", *p->at)) {
    p->at += *p->at == '&' || *p->at == '*';
    value = parse_xor(p) && value;
  }
  return value;
}

static bool parse_or(parse_t *p) {
  bool value = parse_and(p);
  while (!p->bad && (*p->at == '|' || *p->at == '+')) p->at++, value = parse_and(p) || value;
  return value;
}

/* The value with the pins in `ones`. Sets bad when text is left over. */
static bool eval_condition(parse_t *p, const char *when) {
  p->at = when, p->depth = 0, p->inner = 0;
  const bool value = parse_or(p);
  if (*p->at) p->bad = true;
  return value;
}

double power_when(const char *when, const power_rule_t *rules, unsigned num_rules,
                  double (*share)(void *context, const char *pin, size_t length), void *context) {
  parse_t p = {.at = when, .rules = rules, .num_rules = num_rules};
  double sum = 0, shares[MOST];
  eval_condition(&p, when);
  for (unsigned i = 0; !p.bad && i < p.num; i++) shares[i] = share(context, p.names[i], p.lengths[i]);
  for (unsigned ones = 0; !p.bad && ones < 1U << p.num; ones++) {
    double product = 1;
    p.ones = ones;
    for (unsigned i = 0; i < p.num; i++) product *= ones >> i & 1 ? shares[i] : 1 - shares[i];
    if (product > 0 && eval_condition(&p, when)) sum += product;
  }
  return p.bad ? -1 : sum;
}
