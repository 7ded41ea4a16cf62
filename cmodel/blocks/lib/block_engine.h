/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes one instance of a block in a machine: its golden model, its RTL, or both in
 * lockstep. All three have this interface, so a machine does not know which of them it has.
 *
 * Only Moore blocks have engines. In each cycle the machine calls `out` for the outputs, then
 * `step` for the clock edge, and nothing in between. The machine owns the state of `state_size`
 * bytes, so that instances of a kind can lie side by side in memory.
 */
#ifndef BLOCK_ENGINE_H
#define BLOCK_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct block_engine {
  const char *name;             /* for messages, such as "model" */
  const void *context;          /* what the machine passes to open and place */
  size_t state_size;            /* bytes that the machine allocates for each instance */
  unsigned in_words, out_words; /* sizes of X_in_t and X_out_t in words of 8 bytes */
  /* The first word of a port in X_in_t or X_out_t; -1 if there is no such port. NULL where no
   * caller needs places. */
  int (*place)(const void *context, const char *port);
  /* Opens an instance in zeroed memory and leaves it reset. Returns false if that fails. */
  bool (*open)(void *state, const void *context, unsigned instance);
  const void *(*out)(void *state); /* X_out_t of this cycle, valid until the next step */
  /* Takes X_in_t. A field whose valid bit is 0 may hold anything. */
  void (*step)(void *state, const void *in);
  /* True: step changes nothing until an input is valid. NULL: the engine is never idle. */
  bool (*idle)(const void *state);
  /* NULL, or why the outputs can no longer be trusted. The pointer itself may be NULL. */
  const char *(*failed)(const void *state);
  void (*close)(void *state); /* releases what open acquired; may be NULL */
} block_engine_t;

#endif
