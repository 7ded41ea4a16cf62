/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_done -- golden model of the ids of instructions that are done; contract:
 * rtl/lsu/lsu_done.ports.
 */
#ifndef LSU_DONE_H
#define LSU_DONE_H

#include <stdbool.h>

#include "lsu_done_core.h"
#include "lsu_done_ports.h"

typedef struct {
  lsu_done_core_t core;
} lsu_done_t;

void lsu_done_reset(lsu_done_t *s);
void lsu_done_eval(const lsu_done_t *s, const lsu_done_in_t *in, lsu_done_out_t *out);
void lsu_done_step(lsu_done_t *s, const lsu_done_in_t *in);

/* Step changes nothing while in_valid and take are 0. */
inline bool lsu_done_idle(const lsu_done_t *s) {
  return !s->core.err;
}

#endif
