/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and quotients of chapter 7 in volume I of the RISC-V manual, with its table for division
 * by zero and overflow.
 */
#include "rv_muldiv.h"

__extension__ typedef __int128 wide_t;
__extension__ typedef unsigned __int128 uwide_t;

/* x as a two's complement number of `bits` bits. */
static wide_t rv_muldiv_signed(uint64_t x, unsigned bits) {
  const wide_t all = (wide_t)1 << bits;
  return x >> (bits - 1) & 1 ? (wide_t)x - all : (wide_t)x;
}

static wide_t rv_muldiv_number(uint64_t x, unsigned bits, bool is_signed) {
  return is_signed ? rv_muldiv_signed(x, bits) : (wide_t)x;
}

/* The low `bits` bits. */
static uint64_t rv_muldiv_low(wide_t x, unsigned bits) {
  return (uint64_t)x & (bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1);
}

/* Operands of 64 bits need a product of 128. Unsigned arithmetic gives its two's
 * complement bits without overflow. */
static uint64_t rv_muldiv_product(unsigned op, uint64_t a, uint64_t b, unsigned bits) {
  const wide_t x = rv_muldiv_number(a, bits, op == 1 || op == 2), y = rv_muldiv_number(b, bits, op == 1);
  const uwide_t product = (uwide_t)x * (uwide_t)y;
  return rv_muldiv_low((wide_t)(op == 0 ? product : product >> bits), bits);
}

uint64_t rv_muldiv_result(unsigned op, uint64_t a, uint64_t b, unsigned bits) {
  if (op < 4) return rv_muldiv_product(op, a, b, bits);
  const bool is_signed = op == 4 || op == 6, quotient = op < 6;
  const wide_t x = rv_muldiv_number(a, bits, is_signed), y = rv_muldiv_number(b, bits, is_signed);
  if (y == 0) return rv_muldiv_low(quotient ? -1 : x, bits);
  /* The least number / -1 does not fit; its low bits are the least number, as the manual says. */
  return rv_muldiv_low(quotient ? x / y : x % y, bits);
}

void rv_muldiv_reset(rv_muldiv_t *s) {
  *s = (rv_muldiv_t){0};
}

void rv_muldiv_eval(const rv_muldiv_t *s, const rv_muldiv_in_t *in, rv_muldiv_out_t *out) {
  (void)in;
  out->ready = !s->left && !s->done;
  out->done = s->done;
  out->y = s->y;
  out->probe_left = s->left;
}

void rv_muldiv_step(rv_muldiv_t *s, const rv_muldiv_in_t *in) {
  const bool ready = !s->left && !s->done;
  s->done = s->left == 1;
  if (s->left) s->left--;
  if (!ready || !in->start) return;
  s->left = Width;
  s->y = rv_muldiv_result((unsigned)in->op, in->a, in->b, Width);
}
