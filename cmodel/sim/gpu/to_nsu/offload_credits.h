/* SPDX-License-Identifier: Apache-2.0
 *
 * An instance of ofld_credits (rtl/offload), which grants blocks at one NSU. A cycle's events
 * collect here until offload_credits_tick passes them to the instance.
 */
#ifndef OFFLOAD_CREDITS_H
#define OFFLOAD_CREDITS_H

#include "offload_instance.h"

typedef struct {
  offload_instance_t instance;
  bool asked;                          /* this cycle has a request; the NSU takes one a cycle */
  unsigned tag, rd, wr;                /* of the request */
  unsigned cmd_back, rd_back, wr_back; /* entries freed in this cycle */
} offload_credits_t;

/* -1: out of host memory, or the engine failed. */
int offload_credits_init(offload_credits_t *c, const struct block_engine *const *engines, unsigned which);
void offload_credits_deinit(offload_credits_t *c);

/* Passes a request on. false: not in this cycle. */
bool offload_credits_ask(offload_credits_t *c, unsigned tag, unsigned rd, unsigned wr);
void offload_credits_back(offload_credits_t *c, unsigned cmd, unsigned rd, unsigned wr);
/* True: this cycle has no event and no grant, so the next tick would change nothing. */
bool offload_credits_idle(const offload_credits_t *c);
/* Next cycle. True: the instance grants the request with *tag. */
bool offload_credits_tick(offload_credits_t *c, unsigned *tag, trouble_t *fault);

#endif
