/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of port fields in C, for the generated headers X_ports.h.
 *
 * A scalar port is a uint64_t. A vector or struct port is an array of uint32_t, least significant
 * word first. Arrays have an even number of words, so X_in_t and X_out_t have no padding and memcmp
 * compares them.
 */
#ifndef PORTS_H
#define PORTS_H

#include <stdint.h>

/* The bits that number x things: 0 for 1. A constant expression, like Verilog's $clog2. */
#define CLOG2(x) ((x) <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(x)-1))

#ifdef __cplusplus
#define _Static_assert static_assert
#endif

#define PORT_WORDS(width) (2 * (((width) + 63) / 64)) /* Words of a vector port of `width` bits. */

#endif
