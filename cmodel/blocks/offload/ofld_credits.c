/* SPDX-License-Identifier: Apache-2.0
 *
 * Three counters of free entries and a queue of requests. Numbers in brackets are rules of the port
 * file.
 */
#include "ofld_credits.h"

#include <string.h>

void ofld_credits_reset(ofld_credits_t *s) {
  memset(s, 0, sizeof *s);
  s->cmd = CmdEntries;
  s->rd = RdEntries;
  s->wr = WrEntries;
}

/* The oldest request has all its credits [3]. A later one never passes it. */
static bool ofld_credits_granted(const ofld_credits_t *s) {
  return s->count && s->cmd >= 1 && s->rd >= s->waiting[0].rd && s->wr >= s->waiting[0].wr;
}

void ofld_credits_eval(const ofld_credits_t *s, const ofld_credits_in_t *in, ofld_credits_out_t *out) {
  (void)in;
  out->req_ready = s->count < (Depth);
  out->gnt_valid = ofld_credits_granted(s);
  out->gnt_tag = out->gnt_valid ? s->waiting[0].tag : 0;
  out->err = s->err;
  out->probe_cmd = s->cmd;
  out->probe_rd = s->rd;
  out->probe_wr = s->wr;
  out->probe_count = s->count;
}

/* Credits come back [4]. Too many are an error and none counts [5]. The check comes before this
 * cycle's grant, because the NSU cannot have freed those entries yet. */
static void ofld_credits_back(ofld_credits_t *s, const ofld_credits_in_t *in) {
  if (s->cmd + in->cr_cmd > (CmdEntries) || s->rd + in->cr_rd > (RdEntries) || s->wr + in->cr_wr > (WrEntries)) {
    s->err = true;
    return;
  }
  s->cmd += (unsigned)in->cr_cmd;
  s->rd += (unsigned)in->cr_rd;
  s->wr += (unsigned)in->cr_wr;
}

/* The oldest request is granted; its entries are in use. */
static void ofld_credits_take(ofld_credits_t *s) {
  s->cmd--;
  s->rd -= s->waiting[0].rd;
  s->wr -= s->waiting[0].wr;
  s->count--;
  memmove(s->waiting, s->waiting + 1, s->count * sizeof *s->waiting);
  s->waiting[s->count] = (ofld_request_t){0};
}

/* A request waits from the next cycle on. It is refused without a place, or
 * if it could never be granted [5]. */
void ofld_credits_step(ofld_credits_t *s, const ofld_credits_in_t *in) {
  const bool ready = s->count < (Depth), grant = ofld_credits_granted(s);
  if (in->cr_valid) ofld_credits_back(s, in);
  if (grant) ofld_credits_take(s);
  if (!in->req_valid) return;
  if (ready && in->req_rd <= (RdEntries) && in->req_wr <= (WrEntries))
    s->waiting[s->count++] =
        (ofld_request_t){.tag = (uint32_t)in->req_tag, .rd = (unsigned)in->req_rd, .wr = (unsigned)in->req_wr};
  else s->err = true;
}

bool ofld_credits_idle(const ofld_credits_t *s) {
  return !ofld_credits_granted(s);
}
