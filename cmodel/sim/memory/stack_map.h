/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a physical address lives.
 *
 *    39..32  stack (an NSU's stores name 35..32 alone)
 *    31..20  row, 4096
 *    19..16  bank, xor the row's low four bits
 *    15..11  line in the row: 32 of 128 B (4 KB); with shorter rows fewer, and more rows
 *    10..7   vault
 *    6..0    byte in the line
 *
 * Lines go round the 16 vaults, so a 4 KB page has two neighbouring lines in each; 64 KB of
 * neighbouring pages share one row a vault. The xor keeps arrays that are multiples of 1 MB
 * apart out of one bank. Sizes: NSU paper, Table 2 (4 GB a stack, 16 vaults of 16 banks) and
 * section 5 (4 KB rows).
 */
#ifndef STACK_MAP_H
#define STACK_MAP_H

#include <stdint.h>

#include "stack_address.h"

/* STACK_LINES: lines of 128 bytes in a vault. */
enum { STACK_VAULTS = 16, STACK_BANKS = 16, STACK_ROW_LINES = 32, STACK_QUADRANTS = 4, STACK_LINES = 1 << 21 };

/* line: number of the 128-byte line in its row, the vault's column. */
typedef struct stack_place {
  unsigned stack, vault, bank, row, line;
} stack_place_t;

static inline unsigned stack_vault_of(uint64_t addr) {
  return (unsigned)(addr >> PKT_OFFSET_BITS) % STACK_VAULTS;
}

/* Four vaults share a port of the network (HMC). */
static inline unsigned stack_quadrant_of(uint64_t addr) {
  return stack_vault_of(addr) / (STACK_VAULTS / STACK_QUADRANTS);
}

/* row_lines: lines in a row, a power of two, at most STACK_ROW_LINES. */
static inline stack_place_t stack_place(uint64_t addr, unsigned row_lines) {
  const unsigned lines = (unsigned)(addr >> 11) & (STACK_LINES - 1), rows = lines / row_lines, row = rows / STACK_BANKS;
  return (stack_place_t){
      .stack = stack_of(addr),
      .vault = stack_vault_of(addr),
      .bank = (rows ^ row) % STACK_BANKS,
      .row = row,
      .line = lines % row_lines,
  };
}

#endif
