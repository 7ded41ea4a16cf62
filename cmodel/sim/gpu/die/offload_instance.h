/* SPDX-License-Identifier: Apache-2.0
 *
 * An instance of a hardware block on the die: an engine (block_engine.h) with its state. The engine
 * is the model, the RTL or both.
 *
 *   if (offload_instance_open(&i, engines, which)) ...
 *   each cycle: out = offload_instance_out(&i); offload_instance_step(&i, &in, fault)
 *   offload_instance_close(&i)
 *
 * X_in_t and X_out_t are the inputs and outputs of block X, in its generated ports header.
 */
#ifndef OFFLOAD_INSTANCE_H
#define OFFLOAD_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

struct block_engine;

typedef struct {
  const struct block_engine *engine;
  void *state; /* NULL: not open */
} offload_instance_t;

/* Opens instance `which` of a table of engines. -1: out of host memory, or the engine failed. */
int offload_instance_open(offload_instance_t *i, const struct block_engine *const *engines, unsigned which);
/* Index of a port's first 64-bit word in X_in_t or X_out_t; -1: no such port. */
int offload_instance_place(const offload_instance_t *i, const char *port);
void offload_instance_close(offload_instance_t *i);            /* also for an instance that is not open */
const void *offload_instance_out(const offload_instance_t *i); /* X_out_t of this cycle */
/* Clock edge: the inputs take effect, and offload_instance_out has the next cycle. Sets `fault`
 * if the engine failed. */
void offload_instance_step(const offload_instance_t *i, const void *in, trouble_t *fault);

/* Clock edge for inputs that the caller fills during a cycle. *told says that an input is valid;
 * the call clears *told and the `size` bytes of `in`. Without a valid input, an idle instance
 * skips its step, which would change nothing. */
void offload_instance_edge(const offload_instance_t *i, void *in, size_t size, bool *told, trouble_t *fault);

#endif
