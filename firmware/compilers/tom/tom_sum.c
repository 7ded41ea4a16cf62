/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of products of symbols (tom_sum.h). Terms are unordered in a sum, symbols ascend in a term.
 * So two sums are equal if their difference has no terms.
 */
#include "tom_sum.h"

#include <string.h>

/* Modulo 2^64, as address arithmetic wraps. */
static int64_t wrapped_product(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

bool term_same_symbols(const uint32_t *a, const uint32_t *b) {
  return memcmp(a, b, TERM_DEGREE * sizeof *a) == 0;
}

/* Adds up terms of the same symbols; a factor of 0 removes the term. */
bool sum_add_term(sum_t *to, term_t t) {
  for (uint32_t i = 0; i < to->count; i++) {
    if (!term_same_symbols(to->term[i].symbol, t.symbol)) continue;
    to->term[i].factor = (int64_t)((uint64_t)to->term[i].factor + (uint64_t)t.factor);
    if (!to->term[i].factor) to->term[i] = to->term[--to->count];
    return true;
  }
  if (!t.factor) return true;
  if (to->count == SUM_TERMS) return false;
  to->term[to->count++] = t;
  return true;
}

/* *to += times * *what. */
bool sum_add(sum_t *to, const sum_t *what, int64_t times) {
  for (uint32_t i = 0; i < what->count; i++) {
    term_t t = what->term[i];
    t.factor = wrapped_product(t.factor, times);
    if (!sum_add_term(to, t)) return false;
  }
  return true;
}

/* Symbols are numbers from 1 on; the first 0 ends them. */
unsigned term_degree(const uint32_t *symbols) {
  unsigned n = 0;
  while (n < TERM_DEGREE && symbols[n]) n++;
  return n;
}

/* Keeps the symbols ascending, so that equal terms have equal arrays. */
bool term_add_symbol(uint32_t *symbols, uint32_t s) {
  unsigned n = term_degree(symbols);
  if (n == TERM_DEGREE) return false;
  for (; n && symbols[n - 1] > s; n--) symbols[n] = symbols[n - 1];
  symbols[n] = s;
  return true;
}

/* False: too many symbols. */
static bool multiply_terms(term_t a, const term_t *b, term_t *into) {
  a.factor = wrapped_product(a.factor, b->factor);
  for (unsigned i = 0; i < term_degree(b->symbol); i++)
    if (!term_add_symbol(a.symbol, b->symbol[i])) return false;
  *into = a;
  return true;
}

/* The result goes to *into at last, as `into` may be an operand. */
bool sum_multiply(const sum_t *a, const sum_t *b, sum_t *into) {
  sum_t r = {0};
  term_t t;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++)
      if (!multiply_terms(a->term[i], &b->term[j], &t) || !sum_add_term(&r, t)) return false;
  *into = r;
  return true;
}

bool sum_equal(const sum_t *a, const sum_t *b) {
  sum_t difference = *a;
  return sum_add(&difference, b, -1) && !difference.count;
}

sum_t sum_of_constant(int64_t value) {
  sum_t sum = {.count = value != 0, .term = {{.factor = value}}};
  return sum;
}

sum_t sum_of_symbol(uint32_t s) {
  sum_t sum = {.count = 1, .term = {{.factor = 1, .symbol = {s}}}};
  return sum;
}

/* A constant has no terms, or one term without symbols. */
bool sum_is_constant(const sum_t *sum, int64_t *value) {
  *value = sum->count ? sum->term[0].factor : 0;
  return !sum->count || (sum->count == 1 && !sum->term[0].symbol[0]);
}
