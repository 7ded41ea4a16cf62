/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of expressions that follow from constants and from the variables of loops that are being
 * unrolled. Of at most 64 bits.
 */
#include "design.h"

#include <string.h>

enum { BITS = 64 };

static uint64_t mask(unsigned width) {
  return width >= BITS ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The bits as a signed number. */
static int64_t sign(uint64_t bits, unsigned width) {
  const unsigned unused = BITS - width;
  return (int64_t)(bits << unused) >> unused;
}

typedef struct {
  uint64_t a, b;
  int64_t sa, sb;
  bool *good;
} pair_t;

static uint64_t divide(pair_t p, bool rest) {
  if (!p.b) return *p.good = false, 0;
  return rest ? p.a % p.b : p.a / p.b;
}

static uint64_t divide_signed(pair_t p, bool rest) {
  if (!p.sb || (p.sa == INT64_MIN && p.sb == -1)) return *p.good = false, 0;
  return (uint64_t)(rest ? p.sa % p.sb : p.sa / p.sb);
}

static uint64_t power(pair_t p) {
  uint64_t result = 1;
  if (p.sb < 0) return *p.good = false, 0;
  for (uint64_t i = 0; i < p.b && i < BITS; i++) result *= p.a;
  *p.good &= p.b <= BITS || p.a <= 1;
  return result;
}

typedef enum {
  ADD,
  SUB,
  MUL,
  DIV,
  MOD,
  DIVS,
  MODS,
  POW,
  AND,
  OR,
  XOR,
  LEFT,
  RIGHT,
  RIGHTS,
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  LTS,
  LES,
  GTS,
  GES,
  BOTH,
  EITHER
} name_t;

static const struct {
  const char *tag;
  name_t name;
} names[] = {{"add", ADD},   {"sub", SUB},      {"mul", MUL}, {"muls", MUL},    {"div", DIV},      {"moddiv", MOD},
             {"divs", DIVS}, {"moddivs", MODS}, {"pow", POW}, {"powsu", POW},   {"powss", POW},    {"powus", POW},
             {"and", AND},   {"or", OR},        {"xor", XOR}, {"shiftl", LEFT}, {"shiftr", RIGHT}, {"shiftrs", RIGHTS},
             {"eq", EQ},     {"neq", NE},       {"lt", LT},   {"lte", LE},      {"gt", GT},        {"gte", GE},
             {"lts", LTS},   {"ltes", LES},     {"gts", GTS}, {"gtes", GES},    {"logand", BOTH},  {"logor", EITHER},
             {"eqwild", EQ}, {"neqwild", NE}};

static uint64_t compute(name_t name, pair_t p) {
  switch (name) {
  case ADD: return p.a + p.b;
  case SUB: return p.a - p.b;
  case MUL: return p.a * p.b;
  case DIV: return divide(p, false);
  case MOD: return divide(p, true);
  case DIVS: return divide_signed(p, false);
  case MODS: return divide_signed(p, true);
  case POW: return power(p);
  case AND: return p.a & p.b;
  case OR: return p.a | p.b;
  case XOR: return p.a ^ p.b;
  case LEFT: return p.b < BITS ? p.a << p.b : 0;
  case RIGHT: return p.b < BITS ? p.a >> p.b : 0;
  case RIGHTS: return (uint64_t)(p.sa >> (p.b < BITS ? p.b : BITS - 1));
  case EQ: return p.a == p.b;
  case NE: return p.a != p.b;
  case LT: return p.a < p.b;
  case LE: return p.a <= p.b;
  case GT: return p.a > p.b;
  case GE: return p.a >= p.b;
  case LTS: return p.sa < p.sb;
  case LES: return p.sa <= p.sb;
  case GTS: return p.sa > p.sb;
  case GES: return p.sa >= p.sb;
  case BOTH: return p.a && p.b;
  case EITHER: return p.a || p.b;
  }
  return 0;
}

static bool fold_two(emit_t *e, const xml_node_t *node, unsigned width, uint64_t *value) {
  uint64_t a, b;
  bool good = true;
  const xml_node_t *left = node->first, *right = left ? left->next : NULL;
  size_t i = 0, n = sizeof names / sizeof *names;
  while (i < n && strcmp(names[i].tag, node->tag)) i++;
  if (i == n || !right || right->next || !emit_fold(e, left, &a) || !emit_fold(e, right, &b)) return false;
  const unsigned wa = emit_expr_width(e, left), wb = emit_expr_width(e, right);
  *value = compute(names[i].name, (pair_t){a, b, sign(a, wa), sign(b, wb), &good}) & mask(width);
  return good;
}

static bool fold_one(emit_t *e, const xml_node_t *node, unsigned width, uint64_t *value) {
  uint64_t a;
  if (!emit_fold(e, node->first, &a)) return false;
  const unsigned from = emit_expr_width(e, node->first);
  if (xml_is(node, "extend")) *value = a;
  else if (xml_is(node, "extends")) *value = (uint64_t)sign(a, from);
  else if (xml_is(node, "not")) *value = ~a;
  else if (xml_is(node, "negate")) *value = -a;
  else if (xml_is(node, "lognot")) *value = !a;
  else if (xml_is(node, "redor")) *value = a != 0;
  else return false;
  *value &= mask(width);
  return true;
}

static bool fold_part(emit_t *e, const xml_node_t *node, unsigned width, uint64_t *value) {
  uint64_t from, low;
  if (!emit_fold(e, xml_at(node, 0), &from) || !emit_fold(e, xml_at(node, 1), &low)) return false;
  *value = low < BITS ? from >> low & mask(width) : 0;
  return low + width <= emit_expr_width(e, xml_at(node, 0));
}

static bool fold_choice(emit_t *e, const xml_node_t *node, uint64_t *value) {
  uint64_t which;
  return emit_fold(e, xml_at(node, 0), &which) && emit_fold(e, xml_at(node, which ? 1 : 2), value);
}

bool emit_fold(emit_t *e, const xml_node_t *node, uint64_t *value) {
  unsigned long number;
  *value = 0;
  if (!node || e->failed) return false;
  if (xml_is(node, "const")) {
    const bool good = emit_number(node, &number);
    return *value = good ? number : 0, good;
  }
  if (!e->loops) return false;
  if (xml_is(node, "varref")) {
    const emit_var_t *var = emit_var(e, node);
    if (var && var->known) *value = var->value;
    return var && var->known;
  }
  const unsigned width = emit_width(e, node);
  if (!width || width > BITS) return false;
  if (xml_is(node, "sel")) return fold_part(e, node, width, value);
  if (xml_is(node, "cond")) return fold_choice(e, node, value);
  return node->first && !node->first->next ? fold_one(e, node, width, value) : fold_two(e, node, width, value);
}
