/* SPDX-License-Identifier: Apache-2.0 */
#include "core_base.h"

/* Looks at the allocation of the last look-up first, as most accesses are near it. */
bool core_base_allocated(core_base_t *b, uint64_t address, unsigned bytes) {
  const mpu_range_t *r = b->sh->range;
  size_t i = b->last_range;
  if (i < b->sh->num_ranges && address >= r[i].start && address - r[i].start + bytes <= r[i].bytes) return true;
  for (i = 0; i < b->sh->num_ranges; i++)
    if (address >= r[i].start && address - r[i].start + bytes <= r[i].bytes) {
      b->last_range = i;
      return true;
    }
  return false;
}
