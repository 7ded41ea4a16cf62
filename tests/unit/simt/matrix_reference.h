/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of matrices as three loops over codes of numbers, for tests of tensor units: what
 * cmodel/sim/gpu/README.md says of the order and rounding of sums.
 */
#ifndef MATRIX_REFERENCE_H
#define MATRIX_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { N_F16, N_BF16, N_TF32, N_F32, N_F64, N_S8, N_U8, N_S4, N_U4, N_B1, N_S32, NUMBERS } number_t;

const char *number_name(number_t n); /* as PTX writes it */
unsigned number_bits(number_t n);
uint64_t number_pick(number_t n, uint64_t *seed);

typedef enum { PAIRS_MULTIPLY, PAIRS_AND, PAIRS_XOR } pairs_t;

/* A product's shape m x n x k, its types, and how a pair of elements makes a summand. */
typedef struct {
  unsigned m, n, k;
  number_t d, a, b, c;
  pairs_t pairs;
  bool saturates;
  int round; /* 0 nearest, 1 zero, 2 down, 3 up */
} product_t;

enum { MOST_NUMBERS = 16 * 256 };

/* Row by row: a of m times k, b of k times n, c and d of m times n. */
void product_of(const product_t *p, const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d);

/* Element i of numbers that lie side by side. */
uint64_t number_at(const uint8_t *bytes, number_t n, unsigned i);
void number_put(uint8_t *bytes, number_t n, unsigned i, uint64_t code);

#endif
