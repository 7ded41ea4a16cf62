/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_done: ids of finished instructions on their way to the bus, up to four a
 * cycle (rtl/lsu/lsu_done.ports).
 *
 * The rule is in lsu_done_core.h. Call lsu_done_eval for the outputs of a cycle, then lsu_done_step
 * with the same inputs for its clock edge. All outputs are state (Moore).
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

/* True: while in_valid and take are 0, step changes nothing. */
inline bool lsu_done_idle(const lsu_done_t *s) {
  return !s->core.err;
}

#endif
