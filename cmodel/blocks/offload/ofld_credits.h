/* SPDX-License-Identifier: Apache-2.0
 *
 * ofld_credits -- golden model of an NSU's buffer manager on the GPU; contract:
 * rtl/offload/ofld_credits.ports.
 */
#ifndef OFLD_CREDITS_H
#define OFLD_CREDITS_H

#include <stdbool.h>

#include "ofld_credits_ports.h"

typedef struct {
  uint32_t tag;
  unsigned rd, wr;
} ofld_request_t;

typedef struct {
  unsigned cmd, rd, wr; /* free entries */
  unsigned count;
  ofld_request_t waiting[Depth]; /* the oldest first */
  bool err;
} ofld_credits_t;

void ofld_credits_reset(ofld_credits_t *s);
void ofld_credits_eval(const ofld_credits_t *s, const ofld_credits_in_t *in, ofld_credits_out_t *out);
void ofld_credits_step(ofld_credits_t *s, const ofld_credits_in_t *in);
bool ofld_credits_idle(const ofld_credits_t *s); /* while req_valid and cr_valid are 0 */

#endif
