/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes the LSU-Extensions of a machine: each near-bank unit has one behind this interface, its golden model, its RTL or both.
 *
 * lsu_ext is Moore: `out` gives the outputs of the present cycle, `step` is its end. In between nothing else is called.
 */
#ifndef LSU_EXT_ENGINE_H
#define LSU_EXT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "lsu_ext_ports.h"

typedef struct lsu_ext_engine {
  const char *name;                                    /* "model" */
  const void *context;                                 /* for open */
  size_t state_size;
  bool (*open)(void *state, const void *context, unsigned unit); /* state: zeroed; reset when it returns. False: failed */
  const lsu_ext_out_t *(*out)(void *state);
  void (*step)(void *state, const lsu_ext_in_t *in);   /* fields whose valid is off need not be zero: the engine makes them so */
  bool (*idle)(const void *state);                     /* steps change nothing until an input comes; NULL: never idle */
  const char *(*failed)(const void *state);            /* NULL, or why its outputs are worth nothing any more; may be NULL */
  void (*close)(void *state);                          /* may be NULL */
} lsu_ext_engine_t;

#endif
