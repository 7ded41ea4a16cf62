/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of ofld_credits, the buffer manager of one NSU on the GPU: it grants NSU buffer
 * entries to blocks that begin (NSU paper, section 4.3; rtl/offload/ofld_credits.ports).
 *
 * Call ofld_credits_eval for the outputs of a cycle, then ofld_credits_step with the same inputs
 * for its clock edge. All outputs are state (Moore). An illegal input sets err, which stays until
 * reset.
 */
#ifndef OFLD_CREDITS_H
#define OFLD_CREDITS_H

#include <stdbool.h>

#include "ofld_credits_ports.h"

/* A waiting request; `tag` names SM and warp. */
typedef struct {
  uint32_t tag;
  unsigned rd, wr; /* entries that it needs, besides one of the command buffer */
} ofld_request_t;

typedef struct {
  unsigned cmd, rd, wr;          /* free entries of the NSU's three buffers */
  unsigned count;                /* waiting requests, 0 .. Depth */
  ofld_request_t waiting[Depth]; /* the oldest first */
  bool err;
} ofld_credits_t;

void ofld_credits_reset(ofld_credits_t *s);
void ofld_credits_eval(const ofld_credits_t *s, const ofld_credits_in_t *in, ofld_credits_out_t *out);
void ofld_credits_step(ofld_credits_t *s, const ofld_credits_in_t *in);
/* True: while req_valid and cr_valid are 0, step changes nothing. */
bool ofld_credits_idle(const ofld_credits_t *s);

#endif
