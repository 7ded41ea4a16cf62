/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_rfport -- golden model of the register file's ports; contract: rtl/lsu/lsu_rfport.ports.
 */
#ifndef LSU_RFPORT_H
#define LSU_RFPORT_H

#include <stdbool.h>

#include "lsu_rfport_ports.h"

typedef struct {
  unsigned rd_first, wr_first; /* whose turn it is */
  bool done;
  unsigned done_id;
} lsu_rfport_t;

void lsu_rfport_reset(lsu_rfport_t *s);
void lsu_rfport_eval(const lsu_rfport_t *s, const lsu_rfport_in_t *in, lsu_rfport_out_t *out);
void lsu_rfport_step(lsu_rfport_t *s, const lsu_rfport_in_t *in);

#endif
