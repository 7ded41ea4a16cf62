/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of lsu_restore around lsu_access.h, which states the rule.
 */
#include "lsu_restore.h"

#include "lsu_access.h"

void lsu_restore_reset(lsu_restore_t *s) {
  s->none = 0;
}

void lsu_restore_eval(const lsu_restore_t *s, const lsu_restore_in_t *in, lsu_restore_out_t *out) {
  (void)s;
  out->off = lsu_access_off(in->addr);
  out->n = lsu_access_transfers((unsigned)out->off, (unsigned)in->size);
  out->xaddr = out->lanes = 0;
  if (in->k >= out->n) return;
  out->xaddr = lsu_access_addr(in->addr, (unsigned)in->k);
  for (unsigned i = 0; i < LSU_XFER_BYTES; i++) {
    int byte = lsu_access_byte((unsigned)out->off, (unsigned)in->k, i);
    if (lsu_access_has(byte, (unsigned)in->size)) out->lanes |= 1ull << (byte >> in->size);
  }
}

void lsu_restore_step(lsu_restore_t *s, const lsu_restore_in_t *in) {
  (void)s;
  (void)in;
}
