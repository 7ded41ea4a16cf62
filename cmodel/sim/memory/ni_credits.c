/* SPDX-License-Identifier: Apache-2.0 */
#include "ni_credits.h"

/* The most that a field of so many bits can carry. */
static unsigned field_limit(unsigned bits) {
  return (1u << bits) - 1;
}

bool ni_credits_take(ni_credits_t *c, const packet_t *p) {
  const unsigned cmd = c->cmd + (unsigned)p->hdr.cr_cmd, rd = c->rd + (unsigned)p->hdr.cr_rd,
                 wr = c->wr + (unsigned)p->hdr.cr_wr;
  if (cmd > field_limit(PKT_cr_cmd_W) || rd > field_limit(PKT_cr_rd_W) || wr > field_limit(PKT_cr_wr_W)) return false;
  c->cmd = cmd, c->rd = rd, c->wr = wr;
  return true;
}

bool ni_credits_none(const ni_credits_t *c) {
  return !c->cmd && !c->rd && !c->wr;
}

bool ni_credits_due(const ni_credits_t *c, bool at_rest) {
  if (ni_credits_none(c)) return false;
  return at_rest || c->cmd || c->rd + c->wr >= c->batch;
}

void ni_credits_give(ni_credits_t *c, packet_t *p) {
  p->hdr.cr_cmd = c->cmd, p->hdr.cr_rd = c->rd, p->hdr.cr_wr = c->wr;
  c->cmd = c->rd = c->wr = 0;
}
