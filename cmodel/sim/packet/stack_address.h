/* SPDX-License-Identifier: Apache-2.0
 *
 * The bits of a physical address: a stack, and an offset in the stack. Only this file knows which
 * bits name the stack. memory/stack_map.h has the vault, bank and row of an offset.
 */
#ifndef STACK_ADDRESS_H
#define STACK_ADDRESS_H

#include <stdint.h>

#include "nsu_packet.h"

#define STACK_ADDRESS_BYTES (UINT64_C(1) << PKT_STACK_LSB) /* most bytes of a stack */

/* 256 stacks. Only the first 1 << PKT_STACK_BITS can be targets of an NSU's stores. */
enum { STACK_ADDRESS_STACKS = 1 << (PKT_ADDR_BITS - PKT_STACK_LSB) };

static inline unsigned stack_of(uint64_t addr) {
  return (unsigned)(addr >> PKT_STACK_LSB) % STACK_ADDRESS_STACKS;
}

static inline uint64_t stack_address(unsigned stack, uint64_t offset) {
  return (uint64_t)stack << PKT_STACK_LSB | offset;
}

#endif
