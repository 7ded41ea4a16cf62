/* SPDX-License-Identifier: Apache-2.0
 *
 * An instance of ofld_credits (rtl/offload): who may begin a block at an NSU. What happens in a
 * cycle is kept until its end; in the next one the instance has it.
 */
#ifndef OFFLOAD_CREDITS_H
#define OFFLOAD_CREDITS_H

#include "offload_instance.h"

typedef struct {
  offload_instance_t instance;
  bool asked; /* in this cycle, of the NSU's one request a cycle */
  unsigned tag, rd, wr;
  unsigned cmd_back, rd_back, wr_back; /* in this cycle */
} offload_credits_t;

/* -1: out of host memory, or it cannot be had */
int offload_credits_init(offload_credits_t *c, const struct block_engine *const *engines, unsigned which);
void offload_credits_deinit(offload_credits_t *c);

bool offload_credits_ask(offload_credits_t *c, unsigned tag, unsigned rd, unsigned wr); /* false: not in this cycle */
void offload_credits_back(offload_credits_t *c, unsigned cmd, unsigned rd, unsigned wr);
/* nothing has come in this cycle, and it grants nothing: the next one changes nothing */
bool offload_credits_idle(const offload_credits_t *c);
/* The next cycle; true: *tag is granted in it. */
bool offload_credits_tick(offload_credits_t *c, unsigned *tag, trouble_t *fault);

#endif
