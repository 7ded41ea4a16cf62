/* SPDX-License-Identifier: Apache-2.0
 *
 * An instance of a block on the die: an engine (block_engine.h) with its memory.
 */
#ifndef OFFLOAD_INSTANCE_H
#define OFFLOAD_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

struct block_engine;

typedef struct {
  const struct block_engine *engine;
  void *state; /* NULL: there is no instance */
} offload_instance_t;

/* Instance `which` of those that the table of engines is
 * of. -1: out of host memory, or it cannot be had. */
int offload_instance_open(offload_instance_t *i, const struct block_engine *const *engines, unsigned which);
/* its first word in X_in_t or X_out_t; -1: no such port */
int offload_instance_place(const offload_instance_t *i, const char *port);
void offload_instance_close(offload_instance_t *i);            /* also of one that is not there */
const void *offload_instance_out(const offload_instance_t *i); /* X_out_t of this cycle */
void offload_instance_step(const offload_instance_t *i, const void *in, trouble_t *fault);

/* The same of an instance whose inputs are put on its wires bit by bit: `told`: something valid is
 * among these `size` bytes, which are then cleared behind the step. Without, an instance that rests
 * is left alone: its step would change nothing. */
void offload_instance_edge(const offload_instance_t *i, void *in, size_t size, bool *told, trouble_t *fault);

#endif
