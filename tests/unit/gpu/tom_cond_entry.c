/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_cond for one entry of the metadata table: its fields are taken apart as the hardware
 * does, and the registers that it names are looked up.
 */
#include "tom_cond_entry.h"

#include "tom_cond.h"

bool tom_cond_entry(uint64_t cond, const uint32_t regs[TOM_ENTRY_REGS]) {
  tom_cond_t s = {0};
  tom_cond_out_t out = {0};
  const tom_cond_in_t in = {
      .kind = COND_GET(cond, kind),
      .up = COND_GET(cond, up),
      .is_signed = COND_GET(cond, is_signed),
      .shift = COND_GET(cond, shift),
      .beyond = COND_GET(cond, beyond),
      .imm = COND_GET(cond, imm),
      .start = COND_GET(cond, has_start) ? regs[COND_GET(cond, start)] : 0,
      .bound = COND_GET(cond, has_bound) ? regs[COND_GET(cond, bound)] : 0,
      .step = regs[COND_GET(cond, step)],
  };
  tom_cond_reset(&s);
  tom_cond_eval(&s, &in, &out);
  return out.hold;
}
