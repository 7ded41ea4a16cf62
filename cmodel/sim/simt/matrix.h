/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix fragments: which element of a matrix is in which register of which thread, and at which
 * byte of memory. The products of tensor units are here, too.
 *
 * One rule gives every layout. A warp is eight groups of four threads:
 *
 *   group g              holds row g, and of B column g
 *   thread t of a group  holds `each` adjacent elements of the row, starting at t * each
 *
 * The next eight rows follow in the next elements. When the rows are used up, the next elements of
 * each row follow. For mma, ldmatrix, stmatrix and movmatrix the rule gives the figures of the PTX
 * ISA. PTX leaves the layout of wmma to the machine; here wmma uses the same rule (ours). A wmma
 * fragment of f16 can have more registers than the matrix needs. Each element is then present twice
 * or four times, and a reader takes the first copy.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "simt.h"

/* Largest matrix: registers of a fragment, bytes in memory, pieces. MATRIX_ROW_BYTES is one row
 * of ldmatrix. */
enum { MATRIX_REGS = 8, MATRIX_BYTES = 2048, MATRIX_PIECES = 64, MATRIX_ROW_BYTES = 16 };

typedef enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRIX_D, MATRIX_ROLES } matrix_role_t;

/* Shape of a matrix and how threads hold it: `rows` lines of `depth` elements. For B, `rows`
 * counts columns. */
typedef struct {
  uint16_t rows, depth;
  uint8_t bits;      /* bits of an element: 1, 4, 8, 16, 32, 64 */
  uint8_t each;      /* adjacent elements that a thread holds */
  uint8_t reg_bytes; /* bytes of a register: 4 or 8 */
  uint8_t regs;      /* registers of a thread */
} matrix_view_t;

/* Order of the elements in memory. */
typedef enum {
  MATRIX_BY_ROW,   /* row after row */
  MATRIX_BY_DEPTH, /* element 0 of all rows, then element 1 of all rows, ... */
  /* row after row, with every 8 x 8 block transposed (ldmatrix .trans, stmatrix .trans) */
  MATRIX_TRANSPOSED
} matrix_order_t;

/* How mma combines two elements before the sum. */
typedef enum { MATRIX_MULTIPLY, MATRIX_AND, MATRIX_XOR } matrix_pairs_t;

/* The matrix part of an instruction (simt_op_t.matrix). The kernel owns it (simt_kernel_t). */
struct simt_matrix {
  /* mma: all four; loads, stores and movmatrix: MATRIX_D is the one moved */
  matrix_view_t view[MATRIX_ROLES];
  uint32_t reg[MATRIX_ROLES][MATRIX_REGS]; /* operand offsets of the fragments' registers */
  uint8_t type[MATRIX_ROLES];              /* ptx_type_t of each matrix of mma */
  uint8_t pairs;                           /* matrix_pairs_t */
  bool saturates;                          /* .satfinite */
  uint32_t products;                       /* multiplications of mma */
  uint32_t work;                           /* f16 multiplications that take the same time */
  /* Memory access: the matrix lies, in `order`, in `pieces` of `piece_bytes` each. */
  uint8_t order;
  uint8_t pieces, piece_bytes;
  bool by_thread;     /* thread i has the address of piece i (ldmatrix, stmatrix) */
  uint32_t row_bytes; /* bytes of a row that are contiguous in memory */
  /* operand with the distance between rows, in elements; SIMT_NO_OPERAND: rows are contiguous */
  uint32_t stride;
  struct simt_matrix *next; /* next in the kernel's list */
};

unsigned matrix_bytes(const matrix_view_t *view);    /* bytes of the whole matrix */
unsigned matrix_elements(const matrix_view_t *view); /* elements of a thread, without copies */

/* Row and position of element i of a thread. Elements count from the lowest bits of the thread's
 * first register. */
void matrix_place(const matrix_view_t *view, unsigned lane, unsigned i, unsigned *row, unsigned *depth);

/* Copy a whole matrix between a warp's registers and `bytes` (MATRIX_BYTES at most), which has
 * the layout of memory. */
void matrix_gather(const simt_matrix_t *m, matrix_role_t role, matrix_order_t order, const simt_warp_t *w,
                   uint8_t *bytes);
void matrix_scatter(const simt_matrix_t *m, matrix_role_t role, matrix_order_t order, const uint8_t *bytes,
                    simt_warp_t *w);

/* Values of simt_op_t.fn. All threads of the warp execute them together. */
simt_fn_t matrix_multiply; /* D = A B + C; op->round applies to f64 */
simt_fn_t matrix_move;     /* movmatrix: A to D, transposed */

#endif
