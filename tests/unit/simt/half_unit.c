/* SPDX-License-Identifier: Apache-2.0 */
#include "half_unit.h"

#include "unit_test.h"

/* Operands to all lanes, then the kernel's first instruction. */
void run_unit(unit_t *u, uint64_t v[32][4]) {
  for (unsigned i = 0; i < 32; i++) set_operands(u, i, v[i]);
  u->kernel->ops[0].fn(&u->kernel->ops[0], &u->warp, ~0u);
}

void expect_lane(const unit_t *u, unsigned lane, uint64_t want) {
  const uint64_t got = get_lane(u, result_of(u), lane);
  if (got != want) fail_msg("lane %u: 0x%llx, not 0x%llx", lane, (unsigned long long)got, (unsigned long long)want);
}
