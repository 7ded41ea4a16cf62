/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between host and device, rows of bytes with so many from row to row; both ends of a copy
 * may be either's.
 */
#ifndef COPY_H
#define COPY_H

#include "cuda.h"

CUresult copy_in(uint64_t to, uint64_t to_pitch, const void *from, uint64_t from_pitch, uint64_t width, uint64_t rows);
CUresult copy_out(void *to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width, uint64_t rows);
CUresult copy_any(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width, uint64_t rows);
/* width: in elements */
CUresult copy_fill(uint64_t to, uint64_t pitch, unsigned value, unsigned element, uint64_t width, uint64_t rows);

#endif
