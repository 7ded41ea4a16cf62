/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_restore: the addresses of an offloaded access, restored from its leading one
 * (MPU paper, section IV-B2, Fig. 4 (3-b); rtl/lsu/lsu_restore.ports).
 *
 * lsu_restore_eval gives the outputs for the inputs of the same cycle; step and reset do nothing.
 * The rule is lsu_access.h.
 */
#ifndef LSU_RESTORE_H
#define LSU_RESTORE_H

#include <stdbool.h>

#include "lsu_restore_ports.h"

typedef struct {
  char none; /* combinational: no state */
} lsu_restore_t;

void lsu_restore_reset(lsu_restore_t *s);
void lsu_restore_eval(const lsu_restore_t *s, const lsu_restore_in_t *in, lsu_restore_out_t *out);
void lsu_restore_step(lsu_restore_t *s, const lsu_restore_in_t *in);

#endif
