/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_dramq -- golden model of the requests on their way to the memory controller; contract: rtl/lsu/lsu_dramq.ports.
 */
#ifndef LSU_DRAMQ_H
#define LSU_DRAMQ_H

#include <stdbool.h>

#include "lsu_request.h"
#include "lsu_dramq_ports.h"

typedef struct {
  lsu_request_t queue[QueueDepth]; /* oldest first */
  unsigned count, credits;
  bool err;
} lsu_dramq_t;

void lsu_dramq_reset(lsu_dramq_t *s);
void lsu_dramq_eval(const lsu_dramq_t *s, const lsu_dramq_in_t *in, lsu_dramq_out_t *out);
void lsu_dramq_step(lsu_dramq_t *s, const lsu_dramq_in_t *in);

#endif
