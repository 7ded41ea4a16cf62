/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes one instance of a block in a machine: its golden model, its RTL, or both in
 * lockstep, behind one interface.
 *
 * Blocks that a machine has instances of are Moore: `out` gives the outputs of the present cycle,
 * `step` is its end, the clock edge. In between nothing else is called. The machine gives the
 * memory, so that instances of one kind can lie side by side.
 */
#ifndef BLOCK_ENGINE_H
#define BLOCK_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct block_engine {
  const char *name;    /* "model" */
  const void *context; /* for open and place */
  size_t state_size;
  unsigned in_words, out_words; /* of X_in_t and X_out_t, 8 bytes each */
  /* a port's first word in X_in_t or X_out_t; -1: no such port. NULL: nobody asks */
  int (*place)(const void *context, const char *port);
  /* state: zeroed; reset when it returns. False: failed */
  bool (*open)(void *state, const void *context, unsigned instance);
  const void *(*out)(void *state); /* X_out_t, good until the next step */
  /* X_in_t; fields that are not valid need not be zero */
  void (*step)(void *state, const void *in);
  /* steps change nothing until an input comes; NULL: never idle */
  bool (*idle)(const void *state);
  /* NULL, or why its outputs are worth nothing any more; may be NULL */
  const char *(*failed)(const void *state);
  void (*close)(void *state); /* may be NULL */
} block_engine_t;

#endif
