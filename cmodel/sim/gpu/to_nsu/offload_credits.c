/* SPDX-License-Identifier: Apache-2.0 */
#include "offload_credits.h"

#include "ofld_credits_ports.h"

int offload_credits_init(offload_credits_t *c, const struct block_engine *const *engines, unsigned which) {
  *c = (offload_credits_t){.asked = false};
  return offload_instance_open(&c->instance, engines, which);
}

void offload_credits_deinit(offload_credits_t *c) {
  offload_instance_close(&c->instance);
}

bool offload_credits_ask(offload_credits_t *c, unsigned tag, unsigned rd, unsigned wr) {
  const ofld_credits_out_t *out = offload_instance_out(&c->instance);
  if (c->asked || !out->req_ready) return false;
  c->asked = true;
  c->tag = tag, c->rd = rd, c->wr = wr;
  return true;
}

void offload_credits_back(offload_credits_t *c, unsigned cmd, unsigned rd, unsigned wr) {
  c->cmd_back += cmd, c->rd_back += rd, c->wr_back += wr;
}

bool offload_credits_idle(const offload_credits_t *c) {
  const ofld_credits_out_t *out = offload_instance_out(&c->instance);
  return !c->asked && !c->cmd_back && !c->rd_back && !c->wr_back && !out->gnt_valid;
}

bool offload_credits_tick(offload_credits_t *c, unsigned *tag, trouble_t *fault) {
  ofld_credits_in_t in = {.cr_valid = c->cmd_back || c->rd_back || c->wr_back, .req_valid = c->asked};
  if (in.req_valid) in.req_tag = c->tag, in.req_rd = c->rd, in.req_wr = c->wr;
  if (in.cr_valid) in.cr_cmd = c->cmd_back, in.cr_rd = c->rd_back, in.cr_wr = c->wr_back;
  offload_instance_step(&c->instance, &in, fault);
  c->asked = false;
  c->cmd_back = c->rd_back = c->wr_back = 0;
  const ofld_credits_out_t *out = offload_instance_out(&c->instance);
  if (out->err)
    trouble_fail(fault, TROUBLE_BROKEN,
                 "an instance of ofld_credits says that a request or credits are more than there are entries");
  *tag = (unsigned)out->gnt_tag;
  return out->gnt_valid;
}
