/* SPDX-License-Identifier: Apache-2.0
 *
 * What generated X_ports.h headers need: sizes of port fields in C.
 *
 * A scalar port is a uint64_t. A vector or struct port is an array of uint32_t, little-endian
 * words, an even number of them, so that X_in_t and X_out_t have no padding and compare with
 * memcmp.
 */
#ifndef PORTS_H
#define PORTS_H

#include <stdint.h>

/* Bits that number x things: 0 for 1. A constant expression, as $clog2 is in Verilog. */
#define CLOG2(x) ((x) <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(x)-1))

#ifdef __cplusplus
#define _Static_assert static_assert
#endif

#define PORT_WORDS(width) (2 * (((width) + 63) / 64))

#endif
