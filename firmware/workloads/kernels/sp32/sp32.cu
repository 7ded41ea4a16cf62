/* SPDX-License-Identifier: Apache-2.0
 *
 * Scalar products of pairs of vectors, with 32-bit pointers.
 */
#include "sp/sp.cu"
