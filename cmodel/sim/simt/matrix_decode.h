/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of matrices, as they are decoded.
 *
 *   mma, wmma.mma                      SIMT_MATRIX: matrix_multiply; round of f64
 *   movmatrix                          SIMT_ALU: matrix_move
 *   ldmatrix, wmma.load                SIMT_LOAD, as stmatrix and wmma.store are SIMT_STORE: base,
 *                                      imm and space as of ld and st, bytes of a piece
 *
 * Of all: matrix, the shapes and registers.
 */
#ifndef MATRIX_DECODE_H
#define MATRIX_DECODE_H

#include "matrix.h"
#include "simt_operand.h"

int matrix_decode(simt_decoder_t *d, simt_op_t *op); /* -1: refused */
void matrix_free(simt_kernel_t *kernel);             /* what its instructions have */

#endif
