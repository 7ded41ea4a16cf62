/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of products of symbols, which are numbers from 1 on: 4 * a * b - c + 8. Integers are exact
 * modulo 2^64.
 */
#ifndef TOM_SUM_H
#define TOM_SUM_H

#include <stdbool.h>
#include <stdint.h>

enum { TERM_DEGREE = 4, SUM_TERMS = 16 };

typedef struct {
  int64_t factor;
  uint32_t symbol[TERM_DEGREE]; /* ascending; 0: none */
} term_t;

/* Terms of different symbols, no factor is 0; without terms it is 0. */
typedef struct {
  uint32_t count;
  term_t term[SUM_TERMS];
} sum_t;

/* How many symbols a term has. */
unsigned term_degree(const uint32_t *symbols);
bool term_same_symbols(const uint32_t *a, const uint32_t *b);
bool term_add_symbol(uint32_t *symbols, uint32_t s); /* into its place; false: too many */

sum_t sum_of_constant(int64_t value);
sum_t sum_of_symbol(uint32_t s);
bool sum_is_constant(const sum_t *sum, int64_t *value);
bool sum_equal(const sum_t *a, const sum_t *b);

/* false: too many terms, or too many symbols in one */
bool sum_add_term(sum_t *to, term_t t);
bool sum_add(sum_t *to, const sum_t *what, int64_t times);
bool sum_multiply(const sum_t *a, const sum_t *b, sum_t *into); /* into may be one of them */

#endif
