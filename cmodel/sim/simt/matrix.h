/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices that a warp's threads hold in parts (fragments): which element is in which register of
 * which thread, and in which byte of memory; their products.
 *
 * All is one rule. The eight groups of four threads have eight rows (of B: columns), and the four
 * threads of a group have, in turn, `each` elements of their row, side by side; then come the next
 * eight rows, and when there are no more, the next elements of the rows. For mma, ldmatrix,
 * stmatrix and movmatrix it gives what the PTX ISA's figures show. Of wmma PTX says that the layout
 * is the machine's: ours is the same rule. Where a wmma fragment has more registers than the matrix
 * needs (f16) all elements are there twice or four times; who reads takes the first.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "simt.h"

enum { MATRIX_REGS = 8, MATRIX_BYTES = 2048, MATRIX_PIECES = 64, MATRIX_ROW_BYTES = 16 };

typedef enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRIX_D, MATRIX_ROLES } matrix_role_t;

/* A matrix and how threads hold it. rows, of B: columns; of each a line of `depth` elements. */
typedef struct {
  uint16_t rows, depth;
  uint8_t bits;      /* of an element: 1, 4, 8, 16, 32, 64 */
  uint8_t each;      /* that a thread has side by side */
  uint8_t reg_bytes; /* of a register: 4 or 8 */
  uint8_t regs;      /* that a thread has */
} matrix_view_t;

/* How elements follow each other in memory. */
typedef enum {
  MATRIX_BY_ROW,   /* row after row */
  MATRIX_BY_DEPTH, /* the first of each row, then the second of each */
  /* row after row, of each eight rows' block of eight by
   * eight the transposed (ldmatrix, stmatrix .trans) */
  MATRIX_TRANSPOSED
} matrix_order_t;

typedef enum { MATRIX_MULTIPLY, MATRIX_AND, MATRIX_XOR } matrix_pairs_t;

/* What an instruction has to do with matrices: simt_op_t.matrix. */
struct simt_matrix {
  matrix_view_t view[MATRIX_ROLES]; /* mma: all; else the one that is moved is MATRIX_D */
  uint32_t reg[MATRIX_ROLES][MATRIX_REGS];
  uint8_t type[MATRIX_ROLES]; /* ptx_type_t of mma's */
  uint8_t pairs;              /* matrix_pairs_t */
  bool saturates;             /* .satfinite */
  uint32_t products;          /* multiplications of mma */
  uint32_t work;              /* those of f16 that take as long */
  /* memory: `pieces` of `piece_bytes` at once, in which the matrix lies in the order of `order` */
  uint8_t order;
  uint8_t pieces, piece_bytes;
  bool by_thread;     /* each piece has the address of its thread: ldmatrix, stmatrix */
  uint32_t row_bytes; /* of what lies together */
  /* register or constant with the elements from one of
   * these to the next; SIMT_NO_OPERAND: they are dense */
  uint32_t stride;
  struct simt_matrix *next; /* of its kernel */
};

unsigned matrix_bytes(const matrix_view_t *view);    /* of all elements */
unsigned matrix_elements(const matrix_view_t *view); /* that a thread has, each once */

/* Where element i of a thread, from the lowest bits
 * of its first register on, stands in the matrix. */
void matrix_place(const matrix_view_t *view, unsigned lane, unsigned i, unsigned *row, unsigned *depth);

/* A whole matrix as memory has it, MATRIX_BYTES at most, and the registers of a warp. */
void matrix_gather(const simt_matrix_t *m, matrix_role_t role, matrix_order_t order, const simt_warp_t *w,
                   uint8_t *bytes);
void matrix_scatter(const simt_matrix_t *m, matrix_role_t role, matrix_order_t order, const uint8_t *bytes,
                    simt_warp_t *w);

/* Instructions, as simt_op_t.fn: all threads execute them. */
simt_fn_t matrix_multiply; /* D = A B + C; round: of f64 */
simt_fn_t matrix_move;     /* movmatrix: A to D, transposed */

#endif
