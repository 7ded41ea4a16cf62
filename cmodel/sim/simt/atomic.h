/* SPDX-License-Identifier: Apache-2.0
 *
 * The operation that atom and red apply to a value in memory. The L2, shared memory and the
 * near-bank units all call this function.
 */
#ifndef ATOMIC_H
#define ATOMIC_H

#include <stdint.h>

/* Returns the new value of a location that held `old`.
 * op: a ptx_mod_t (add, min, cas ...). type: a ptx_type_t of 4 or 8 bytes; of 2 bytes only for cas,
 * and for add of a half. b, c: the operands; only cas uses c. */
uint64_t atomic_apply(unsigned op, unsigned type, uint64_t old, uint64_t b, uint64_t c);

#endif
