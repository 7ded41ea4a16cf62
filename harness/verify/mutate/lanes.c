/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that outputs, registers, memories or assertions depend on become a list of operations,
 * in order. A point without a fault in any lane costs nothing: what follows reads the node
 * before it (stands_for).
 */
#include "lanes.h"
#include "lane_sram.h"

#include <stdlib.h>
#include <string.h>

/* The literal whose value this one has. */
static lit_t read_as(const lanes_t *l, lit_t lit) {
  return l->stands_for[lit / 2] ^ (lit & 1);
}

/* --- which nodes */

typedef struct {
  unsigned char *needed;
  uint32_t *first_fix; /* by node: its faults' place in fixes, + 1 */
} plan_t;

static void need_lit(plan_t *p, lit_t lit) {
  p->needed[lit / 2] = 1;
}

/* What lockstep can see. */
static void need_outside(const netlist_t *n, plan_t *p) {
  for (unsigned i = 0; i < n->num_outputs; i++) need_lit(p, n->outputs[i].lit);
  for (unsigned i = 0; i < n->num_asserts; i++) need_lit(p, n->asserts[i]);
  for (unsigned i = 0; i < n->num_assumes; i++) need_lit(p, n->assumes[i]);
}

/* What the node reads. A point also needs the bits that its faults depend on. */
static void need_sources(const lanes_t *l, plan_t *p, uint32_t i) {
  const node_t *n = &l->netlist->gates.nodes[i];
  if (n->kind == NODE_CONST || n->kind == NODE_INPUT || n->kind == NODE_LATCH) return;
  need_lit(p, n->a);
  if (n->kind >= NODE_AND) need_lit(p, n->b);
  if (n->kind == NODE_MUX) need_lit(p, n->c);
  for (uint32_t f = p->first_fix[i];
       n->kind == NODE_POINT && f && f <= l->num_fixes && l->fixes[f - 1].fault->point == i; f++)
    if (l->fixes[f - 1].fault->kind >= FAULT_CNOT0) need_lit(p, l->fixes[f - 1].fault->control);
}

/* Goes backwards over the nodes until no further register is needed. */
static void close_needs(lanes_t *l, plan_t *p) {
  const gates_t *g = &l->netlist->gates;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = g->count; i-- > 1;)
      if (p->needed[i]) need_sources(l, p, i);
    for (unsigned k = 0; k < l->netlist->num_latches; k++) {
      uint32_t i = l->netlist->latches[k];
      if (p->needed[i] != 1) continue;
      p->needed[i] = 2; /* its next state is needed too */
      more |= !p->needed[g->nodes[i].a / 2];
      need_lit(p, g->nodes[i].a);
    }
  }
}

/* --- the operations */

static int by_point(const void *a, const void *b) {
  const lane_fix_t *x = a, *y = b;
  if (x->fault->point != y->fault->point) return x->fault->point < y->fault->point ? -1 : 1;
  return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/* Adds the operation of node i; a point gets its range of faults. */
static void add_op(lanes_t *l, const plan_t *p, uint32_t i) {
  const node_t *n = &l->netlist->gates.nodes[i];
  lane_op_t op = {n->kind, i, read_as(l, n->a), read_as(l, n->b), read_as(l, n->c), 0, 0};
  if (n->kind == NODE_POINT) {
    op.fixes = p->first_fix[i] - 1;
    for (op.last = op.fixes; op.last < l->num_fixes && l->fixes[op.last].fault->point == i; op.last++)
      l->fixes[op.last].control = read_as(l, l->fixes[op.last].fault->control);
  }
  l->ops[l->num_ops++] = op;
}

/* The list of operations, and of registers that matter. */
static void make_ops(lanes_t *l, const plan_t *p) {
  const gates_t *g = &l->netlist->gates;
  for (uint32_t i = 0; i < g->count; i++) {
    const node_t *n = &g->nodes[i];
    bool idle = n->kind == NODE_POINT && !p->first_fix[i];
    l->stands_for[i] = idle ? read_as(l, n->a) : i * 2;
    if (p->needed[i] && n->kind >= NODE_POINT && !idle) add_op(l, p, i);
  }
  for (unsigned k = 0; k < l->netlist->num_latches; k++) {
    if (!p->needed[l->netlist->latches[k]]) continue;
    l->places[l->num_latches] = k;
    l->latches[l->num_latches++] = l->netlist->latches[k];
  }
}

/* Faults are sorted by point, so that each point has a range of them. */
static bool plan_operations(lanes_t *l) {
  unsigned count = l->netlist->gates.count;
  plan_t p = {calloc(count, 1), calloc(count, sizeof *p.first_fix)};
  bool ok = p.needed && p.first_fix;
  if (ok) {
    qsort(l->fixes, l->num_fixes, sizeof *l->fixes, by_point);
    for (unsigned i = l->num_fixes; i-- > 0;) p.first_fix[l->fixes[i].fault->point] = i + 1;
    need_outside(l->netlist, &p);
    close_needs(l, &p);
    make_ops(l, &p);
  }
  free(p.needed);
  free(p.first_fix);
  return ok;
}

bool lanes_open(lanes_t *l, const netlist_t *netlist, unsigned words, const fault_t *const *faults,
                unsigned num_faults) {
  unsigned count = netlist->gates.count;
  memset(l, 0, sizeof *l);
  l->netlist = netlist;
  l->words = words;
  l->values = aligned_alloc(64, ((size_t)count * words * sizeof *l->values + 63) / 64 * 64);
  l->next = calloc((size_t)netlist->num_latches * words + 1, sizeof *l->next);
  l->ops = calloc(count, sizeof *l->ops);
  l->fixes = calloc(num_faults + 1, sizeof *l->fixes);
  l->stands_for = calloc(count, sizeof *l->stands_for);
  l->latches = calloc(netlist->num_latches + 1, sizeof *l->latches);
  l->places = calloc(netlist->num_latches + 1, sizeof *l->places);
  if (!l->values || !l->next || !l->ops || !l->fixes || !l->stands_for || !l->latches || !l->places) return false;
  for (unsigned i = 0; i < num_faults; i++)
    if (faults[i]) l->fixes[l->num_fixes++] = (lane_fix_t){faults[i], 0, i};
  return plan_operations(l) && lane_srams_find(l);
}

void lanes_close(lanes_t *l) {
  lane_srams_free(l);
  free(l->values);
  free(l->next);
  free(l->ops);
  free(l->fixes);
  free(l->stands_for);
  free(l->latches);
  free(l->places);
  memset(l, 0, sizeof *l);
}

/* --- cycles */

bool lanes_power_up(lanes_t *l) {
  memset(l->values, 0, (size_t)l->netlist->gates.count * l->words * sizeof *l->values);
  return lane_srams_power_up(l);
}

void lanes_set(lanes_t *l, uint32_t node, bool value) {
  memset(l->values + (size_t)node * l->words, value ? 0xff : 0, l->words * sizeof *l->values);
}

/* Word w of a literal that stands for itself. */
static uint64_t lit_word(const lanes_t *l, lit_t lit, unsigned w) {
  return l->values[(size_t)(lit / 2) * l->words + w] ^ -(uint64_t)(lit & 1);
}

/* Applies each fault of a point in its lane only. */
static void put_faults(lanes_t *l, const lane_op_t *op) {
  for (uint32_t f = op->fixes; f < op->last; f++) {
    const lane_fix_t *fix = &l->fixes[f];
    unsigned w = fix->lane / 64;
    uint64_t *value = &l->values[(size_t)op->to * l->words + w], bit = 1ull << fix->lane % 64;
    switch (fix->fault->kind) {
    case FAULT_INV: *value ^= bit; break;
    case FAULT_CONST0: *value &= ~bit; break;
    case FAULT_CONST1: *value |= bit; break;
    case FAULT_CNOT0: *value ^= ~lit_word(l, fix->control, w) & bit; break;
    case FAULT_CNOT1: *value ^= lit_word(l, fix->control, w) & bit; break;
    }
  }
}

typedef uint64_t two_t __attribute__((vector_size(16)));
typedef uint64_t four_t __attribute__((vector_size(32)));
typedef uint64_t many_t __attribute__((vector_size(64)));

/* The loop below is compiled for four widths of a word of lanes. */
#define OPERAND(lit) (v[(lit) / 2] ^ -(uint64_t)((lit)&1))

#define SETTLE(type)                                                                                         \
  type *v = (type *)l->values;                                                                               \
  for (const lane_op_t *op = l->ops, *end = op + l->num_ops; op < end; op++) {                               \
    switch (op->kind) {                                                                                      \
    case NODE_AND: v[op->to] = OPERAND(op->a) & OPERAND(op->b); break;                                       \
    case NODE_XOR: v[op->to] = OPERAND(op->a) ^ OPERAND(op->b); break;                                       \
    case NODE_MUX: v[op->to] = OPERAND(op->a) ^ ((OPERAND(op->a) ^ OPERAND(op->b)) & OPERAND(op->c)); break; \
    default: v[op->to] = OPERAND(op->a); put_faults(l, op);                                                  \
    }                                                                                                        \
  }

#ifdef __x86_64__
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

WIDE static void settle_many(lanes_t *l){SETTLE(many_t)}

WIDE static void settle_four(lanes_t *l) {
  SETTLE(four_t)
}

static void settle_two(lanes_t *l) {
  SETTLE(two_t)
}

static void settle_few(lanes_t *l) {
  SETTLE(uint64_t)
}

void lanes_settle(lanes_t *l) {
  switch (l->words) {
  case LANES_MANY: settle_many(l); break;
  case 4: settle_four(l); break;
  case 2: settle_two(l); break;
  default: settle_few(l);
  }
}

/* All next states are taken before any register changes. */
void lanes_clock(lanes_t *l, const uint64_t *live) {
  unsigned words = l->words;
  for (unsigned i = 0; i < l->num_latches; i++) {
    lit_t from = read_as(l, l->netlist->gates.nodes[l->latches[i]].a);
    for (unsigned w = 0; w < words; w++) l->next[(size_t)i * words + w] = lit_word(l, from, w);
  }
  lane_srams_clock(l, live);
  for (unsigned i = 0; i < l->num_latches; i++)
    memcpy(l->values + (size_t)l->latches[i] * words, l->next + (size_t)i * words, words * sizeof *l->values);
}

void lanes_differ(const lanes_t *l, lit_t lit, bool expected, uint64_t *differ) {
  lit = read_as(l, lit) ^ expected;
  for (unsigned w = 0; w < l->words; w++) differ[w] |= lit_word(l, lit, w);
}

bool lanes_value(const lanes_t *l, lit_t lit, unsigned lane) {
  return lit_word(l, read_as(l, lit), lane / 64) >> lane % 64 & 1;
}
