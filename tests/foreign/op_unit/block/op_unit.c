/* SPDX-License-Identifier: Apache-2.0 */
#include "op_unit.h"

#include <stdbool.h>

enum { ADD, SUB, AND, OR, XOR, LEFT, RIGHT, RIGHT_SIGNED };

void op_unit_reset(op_unit_t *state) {
  (void)state;
}

/* A word's value with its highest bit as the sign. */
static int64_t signed_of(uint64_t word) {
  return (int64_t)(word << (64 - WIDTH)) >> (64 - WIDTH);
}

void op_unit_eval(const op_unit_t *state, const op_unit_in_t *in, op_unit_out_t *out) {
  const uint64_t mask = (1ull << WIDTH) - 1, a = in->a, b = in->b;
  const unsigned by = b & 7;
  uint64_t y = 0;
  (void)state;
  switch (in->op) {
  case ADD: y = a + b; break;
  case SUB: y = a - b; break;
  case AND: y = a & b; break;
  case OR: y = a | b; break;
  case XOR: y = a ^ b; break;
  case LEFT: y = a << by; break;
  case RIGHT: y = a >> by; break;
  case RIGHT_SIGNED: y = (uint64_t)(signed_of(a) >> by); break;
  }
  out->y = y & mask;
  out->carry = in->op <= SUB && y >> WIDTH & 1;
  out->zero = !out->y;
  out->less = in->op & 1 ? signed_of(a) < signed_of(b) : a < b;
}

void op_unit_step(op_unit_t *state, const op_unit_in_t *in) {
  (void)state, (void)in;
}
