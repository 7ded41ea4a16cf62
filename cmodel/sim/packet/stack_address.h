/* SPDX-License-Identifier: Apache-2.0
 *
 * A physical address: which stack, and where in it. The only place that knows which bits say so;
 * where in its stack a line is, memory/stack_map.h says.
 */
#ifndef STACK_ADDRESS_H
#define STACK_ADDRESS_H

#include <stdint.h>

#include "nsu_packet.h"

#define STACK_ADDRESS_BYTES (UINT64_C(1) << PKT_STACK_LSB) /* that a stack can have */

/* 256; an NSU's stores name the first 1 << PKT_STACK_BITS */
enum { STACK_ADDRESS_STACKS = 1 << (PKT_ADDR_BITS - PKT_STACK_LSB) };

static inline unsigned stack_of(uint64_t addr) {
  return (unsigned)(addr >> PKT_STACK_LSB) % STACK_ADDRESS_STACKS;
}

static inline uint64_t stack_address(unsigned stack, uint64_t offset) {
  return (uint64_t)stack << PKT_STACK_LSB | offset;
}

#endif
