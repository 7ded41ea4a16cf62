/* SPDX-License-Identifier: Apache-2.0
 *
 * Gates of a circuit, each made once: equal operands give the same node, and constants are
 * folded.
 *
 * A literal is twice a node's number, plus 1 when it is inverted. Node 0 is the constant 0. A
 * node comes after all nodes that it reads; only a register's next state may come later.
 */
#ifndef GATES_H
#define GATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t lit_t;

enum { LIT_0 = 0, LIT_1 = 1 };

typedef enum { NODE_CONST, NODE_INPUT, NODE_LATCH, NODE_POINT, NODE_AND, NODE_XOR, NODE_MUX } node_kind_t;

typedef struct {
  uint32_t kind; /* node_kind_t */
  lit_t a, b, c; /* AND, XOR: a, b; MUX: c ? b : a; POINT: a; LATCH: a is its next state, it starts at 0 */
} node_t;

typedef struct {
  node_t *nodes;
  unsigned count, room;
  uint32_t *table; /* AND, XOR and MUX by content; 0: free */
  unsigned table_size;
  bool failed; /* out of memory: later gates are not valid */
} gates_t;

/* False, or gates->failed later: out of memory; new literals are LIT_0 then. Check `failed` once
 * at the end. */
bool gates_open(gates_t *gates); /* makes node 0 */
void gates_close(gates_t *gates);
lit_t gates_new(gates_t *gates, node_kind_t kind, lit_t a); /* an input, a register or a point */
lit_t gates_and(gates_t *gates, lit_t a, lit_t b);
lit_t gates_xor(gates_t *gates, lit_t a, lit_t b);
lit_t gates_mux(gates_t *gates, lit_t a, lit_t b, lit_t select);
static inline lit_t gates_or(gates_t *gates, lit_t a, lit_t b) {
  return gates_and(gates, a ^ 1, b ^ 1) ^ 1;
}

#endif
