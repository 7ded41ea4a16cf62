/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoder of matrix instructions. matrix_decode fills simt_op_t as follows:
 *
 *   mma, wmma.mma            SIMT_MATRIX, fn matrix_multiply; round for f64
 *   movmatrix                SIMT_ALU, fn matrix_move
 *   ldmatrix, wmma.load      SIMT_LOAD;  base, imm, space as of ld; bytes: size of a piece
 *   stmatrix, wmma.store     SIMT_STORE; base, imm, space as of st; bytes: size of a piece
 *
 * In all of them simt_op_t.matrix has the shapes and registers.
 */
#ifndef MATRIX_DECODE_H
#define MATRIX_DECODE_H

#include "matrix.h"
#include "simt_operand.h"

int matrix_decode(simt_decoder_t *d, simt_op_t *op); /* -1: refused */
void matrix_free(simt_kernel_t *kernel);             /* frees the kernel's list of simt_matrix_t */

#endif
