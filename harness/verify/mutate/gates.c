/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table with linear probing, at most half full, finds a gate that exists. Operands have a
 * normal form first: a < b; no inverted operand in a XOR, no inverted a or select in a MUX.
 */
#include "gates.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_gate(const node_t *n) {
  uint64_t h = (n->kind + 1) * 0x9e3779b97f4a7c15ull;
  h = (h ^ n->a) * 0xff51afd7ed558ccdull;
  h = (h ^ n->b ^ h >> 29) * 0xc4ceb9fe1a85ec53ull;
  h = (h ^ n->c ^ h >> 31) * 0x9e3779b97f4a7c15ull;
  return (uint32_t)(h >> 32);
}

/* The slot of an equal gate, or the free slot where it belongs. */
static uint32_t *gate_slot(const gates_t *g, const node_t *n) {
  uint32_t i = hash_gate(n) & (g->table_size - 1);
  while (g->table[i] && memcmp(&g->nodes[g->table[i]], n, sizeof *n)) i = (i + 1) & (g->table_size - 1);
  return &g->table[i];
}

static bool grow_gates(gates_t *g) {
  unsigned room = g->room ? g->room * 2 : 8192;
  node_t *nodes = realloc(g->nodes, room * sizeof *nodes);
  if (nodes) g->nodes = nodes;
  uint32_t *table = nodes ? calloc(room * 2, sizeof *table) : NULL;
  if (!table) return !(g->failed = true);
  free(g->table);
  g->table = table;
  g->table_size = room * 2;
  g->room = room;
  for (unsigned i = 1; i < g->count; i++)
    if (g->nodes[i].kind >= NODE_AND) *gate_slot(g, &g->nodes[i]) = i;
  return true;
}

bool gates_open(gates_t *g) {
  memset(g, 0, sizeof *g);
  if (!grow_gates(g)) return false;
  g->nodes[g->count++] = (node_t){NODE_CONST, 0, 0, 0};
  return true;
}

void gates_close(gates_t *g) {
  free(g->nodes);
  free(g->table);
  memset(g, 0, sizeof *g);
}

/* False: no memory, now or earlier. */
static bool make_room(gates_t *g) {
  return !g->failed && (g->count < g->room || grow_gates(g));
}

lit_t gates_new(gates_t *g, node_kind_t kind, lit_t a) {
  if (!make_room(g)) return LIT_0;
  g->nodes[g->count] = (node_t){kind, a, 0, 0};
  return g->count++ * 2;
}

/* The node of an equal gate, or a new one. */
static lit_t made_once(gates_t *g, node_t n) {
  if (!make_room(g)) return LIT_0;
  uint32_t *at = gate_slot(g, &n);
  if (!*at) {
    *at = g->count;
    g->nodes[g->count++] = n;
  }
  return *at * 2;
}

lit_t gates_and(gates_t *g, lit_t a, lit_t b) {
  if (a > b) return gates_and(g, b, a);
  if (a == LIT_0 || a == (b ^ 1)) return LIT_0;
  if (a == LIT_1 || a == b) return b;
  return made_once(g, (node_t){NODE_AND, a, b, 0});
}

lit_t gates_xor(gates_t *g, lit_t a, lit_t b) {
  lit_t inverted = (a ^ b) & 1;
  a &= ~1u, b &= ~1u;
  if (a > b) return gates_xor(g, b, a) ^ inverted;
  if (a == b) return inverted;
  if (a == LIT_0) return b ^ inverted;
  return made_once(g, (node_t){NODE_XOR, a, b, 0}) ^ inverted;
}

/* s ? b : a. Constants and equal or opposite operands become simpler gates. */
lit_t gates_mux(gates_t *g, lit_t a, lit_t b, lit_t s) {
  if (s & 1) return gates_mux(g, b, a, s ^ 1);
  if (s == LIT_0 || a == b) return a;
  if (a == (b ^ 1)) return gates_xor(g, s, a);
  if (a <= LIT_1) return a == LIT_0 ? gates_and(g, s, b) : gates_or(g, s ^ 1, b);
  if (b <= LIT_1) return b == LIT_0 ? gates_and(g, s ^ 1, a) : gates_or(g, s, a);
  if (a & 1) return made_once(g, (node_t){NODE_MUX, a ^ 1, b ^ 1, s}) ^ 1;
  return made_once(g, (node_t){NODE_MUX, a, b, s});
}
