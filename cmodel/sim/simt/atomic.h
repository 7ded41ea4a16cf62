/* SPDX-License-Identifier: Apache-2.0
 *
 * What atom and red do to a value in memory, at the L2 and in shared memory.
 */
#ifndef ATOMIC_H
#define ATOMIC_H

#include <stdint.h>

/* op: ptx_mod_t (add, min, cas ...), type: ptx_type_t of 2 (adds of a
 * half, cas), 4 or 8 bytes. b, c: operands; returns the new value. */
uint64_t atomic_apply(unsigned op, unsigned type, uint64_t old, uint64_t b, uint64_t c);

#endif
