/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between host and device: `rows` rows of `width` bytes, at each end `pitch` bytes from row
 * to row. A width or a number of 0 copies nothing. Addresses are not checked here; the simulator
 * refuses those that the device does not have.
 */
#ifndef COPY_H
#define COPY_H

#include "cuda.h"

/* copy_in: from the host to the device; copy_out: back; copy_any: each address says whose it is. */
CUresult copy_in(uint64_t to, uint64_t to_pitch, const void *from, uint64_t from_pitch, uint64_t width, uint64_t rows);
CUresult copy_out(void *to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width, uint64_t rows);
CUresult copy_any(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width, uint64_t rows);
/* Fills rows of `width` elements of `element` bytes (1, 2 or 4) with a value. */
CUresult copy_fill(uint64_t to, uint64_t pitch, unsigned value, unsigned element, uint64_t width, uint64_t rows);

#endif
